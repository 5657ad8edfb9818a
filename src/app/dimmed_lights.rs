//! That lights of the file are dimmed, among the findings about it.

use super::{actor::dimming_at_first, session::Session};
use crate::{
    import::{Diagnostic, Place, Severity},
    model::{Light, Model, shortened},
    scene::Dimming,
};

const CODE: &str = "LIGHTS_DIMMED";

/// That the lights of a model are dimmed in the scene that is shown first, if they are.
pub fn dimmed_lights(model: &Model) -> Option<Diagnostic> {
    Some(finding(&model.lights, dimming_at_first(model)?))
}

fn finding(lights: &[Light], dimming: Dimming) -> Diagnostic {
    let list = "/extensions/KHR_lights_punctual/lights";
    let strongest = dimming.strongest;
    let who = match &*lights[strongest].name {
        "" => format!("light {strongest}"),
        name => format!("light {:?}", shortened(name)),
    };
    let times = dimming.factor.recip();
    Diagnostic {
        severity: Severity::Info,
        code: CODE,
        pointer: format!("{list}/{strongest}"),
        message: format!("{who} would leave white surfaces {times:.0} times as bright as white"),
        action:
            "all lights of the file are dimmed by that factor, unless they are shown as stated: \
                 --lights-as-stated, or the Light menu"
                .to_owned(),
        place: Place::default(),
        others: Vec::new(),
    }
}

impl Session {
    /// Lists that lights of the file are dimmed in the scene that is shown, if they are, and no more if they are not.
    pub(super) fn list_dimmed_lights(&mut self) {
        let dimming = self.actor.dimming();
        let found = dimming.map(|dimming| finding(&self.model().lights, dimming));
        let mut listed = self.document.findings.iter().filter(|it| it.code == CODE);
        if listed.next() != found.as_ref() {
            self.document.findings.change(|listed| {
                listed.retain(|it| it.code != CODE);
                listed.extend(found);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use super::*;
    use crate::{
        app::built_in,
        model::{Hierarchy, LightKind, Node, NodeId, Scene},
        ui::Command,
    };

    /// Two suns, of which a scene shows the second, and another none.
    fn suns(intensities: [f32; 2]) -> Model {
        let sun = |(index, intensity): (usize, f32)| Light {
            name: ["", "Lamp"][index].to_owned(),
            kind: LightKind::Directional,
            color: Vec3::ONE,
            intensity,
            range: None,
        };
        let node = |light| Node {
            light,
            ..Node::default()
        };
        let nodes = vec![node(Some(0)), node(Some(1)), node(None)];
        let scene = |roots: &[usize]| Scene {
            roots: roots.iter().map(|&root| NodeId(root as u32)).collect(),
            ..Scene::default()
        };
        Model {
            hierarchy: Hierarchy::new(nodes, &[None; 3], &[vec![], vec![], vec![]]).unwrap(),
            lights: intensities.into_iter().enumerate().map(sun).collect(),
            scenes: vec![scene(&[0, 1]), scene(&[2])],
            ..Model::default()
        }
    }

    #[test]
    fn the_strongest_light_and_the_factor_are_named() {
        let said = |intensities| dimmed_lights(&suns(intensities));
        assert_eq!(said([1.0, 2.0]), None);
        let found = said([100.0, 3141.6]).unwrap();
        let list = "/extensions/KHR_lights_punctual/lights";
        assert_eq!(found.pointer, format!("{list}/1"));
        assert_eq!(found.severity, Severity::Info);
        let words = "light \"Lamp\" would leave white surfaces 1000 times as bright as white";
        assert_eq!(found.message, words);
        assert!(found.action.contains("--lights-as-stated"));
        let found = said([314.16, 1.0]).unwrap();
        assert_eq!(found.pointer, format!("{list}/0"));
        assert!(
            found.message.starts_with("light 0 would"),
            "{}",
            found.message
        );
        // The first of equals.
        assert_eq!(said([314.16; 2]).unwrap().pointer, format!("{list}/0"));
    }

    #[test]
    fn the_window_lists_it_for_the_scene_that_is_shown() {
        let mut import = built_in::load("Pip").unwrap();
        import.model = suns([100.0, 1.0]);
        let mut session = Session::new(import, None, Duration::ZERO);
        let count = |session: &Session| {
            let found = session.document.findings.iter();
            found.filter(|it| it.code == CODE).count()
        };
        assert_eq!(count(&session), 1);
        for (scene, expected) in [(1, 0), (0, 1)] {
            session.apply(Command::SelectScene(scene));
            assert_eq!(count(&session), expected, "scene {scene}");
        }
        let generation = session.document.findings.generation();
        session.list_dimmed_lights();
        assert_eq!(
            session.document.findings.generation(),
            generation,
            "no change"
        );
    }
}

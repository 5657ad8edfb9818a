//! What steps are called.

use super::Hold;
use crate::{
    app::Session,
    model::NodeId,
    ui::{MixCommand, Sight},
};

impl Session {
    /// What hiding a node, or showing it again, is called.
    pub(super) fn toggled(&self, node: usize) -> String {
        let what = match self.actor.hiding().of(node) {
            Sight::Hidden => "show",
            Sight::Shown | Sight::UnderHidden => "hide",
        };
        format!("{what} {}", self.node_words(NodeId(node as u32)))
    }

    /// What a node is called.
    pub(in crate::app) fn node_words(&self, node: NodeId) -> String {
        let hierarchy = &self.model().hierarchy;
        if node.index() < hierarchy.len() {
            hierarchy.display_name(node)
        } else {
            "node".to_owned()
        }
    }

    /// What a morph weight is called.
    pub(super) fn morph(&self, place: usize) -> String {
        let model = self.model();
        let mut nodes = model.hierarchy.iter().map(|(_, node)| node);
        let node = nodes.find(|node| node.weights.contains(&place));
        let name = node.and_then(|node| {
            let mesh = model.meshes.get(node.mesh?)?;
            Some(mesh.target_name(place - node.weights.start))
        });
        name.unwrap_or_else(|| "morph".to_owned())
    }

    /// What something that is held is called.
    pub(super) fn held(&self, hold: Hold) -> String {
        match hold {
            Hold::Weight(place) => format!("set {}", self.morph(place)),
            Hold::MixWeight(clip) => format!("weight of {}", self.short_clip_name(clip)),
            Hold::Range(clip) => format!("part{} that loops", self.of_clip(clip)),
        }
    }

    /// Of which clip something is, as a part of a sentence.
    pub(super) fn of_clip(&self, clip: Option<usize>) -> String {
        let words = clip.map(|clip| self.short_clip_name(clip));
        words.map_or_else(String::new, |words| format!(" of {words}"))
    }

    /// What a command about the mix does; none of a weight, which is held.
    pub(super) fn mixed(&self, command: &MixCommand) -> Option<String> {
        let name = |clip: &usize| self.short_clip_name(*clip);
        Some(match command {
            MixCommand::ToggleMixed(clip) if self.mix.has(*clip) => {
                format!("{} out of the mix", name(clip))
            }
            MixCommand::ToggleMixed(clip) => format!("{} into the mix", name(clip)),
            MixCommand::SetMode(clip, _) => format!("how {} is mixed", name(clip)),
            MixCommand::SetBelow(clip, _) => format!("part of the body for {}", name(clip)),
            MixCommand::SetReference(clip, _) => format!("reference of {}", name(clip)),
            MixCommand::SwitchMode => "how the last clip is mixed".to_owned(),
            MixCommand::SetInStep(_) => "clips in step".to_owned(),
            MixCommand::PlayAll => "play all clips".to_owned(),
            MixCommand::EndMix => "end the mix".to_owned(),
            MixCommand::SetWeight(..) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use crate::{
        app::Session,
        import::Import,
        model::{
            ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Timeline,
            processor_time::timed,
        },
        ui::{Command, MixCommand, TimeSpan, TimelineCommand},
    };

    /// What is dragged is called once, not with every move of the pointer: names are told apart from those of all clips.
    #[test]
    fn a_drag_costs_as_much_however_many_clips_there_are() {
        let clip = |index: usize| {
            let mut builder = ClipBuilder::new(format!("{index} steps"));
            let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
            let (linear, way) = (Interpolation::Linear, vec![Vec3::ZERO, Vec3::X]);
            builder
                .translation(NodeId(0), timeline, linear, way)
                .unwrap();
            builder.finish()
        };
        let hierarchy = Hierarchy::new(vec![Node::default()], &[None], &[Vec::new()]);
        let model = Model {
            hierarchy: hierarchy.unwrap(),
            clips: (0..20_000).map(clip).collect(),
            ..Model::default()
        };
        let import = Import {
            model,
            ..Import::default()
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        session.apply(Command::Mix(MixCommand::ToggleMixed(1)));
        let weight = |part| Command::Mix(MixCommand::SetWeight(1, part));
        let range = |part: f32| {
            let (from_secs, to_secs) = (0.0, 0.1 + 0.5 * f64::from(part));
            let span = TimeSpan { from_secs, to_secs };
            Command::Timeline(TimelineCommand::SetRange(Some(span)))
        };
        let mut drag = |command: &dyn Fn(f32) -> Command, words: &str| {
            let steps = session.history.len();
            let parts = (1..=1000_u16).map(|moves| f32::from(moves) / 1111.0);
            let ((), took) = timed(|| parts.for_each(|part| drop(session.apply(command(part)))));
            assert!(took < Duration::from_secs(1), "{words}: {took:?}");
            assert_eq!(session.history.len(), steps + 1);
            assert_eq!(session.history_view().undo, Some(words));
        };
        drag(&weight, "weight of 1 steps");
        drag(&range, "part of 0 steps that loops");
    }
}

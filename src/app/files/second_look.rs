//! What takes longer to find in a model than to load it: looked for on a thread, and listed when it is found.

use crate::{
    app::{Session, threads::Search},
    import::{self, Diagnostic},
};

/// Looks for stray weights in the model that is shown.
#[derive(Debug)]
pub(in crate::app) struct SecondLook {
    /// The model of this number, and what the window has not taken yet.
    search: Search<u64, Vec<Diagnostic>>,
}

impl SecondLook {
    /// `tell` is called on another thread when something was found.
    pub(in crate::app) fn new(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            search: Search::new(tell),
        }
    }

    /// Lists what was found, and sees to it that the model that is shown is looked at.
    pub(in crate::app) fn look_at(&mut self, session: &mut Session) {
        if self.search.turn_to(session.model_generation(), Vec::new) {
            self.start(session);
        }
        let found = std::mem::take(&mut *self.search.known());
        if !found.is_empty() {
            session.document.findings.change(|listed| {
                listed.extend(found);
                listed.sort_by_key(|diagnostic| diagnostic.severity);
            });
        }
    }

    fn start(&self, session: &Session) {
        if session.model().skins.is_empty() {
            return;
        }
        let model = session.actor().shared_model();
        let thread = self.search.spawn("weights", move |shared| {
            let goes_on = || shared.wanted().is_some();
            let found = import::catch_panic(|| Ok(import::find_stray_weights(&model, &goes_on)));
            let found = found.unwrap_or_else(|error| {
                log::warn!("the weights cannot be looked at: {error}");
                Vec::new()
            });
            if !found.is_empty()
                && let Some(mut known) = shared.wanted()
            {
                *known = found;
                drop(known);
                shared.tell();
            }
        });
        if let Err(error) = thread {
            log::warn!("there is no thread to look at weights on: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Arc, mpsc},
        time::Duration,
    };

    use super::*;
    use crate::{
        anim::StrayWeights,
        app::built_in,
        import::{Import, Severity},
    };

    /// Pip, with a vertex of the chest that follows a foot.
    fn astray() -> Import {
        let mut import = built_in::load("Pip").unwrap();
        let model = &mut import.model;
        let skin = &model.skins[0];
        let place = |name: &str| {
            let mut joints = skin.joints.iter();
            let place = joints.position(|&joint| model.hierarchy.node(joint).name == name);
            place.unwrap() as u16
        };
        let (chest, foot) = (place("chest"), place("foot_L"));
        let primitives = &mut Arc::make_mut(&mut model.meshes)[0].primitives;
        // Where the chest moves the surface most.
        let mut most = (0.0, glam::Vec3::ZERO);
        for primitive in primitives.iter() {
            let influences = primitive.influences.as_ref().unwrap();
            for (entry, &weight) in influences.weights.iter().enumerate() {
                if influences.joints[entry] == chest && weight > most.0 {
                    most = (weight, primitive.vertices.positions[entry / 4]);
                }
            }
        }
        for primitive in primitives {
            let influences = primitive.influences.as_mut().unwrap();
            for (vertex, &place) in primitive.vertices.positions.iter().enumerate() {
                if place == most.1 {
                    let own = 4 * vertex..4 * vertex + 4;
                    influences.joints[own.clone()].copy_from_slice(&[foot, 0, 0, 0]);
                    influences.weights[own].copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
                }
            }
        }
        import
    }

    #[test]
    fn stray_weights_are_listed_once_among_the_warnings() {
        let (sender, told) = mpsc::channel();
        let mut look = SecondLook::new(move || {
            let _ = sender.send(());
        });
        let mut session = Session::new(astray(), None, Duration::ZERO);
        let before = session.document.findings.len();
        look.look_at(&mut session);
        told.recv_timeout(Duration::from_secs(60)).unwrap();
        look.look_at(&mut session);
        look.look_at(&mut session);
        assert_eq!(session.document.findings.len(), before + 1);
        let is_it = |it: &&Diagnostic| it.code == StrayWeights::CODE;
        let found = session.document.findings.iter().find(is_it).unwrap();
        let words = &found.message;
        assert!(
            words.contains("follows \"foot_L\"") || words.contains("follow \"foot_L\""),
            "{words}"
        );
        let severities = session.document.findings.iter().map(|it| it.severity);
        assert!(severities.is_sorted());
        assert_eq!(found.severity, Severity::Warning);
        // The next model has none.
        session.replace_model(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        look.look_at(&mut session);
        assert!(told.recv_timeout(Duration::from_millis(200)).is_err());
        look.look_at(&mut session);
        assert_eq!(session.document.findings.len(), before);
    }
}

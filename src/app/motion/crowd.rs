//! How many of the model there are, what they play, and for which camera they were posed.

use crate::{
    app::Session,
    scene::{CameraView, FormChoice, Repertoire, Sight},
};

/// What the session knows of a crowd.
#[derive(Debug)]
pub(in crate::app) struct CrowdState {
    /// How many of the model are wanted.
    size: usize,
    /// The crowd's time: it runs on where the clip starts again.
    pub(in crate::app) time_secs: f64,
    /// What it was last posed for: who is out of sight has no pose.
    sight: Option<Sight>,
}

impl Default for CrowdState {
    fn default() -> Self {
        Self {
            size: 1,
            time_secs: 0.0,
            sight: None,
        }
    }
}

impl CrowdState {
    /// Whether who is in sight has a pose.
    pub(in crate::app) fn is_posed_for(&self, sight: Sight) -> bool {
        self.sight == Some(sight)
    }
}

/// One crowd plays as another if these are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) struct CrowdKey {
    size: usize,
    plays_all: bool,
    is_in_place: bool,
}

impl Session {
    /// Shows `count` of the model on a field instead of one.
    pub fn set_crowd_size(&mut self, count: usize) {
        self.crowd.size = count.max(1);
        self.gather_crowd();
        self.frame_model();
        self.lay_ground();
    }

    /// How many of the model are wanted.
    pub(in crate::app) fn crowd_size(&self) -> usize {
        self.crowd.size
    }

    /// What a crowd is made of; none without one.
    pub(in crate::app) fn crowd_key(&self) -> Option<CrowdKey> {
        self.actor.crowd().map(|_| CrowdKey {
            size: self.crowd.size,
            plays_all: self.plays_all_in_crowd(),
            is_in_place: self.motion.is_in_place,
        })
    }

    pub(in crate::app) fn plays_all_in_crowd(&self) -> bool {
        self.motion.crowd_plays_all && !self.model().clips.is_empty()
    }

    pub(in crate::app) fn gather_crowd(&mut self) {
        let repertoire = if self.plays_all_in_crowd() {
            Repertoire::All
        } else {
            Repertoire::One(self.clip)
        };
        self.actor.set_form_choice(self.motion.form);
        self.actor.set_crowd(repertoire, self.crowd.size);
        self.pose_changed();
    }

    /// Says in which form the matrices of a crowd go to the graphics adapter.
    pub fn set_form_choice(&mut self, choice: FormChoice) {
        self.motion.form = choice;
        self.gather_crowd();
    }

    /// Whether a crowd plays on that does not ask how long the chosen clip is.
    pub(in crate::app) fn is_crowd_moving(&self) -> bool {
        let is_running = self.clock.is_playing() && self.clock.speed() != 0.0;
        is_running && self.is_crowd_of_all()
    }

    /// Whether there is a crowd that does not ask which clip is chosen.
    pub(in crate::app) fn is_crowd_of_all(&self) -> bool {
        self.actor.crowd().is_some() && self.plays_all_in_crowd()
    }

    /// What a camera sees, also of those who throw a shadow.
    pub(in crate::app) fn sight(&self, view: CameraView) -> Sight {
        let surroundings = &self.surroundings;
        Sight {
            view,
            to_light: self
                .actor
                .to_shadow_light(surroundings.light, surroundings.is_studio()),
        }
    }

    /// Poses those of the crowd that a camera sees.
    pub(in crate::app) fn pose_crowd_for(&mut self, view: CameraView) {
        let sight = self.sight(view);
        self.actor.pose_crowd(self.crowd.time_secs, Some(&sight));
        self.crowd.sight = Some(sight);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        anim::LoopMode,
        app::built_in,
        scene::Crowd,
        ui::{Command, MotionCommand, PlaybackCommand},
    };

    #[test]
    fn a_crowd_plays_the_chosen_clip_or_all() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.5);
        session.apply(Command::SelectClip(Some(1)));
        session.apply(Command::Motion(MotionCommand::SetCrowdSize(12)));
        let played = |session: &Session| {
            let individuals = session.actor().crowd().unwrap().individuals();
            let clips: std::collections::BTreeSet<_> =
                individuals.iter().filter_map(|it| it.clip).collect();
            let is_moving = individuals[0].speed != individuals[1].speed;
            assert!(is_moving && individuals[0].phase_secs != individuals[1].phase_secs);
            clips.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(played(&session), [1]);
        session.apply(Command::Motion(MotionCommand::ToggleCrowdClips));
        let all: Vec<_> = (0..session.model().clips.len()).collect();
        assert!(all.len() > 2);
        assert_eq!(played(&session), all);
        session.clock.play();
        session.tick(0.5);
        let crowd_secs = session.crowd.time_secs;
        assert!(crowd_secs > 0.0);
        for clip in [Some(2), None] {
            session.apply(Command::SelectClip(clip));
            session.update();
            assert_eq!(played(&session), all, "also when another one is chosen");
            assert_eq!(session.crowd.time_secs, crowd_secs, "nobody leaps");
            assert!(session.can_play(), "and all can be stopped");
        }
        while !session.transition.is_over() {
            session.tick(0.5);
        }
        let crowd_secs = session.crowd.time_secs;
        session.tick(0.5);
        assert_eq!(session.crowd.time_secs, crowd_secs + 0.5);
        session.clock.pause();
        assert!(!session.is_model_moving());
        session.apply(Command::SelectClip(Some(2)));
        session.apply(Command::Motion(MotionCommand::ToggleCrowdClips));
        assert_eq!(played(&session), [2]);
    }

    #[test]
    fn a_crowd_arrives_with_the_clip_whatever_still_fades() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspect(1.5);
        session.apply(Command::Motion(MotionCommand::SetCrowdSize(12)));
        session.apply(Command::Motion(MotionCommand::SetFade(2.0)));
        session.apply(Command::Playback(PlaybackCommand::SetLoopMode(
            LoopMode::Once,
        )));
        session.clock.play();
        session.apply(Command::SelectClip(Some(1)));
        while session.clock.is_moving() {
            session.tick(0.01);
        }
        assert!(!session.transition.is_over());
        let arrived_secs = session.crowd.time_secs;
        session.tick(0.25);
        assert_eq!(session.crowd.time_secs, arrived_secs);
    }

    #[test]
    fn a_crowd_comes_and_goes() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        session.set_aspect(1.5);
        let alone = *session.actor().bounds().min.as_ref();
        for (count, expected) in [(9, Some(9)), (9, Some(9)), (1, None)] {
            session.apply(Command::Motion(MotionCommand::SetCrowdSize(count)));
            session.update();
            assert_eq!(session.actor().crowd().map(Crowd::len), expected);
        }
        assert_eq!(*session.actor().bounds().min.as_ref(), alone);
    }
}

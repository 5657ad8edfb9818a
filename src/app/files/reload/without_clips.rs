//! What was chosen of clips before a version of the file came that has none: some exporters write one on the way.

use super::{
    Chosen, ClipMatch, GoneClip,
    clip_match::{OwnClips, own_names},
};
use crate::{
    anim::{Clock, difference::NodeMatch},
    app::{Session, motion::MixMoment, posing::PosedAt, time::ClipTimes},
    model::Model,
    ui::TimeSpan,
};

/// That choice.
#[derive(Debug)]
pub(in crate::app) struct ClipsBefore {
    document: u64,
    /// Of the clips that the file itself had; those of other files came after them.
    names: Vec<String>,
    clip: Option<usize>,
    /// The moment that was shown, as one of no clip.
    at: PosedAt,
    clock: Clock,
    span: Option<TimeSpan>,
    times: ClipTimes,
    mix: MixMoment,
    /// Which clip was compared with, and whether it was shown.
    compared: Option<(usize, bool)>,
    /// Whether there was a pose by hand.
    pub(super) was_posed: bool,
}

/// How a model goes to the next one of the same file.
#[derive(Debug)]
pub(super) enum Bridge {
    /// Either has clips of its own, or neither ever had.
    None,
    /// The one that comes has none: what was chosen of them waits, and these are the clips of it.
    Waiting(ClipsBefore, ClipMatch),
    /// It has them again: what was chosen before, and which clips they are.
    Crossed(ClipsBefore, ClipMatch),
}

impl ClipsBefore {
    /// Of what a session shows.
    fn of(session: &Session, own_clips: usize) -> Self {
        let names = own_names(session.model(), own_clips).into_iter();
        Self {
            document: session.document.generation(),
            names: names.map(str::to_owned).collect(),
            clip: session.clip,
            at: session.posed_now().without_clip(),
            clock: session.clock.clone(),
            span: session.timeline.shown(),
            times: session.clip_times(),
            mix: session.mix_moment(),
            compared: session.compare.shown_clip(),
            was_posed: !session.actor().offsets().is_empty(),
        }
    }

    /// The names of the clips that the file itself had.
    pub(super) fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// The chosen clip, if it is one of the file's own and has a name to be known by. `selections` is how often the user has
    /// chosen a clip.
    fn gone_clip(&self, selections: u64) -> Option<GoneClip> {
        let clip = self.clip?;
        let name = self.names.get(clip).filter(|name| !name.is_empty())?;
        let times = self.times.clone();
        Some(GoneClip {
            document: self.document,
            name: name.clone(),
            at: self.at,
            clock: self.clock.clone(),
            span: self.span,
            times: times.carried_to(|it| (it == clip).then_some(it)),
            selections,
        })
    }

    /// For the model that comes, which has no clips of its own either.
    pub(super) fn carried_to(self, nodes: &NodeMatch, clips: &ClipMatch) -> Self {
        let clip_of = |clip| clips.of(clip);
        let compared = self.compared;
        Self {
            clip: self.clip.and_then(clip_of),
            times: self.times.carried_to(clip_of),
            mix: self.mix.carried_to(clip_of, |node| nodes.second_of(node)),
            compared: compared.and_then(|(clip, is_on)| Some((clip_of(clip)?, is_on))),
            ..self
        }
    }
}

impl Bridge {
    /// From what a session shows to the model that comes, in which the clips of other files are there.
    pub(super) fn to(
        session: &mut Session,
        new: &Model,
        (own_clips, others): (&OwnClips, &[Option<usize>]),
    ) -> Self {
        let before = session.files.clips_before.take();
        let document = session.document.generation();
        let before = before.filter(|before| before.document == document);
        match (own_clips, before) {
            (OwnClips { old: 0, new: 0 }, Some(before)) => {
                let clips = ClipMatch::of_waiting(before.names.len(), others);
                Self::Waiting(before, clips)
            }
            (OwnClips { old: 0, new: count }, Some(before)) => {
                let clips = ClipMatch::new(&before.names(), &own_names(new, *count), others);
                Self::Crossed(before, clips)
            }
            (OwnClips { old: 0, .. }, None) => Self::None,
            (OwnClips { old, new: 0 }, _) => {
                let clips = ClipMatch::of_waiting(*old, others);
                Self::Waiting(ClipsBefore::of(session, *old), clips)
            }
            _ => Self::None,
        }
    }
}

impl Chosen {
    /// Takes up what was chosen of clips that were not there for a while; what was chosen meanwhile stays. `selections` is how
    /// often the user has chosen a clip.
    pub(super) fn take_up(
        &mut self,
        before: ClipsBefore,
        clips: &ClipMatch,
        nodes: &NodeMatch,
        selections: u64,
    ) {
        self.had_clips = true;
        let own_clips = before.names.len();
        let own_of = |clip| clips.of(clip).filter(|_| clip < own_clips);
        if self.clip.is_none() && before.clip.is_none_or(|clip| clip < own_clips) {
            self.clip = before.clip.and_then(own_of);
            let gone = before.clip.filter(|_| self.clip.is_none());
            if let Some(clip) = gone {
                self.gone = Some(before.names[clip].clone());
                self.awaited = before.gone_clip(selections);
            }
            // How time runs may have been changed since.
            let now = std::mem::replace(&mut self.clock, before.clock);
            self.clock.run_as(&now);
            self.span = before.span;
        }
        self.times.take_up(before.times, own_of);
        // What was left of it without them.
        let others = |clip: usize| clip.checked_sub(own_clips);
        let left = before.mix.choice.clone().carried_to(others, Some);
        if self.mix.is_choice(&left) {
            let node_of = |node| nodes.second_of(node);
            self.mix_before = Some(before.mix.carried_to(|clip| clips.of(clip), node_of));
        }
        if let Some((clip, is_on)) = before.compared
            && let Some(clip) = own_of(clip)
        {
            self.compare.take_up((clip, is_on));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{clip_of, import, mixed, session, turned};
    use crate::{
        anim::LoopMode,
        app::{Session, time::FrameRate},
        import::{Import, Progress, load_bytes},
        ui::{
            BorrowedCommand, Command, CompareCommand, CompareWith, HistoryCommand, MixCommand,
            NodesCommand, PlaybackCommand, TimeSpan, TimelineCommand,
        },
    };

    fn without() -> Import {
        import(|json| {
            json.as_object_mut().unwrap().remove("animations");
        })
    }

    /// Exporters write the mesh first, and the file with its clips after that.
    #[test]
    fn clip_time_and_pause_come_back_after_a_version_without_clips() {
        let mut session = session();
        let walk = clip_of(&session, "Walk");
        let part = TimeSpan {
            from_secs: 0.2,
            to_secs: 0.6,
        };
        for command in [
            Command::SelectClip(Some(walk)),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Playback(PlaybackCommand::SetFrameRate(12.0)),
            Command::Playback(PlaybackCommand::Seek(0.4)),
            Command::Timeline(TimelineCommand::SetRange(Some(part))),
        ] {
            session.apply(command);
        }
        let clock = session.clock().clone();
        for _ in 0..2 {
            session.reload_model(without(), Duration::ZERO);
            assert_eq!(session.clip(), None);
        }
        session.reload_model(import(turned), Duration::ZERO);
        assert_eq!(session.clip(), Some(clip_of(&session, "Walk")));
        assert_eq!(*session.clock(), clock);
        assert_eq!(session.timeline.rate, FrameRate::Set(12.0));

        session.apply(Command::SelectClip(None));
        session.reload_model(without(), Duration::ZERO);
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(session.clip(), None, "its own pose was chosen");

        // Of another file they are others.
        session.apply(Command::SelectClip(Some(walk)));
        session.reload_model(without(), Duration::ZERO);
        session.replace_model(without(), None, Duration::ZERO);
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(session.clip(), Some(0));
    }

    /// A session that is stopped in the midst of its walk.
    fn paused_in_walk() -> Session {
        let mut session = session();
        for command in [
            Command::SelectClip(Some(clip_of(&session, "Walk"))),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Playback(PlaybackCommand::Seek(0.4)),
        ] {
            session.apply(command);
        }
        session
    }

    #[test]
    fn how_time_runs_is_as_it_was_set_last() {
        let mut session = paused_in_walk();
        session.reload_model(without(), Duration::ZERO);
        for command in [
            PlaybackCommand::SetSpeed(0.5),
            PlaybackCommand::SetLoopMode(LoopMode::PingPong),
            PlaybackCommand::TogglePlay,
        ] {
            session.apply(Command::Playback(command));
        }
        session.reload_model(import(|_| {}), Duration::ZERO);
        let clock = session.clock();
        assert_eq!((clock.time_secs(), clock.speed()), (0.4, 0.5));
        assert_eq!(clock.loop_mode(), LoopMode::PingPong);
        assert!(clock.is_playing());
    }

    /// Also after one that has clips again, but not the chosen one.
    #[test]
    fn a_clip_that_is_gone_after_a_version_without_clips_is_awaited() {
        let mut session = paused_in_walk();
        let clock = session.clock().clone();
        session.reload_model(without(), Duration::ZERO);
        let run_alone = import(|json| {
            let clips = json["animations"].as_array_mut().unwrap();
            clips.retain(|clip| clip["name"] == "Run");
        });
        session.reload_model(run_alone, Duration::ZERO);
        assert_eq!(session.clip(), None);
        let title = session.message().map(|message| &*message.title);
        let is_gone = "The clip \"Walk\" is not in the file any more";
        assert_eq!(title, Some(is_gone));
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(session.clip(), Some(clip_of(&session, "Walk")));
        assert_eq!(*session.clock(), clock);
        assert_eq!(session.message(), None);
    }

    /// Those of other files are there all the time.
    #[test]
    fn all_that_was_chosen_of_clips_comes_back_with_them() {
        let mut session = session();
        let own = session.own_clip_count();
        let mut lent = import(|_| {}).model;
        lent.clips.retain(|clip| clip.name() == "Jump");
        session.add_clips("jump.glb", lent);
        let [walk, run, wave] = ["Walk", "Run", "Wave"].map(|name| clip_of(&session, name));
        for command in [
            Command::SelectClip(Some(walk)),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Playback(PlaybackCommand::Seek(0.4)),
            Command::Mix(MixCommand::ToggleMixed(wave)),
            Command::Mix(MixCommand::ToggleMixed(own)),
            Command::Mix(MixCommand::SetWeight(wave, 0.25)),
            Command::Compare(CompareCommand::With(CompareWith::Clip(run))),
        ] {
            session.apply(command);
        }
        session.update();
        let state = |session: &Session| {
            let name = |clip: usize| session.clip_names()[clip].clone();
            let clips = [session.clip(), session.compare.clip()].map(|clip| clip.map(name));
            let is_split = session.split().is_some();
            (clips, is_split, mixed(session), session.clock().clone())
        };
        let before = state(&session);
        assert_eq!((before.2.len(), before.1), (2, true));
        for _ in 0..2 {
            session.reload_model(without(), Duration::ZERO);
            session.update();
            let (clips, is_split, mix, _) = state(&session);
            assert_eq!((clips, is_split), ([None, None], false));
            assert_eq!(mix, before.2[1..], "that of the other file");
        }
        session.reload_model(import(turned), Duration::ZERO);
        session.update();
        assert_eq!(state(&session), before);
        let undo = Command::History(HistoryCommand::Undo);
        assert_eq!(session.history_view().undo, Some("weight of Wave"));
        session.apply(undo.clone());
        assert_eq!(mixed(&session).len(), 2);
        assert_ne!(mixed(&session)[0].2, 0.25);
        session.apply(undo);
        let mix = mixed(&session);
        assert!(mix.len() == 1 && mix[0].0 == "Wave", "{mix:?}");

        // What was chosen meanwhile stays.
        session.reload_model(without(), Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(session.clip(), Some(own));
    }

    /// What waits for the file's own clips must not take those of another file for them.
    #[test]
    fn clips_of_other_files_may_go_while_there_are_none() {
        let mut session = session();
        let own = session.own_clip_count();
        for path in ["a.glb", "b.glb"] {
            let mut lent = import(|_| {}).model;
            lent.clips.retain(|clip| clip.name() == "Jump");
            session.add_clips(path, lent);
        }
        let [walk, wave] = ["Walk", "Wave"].map(|name| clip_of(&session, name));
        for command in [
            Command::SelectClip(Some(walk)),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Mix(MixCommand::ToggleMixed(wave)),
            Command::Mix(MixCommand::ToggleMixed(own)),
            Command::Mix(MixCommand::SetWeight(own, 0.5)),
        ] {
            session.apply(command);
        }
        session.reload_model(without(), Duration::ZERO);
        // Now the clip of b.
        session.apply(Command::Mix(MixCommand::ToggleMixed(1)));
        session.apply(Command::Borrowed(BorrowedCommand::TakeOut(1)));
        session.apply(Command::Borrowed(BorrowedCommand::TakeOut(0)));
        session.reload_model(import(|_| {}), Duration::ZERO);
        let mix = |session: &Session| session.mix.choice();
        assert!(session.clip() == Some(walk) && session.mix.has(wave));
        for _ in 0..10 {
            assert!(
                !mix(&session).has_any(|clip| clip != wave),
                "{:?}",
                mix(&session)
            );
            session.apply(Command::History(HistoryCommand::Undo));
        }
    }

    /// What is taken back meanwhile is made again, and what waits is as it was.
    #[test]
    fn steps_that_wait_are_passed() {
        let mut session = session();
        let wave = clip_of(&session, "Wave");
        for command in [
            Command::SelectClip(Some(clip_of(&session, "Walk"))),
            Command::Playback(PlaybackCommand::TogglePlay),
            Command::Mix(MixCommand::ToggleMixed(wave)),
            Command::Nodes(NodesCommand::ToggleHidden(2)),
            Command::Mix(MixCommand::SetWeight(wave, 0.25)),
        ] {
            session.apply(command);
        }
        let [undo, redo] = [HistoryCommand::Undo, HistoryCommand::Redo].map(Command::History);
        let state = |session: &Session| (session.actor().hiding().count, mixed(session)[0].2);
        let before = state(&session);
        assert_eq!(before, (1, 0.25));
        session.reload_model(without(), Duration::ZERO);
        session.apply(undo.clone());
        assert_eq!(session.actor().hiding().count, 0);
        session.reload_model(import(|_| {}), Duration::ZERO);
        assert_eq!(state(&session), (0, 0.25));
        session.apply(redo.clone());
        assert_eq!(state(&session), before);
        session.apply(redo);
        assert_eq!(state(&session), before, "that was all");
        session.apply(undo.clone());
        assert_eq!(state(&session), (0, 0.25));
        session.apply(undo);
        assert_ne!(state(&session).1, 0.25);
    }

    /// A file may be empty for a moment, as it is saved.
    #[test]
    fn a_model_that_comes_after_nothing_is_seen_whole() {
        let mut session = session();
        let empty = || {
            load_bytes(
                "model.gltf",
                br#"{"asset":{"version":"2.0"}}"#,
                &Progress::default(),
            )
        };
        session.reload_model(empty().unwrap(), Duration::ZERO);
        assert_eq!(session.actor().bounds().diagonal(), 0.0);
        let small = import(|json| {
            let roots = json["scenes"][0]["nodes"].take();
            let nodes = json["nodes"].as_array_mut().unwrap();
            nodes.push(serde_json::json!({"scale": [0.01, 0.01, 0.01], "children": roots}));
            json["scenes"][0]["nodes"] = serde_json::json!([nodes.len() - 1]);
        });
        session.reload_model(small, Duration::ZERO);
        let eye = session.camera_view().eye;
        let times = session.actor().bounds().diagonal() / eye.length();
        assert!((0.1..10.0).contains(&times), "{times}");
    }
}

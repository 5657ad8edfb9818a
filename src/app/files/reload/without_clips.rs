//! What was chosen of clips before a version of the file came that has none: some exporters write one on the way.

use super::{Chosen, matching};
use crate::{
    anim::Clock,
    app::{Session, session::FrameRate, time::Ranges},
    model::{Clip, Model, pair_by_name},
    ui::TimeSpan,
};

/// That choice.
#[derive(Debug)]
pub(in crate::app) struct ClipsBefore {
    document: u64,
    names: Vec<String>,
    clip: Option<usize>,
    clock: Clock,
    rate: FrameRate,
    span: Option<TimeSpan>,
    ranges: Ranges,
}

impl ClipsBefore {
    /// Of what a session shows.
    fn of(session: &Session) -> Self {
        let names = session.model().clips.iter();
        Self {
            document: session.document_generation,
            names: names.map(|clip| clip.name().to_owned()).collect(),
            clip: session.clip,
            clock: session.clock.clone(),
            rate: session.rate,
            span: session.timeline.shown(),
            ranges: session.ranges(),
        }
    }
}

impl Chosen {
    /// Keeps what was chosen of clips if the model that comes has none, and takes it up if that was so of the one that goes.
    pub(super) fn bridge(&mut self, session: &mut Session, new: &Model) {
        let document = session.document_generation;
        let before = session.files.clips_before.take();
        let before = before.filter(|before| before.document == document);
        if new.clips.is_empty() {
            let now = self.had_clips.then(|| ClipsBefore::of(session));
            session.files.clips_before = now.or(before);
        } else if let Some(before) = before.filter(|_| !self.had_clips) {
            let names: Vec<_> = before.names.iter().map(String::as_str).collect();
            let new_names: Vec<_> = new.clips.iter().map(Clip::name).collect();
            let places = pair_by_name(names.iter().copied(), new_names.iter().copied());
            self.had_clips = true;
            let clip = before.clip;
            self.clip = clip.and_then(|clip| matching(clip, &names, &new_names));
            self.clock = before.clock;
            self.rate = before.rate;
            self.span = before.span;
            self.ranges = before.ranges.carried_to(|clip| *places.get(clip)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{clip_of, import, session, turned};
    use crate::{
        app::session::FrameRate,
        import::{Progress, load_bytes},
        ui::{Command, PlaybackCommand, TimeSpan, TimelineCommand},
    };

    /// Exporters write the mesh first, and the file with its clips after that.
    #[test]
    fn clip_time_and_pause_come_back_after_a_version_without_clips() {
        let without = || {
            import(|json| {
                json.as_object_mut().unwrap().remove("animations");
            })
        };
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
        assert_eq!(session.rate, FrameRate::Set(12.0));

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

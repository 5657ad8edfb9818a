//! All clips at once, as files want it whose clips move one part each.

use std::collections::HashSet;

use super::MAX_CLIPS;
use crate::{
    app::Session,
    model::{Clip, Moved},
    ui::{Message, MixMode},
};

impl Session {
    /// Takes all clips into the mix that move nothing that is moved already, and says how many do not, or have no room.
    pub(super) fn play_all(&mut self) {
        let playing: Vec<usize> = self.mix.listed().map(|mixed| mixed.clip).collect();
        let playing: Vec<usize> = self.clip.into_iter().chain(playing).collect();
        let clips = &self.actor.model().clips;
        let mut moved: HashSet<Moved> =
            playing.iter().flat_map(|&it| moved_by(clips, it)).collect();
        let room = MAX_CLIPS.saturating_sub(self.mix.listed().count());
        let (mut joining, mut conflicting, mut without_room) = (Vec::new(), 0, 0);
        for (index, clip) in clips.iter().enumerate() {
            if playing.contains(&index) || clip.track_count() == 0 {
                continue;
            }
            let is_free = moved_by(clips, index).all(|it| !moved.contains(&it));
            if !is_free {
                conflicting += 1;
            } else if joining.len() < room {
                moved.extend(moved_by(clips, index));
                joining.push((index, f64::from(clip.duration_secs())));
            } else {
                without_room += 1;
            }
        }
        let together = playing.len() + joining.len();
        let is_full = joining.len() == room;
        for (clip, duration_secs) in joining {
            self.join_mix(clip, duration_secs, MixMode::Together, 1.0);
        }
        if conflicting + without_room > 0 {
            let title = match together {
                0 | 1 => "No two clips play at once".to_owned(),
                together => format!("{together} clips play at once"),
            };
            let detail = why_left_out(conflicting, without_room, is_full);
            self.tell(Message::info(title, detail).passing());
        }
    }
}

/// Why some clips do not play, and what can be done about it: `conflicting` ones move what others do, `without_room` ones
/// are too many.
fn why_left_out(conflicting: usize, without_room: usize, is_full: bool) -> String {
    let conflict = match conflicting {
        0 => None,
        1 => Some("One other moves what one of these does.".to_owned()),
        count => Some(format!("{count} others move what one of these does.")),
    };
    let room = match without_room {
        0 => None,
        1 => Some(format!("One has no room beside {MAX_CLIPS}.")),
        count => Some(format!("{count} have no room beside {MAX_CLIPS}.")),
    };
    let advice = if is_full {
        "Take one out of the mix to make room for another."
    } else {
        "Ctrl+click takes a clip in all the same."
    };
    let sentences = conflict.into_iter().chain(room);
    let sentences = sentences.chain([advice.to_owned()]);
    sentences.collect::<Vec<_>>().join(" ")
}

fn moved_by(clips: &[Clip], clip: usize) -> impl Iterator<Item = Moved> + '_ {
    let clip = clips.get(clip).into_iter();
    clip.flat_map(|clip| clip.heads().map(|head| head.moved))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Vec3;

    use super::*;
    use crate::{
        import::Import,
        model::{ClipBuilder, Hierarchy, Interpolation, Model, Node, NodeId, Timeline},
        ui::{Command, HistoryCommand, MixCommand, PlaybackCommand},
    };

    /// Moves a node.
    fn walk(node: u32) -> Clip {
        let mut builder = ClipBuilder::new(format!("walk {node}"));
        let timeline = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let values = vec![Vec3::ZERO, Vec3::X];
        builder
            .translation(NodeId(node), timeline, Interpolation::Linear, values)
            .unwrap();
        builder.finish()
    }

    fn session(moved: impl IntoIterator<Item = u32>) -> Session {
        let clips: Vec<_> = moved.into_iter().map(walk).collect();
        let nodes = vec![Node::default(); 100];
        let hierarchy = Hierarchy::new(nodes, &[None; 100], &vec![vec![]; 100]).unwrap();
        let model = Model {
            hierarchy,
            clips,
            ..Model::default()
        };
        let import = Import {
            model,
            ..Import::default()
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        session
    }

    fn mixed(session: &Session) -> Vec<usize> {
        let mut rows = Vec::new();
        session.mix_rows(&mut rows);
        rows.iter().map(|row| row.clip).collect()
    }

    #[test]
    fn all_that_do_not_conflict_play_and_it_is_one_step() {
        let mut session = session([0, 1, 0, 2, 1, 3]);
        session.apply(Command::Mix(MixCommand::PlayAll));
        assert_eq!(mixed(&session), [1, 3, 5]);
        assert!(session.conflicts().is_empty());
        let told = session.message().unwrap();
        assert_eq!(told.title, "4 clips play at once");
        assert_eq!(
            told.detail,
            "2 others move what one of these does. Ctrl+click takes a clip in all the same."
        );
        session.apply(Command::Mix(MixCommand::PlayAll));
        assert_eq!(mixed(&session), [1, 3, 5], "they play already");
        session.apply(Command::History(HistoryCommand::Undo));
        assert!(mixed(&session).is_empty());
        session.apply(Command::History(HistoryCommand::Redo));
        assert_eq!(mixed(&session), [1, 3, 5]);
    }

    #[test]
    fn there_is_room_for_as_many_as_can_be_mixed() {
        let mut session = session((0..100).chain([7]));
        session.apply(Command::Mix(MixCommand::PlayAll));
        assert_eq!(mixed(&session).len(), MAX_CLIPS);
        assert_eq!(
            session.message().unwrap().detail,
            "One other moves what one of these does. 36 have no room beside 63. \
             Take one out of the mix to make room for another."
        );
        session.apply(Command::Playback(PlaybackCommand::Seek(1.0)));
        session.update();
        let places = session.actor().pose().locals.iter();
        let moved = places.filter(|local| local.translation == Vec3::X);
        assert_eq!(moved.count(), MAX_CLIPS + 1, "the selected one plays, too");
    }
}

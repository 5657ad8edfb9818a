//! What each command about comparing does to the session.

use crate::{app::Session, model::Keyed as _, scene::SplitWay, ui::CompareCommand};

impl Session {
    /// Does what the user asks of comparing.
    pub(in crate::app) fn apply_compare(&mut self, command: CompareCommand) {
        let compare = &mut self.compare;
        match command {
            CompareCommand::Show(way) => self.show_compared(way),
            CompareCommand::Step => {
                let place = compare.is_on.then(|| {
                    let ways = SplitWay::ALL.iter();
                    ways.take_while(|way| **way != compare.split.way).count()
                });
                let next = SplitWay::ALL.get(place.map_or(0, |place| place + 1));
                self.show_compared(next.copied());
            }
            CompareCommand::Swap => {
                compare.split.is_swapped = !compare.split.is_swapped;
                self.overlay_changed();
            }
            CompareCommand::With(with) => {
                compare.with = Some(with);
                let way = compare.split.way;
                self.show_compared(Some(way));
            }
            CompareCommand::MoveLine(at) => {
                compare.split.at = at;
                compare.split.at = compare.split.line();
            }
            CompareCommand::ToggleDifferences => {
                compare.shows_differences = !compare.shows_differences;
                self.overlay_changed();
            }
            CompareCommand::ListClips(lists) => compare.lists_clips = lists,
            CompareCommand::TogglePhase => {
                compare.by_phase = !compare.by_phase;
                self.pose_changed();
            }
            CompareCommand::Pick { at, reach } => self.pick_in_second(at, reach),
        }
    }
}

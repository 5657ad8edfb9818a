//! What the user has changed, step by step, so that it can be taken back and made again: poses by hand, morph weights,
//! hidden nodes, clips together, the part of the clip that loops.

mod commands;
mod words;

use super::{
    Session,
    actor::HeldWeights,
    motion::MixChoice,
    picture::HiddenNodes,
    posing::{HandPose, ParkedPose, ShownMoment},
    time::Range,
};
use crate::ui::{Command, HistoryView, MixCommand, MorphCommand, NodesCommand, TimelineCommand};

/// Steps that can be taken back.
pub(super) const MAX_STEPS: usize = 200;

/// All that there is of one kind of changes. The kinds do not touch one another, but for what leads to another clip: that
/// leaves the mix, and where a part that loops brings its clip before the user, the way back is a step beside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Edit {
    Pose(HandPose),
    /// It leads to another moment, too.
    ParkedPose(ParkedPose),
    Weights(HeldWeights),
    Hiding(HiddenNodes),
    /// With the part that loops of the file's own pose: beside that, it goes with a clip that it does not fit without.
    Mix(MixChoice, Range),
    /// Which clip is chosen, and what plays beside it: one that is chosen leaves the mix.
    Lead(Option<usize>, MixChoice),
    /// What was shown before another step led away from it.
    Moment(ShownMoment),
    /// Of which clip, and seconds.
    Range(Option<usize>, Range),
}

impl Edit {
    /// Whether `is_it` holds for any clip that it is about.
    pub(super) fn has_clip(&self, is_it: impl Fn(usize) -> bool) -> bool {
        match self {
            Self::Pose(_) | Self::Weights(_) | Self::Hiding(_) => false,
            Self::ParkedPose(left) => left.has_clip(is_it),
            Self::Mix(choice, _) => choice.has_any(is_it),
            Self::Moment(moment) => moment.has_clip(is_it),
            Self::Lead(lead, choice) => lead.is_some_and(&is_it) || choice.has_any(is_it),
            Self::Range(clip, _) => clip.is_some_and(is_it),
        }
    }
}

/// Which of them a command changes.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Weights,
    Hiding,
    Mix,
    Lead,
    Range,
}

/// What several commands change one after the other, as a slider does that is dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Weight(usize),
    MixWeight(usize),
    /// Of this clip.
    Range(Option<usize>),
}

/// What was there before a change, or after one that was taken back.
#[derive(Debug)]
struct Step {
    edit: Edit,
    /// What the change was, for the user.
    words: String,
    /// Whether it is about clips that the file lacks as it was saved last: it waits for them, with their places as they were
    /// before.
    waits: bool,
    /// Whether it is a part of what the step before it was: both are taken at once.
    is_further_part: bool,
}

/// Takes the last step out that does not wait.
fn take_last(steps: &mut Vec<Step>) -> Option<Step> {
    let place = steps.iter().rposition(|step| !step.waits)?;
    Some(steps.remove(place))
}

/// What a command changes, for the user.
#[derive(Debug)]
enum Change {
    /// By itself, with what it is called.
    Single(String),
    /// Maybe one of several, which are called once.
    Held(Hold),
}

/// A step that a command may be.
#[derive(Debug)]
pub(super) struct Begun {
    before: Edit,
    kind: Kind,
    change: Change,
}

/// The steps of this model.
#[derive(Debug, Default)]
pub(super) struct History {
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// What the last step goes on with.
    hold: Option<Hold>,
}

impl History {
    /// Lets go of what belongs to a model.
    pub(super) fn forget_model(&mut self) {
        *self = Self::default();
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.undo.len()
    }

    fn push(&mut self, edit: Edit, words: String, is_further_part: bool) {
        // What was made again may be some more, with the ways back.
        while self.undo.len() >= MAX_STEPS {
            self.undo.remove(0);
        }
        self.undo.push(Step {
            edit,
            words,
            waits: false,
            is_further_part,
        });
        self.redo.clear();
    }

    /// Whether some of a pose that went with its moment is of nodes that are gone.
    pub(super) fn has_lost(&self) -> bool {
        let is_lost = |step: &Step| matches!(&step.edit, Edit::ParkedPose(left) if left.has_lost());
        self.undo.iter().any(is_lost)
    }

    /// These steps for another model; `carry` says what becomes of what they hold, if anything, and whether they wait.
    pub(super) fn carried(self, carry: impl Fn(Edit, bool) -> Option<(Edit, bool)>) -> Self {
        let carried = |step: Step| {
            let (edit, waits) = carry(step.edit, step.waits)?;
            Some(Step {
                edit,
                waits,
                ..step
            })
        };
        let all = |steps: Vec<Step>| {
            let mut all: Vec<Step> = Vec::with_capacity(steps.len());
            let mut is_whole = true;
            for step in steps {
                is_whole |= !step.is_further_part;
                match carried(step) {
                    Some(mut step) => {
                        // What it was a further part of is gone.
                        step.is_further_part &= is_whole;
                        is_whole = true;
                        all.push(step);
                    }
                    None => is_whole = false,
                }
            }
            all
        };
        let mut redo: Vec<_> = self.redo;
        redo.reverse();
        let mut redo = all(redo);
        redo.reverse();
        Self {
            undo: all(self.undo),
            redo,
            hold: None,
        }
    }
}

impl Session {
    /// Takes note of what is there before a command that may be a step to undo.
    pub(super) fn begin_step(&mut self, command: &Command) -> Option<Begun> {
        let (kind, change) = self.step_of(command)?;
        self.end_drag();
        Some(Begun {
            before: self.edit_now(kind),
            kind,
            change,
        })
    }

    /// Takes note of a step if the command has changed anything.
    pub(super) fn end_step(&mut self, begun: Option<Begun>) {
        let Some(begun) = begun.filter(|begun| begun.before != self.edit_now(begun.kind)) else {
            return;
        };
        match begun.change {
            Change::Single(words) => self.remember(begun.before, words),
            Change::Held(hold) if self.history.hold == Some(hold) => {}
            Change::Held(hold) => {
                self.remember(begun.before, self.held(hold));
                self.history.hold = Some(hold);
            }
        }
    }

    /// Takes note of what was there before a change.
    pub(super) fn remember(&mut self, before: Edit, words: String) {
        self.remember_all([before], words);
    }

    /// Takes note of what was there before several changes, which are taken back together.
    pub(super) fn remember_all(&mut self, before: impl IntoIterator<Item = Edit>, words: String) {
        self.posing.end_nudges();
        self.history.hold = None;
        for (part, edit) in before.into_iter().enumerate() {
            self.history.push(edit, words.clone(), part > 0);
        }
    }

    /// What comes next is a step of its own.
    fn end_history_step(&mut self) {
        self.end_drag();
        self.posing.end_nudges();
        self.history.hold = None;
    }

    fn undo_last(&mut self) {
        if let Some(step) = take_last(&mut self.history.undo) {
            let steps = self.swap_with_way(step, true);
            self.history.redo.extend(steps);
        }
    }

    /// [`Self::swap`], with the way back to what is shown if the step leads away from that: else the steps that were on the
    /// other side of it would come to another clip.
    fn swap_with_way(&mut self, step: Step, is_undone: bool) -> impl Iterator<Item = Step> + use<> {
        let before = self.clip;
        let leads_away = self.leads_away(&step.edit);
        let moment = leads_away.then(|| Edit::Moment(self.shown_moment()));
        let step = self.swap(step, leads_away);
        // What is undone is made again forwards.
        let selected = if is_undone { before } else { self.clip };
        let way_back = moment.map(|edit| Step {
            edit,
            words: match selected {
                Some(clip) => format!("select {}", self.short_clip_name(clip)),
                None => "select no clip".to_owned(),
            },
            waits: false,
            is_further_part: false,
        });
        way_back.into_iter().chain([step])
    }

    /// Whether a step is about a clip that is not in force, and which is to be for it: what changes is to be seen.
    fn leads_away(&self, edit: &Edit) -> bool {
        match edit {
            Edit::Range(clip, _) => self.clip != *clip && !self.is_idle(edit),
            _ => false,
        }
    }

    /// The last of these steps by which something is seen to change. A step changes nothing as long as what it changed is gone
    /// from the file.
    fn last_seen(&self, steps: &[Step]) -> Option<usize> {
        let is_seen = |step: &Step| !step.waits && !self.is_idle(&step.edit);
        steps.iter().rposition(is_seen)
    }

    /// How many of the last steps are taken at once: as many as it takes until something is seen to change, with all parts of
    /// that, or none. Those that wait stay where they are. What is made again has its further parts before it.
    fn to_take(&self, steps: &[Step], is_made_again: bool) -> usize {
        let Some(mut first) = self.last_seen(steps) else {
            return 0;
        };
        let goes_on = |first: usize| {
            let part = if is_made_again { first - 1 } else { first };
            steps[part].is_further_part
        };
        while first > 0 && goes_on(first) {
            first -= 1;
        }
        steps[first..].iter().filter(|step| !step.waits).count()
    }

    /// Whether what a step leads to is what is seen already.
    fn is_idle(&self, edit: &Edit) -> bool {
        match edit {
            Edit::Pose(pose) => pose.offsets == *self.actor.offsets(),
            Edit::ParkedPose(left) => self.is_parked_pose_seen(left),
            Edit::Weights(weights) => weights == self.actor.held(),
            Edit::Hiding(nodes) => nodes == self.actor.hidden_nodes(),
            Edit::Mix(choice, range) => self.mix.is_choice(choice) && *range == self.range_of(None),
            Edit::Moment(moment) => self.plays_at(moment),
            Edit::Lead(clip, choice) => *clip == self.clip && self.mix.is_choice(choice),
            Edit::Range(clip, range) => *range == self.range_of(*clip),
        }
    }

    /// Where the last change of the pose is by which something is seen to change.
    fn last_of_pose(&self) -> Option<usize> {
        let is_pose = |step: &Step| match &step.edit {
            edit @ (Edit::Pose(_) | Edit::ParkedPose(_)) => !step.waits && !self.is_idle(edit),
            _ => false,
        };
        self.history.undo.iter().rposition(is_pose)
    }

    /// Whether [`Self::undo_pose`] leads back to a pose of this clip.
    pub(super) fn undoes_pose_of(&self, clip: usize) -> bool {
        let last = self
            .last_of_pose()
            .map(|place| &self.history.undo[place].edit);
        matches!(last, Some(Edit::ParkedPose(left)) if left.is_on(clip))
    }

    /// Takes back the last change of the pose, whatever else was changed after it.
    pub(super) fn undo_pose(&mut self) {
        if let Some(place) = self.last_of_pose() {
            self.end_history_step();
            let step = self.history.undo.remove(place);
            self.history.undo.push(Step {
                is_further_part: false,
                ..step
            });
            self.undo_last();
        }
    }

    /// What can be taken back and made again, for the panels.
    pub(super) fn history_view(&self) -> HistoryView<'_> {
        let History { undo, redo, hold } = &self.history;
        HistoryView {
            undo: self.words_of_next(undo),
            redo: self.words_of_next(redo),
            goes_on: hold.is_some(),
        }
    }

    fn words_of_next<'a>(&self, steps: &'a [Step]) -> Option<&'a str> {
        let first = self.last_seen(steps)?;
        Some(&*steps[first].words)
    }

    /// Puts what a step holds in the place of what is there, which it holds then, and what it is about before the user.
    fn swap(&mut self, step: Step, leads_away: bool) -> Step {
        let edit = match step.edit {
            Edit::Pose(pose) => Edit::Pose(self.swap_pose(pose)),
            Edit::ParkedPose(left) => Edit::ParkedPose(self.swap_parked_pose(left)),
            Edit::Weights(weights) => Edit::Weights(self.actor.swap_held(weights)),
            Edit::Hiding(nodes) => Edit::Hiding(self.actor.swap_hidden(nodes)),
            Edit::Mix(choice, range) => {
                let now = self.edit_now(Kind::Mix);
                self.choose_mix(&choice);
                self.swap_range(None, range);
                now
            }
            Edit::Lead(clip, choice) => {
                let now = self.edit_now(Kind::Lead);
                self.lead_with(clip, &choice);
                now
            }
            // Who has gone there by hand stays at the time that is shown.
            Edit::Moment(moment) if self.plays_at(&moment) => Edit::Moment(moment),
            Edit::Moment(moment) => {
                let now = self.shown_moment();
                self.release_pose();
                self.return_to(&moment);
                self.keep_hand_pose();
                Edit::Moment(now)
            }
            Edit::Range(clip, range) => {
                if leads_away {
                    self.lead_with(clip, &self.mix.choice());
                }
                Edit::Range(clip, self.swap_range(clip, range))
            }
        };
        self.pose_changed();
        Step { edit, ..step }
    }

    /// Brings a clip before the user for a step that is about it, and what plays beside it.
    fn lead_with(&mut self, clip: Option<usize>, choice: &MixChoice) {
        self.release_pose();
        // A pose that was left and is back has gone to its clip and its time already.
        if self.clip != clip {
            self.select_clip(clip);
        }
        self.choose_mix(choice);
        self.keep_hand_pose();
    }

    /// A pose by hand that is there when a step leads to another moment is of that.
    fn keep_hand_pose(&mut self) {
        self.restore_pose(self.hand_pose());
    }

    fn edit_now(&self, kind: Kind) -> Edit {
        match kind {
            Kind::Weights => Edit::Weights(self.actor.held().clone()),
            Kind::Hiding => Edit::Hiding(self.actor.hidden_nodes().clone()),
            Kind::Mix => Edit::Mix(self.mix.choice(), self.range_of(None)),
            Kind::Lead => Edit::Lead(self.clip, self.mix.choice()),
            Kind::Range => Edit::Range(self.clip, self.range_of(self.clip)),
        }
    }

    /// What a command may change that can be taken back.
    fn step_of(&self, command: &Command) -> Option<(Kind, Change)> {
        let kind = match command {
            Command::Nodes(_) => Kind::Hiding,
            Command::Morphs(_) => Kind::Weights,
            Command::Mix(_) => Kind::Mix,
            // Others take nothing out of the mix.
            Command::SelectClip(Some(clip)) if self.mix.has(*clip) => Kind::Lead,
            Command::Timeline(_) => Kind::Range,
            _ => return None,
        };
        let held = match command {
            Command::Morphs(MorphCommand::Hold(place, _)) => Some(Hold::Weight(*place)),
            Command::Mix(MixCommand::SetWeight(clip, _)) => Some(Hold::MixWeight(*clip)),
            Command::Timeline(TimelineCommand::SetRange(Some(_))) => Some(Hold::Range(self.clip)),
            _ => None,
        };
        if let Some(held) = held {
            return Some((kind, Change::Held(held)));
        }
        let words = match command {
            Command::Nodes(NodesCommand::ToggleHidden(node)) => self.toggled(*node),
            Command::Nodes(NodesCommand::ToggleChosenHidden) => {
                self.toggled(self.selected?.index())
            }
            Command::Nodes(NodesCommand::ShowAll) => "show all nodes".to_owned(),
            Command::Morphs(MorphCommand::Release(place)) => {
                format!("release {}", self.morph(*place))
            }
            Command::Morphs(MorphCommand::ReleaseAll) => "release all morphs".to_owned(),
            Command::Mix(command) => self.mixed(command)?,
            Command::SelectClip(Some(clip)) => format!("select {}", self.short_clip_name(*clip)),
            Command::Timeline(TimelineCommand::SetRange(None)) => {
                format!("loop all{}", self.of_clip(self.clip))
            }
            Command::Timeline(TimelineCommand::MarkIn | TimelineCommand::MarkOut) => {
                self.held(Hold::Range(self.clip))
            }
            _ => return None,
        };
        Some((kind, Change::Single(words)))
    }
}

#[cfg(test)]
mod tests;

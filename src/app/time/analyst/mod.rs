//! Looks for what is odd in all clips of the model that is shown, on a thread beside the window.
//!
//! The clip that the timeline shows goes first, also before one that is being analysed. Then come all others in their
//! order, until they have taken ten seconds of the thread's time; after that only clips that are chosen are looked at. The
//! thread ends when there is nothing left to do, and at the next frame of its work when another model is shown. The window
//! draws anew only for what can be seen: marks of that clip, signs in the list of clips, and what is listed as wrong with any
//! of them.

mod plan;

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use self::plan::Plan;
use super::{
    clip_keys::{ClipState, ClipsKey},
    markers::{self, Marks},
};
use crate::{
    anim::analysis::{
        Analyzer,
        oddities::{MAX_OF_FILE, MotionFinding},
    },
    app::{
        Session,
        threads::{Search, Shared},
    },
    import,
    model::Model,
    ui::{GroundSpeed, Marker, OddClip},
};

/// Time for the clips that nobody has chosen.
const BUDGET: Duration = Duration::from_secs(10);

/// Knows what is odd in the clips of the model that is shown.
#[derive(Debug)]
pub(in crate::app) struct Analyst {
    budget: Duration,
    search: Search<ClipsKey, Plan>,
    /// Which clips it is about.
    clips: Vec<ClipState>,
    markers: HashMap<usize, Vec<Marker>>,
    /// In the order of clips.
    odd_clips: Vec<OddClip>,
    /// In the order of clips.
    ground_speeds: Vec<GroundSpeed>,
    /// In the order of clips; those of other files are not among them.
    findings: Vec<MotionFinding>,
    /// Counts their changes.
    generation: u64,
}

/// What is to be listed of the motion of clips, and a number that is another one whenever that has changed.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::app) struct OddFindings<'a> {
    pub(in crate::app) list: &'a [MotionFinding],
    pub(in crate::app) generation: u64,
}

impl Analyst {
    /// `tell` is called on another thread whenever there is something new to be seen.
    pub(in crate::app) fn new(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            budget: BUDGET,
            search: Search::new(tell),
            clips: Vec::new(),
            markers: HashMap::new(),
            odd_clips: Vec::new(),
            ground_speeds: Vec::new(),
            findings: Vec::new(),
            generation: 0,
        }
    }

    /// The clip whose motion is shown, if it is one of those that this is about.
    fn shown(&self, session: &Session) -> Option<usize> {
        let is_same = self.search.is_about(&session.clips_key());
        session.measured_clip().filter(|_| is_same)
    }

    /// What is odd in the motion that is shown, as far as it is known: nothing is of several clips together.
    pub(in crate::app) fn markers(&self, session: &Session) -> &[Marker] {
        let markers = self.shown(session).and_then(|it| self.markers.get(&it));
        markers.map_or(&[], Vec::as_slice)
    }

    /// How fast the motion that is shown goes over the ground, if it does, as far as it is known.
    pub(in crate::app) fn ground_speed(&self, session: &Session) -> Option<GroundSpeed> {
        let clip = self.shown(session)?;
        let found = self.ground_speeds.binary_search_by_key(&clip, |it| it.clip);
        found.ok().map(|place| self.ground_speeds[place])
    }

    /// The clips in which something is odd that is worth telling, as far as it is known.
    pub(in crate::app) fn odd_clips(&self) -> &[OddClip] {
        &self.odd_clips
    }

    /// How fast clips go over the ground, as far as it is known.
    pub(in crate::app) fn ground_speeds(&self) -> &[GroundSpeed] {
        &self.ground_speeds
    }

    /// What is to be listed of clips of the file, as far as it is known.
    pub(in crate::app) fn findings(&self) -> OddFindings<'_> {
        OddFindings {
            list: &self.findings,
            generation: self.generation,
        }
    }

    /// Takes what was found, and sees to it that the clip of the timeline is looked at next.
    pub(in crate::app) fn look_at(&mut self, session: &Session) {
        let key = session.clips_key();
        if !self.search.is_about(&key) {
            self.turn_to(session, key);
        }
        let mut plan = self.search.known();
        plan.chosen = session.timeline_clip();
        plan.is_list_shown = session.shown.scene_panel;
        let needs_thread = !plan.has_thread && plan.next().is_some();
        plan.has_thread |= needs_thread;
        let found = std::mem::take(&mut plan.found);
        drop(plan);
        self.take(found, session.own_clip_count());
        if needs_thread {
            self.start(session.actor().shared_model());
        }
    }

    /// Turns to the clips that there are now. What is known of those that are as they were stays: clips of other files come
    /// one file after the other.
    fn turn_to(&mut self, session: &Session, key: ClipsKey) {
        let clips = session.clip_states();
        let before = std::mem::take(&mut self.clips);
        let places = clips.iter().enumerate();
        let is_same: Vec<_> = places
            .map(|(place, clip)| before.get(place) == Some(clip))
            .collect();
        let mut plan = self.search.known();
        let found = std::mem::take(&mut plan.found);
        let next = plan.for_clips(&is_same, self.budget);
        drop(plan);
        self.take(found, session.own_clip_count());
        self.search.turn_to(key, || next);
        self.clips = clips;
        let is_same = |clip: usize| is_same.get(clip) == Some(&true);
        self.markers.retain(|clip, _| is_same(*clip));
        self.odd_clips.retain(|it| is_same(it.clip));
        self.ground_speeds.retain(|it| is_same(it.clip));
        let listed = self.findings.len();
        self.findings.retain(|it| is_same(it.clip));
        self.generation += u64::from(self.findings.len() != listed);
    }

    fn take(&mut self, found: Vec<(usize, Marks)>, own_clips: usize) {
        for (clip, marks) in found {
            let Marks {
                markers,
                odd,
                ground_speed,
                findings,
            } = marks;
            if let Some(speed) = ground_speed {
                let place = self.ground_speeds.partition_point(|it| it.clip < clip);
                self.ground_speeds.insert(place, speed);
            }
            self.markers.insert(clip, markers);
            if clip < own_clips && self.findings.len() < MAX_OF_FILE {
                let place = self.findings.partition_point(|other| other.clip < clip);
                self.generation += u64::from(!findings.is_empty());
                self.findings.splice(place..place, findings);
            }
            if let Some(odd) = odd {
                let place = self.odd_clips.partition_point(|other| other.clip < clip);
                self.odd_clips.insert(place, odd);
            }
        }
    }

    fn start(&self, model: Arc<Model>) {
        let thread = self
            .search
            .spawn("analysis", move |shared| work(&model, shared));
        if let Err(error) = thread {
            log::warn!("there is no thread to analyse clips on: {error}");
        }
    }
}

/// Analyses clips until there is nothing left to do.
fn work(model: &Model, shared: &Shared<Plan>) {
    let Some(analyzer) = caught(|| Analyzer::new(model)) else {
        return;
    };
    while let Some(clip) = shared.wanted().and_then(|mut plan| plan.begin()) {
        let started = Instant::now();
        let goes_on = || shared.wanted().is_some_and(|plan| plan.wants(clip));
        let marks = caught(|| markers::of_clip(&analyzer, model, clip, &goes_on));
        // What fails is found, too: else it would be looked for again.
        let marks = marks.unwrap_or_else(|| Some(Marks::default()));
        let took = started.elapsed();
        if let Some(marks) = &marks {
            let millis = took.as_millis();
            log::debug!("{} marks on clip {clip}, {millis} ms", marks.markers.len());
        }
        let plan = shared.wanted();
        if plan.is_some_and(|mut plan| plan.end(clip, took, marks)) {
            shared.tell();
        }
    }
}

/// None if it panics.
fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let done = import::catch_panic(|| Ok(work()));
    done.map_err(|error| log::warn!("a clip cannot be analysed: {error}"))
        .ok()
}

#[cfg(test)]
mod tests;

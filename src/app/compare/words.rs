//! What the interface says of A and B.

use crate::{
    anim::Skinning,
    app::{Session, time::ClipsKey},
    model::Clip,
    ui::{CompareView, CompareWith},
};

/// Words are others if any of this is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct WordsKey {
    clips: ClipsKey,
    /// The number of the other file.
    other: u64,
    clip: Option<usize>,
    with: Option<CompareWith>,
    skinning: Skinning,
    by_phase: bool,
}

/// What A and B are called; made anew when what they are made from changes.
#[derive(Debug, Default)]
pub(super) struct Labels {
    made_from: Option<WordsKey>,
    names: [String; 2],
    note: String,
    other_skinning: Option<&'static str>,
}

impl Labels {
    /// Has them made anew.
    pub(super) fn forget(&mut self) {
        self.made_from = None;
    }
}

impl Session {
    /// Brings the words about A and B up to date.
    pub(in crate::app) fn name_compared(&mut self) {
        let compare = &self.compare;
        let made_from = WordsKey {
            clips: self.clips_key(),
            other: compare.generation,
            clip: self.clip,
            with: compare.with,
            skinning: self.motion.skinning,
            by_phase: compare.by_phase,
        };
        if compare.labels.made_from == Some(made_from) {
            return;
        }
        let has_skin = !self.model().skins.is_empty();
        let other_skinning = has_skin.then(|| skinning_words(self.motion.skinning.other()));
        let (names, note) = self.words();
        self.compare.labels = Labels {
            made_from: Some(made_from),
            names,
            note,
            other_skinning,
        };
    }

    fn words(&self) -> ([String; 2], String) {
        let model = self.model();
        let clip_name = |clip: Option<usize>| match clip {
            Some(clip) => self.short_clip_name(clip),
            None => "the file's own pose".to_owned(),
        };
        let note = |first: f64, second: f64| {
            if self.compare.by_phase || (first - second).abs() < 1e-3 {
                String::new()
            } else if second < first {
                format!("ends at {second:.2} s")
            } else {
                format!("goes on after A, to {second:.2} s")
            }
        };
        let lead_secs = model.clip_secs(self.clip);
        match self.compare.with {
            Some(CompareWith::Clip(clip)) => {
                let names = [clip_name(self.clip), clip_name(Some(clip))];
                (names, note(lead_secs, model.clip_secs(Some(clip))))
            }
            Some(CompareWith::Skinning) => {
                let skinning = self.motion.skinning;
                let names = [skinning, skinning.other()].map(|it| skinning_words(it).to_owned());
                (names, String::new())
            }
            Some(CompareWith::File) => {
                let file = self.compare.file.as_ref();
                let size = file.and_then(|file| size_note(self.actor.size(), file.actor.size()));
                let second = file.map(|file| file.actor.model());
                let name = second.map_or(String::new(), |model| model.name.clone());
                let paired = |clip: usize| self.clip_in_file(clip);
                let renamed = self.clip.and_then(|clip| {
                    let (own, found) = (model.clips.get(clip)?, paired(clip)?);
                    let its = second?.clips.get(found)?;
                    (its.name() != own.name())
                        .then(|| second?.clip_names().into_iter().nth(found))?
                });
                let renamed = renamed.map_or_else(String::new, |name| format!("calls it {name}"));
                let words = match (self.clip, self.clip.and_then(paired)) {
                    (Some(clip), None) => self.lack_words(clip),
                    (_, clip) => note(lead_secs, second.map_or(0.0, |it| it.clip_secs(clip))),
                };
                let parts = [size.unwrap_or_default(), renamed, words];
                let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                ([model.name.clone(), name], parts.join(", "))
            }
            None => Default::default(),
        }
    }

    /// That the other file has no clip that belongs to one of A's, as what follows its name.
    pub(super) fn lack_words(&self, clip: usize) -> String {
        match self.model().clips.get(clip).map_or("", Clip::name) {
            "" => format!("has no {}", self.short_clip_name(clip)),
            name => format!("has no clip {name:?}"),
        }
    }

    /// What panels read of comparing.
    pub(in crate::app) fn compare_view(&self) -> CompareView<'_> {
        let compare = &self.compare;
        let labels = &compare.labels;
        CompareView {
            is_on: self.split().is_some(),
            split: compare.split,
            with: compare.with,
            names: [&labels.names[0], &labels.names[1]],
            note: &labels.note,
            file: compare.file.as_ref().map(|file| &*file.actor.model().name),
            other_skinning: labels.other_skinning,
            by_phase: compare.by_phase,
            differences: self.differences_view(),
            difference_scale: self.actor.difference_scale(),
        }
    }
}

/// How many times as large B is, or as small, where that is a threefold or more: models in centimetres stand far beyond those
/// in metres. Sizes are diagonals.
pub fn size_note(first: f32, second: f32) -> Option<String> {
    const NOTEWORTHY: f32 = 3.0;
    let is_larger = second > first;
    let times = if is_larger {
        second / first
    } else {
        first / second
    };
    if !(NOTEWORTHY..f32::INFINITY).contains(&times) {
        return None;
    }
    let word = if is_larger { "larger" } else { "smaller" };
    // Two digits.
    let unit = 10_f32.powf(times.log10().floor() - 1.0);
    let times = (times / unit).round() * unit;
    Some(format!(
        "{times:.0$} times {word}",
        usize::from(times < 10.0)
    ))
}

fn skinning_words(skinning: Skinning) -> &'static str {
    match skinning {
        Skinning::Linear => "linear blend skinning",
        Skinning::DualQuaternion => "dual quaternions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_unit_is_said() {
        assert_eq!(size_note(1.8, 180.0).unwrap(), "100 times larger");
        assert_eq!(size_note(70.9, 1.8).unwrap(), "39 times smaller");
        assert_eq!(size_note(1.0, 3.28).unwrap(), "3.3 times larger");
        assert_eq!(size_note(1.0, 1234.0).unwrap(), "1200 times larger");
        for (first, second) in [(1.0, 1.0), (1.0, 2.9), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
            assert_eq!(size_note(first, second), None);
        }
        assert_eq!(size_note(f32::NAN, 1.0), None);
    }
}

//! How well a name fits what was typed: all of its words must be found, in any order, whole or with letters left out.

use crate::ui::text::folded;

/// What was typed, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    words: Vec<Vec<char>>,
}

/// A letter where a word begins counts for more: `pc` means `Previous clip`.
const WORD_START: u32 = 40;
/// A whole word, or its beginning.
const WHOLE: u32 = 200;
/// A word's letters side by side, in the middle of another.
const INSIDE: u32 = 100;
/// Words that are shorter are in most texts by chance, letter by letter: those of theirs must all begin words.
const LONG: usize = 4;
/// Letters with gaps are found by their first ones; so many in a row outweigh a gap.
const LETTER: u32 = 6;

impl Query {
    /// Splits a text at its spaces.
    pub fn new(text: &str) -> Self {
        let words = text.split_whitespace();
        let lowered = |word: &str| folded(word).chars().collect();
        Self {
            words: words.map(lowered).collect(),
        }
    }

    /// Whether nothing was typed, which fits everything.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The letters of all words.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.words.iter().flatten().copied()
    }

    /// Whether all that fits this fits `before`, too: words were typed on, or more of them.
    pub fn goes_on_from(&self, before: &Self) -> bool {
        let Some((last, others)) = before.words.split_last() else {
            return true;
        };
        let now = self.words.get(others.len());
        let goes_on = now.is_some_and(|now| {
            // A word that becomes long may have its letters in more places.
            now.starts_with(last) && (last.len() >= LONG || now.len() < LONG)
        });
        goes_on && self.words.starts_with(others)
    }

    /// How well it fits, the more the better; none if it does not.
    pub fn score(&self, name: &Name) -> Option<u32> {
        self.sum(name, |word, name| {
            whole(word, &name.letters).or_else(|| with_gaps(word, name))
        })
    }

    /// [`Self::score`] without letters that are left out: nearly all that is typed would fit a long text.
    pub fn score_whole(&self, text: &Name) -> Option<u32> {
        self.sum(text, |word, name| whole(word, &name.letters))
    }

    /// [`Self::score_whole`] where words of the text begin with all that was typed.
    pub fn score_begun(&self, text: &Name) -> Option<u32> {
        self.sum(text, |word, name| {
            whole(word, &name.letters).filter(|score| *score >= WHOLE)
        })
    }

    fn sum(&self, name: &Name, score: impl Fn(&[char], &Name) -> Option<u32>) -> Option<u32> {
        let mut sum = 0;
        for word in &self.words {
            sum += score(word, name)?;
        }
        // Of two names that fit alike the shorter one is meant.
        let length = u32::try_from(name.letters.len())
            .unwrap_or(u32::MAX)
            .min(60);
        Some(sum * 64 + (60 - length))
    }
}

/// What is looked through.
#[derive(Debug)]
pub struct Name {
    letters: Vec<char>,
    /// Where a capital follows a small letter, as in `LeftHand`.
    humps: Vec<bool>,
}

impl Name {
    /// Folds a text for queries.
    pub fn new(name: &str) -> Self {
        let letters: Vec<char> = folded(name).chars().collect();
        let mut last_is_small = false;
        let mut humps: Vec<bool> = Vec::with_capacity(letters.len());
        for letter in name.chars() {
            humps.push(last_is_small && letter.is_uppercase());
            last_is_small = letter.is_lowercase();
        }
        // Letters may become several, or fewer.
        if humps.len() != letters.len() {
            humps = vec![false; letters.len()];
        }
        Self { letters, humps }
    }

    fn starts_word(&self, place: usize) -> bool {
        self.humps[place] || starts_word(&self.letters, place)
    }
}

/// Whether a word begins there.
fn starts_word(name: &[char], place: usize) -> bool {
    place == 0 || !name[place - 1].is_alphanumeric() || name[place].is_ascii_digit()
}

/// The letters of a word side by side.
fn whole(word: &[char], name: &[char]) -> Option<u32> {
    let mut best = None;
    for place in 0..name.len() {
        if name[place..].starts_with(word) {
            let whole = if starts_word(name, place) {
                WHOLE
            } else {
                INSIDE
            };
            let first = if place == 0 { WORD_START } else { 0 };
            best = best.max(Some(whole + first));
        }
    }
    best
}

/// The letters of a word one after the other, each where a word begins if it can be. The first must be there.
fn with_gaps(word: &[char], text: &Name) -> Option<u32> {
    let name = &text.letters[..];
    if word.len() < 2 {
        return None;
    }
    let (mut from, mut score) = (0, 0);
    for (index, letter) in word.iter().enumerate() {
        let places = || (from..name.len()).filter(|place| name[*place] == *letter);
        // What follows must still be there after it.
        let rest_fits = |place: &usize| is_subsequence(&word[index + 1..], &name[place + 1..]);
        let at_start = places().find(|place| text.starts_word(*place) && rest_fits(place));
        let place = match at_start {
            Some(place) => place,
            None if index == 0 || word.len() < LONG => return None,
            None => places().next()?,
        };
        let follows = index > 0 && place == from;
        score += match at_start {
            Some(_) => WORD_START / 2,
            None if follows => LETTER,
            None => 0,
        };
        from = place + 1;
    }
    Some(score.min(INSIDE - 1))
}

fn is_subsequence(letters: &[char], name: &[char]) -> bool {
    let mut name = name.iter();
    letters
        .iter()
        .all(|letter| name.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that fit, the best first.
    fn found<'n>(query: &str, names: &[&'n str]) -> Vec<&'n str> {
        let query = Query::new(query);
        let mut hits: Vec<_> = names
            .iter()
            .filter_map(|name| Some((query.score(&Name::new(name))?, *name)))
            .collect();
        hits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        hits.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn what_is_meant_comes_first() {
        let names = ["Previous clip", "Next clip", "Play or pause", "Ground grid"];
        assert_eq!(found("clip", &names), ["Next clip", "Previous clip"]);
        assert_eq!(found("ne", &names)[0], "Next clip");
        assert_eq!(found("pc", &names)[0], "Previous clip");
        assert_eq!(found("clip next", &names), ["Next clip"]);
        assert_eq!(found("grid", &names), ["Ground grid"]);
        assert_eq!(found("zzz", &names), [""; 0]);
        assert_eq!(found("", &names).len(), 4);
    }

    #[test]
    fn joints_are_found_by_their_parts() {
        let names = ["mixamorig:LeftHand", "mixamorig:RightHand", "hand.L", "Hat"];
        assert_eq!(found("hand", &names)[0], "hand.L");
        assert_eq!(found("left", &names)[0], "mixamorig:LeftHand");
        assert_eq!(found("mlh", &names), ["mixamorig:LeftHand"]);
        assert_eq!(
            found("xlh", &names),
            [""; 0],
            "the first letter begins a word"
        );
        assert_eq!(found("mgh", &names), [""; 0], "by chance");
        assert_eq!(found("mixah", &names).len(), 2);
        assert_eq!(found("ÄRMEL", &["der Ärmel"]), ["der Ärmel"]);
    }

    #[test]
    fn what_is_typed_on_is_found_among_what_was_found() {
        for (before, now, goes_on) in [
            ("", "m", true),
            ("m", "ml", true),
            ("ml", "mlh", true),
            ("mixa", "mixah", true),
            ("ha", "ha l", true),
            ("hand", "hand l", true),
            ("mha", "mhan", false),
            ("ml", "m", false),
            ("ha l", "ha", false),
            ("hand", "land", false),
            ("han l", "hand l", false),
        ] {
            let [before_it, now_it] = [before, now].map(Query::new);
            assert_eq!(now_it.goes_on_from(&before_it), goes_on, "{before} {now}");
        }
        let names = ["mixamorig:LeftHand"];
        assert_eq!(found("mha", &names), [""; 0], "its letters begin no words");
        assert_eq!(found("mhan", &names), names, "it is long enough for gaps");
    }

    #[test]
    fn names_of_any_length_are_looked_at() {
        let long = Name::new(&"a".repeat(3000));
        assert!(Query::new("aaaa").score(&long).is_some());
        assert!(Query::new("ab").score(&long).is_none());
    }
}

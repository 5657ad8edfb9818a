//! What belongs together in two lists by its name: of several of one name the first with the first, and so on. What has no
//! name counts among those without.

use std::collections::{HashMap, HashSet};

/// For each name of a list its place in the other one, if it has one there.
pub fn pair_by_name<'a>(
    from: impl IntoIterator<Item = &'a str>,
    to: impl IntoIterator<Item = &'a str>,
) -> Vec<Option<usize>> {
    let mut left: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, name) in to.into_iter().enumerate() {
        left.entry(name).or_default().push(place);
    }
    left.values_mut().for_each(|places| places.reverse());
    let mut place = |name| left.get_mut(name)?.pop();
    from.into_iter().map(&mut place).collect()
}

/// [`pair_by_name`] for a list as it was before its file was saved, and as it is now. What has no name goes with what is in
/// its place and has none either, if it can. What is left goes with what is in its place now, if that was none of the list
/// before: it has another name.
pub fn pair_again(from: &[&str], to: &[&str]) -> Vec<Option<usize>> {
    let mut pairs = pair_by_name(from.iter().copied(), to.iter().copied());
    let is_unnamed =
        |names: &[&str], place: usize| names.get(place).is_some_and(|it| it.is_empty());
    let mut is_taken = vec![false; to.len()];
    for (place, pair) in pairs.iter_mut().enumerate() {
        if is_unnamed(from, place) {
            *pair = is_unnamed(to, place).then_some(place);
        }
        if let Some(pair) = *pair {
            is_taken[pair] = true;
        }
    }
    let left = (0..to.len()).filter(|place| is_unnamed(to, *place) && !is_taken[*place]);
    let left: Vec<_> = left.collect();
    let unnamed = pairs.iter_mut().enumerate();
    let unnamed = unnamed.filter(|(place, pair)| is_unnamed(from, *place) && pair.is_none());
    for ((_, pair), place) in unnamed.zip(left) {
        *pair = Some(place);
        is_taken[place] = true;
    }
    for (place, (pair, is_taken)) in pairs.iter_mut().zip(is_taken).enumerate() {
        if pair.is_none() && !is_taken {
            *pair = Some(place);
        }
    }
    pairs
}

/// A name that is not taken: the one that is wanted, or with a number.
pub fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2_usize..).map(|number| format!("{wanted} {number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    // There are more numbers than names.
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// The names that occur several times.
pub fn shared_names<'a>(names: impl Iterator<Item = &'a str>) -> HashSet<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

/// A name to show: the own one, or what it is and its index where it has none (`node 7`).
pub fn name_or(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() {
        format!("{kind} {index}")
    } else {
        name.to_owned()
    }
}

/// Each name once, where it comes first, and how often it occurs.
pub fn counted_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        let place = *places.entry(name).or_insert(counted.len());
        match counted.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    counted
}

/// A name to show: with what it is and its index where others are called so, too (`Bone (node 24)`), and these alone where
/// there is no name.
pub fn distinct_name(name: &str, (kind, index): (&str, usize), is_shared: bool) -> String {
    if is_shared && !name.is_empty() {
        format!("{name} ({kind} {index})")
    } else {
        name_or(name, kind, index)
    }
}

/// A name to show for each of a list of names: with its place among those called so (`Bone (2nd)`), where it is not alone, and
/// what it is and its index where it has none.
pub fn numbered_names<'a>(names: impl Iterator<Item = &'a str> + Clone, kind: &str) -> Vec<String> {
    let shared = shared_names(names.clone());
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let shown = names.enumerate().map(|(index, name)| {
        if name.is_empty() || !shared.contains(name) {
            return name_or(name, kind, index);
        }
        let count = counts.entry(name).or_default();
        *count += 1;
        format!("{name} ({})", ordinal(*count))
    });
    shown.collect()
}

/// `1st`, `2nd`, `11th`.
fn ordinal(number: usize) -> String {
    let is_teen = (11..=13).contains(&(number % 100));
    let ending = match number % 10 {
        1 if !is_teen => "st",
        2 if !is_teen => "nd",
        3 if !is_teen => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_of_a_name_goes_with_the_nth() {
        let from = ["Walk", "", "Run", "", "Walk", ""];
        let to = ["", "Walk", "Walk", "Walk", ""];
        let pairs = pair_by_name(from, to);
        assert_eq!(pairs, [Some(1), Some(0), None, Some(4), Some(2), None]);
    }

    #[test]
    fn what_has_another_name_or_none_is_found_in_its_place() {
        let check = |from: &[&str], to: &[&str], expected: &[Option<usize>]| {
            assert_eq!(pair_again(from, to), expected, "{from:?} {to:?}");
        };
        check(&["Walk", "Run"], &["Run", "Walk"], &[Some(1), Some(0)]);
        check(&["Walk", "Run"], &["Stroll", "Run"], &[Some(0), Some(1)]);
        // What lies there was there before.
        check(&["Walk", "Run"], &["Run"], &[None, Some(0)]);
        check(&["Walk", ""], &[""], &[None, Some(0)]);
        check(&["Take", "Take"], &["Take"], &[Some(0), None]);
        check(&["", ""], &["Idle", ""], &[Some(0), Some(1)]);
        check(
            &["", "Walk", ""],
            &["Walk", "", ""],
            &[Some(1), Some(0), Some(2)],
        );
        check(&["", ""], &[""], &[Some(0), None]);
        check(&[], &["Walk"], &[]);
    }

    #[test]
    fn who_shares_a_name_is_told_by_the_index_or_by_the_place_among_them() {
        let names = ["Walk", "", "Run", "", "Walk"];
        let shared = shared_names(names.into_iter());
        let shown = names
            .iter()
            .enumerate()
            .map(|(index, name)| distinct_name(name, ("clip", index), shared.contains(name)));
        let shown: Vec<_> = shown.collect();
        let expected = ["Walk (clip 0)", "clip 1", "Run", "clip 3", "Walk (clip 4)"];
        assert_eq!(shown, expected);
        let numbered = numbered_names(names.into_iter(), "clip");
        let expected = ["Walk (1st)", "clip 1", "Run", "clip 3", "Walk (2nd)"];
        assert_eq!(numbered, expected);
        let counted = counted_names(names);
        assert_eq!(counted, [("Walk", 2), ("", 2), ("Run", 1)]);
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111];
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
        ];
        assert_eq!(numbers.map(ordinal), expected);
    }
}

//! What belongs together in two lists by its name: of several of one name the first with the first, and so on. What has no
//! name counts among those without.

use std::collections::HashMap;

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

/// [`pair_by_name`] for one place alone, which is quicker.
pub fn namesake<'a>(
    place: usize,
    from: impl Iterator<Item = &'a str> + Clone,
    to: impl Iterator<Item = &'a str>,
) -> Option<usize> {
    let name = from.clone().nth(place)?;
    let before = from.take(place).filter(|it| *it == name).count();
    let mut same = to.enumerate().filter(|(_, it)| *it == name);
    Some(same.nth(before)?.0)
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
        for (place, pair) in pairs.iter().enumerate() {
            let alone = namesake(place, from.into_iter(), to.into_iter());
            assert_eq!(alone, *pair, "{place}");
        }
        assert_eq!(namesake(6, from.into_iter(), to.into_iter()), None);
    }
}

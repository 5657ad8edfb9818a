//! What clips are called in the window: without what all of their names begin with, such as the name of an armature.

/// Whether a sign parts what the names of many clips begin with from the rest of them.
pub fn parts_names(sign: char) -> bool {
    "|:/".contains(sign)
}

/// How all of these names begin, up to the last sign that parts them: `Rig|` of `Rig|Walk` and `Rig|Wave`, in bytes. A name
/// that is alone shares nothing.
pub fn common_prefix<'a>(mut names: impl Iterator<Item = &'a str>) -> usize {
    let first = names.next().unwrap_or_default();
    let mut names = names.peekable();
    if names.peek().is_none() {
        return 0;
    }
    let common = names.fold(first, |common, other| {
        let alike = common.char_indices().zip(other.chars());
        let alike = alike.take_while(|((_, a), b)| a == b);
        let end = alike.last().map_or(0, |((at, a), _)| at + a.len_utf8());
        &common[..end]
    });
    let mut ends = common.char_indices().rev();
    ends.find(|(_, sign)| parts_names(*sign))
        .map_or(0, |(at, sign)| at + sign.len_utf8())
}

/// A name without so many bytes at its beginning, [`common_prefix`] of all; whole where nothing else is left of it, but for
/// what tells it from others in parentheses.
pub fn without_prefix(name: &str, prefix: usize) -> &str {
    match name.get(prefix..).map(str::trim_start) {
        None | Some("") => name,
        Some(rest) if rest.starts_with('(') => name,
        Some(short) => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_alike_up_to_a_sign_that_parts_them() {
        let prefix = |names: &[&'static str]| {
            let first = names.first()?;
            Some(&first[..common_prefix(names.iter().copied())])
        };
        let found = prefix(&["Rig_Medium|Walk_A", "Rig_Medium|Walk_B"]);
        assert_eq!(found, Some("Rig_Medium|"));
        let found = prefix(&["Rig_Medium|Walk", "Rig_Medium|Idle", "Rig_Medium|Wave"]);
        assert_eq!(found, Some("Rig_Medium|"));
        assert_eq!(prefix(&["É:Äa", "É:Äb", "É:Ö"]), Some("É:"));
        assert_eq!(prefix(&["Walk", "Wave"]), Some(""));
        assert_eq!(prefix(&["Rig|Walk"]), Some(""), "it is alone");
        assert_eq!(prefix(&["Rig|", "Rig|Run"]), Some("Rig|"));
        assert_eq!(common_prefix(std::iter::empty()), 0);
        assert_eq!(without_prefix("Rig|Run", 4), "Run");
        assert_eq!(without_prefix("Rig|", 4), "Rig|", "that is all of it");
        assert_eq!(without_prefix("Rig| ", 4), "Rig| ");
        assert_eq!(without_prefix("Rig| (clip 0)", 4), "Rig| (clip 0)");
        assert_eq!(without_prefix("Attack: 1", 7), "1");
    }
}

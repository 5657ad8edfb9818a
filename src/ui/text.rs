//! Words and numbers for people: names from files made harmless, figures made readable.

use std::borrow::Cow;

/// What stands wherever clips would, of a file without any.
pub const NO_ANIMATION: &str = "This file has no animation";

/// Longest name that is laid out; the middle of longer ones is left out.
const MAX_NAME_CHARS: usize = 160;

/// How many combining marks may follow one letter; more would paint over the lines above and below.
const MAX_MARKS: usize = 2;

/// Makes any text from a file fit to be laid out in one line: no control characters, nothing that reorders or hides
/// text, and at most `max_chars` characters, with `…` for what was left out of the middle.
///
/// The time it takes depends on `max_chars` alone, however long the text is.
pub fn clean(text: &str, max_chars: usize) -> Cow<'_, str> {
    let is_short = text.len() <= max_chars;
    if is_short && text.chars().all(is_plain) && !text.trim().is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(cleaned(text.chars(), text.len(), max_chars))
}

/// [`clean`] for the characters of a text of so many bytes.
fn cleaned(
    chars: impl DoubleEndedIterator<Item = char> + Clone,
    bytes: usize,
    max_chars: usize,
) -> String {
    // Three characters of four may be hidden ones before a text counts as too long to look at.
    let budget = max_chars.saturating_mul(4);
    let mut shown = String::new();
    if bytes <= budget {
        push_clean(chars.clone(), &mut shown);
    }
    if shown.is_empty() && bytes > budget || shown.chars().count() > max_chars {
        let head_chars = max_chars * 2 / 3;
        let tail_chars = max_chars - head_chars;
        let tail: Vec<char> = chars.clone().rev().take(tail_chars).collect();
        shown.clear();
        push_clean(chars.take(head_chars), &mut shown);
        shown.push('…');
        push_clean(tail.into_iter().rev(), &mut shown);
    }
    if shown.trim().is_empty() {
        shown = "(blank)".to_owned();
    }
    shown
}

/// Words with a capital.
pub fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Words of which numbers stay in one line with their units: `0.042 s`.
pub fn with_whole_figures(words: &str) -> String {
    let mut whole = String::with_capacity(words.len());
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_inside = letter == ' '
            && whole.ends_with(|before: char| before.is_ascii_digit())
            && letters.peek().is_some_and(|after| after.is_alphabetic());
        whole.push(if is_inside { '\u{a0}' } else { letter });
    }
    whole
}

/// [`clean`] for a name.
pub fn clean_name(name: &str) -> Cow<'_, str> {
    clean(name, MAX_NAME_CHARS)
}

/// [`clean`] for a text of several lines.
pub fn clean_lines(text: &str, max_lines: usize) -> String {
    let mut lines: Vec<_> = text
        .lines()
        .take(max_lines)
        .map(|line| {
            if line.trim().is_empty() {
                Cow::Borrowed("")
            } else {
                clean(line, 400)
            }
        })
        .collect();
    if text.lines().nth(max_lines).is_some() {
        lines.push(Cow::Borrowed("…"));
    }
    lines.join("\n")
}

fn is_plain(c: char) -> bool {
    !c.is_control() && !is_hidden(c) && !is_mark(c)
}

/// Characters that take no room themselves: joiners, direction marks, tags, variation selectors.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

fn push_clean(chars: impl Iterator<Item = char>, shown: &mut String) {
    let mut marks = 0;
    for c in chars {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if c.is_whitespace() || c.is_control() {
            shown.push(' ');
        } else if !is_hidden(c) && marks <= MAX_MARKS {
            shown.push(c);
        }
    }
}

/// A text as searches compare it: without regard to case, nor to the accents of letters, be they marks of their own or not.
/// Who looks for `Armel` finds `Ärmel`.
pub fn folded(text: &str) -> String {
    let lowered = text.chars().flat_map(char::to_lowercase);
    lowered
        .filter(|c| !is_mark(*c))
        .map(without_accent)
        .collect()
}

/// The letter under an accent.
fn without_accent(c: char) -> char {
    /// Letters, and what they look like with an accent.
    const ACCENTED: [(char, &str); 22] = [
        ('a', "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"),
        ('c', "çćĉċč"),
        ('d', "ďđḍḏ"),
        ('e', "èéêëēĕėęěẹẻẽếềểễệ"),
        ('g', "ĝğġģǧǵ"),
        ('h', "ĥħḥḫẖ"),
        ('i', "ìíîïĩīĭįıǐịỉ"),
        ('j', "ĵ"),
        ('k', "ķǩḱḳ"),
        ('l', "ĺļľŀłḷḹḻ"),
        ('m', "ḿṁṃ"),
        ('n', "ñńņňŉṅṇṉ"),
        ('o', "òóôõöøōŏőǒọỏốồổỗộơớờởỡợ"),
        ('r', "ŕŗřṙṛṝṟ"),
        ('s', "śŝşšșṡṣ"),
        ('t', "ţťŧțṫṭṯẗ"),
        ('u', "ùúûüũūŭůűųǔụủưứừửữựǖǘǚǜ"),
        ('w', "ŵẁẃẅ"),
        ('y', "ýÿŷỳỵỷỹẏ"),
        ('z', "źżžẓẕ"),
        ('е', "ё"),
        ('и', "й"),
    ];
    if c.is_ascii() {
        return c;
    }
    let mut letters = ACCENTED.into_iter();
    let found = letters.find(|(_, accented)| accented.contains(c));
    found.map_or(c, |(letter, _)| letter)
}

/// Shortens a text to `max_width` by leaving out its middle, so that `mixamorig:LeftHandThumb1` keeps both of its ends.
pub fn elide_middle(
    text: &str,
    max_width: f32,
    mut width_of: impl FnMut(char) -> f32,
) -> Cow<'_, str> {
    let widths: Vec<f32> = text.chars().map(&mut width_of).collect();
    if widths.iter().sum::<f32>() <= max_width {
        return Cow::Borrowed(text);
    }
    let room = max_width - width_of('…');
    let (mut head, mut tail, mut used) = (0, 0, 0.0);
    while head + tail < widths.len() {
        // The end tells names of a rig apart more often than the beginning, so it gets two thirds.
        let is_head = 2 * head < tail;
        let next = if is_head {
            widths[head]
        } else {
            widths[widths.len() - 1 - tail]
        };
        if used + next > room {
            break;
        }
        used += next;
        if is_head {
            head += 1;
        } else {
            tail += 1;
        }
    }
    let (head, tail) = around_gap(text, head, tail);
    let mut shown: String = text.chars().take(head).collect();
    shown.push('…');
    shown.extend(text.chars().skip(widths.len() - tail));
    Cow::Owned(shown)
}

/// How much of both ends of `text` is kept where something has been left out of it before: once more, not twice.
fn around_gap(text: &str, head: usize, tail: usize) -> (usize, usize) {
    let length = text.chars().count();
    let gaps = text.chars().enumerate().filter(|(_, c)| *c == '…');
    let mut gaps = gaps.map(|(place, _)| place);
    match (gaps.next(), gaps.next()) {
        // At an end it belongs to the name.
        (Some(gap), None) if gap > 0 && gap + 1 < length => {
            (head.min(gap), tail.min(length - gap - 1))
        }
        _ => (head, tail),
    }
}

/// `12 345 678`, with thin spaces, which every language reads.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut shown = String::with_capacity(digits.len() * 2);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push('\u{2009}');
        }
        shown.push(digit);
    }
    shown
}

/// `640 B`, `12.5 KiB`, `3.1 MiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A coordinate in at most nine characters, with the digits that matter.
pub fn number(value: f32) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "not finite".to_owned()
    } else if size != 0.0 && !(5e-5..1e6).contains(&size) {
        format!("{value:.2e}").replace('-', "−")
    } else {
        let decimals = match size {
            _ if size < 10.0 => 4,
            _ if size < 100.0 => 3,
            _ if size < 1000.0 => 2,
            _ if size < 10_000.0 => 1,
            _ => 0,
        };
        fixed(value, decimals)
    }
}

/// A coordinate of a model of this size: what is a millionth of it is rounding, and shown as 0.
pub fn length(value: f32, model_size: f32) -> String {
    let is_noise = value.abs() < 1e-6 * model_size;
    number(if is_noise { 0.0 } else { value })
}

/// A number with a certain number of decimals, and a minus sign as wide as a digit.
pub fn fixed(value: f32, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    // −0.0000 says no more than 0.0000.
    match shown.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => shown,
    }
}

/// A length of time: `0.83 s`, `12.5 s`, `2:05`, `1:02:05`.
pub fn duration(secs: f64) -> String {
    if !secs.is_finite() {
        "–".to_owned()
    } else if secs > 0.0 && secs < 0.005 {
        "< 0.01 s".to_owned()
    } else if secs < 9.995 {
        format!("{secs:.2} s")
    } else if secs < 59.95 {
        format!("{secs:.1} s")
    } else {
        let whole = secs.round() as u64;
        let (hours, minutes, secs) = (whole / 3600, whole / 60 % 60, whole % 60);
        match hours {
            0 => format!("{minutes}:{secs:02}"),
            _ => format!("{hours}:{minutes:02}:{secs:02}"),
        }
    }
}

/// Number of the frame that is nearest to a time: what is told to a thousandth of a second is told as that frame everywhere.
pub fn frame_at(time_secs: f64, frames_per_sec: f64) -> i64 {
    (time_secs * frames_per_sec).round() as i64
}

/// The frame that a time which stands still is at, and how many decimals that takes: where it lies between two frames, one.
pub fn frame_place(time_secs: f64, frames_per_sec: f64) -> (f64, usize) {
    /// A part of a frame: less is rounding.
    const BETWEEN: f64 = 0.05;
    let place = time_secs * frames_per_sec;
    if (place - place.round()).abs() > BETWEEN {
        (place, 1)
    } else {
        (frame_at(time_secs, frames_per_sec) as f64, 0)
    }
}

/// `frame 19`, or between two frames `frame 19.5`.
pub fn frame_words(time_secs: f64, frames_per_sec: f64) -> String {
    let (frame, decimals) = frame_place(time_secs, frames_per_sec);
    format!("frame {frame:.decimals$}")
}

/// Three digits that say something.
pub fn figure(number: f32) -> String {
    let decimals = match number.abs() {
        _ if !number.is_finite() => return "–".to_owned(),
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_frames_a_time_says_so() {
        for (secs, rate, words) in [
            (0.65, 30.0, "frame 19.5"),
            (0.7, 30.0, "frame 21"),
            (0.699_6, 30.0, "frame 21"),
            (f64::from(1.874_9_f32), 24.0, "frame 45"),
            (0.001, 30.0, "frame 0"),
            (0.01, 30.0, "frame 0.3"),
        ] {
            assert_eq!(frame_words(secs, rate), words);
        }
    }

    #[test]
    fn a_time_is_the_nearest_frame() {
        // Clips and pointers come near to a frame from either side, in single precision.
        for (secs, rate, frame) in [
            (0.7, 30.0, 21),
            (0.699_6, 30.0, 21),
            (f64::from(1.874_9_f32), 24.0, 45),
            (0.0, 30.0, 0),
            (37.0 / 30.0, 30.0, 37),
            (0.01, 30.0, 0),
            (-0.1, 30.0, -3),
        ] {
            assert_eq!(frame_at(secs, rate), frame, "{secs} s at {rate}");
        }
    }

    #[test]
    fn names_become_harmless() {
        assert_eq!(clean_name("Arm.L"), "Arm.L");
        assert_eq!(clean_name("a\nb\tc\u{0}d"), "a b c d");
        assert_eq!(clean_name("\u{202e}evil\u{2066}"), "evil");
        assert_eq!(clean_name(" \u{200b}\n"), "(blank)");
        assert_eq!(clean_name(""), "(blank)");
        assert_eq!(
            clean_name(&format!("z{}", "\u{301}".repeat(50))),
            "z\u{301}\u{301}"
        );
        let long = clean_name(&"x".repeat(2_000_000)).into_owned();
        assert_eq!(long.chars().count(), MAX_NAME_CHARS + 1);
        let hidden = "\u{200b}".repeat(1_000_000);
        assert!(clean_name(&hidden).chars().count() <= MAX_NAME_CHARS + 1);
    }

    #[test]
    fn cleaning_looks_at_as_many_characters_however_long_the_name() {
        for times in [500, 50_000] {
            let name = "名\u{202e}".repeat(times);
            let seen = std::cell::Cell::new(0);
            let chars = name.chars().inspect(|_| seen.set(seen.get() + 1));
            let shown = cleaned(chars, name.len(), MAX_NAME_CHARS);
            assert_eq!(shown, clean_name(&name));
            assert!(shown.contains('…'));
            assert_eq!(seen.get(), MAX_NAME_CHARS, "{times}");
        }
    }

    #[test]
    fn elision_keeps_both_ends() {
        assert_eq!(elide_middle("short", 10.0, |_| 1.0), "short");
        assert_eq!(elide_middle("LeftHandThumb1", 8.0, |_| 1.0), "Le…humb1");
        assert_eq!(elide_middle("LeftHandThumb1", 0.0, |_| 1.0), "…");
        let cleaned = clean("LeftHandThumb1LeftHandThumb1", 20).into_owned();
        assert_eq!(cleaned, "LeftHandThumb…dThumb1");
        let shown = elide_middle(&cleaned, 16.0, |_| 1.0).into_owned();
        assert_eq!(shown, "LeftH…dThumb1", "one gap, not two");
        let own = elide_middle("Opening the door…", 9.0, |_| 1.0);
        assert_eq!(own, "Ope…door…");
    }

    #[test]
    fn searches_look_past_case_and_accents() {
        for (name, searched) in [
            ("Ärmel", "armel"),
            ("A\u{308}rmel", "armel"),
            ("FORÊT Ñandú", "foret nandu"),
            ("İstanbul ışık", "istanbul isik"),
            ("Ёлка", "елка"),
            ("ṣaṭ Gǘ", "sat gu"),
            ("s\u{323}at\u{323}", "sat"),
            ("腕_L", "腕_l"),
        ] {
            assert_eq!(folded(name), searched);
            assert_eq!(folded(searched), searched);
        }
    }

    #[test]
    fn figures_are_readable() {
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!(bytes(640), "640 B");
        assert_eq!(bytes(12_800), "12.5 KiB");
        assert_eq!(bytes(1024 * 1024 - 1), "1.0 MiB");
        assert_eq!(number(-0.00001), "−1.00e−5");
        assert_eq!(fixed(-0.00001, 4), "0.0000");
        assert_eq!(length(2.86e-5, 140.0), "0.0000");
        assert_eq!(length(2.86e-5, 0.01), "2.86e−5");
        assert_eq!(number(-0.0), "0.0000");
        assert_eq!(number(-1.25), "−1.2500");
        assert_eq!(number(123_456.0), "123456");
        assert_eq!(number(f32::NAN), "not finite");
        assert_eq!(duration(0.001), "< 0.01 s");
        assert_eq!(duration(0.0), "0.00 s");
        assert_eq!(duration(0.833), "0.83 s");
        assert_eq!(duration(125.0), "2:05");
        assert_eq!(duration(3599.6), "1:00:00");
        assert_eq!(duration(36_125.0), "10:02:05");
    }
}

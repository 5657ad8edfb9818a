//! What the markers of a JPEG say before it is decoded (ITU-T T.81, annex B).

/// Of how many components of a JPEG all coefficients are kept until its last scan: of none if the first has everything.
pub(in crate::import) fn kept_components(bytes: &[u8]) -> usize {
    const MOST: usize = 4;
    let mut components = MOST;
    let mut is_sequential = false;
    let mut rest = bytes.get(2..).unwrap_or_default();
    loop {
        // A marker, the length of the rest, and the rest (ITU-T T.81 §B.1.1).
        let (marker, length, after) = match rest {
            [0xff, after @ ..] if after.first() == Some(&0xff) => {
                rest = after;
                continue;
            }
            [0xff, marker, high, low, after @ ..] => {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                (*marker, length.saturating_sub(2), after)
            }
            _ => return components,
        };
        match (marker, after) {
            (0xc0..=0xc2, [_, _, _, _, _, count, ..]) => {
                components = usize::from(*count).min(MOST);
                is_sequential = marker != 0xc2;
            }
            (0xda, [count, ..]) if is_sequential && usize::from(*count) == components => return 0,
            (0xda, _) => return components,
            _ => {}
        }
        rest = after.get(length..).unwrap_or_default();
    }
}

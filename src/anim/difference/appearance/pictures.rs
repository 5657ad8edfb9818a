//! What two pictures differ in: their texels, and not what their files are called or how these are packed.

use crate::model::Image;

/// What two pictures differ in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PictureDifference {
    /// They have other widths or heights.
    Size([(u32, u32); 2]),
    /// Texels differ.
    Texels {
        /// How many, as a part of all.
        part: f64,
        /// How far a texel differs at most, as a part of what a channel holds.
        amount: f64,
    },
    /// One of them cannot be read, or they are packed in ways that cannot be compared.
    Unknown,
}

impl PictureDifference {
    pub(super) fn amount(&self) -> Option<f64> {
        match self {
            Self::Texels { amount, .. } => Some(*amount),
            Self::Size(_) | Self::Unknown => None,
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::Size([(w, h), (other_w, other_h)]) => {
                format!("another picture, {w} × {h} and {other_w} × {other_h} texels large")
            }
            Self::Texels { part, amount } => {
                let share = match 100.0 * part {
                    few if few < 0.001 => "less than 0.001%".to_owned(),
                    share => format!("{share:.3}%"),
                };
                format!("another picture, {share} of the texels differ by up to {amount:.3}")
            }
            Self::Unknown => "another picture".to_owned(),
        }
    }
}

/// What two pictures differ in, if channels of texels do by more than `tolerance`, of 1.
pub fn compare_pictures(pictures: [&Image; 2], tolerance: f64) -> Option<PictureDifference> {
    let [a, b] = pictures;
    let sizes = [a, b].map(|picture| (picture.width, picture.height));
    if sizes[0] != sizes[1] {
        return Some(PictureDifference::Size(sizes));
    }
    if a.is_placeholder != b.is_placeholder {
        return Some(PictureDifference::Unknown);
    }
    if (a.format, &a.levels) == (b.format, &b.levels) {
        return None;
    }
    // Channels are whole numbers.
    let tolerated = (tolerance * f64::from(u8::MAX)).floor() as u8;
    let (mut differing, mut count, mut most) = (0_usize, 0_usize, 0);
    for level in 0..a.levels.len().min(b.levels.len()) {
        let (Some(a), Some(b)) = (a.rgba8(level), b.rgba8(level)) else {
            return Some(PictureDifference::Unknown);
        };
        let (texels, _) = a.as_chunks::<4>();
        for (a, b) in texels.iter().zip(b.as_chunks::<4>().0) {
            let off = (0..4).map(|channel| a[channel].abs_diff(b[channel])).max();
            let off = off.unwrap_or(0);
            differing += usize::from(off > tolerated);
            most = most.max(off);
        }
        count += texels.len();
    }
    (differing > 0).then(|| PictureDifference::Texels {
        part: differing as f64 / count as f64,
        amount: f64::from(most) / f64::from(u8::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TexelFormat;

    fn picture(format: TexelFormat, texels: &[u8]) -> Image {
        Image {
            width: 2,
            height: 1,
            format,
            levels: vec![texels.to_vec()].into(),
            ..Image::default()
        }
    }

    #[test]
    fn texels_are_compared_and_not_how_they_are_stored() {
        let grey = picture(TexelFormat::Grey8, &[7, 9]);
        let rgb = picture(TexelFormat::Rgb8, &[7, 7, 7, 9, 9, 9]);
        assert_eq!(compare_pictures([&grey, &rgb], 0.0), None);
        let other = picture(TexelFormat::Rgba8, &[7, 7, 7, 255, 9, 60, 9, 255]);
        let found = compare_pictures([&grey, &other], 0.0);
        let amount = 51.0 / 255.0;
        assert_eq!(found, Some(PictureDifference::Texels { part: 0.5, amount }));
        assert_eq!(compare_pictures([&grey, &other], amount), None);
        let high = Image {
            width: 1,
            height: 2,
            ..grey.clone()
        };
        let found = compare_pictures([&grey, &high], 1.0);
        assert_eq!(found, Some(PictureDifference::Size([(2, 1), (1, 2)])));
        let blocks = [TexelFormat::Bc7, TexelFormat::Etc2].map(|it| picture(it, &[0; 16]));
        let [bc7, etc2] = &blocks;
        assert_eq!(compare_pictures([bc7, bc7], 0.0), None);
        let found = compare_pictures([bc7, etc2], 0.0);
        assert_eq!(found, Some(PictureDifference::Unknown));
    }
}

//! What a clip that is saved does not have of those that it was made of, in words.

use crate::model::{Clip, UnreadChannels};

/// The channels of their files that have no part in these clips, a line for each reason.
pub fn unread_words<'c>(clips: impl IntoIterator<Item = &'c Clip>) -> Vec<String> {
    let unread = clips.into_iter().map(Clip::unread);
    let UnreadChannels { unusable, second } =
        unread.fold(UnreadChannels::default(), UnreadChannels::and);
    let reasons = [
        (unusable, "what is said there cannot be used here"),
        (second, "other channels move the same"),
    ];
    let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
    reasons
        .map(|(count, reason)| left_out(count, ["channel", "channels"], reason))
        .collect()
}

/// So many of something are left out, and why.
pub(super) fn left_out(count: usize, [one, many]: [&str; 2], reason: &str) -> String {
    let (what, verb) = if count == 1 {
        (one, "is")
    } else {
        (many, "are")
    };
    format!("{count} {what} of the clip {verb} left out: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ClipBuilder;

    #[test]
    fn channels_of_all_clips_are_counted_by_why() {
        let clip = |unusable, second| {
            let mut builder = ClipBuilder::new("walk");
            builder.leave_unread(UnreadChannels { unusable, second });
            builder.finish()
        };
        let clips = [clip(2, 0), clip(1, 1), clip(0, 0)];
        let expected = [
            "3 channels of the clip are left out: what is said there cannot be used here",
            "1 channel of the clip is left out: other channels move the same",
        ];
        assert_eq!(unread_words(&clips), expected);
        assert_eq!(unread_words(&clips[2..]), [""; 0]);
        let (all, _) = Clip::together("all", &clips);
        assert_eq!(unread_words([&all]), expected);
    }
}

//! The moments at which any track of a clip has a key, and how to find the span between two of them that holds a time.
//!
//! All tracks of a clip are brought to one list of moments, so an instance is looked up once, not once a track. A lookup
//! keeps no state: a random seek costs what playback costs.

use crate::{anim::key_place, model::Clip};

/// A time between two neighbouring moments, or at one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Moment {
    /// The span that starts at or before the time.
    pub span: u32,
    /// 0..1 of the way through the span.
    pub fraction: f32,
}

/// One span.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    start_secs: f64,
    /// 1 / length; 0 for the last one, which has no end.
    per_sec: f64,
}

/// Key times as moments: in order and without repetition.
pub(super) fn moments_of(times_secs: &[f32]) -> Vec<f64> {
    let mut moments: Vec<_> = times_secs.iter().map(|&time| f64::from(time)).collect();
    // Written so that zeros of either sign are one moment.
    moments.dedup_by(|a, b| a == b);
    moments
}

/// Start and end of each span between moments; the last one is a moment.
pub(super) fn ends(moments_secs: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let ends = moments_secs.iter().skip(1).chain(moments_secs.last());
    moments_secs.iter().copied().zip(ends.copied())
}

/// All key times of a clip, sorted and without repetition, and which of its timelines they comprise.
///
/// Every track needs an entry at every moment, so timelines that have nothing in common could multiply. Those that most
/// tracks follow go first; one that would make the tables too large is left to the plain evaluator, with its tracks.
pub(super) fn moments_of_clip(clip: &Clip) -> (Vec<f64>, Vec<bool>) {
    let mut bytes = vec![0; clip.timelines().len()];
    for head in clip.heads() {
        if head.moved.placed_node().is_some() {
            bytes[head.timeline] += 4 * size_of::<[f32; 4]>();
        }
    }
    // What places no node has no entry.
    let all = 0..bytes.len();
    let mut order: Vec<_> = all.filter(|&timeline| bytes[timeline] > 0).collect();
    order.sort_by_key(|&timeline| std::cmp::Reverse(bytes[timeline]));

    let mut in_tables = vec![false; bytes.len()];
    let mut moments: Vec<f64> = Vec::new();
    let mut bytes_a_moment = 0;
    for timeline in order {
        let mut added = moments_of(clip.timelines()[timeline].times_secs());
        let is_known = |time: &f64| {
            let before = moments.partition_point(|moment| moment < time);
            moments.get(before) == Some(time)
        };
        added.retain(|time| !is_known(time));
        let count = moments.len() + added.len();
        let is_first = moments.is_empty();
        if is_first || count * (bytes_a_moment + bytes[timeline]) <= MAX_TABLE_BYTES {
            if !added.is_empty() {
                moments.extend(added);
                moments.sort_by(f64::total_cmp);
            }
            bytes_a_moment += bytes[timeline];
            in_tables[timeline] = true;
        }
    }
    if moments.is_empty() {
        moments.push(0.0);
    }
    (moments, in_tables)
}

/// The spans between all key times of a clip, in order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spans {
    spans: Vec<Span>,
    /// For each of equally long stretches of the clip the last span that starts before it does.
    stretches: Vec<u32>,
    stretches_per_sec: f64,
}

/// The most that the tables of a clip may take, where more than one of its timelines is in them: the one that most tracks
/// follow always is, at what it costs.
const MAX_TABLE_BYTES: usize = 64 << 20;

impl Spans {
    /// The spans that start at `moments_secs`: sorted, no two equal, at least one.
    pub(super) fn new(moments_secs: &[f64]) -> Self {
        let lengths = moments_secs.windows(2).map(|pair| pair[1] - pair[0]);
        let rates = lengths.map(f64::recip).chain([0.0]);
        let spans: Vec<_> = moments_secs
            .iter()
            .zip(rates)
            .map(|(&start_secs, per_sec)| Span {
                start_secs,
                per_sec,
            })
            .collect();
        let first_secs = moments_secs[0];
        let length_secs = moments_secs[moments_secs.len() - 1] - first_secs;
        // Twice as many stretches as spans: even keys are found without a step.
        let count = 2 * spans.len();
        let stretches_per_sec = if length_secs > 0.0 {
            count as f64 / length_secs
        } else {
            0.0
        };
        let stretch = |secs: f64| ((secs - first_secs) * stretches_per_sec) as usize;
        let mut starts_before = 0;
        let stretches = (0..=count)
            .map(|index| {
                while starts_before < spans.len() && stretch(moments_secs[starts_before]) < index {
                    starts_before += 1;
                }
                starts_before.saturating_sub(1) as u32
            })
            .collect();
        Self {
            spans,
            stretches,
            stretches_per_sec,
        }
    }

    /// Whether all times are [`Moment::default`].
    #[inline]
    pub(super) fn is_one_moment(&self) -> bool {
        self.spans.len() == 1
    }

    /// Where a time lies. Times before the first moment and after the last are clamped to them; so is a NaN, to the last.
    #[inline]
    pub(super) fn find(&self, time_secs: f64) -> Moment {
        let first_secs = self.spans[0].start_secs;
        let near = |secs: f64| {
            let stretch = ((secs - first_secs) * self.stretches_per_sec) as usize;
            self.stretches[stretch] as usize
        };
        let found = key_place::find(&self.spans, |span| span.start_secs, time_secs, near);
        let fraction = (found.since_secs * self.spans[found.key].per_sec) as f32;
        Moment {
            span: found.key as u32,
            // Rounding must not lead beyond the span's own end.
            fraction: fraction.min(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{ClipBuilder, Interpolation, NodeId, Timeline};

    #[test]
    fn what_moves_no_node_takes_no_room() {
        let mut builder = ClipBuilder::new("talk and walk");
        let mut timeline = |count: u16, secs: f32| {
            let times = (0..count).map(|key| f32::from(key) * secs).collect();
            builder.timeline(Timeline::new(times).unwrap())
        };
        let (talk, walk) = (timeline(1000, 0.007), timeline(3, 0.5));
        builder
            .weights(NodeId(0), talk, Interpolation::Linear, 1, vec![0.5; 1000])
            .unwrap();
        builder
            .translation(NodeId(0), walk, Interpolation::Linear, vec![Vec3::X; 3])
            .unwrap();
        let (moments, in_tables) = moments_of_clip(&builder.finish());
        assert_eq!(moments, [0.0, 0.5, 1.0]);
        assert_eq!(in_tables, [false, true]);
    }

    #[test]
    fn a_moment_of_several_timelines_is_one() {
        let mut builder = ClipBuilder::new("together and apart");
        for (node, times) in [
            vec![0.0, 0.5, 0.5, 1.0],
            vec![-0.0, 0.5, 1.0],
            vec![0.25, 0.5, 2.0],
            vec![1.0],
        ]
        .into_iter()
        .enumerate()
        {
            let values = vec![Vec3::X; times.len()];
            let timeline = builder.timeline(Timeline::new(times).unwrap());
            let node = NodeId(node as u32);
            builder
                .translation(node, timeline, Interpolation::Linear, values)
                .unwrap();
        }
        let (moments, in_tables) = moments_of_clip(&builder.finish());
        assert_eq!(moments, [0.0, 0.25, 0.5, 1.0, 2.0]);
        assert_eq!(in_tables, [true; 4]);
    }

    /// The span of a moment by definition.
    fn expected(moments: &[f64], time: f64) -> u32 {
        let as_key = f64::from(time as f32);
        let started = moments.iter().filter(|&&moment| moment <= as_key).count();
        if time.is_nan() {
            return moments.len() as u32 - 1;
        }
        started.saturating_sub(1) as u32
    }

    #[track_caller]
    fn check(moments: &[f64]) {
        let spans = Spans::new(moments);
        let around = |&moment: &f64| [moment, moment.next_down(), moment.next_up(), moment + 0.01];
        let beyond = [
            -1e300,
            -0.0,
            1e300,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        for time in moments.iter().flat_map(around).chain(beyond) {
            let found = spans.find(time);
            assert_eq!(found.span, expected(moments, time), "at {time}");
            assert!(
                (0.0..=1.0).contains(&found.fraction),
                "at {time}: {found:?}"
            );
        }
    }

    #[test]
    fn finds_every_span() {
        check(&[0.0]);
        check(&[2.5]);
        assert!(Spans::new(&[2.5]).is_one_moment());
        check(&[-1.0, 0.0, 1e-30, 1.0]);
        check(
            &(0..83)
                .map(|key| f64::from(key as f32 / 24.0))
                .collect::<Vec<_>>(),
        );
        // A thousand keys in a hair's breadth, far from all others.
        let crowded = (0..1000).map(|key| 1.0 + f64::from(key) * f64::from(f32::EPSILON));
        check(
            &[0.0]
                .into_iter()
                .chain(crowded)
                .chain([1000.0])
                .collect::<Vec<_>>(),
        );
        check(
            &(0..200)
                .map(|key| f64::from(key).exp2())
                .collect::<Vec<_>>(),
        );
    }

    #[test]
    fn fractions_run_from_key_to_key() {
        let spans = Spans::new(&[1.0, 3.0, 4.0]);
        let at = |time| spans.find(time).fraction;
        assert_eq!(
            [at(0.5), at(1.0), at(2.0), at(3.75), at(4.0), at(9.0)],
            [0.0, 0.0, 0.5, 0.75, 0.0, 0.0]
        );
    }
}

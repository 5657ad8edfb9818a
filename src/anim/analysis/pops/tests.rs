//! Of how pops are found.

use std::time::Duration;

use super::*;
use crate::model::{Transform, processor_time::timed};

const NODE: NodeId = NodeId(0);

/// Frames at which pops begin, for speeds of a model of size 1 at 30 frames a second; every motion goes on.
fn pops_at(speeds: &[f32]) -> Vec<usize> {
    let strides = speeds.windows(2).map(|pair| pair[0] + pair[1]);
    pops_with(speeds, strides.collect(), vec![0.0; speeds.len()])
}

fn motion(speeds: &[f32], strides: Vec<f32>, bends: Vec<f32>) -> OwnMotion {
    OwnMotion {
        node: NODE,
        times_secs: (0..=speeds.len()).map(|time| time as f64 / 30.0).collect(),
        step_secs: 1.0 / 30.0,
        part: Part::Whole,
        reach: 1.0,
        unit: 1.0,
        transforms: vec![Transform::default(); speeds.len() + 1],
        ways: vec![Way::default(); speeds.len()],
        speeds: speeds.to_vec(),
        strides,
        bends,
    }
}

fn pops_with(speeds: &[f32], strides: Vec<f32>, bends: Vec<f32>) -> Vec<usize> {
    let mut pops = Vec::new();
    let motion = motion(speeds, strides, bends);
    find(&motion, 1.0, &mut Looks::new(1000), (&mut pops, 0));
    pops.iter()
        .map(|pop| (pop.start_secs * 30.0).round() as usize)
        .collect()
}

/// 40 frames that sway.
fn sway() -> Vec<f32> {
    (0..40)
        .map(|frame| 1.0 + (frame as f32 * 0.4).sin())
        .collect()
}

#[test]
fn finds_a_jump_and_a_single_bad_key_anywhere() {
    assert!(pops_at(&sway()).is_empty());
    for frame in 0..38 {
        let mut speeds = sway();
        speeds[frame] = 20.0;
        assert_eq!(pops_at(&speeds), [frame]);
        speeds[frame + 1] = 19.0;
        assert!(pops_at(&speeds).is_empty(), "two frames that go on");
        assert_eq!(pops_with(&speeds, vec![1.0; 39], vec![0.0; 39]), [frame]);
    }
}

/// Every other frame is fast: noise, as small files can have for hundreds of nodes.
#[test]
fn there_is_an_end_to_looks() {
    let motion = motion(&[0.1, 20.0].repeat(20), vec![1.0; 39], vec![0.0; 39]);
    let mut looks = Looks::new(100);
    find(&motion, 1.0, &mut looks, (&mut Vec::new(), 0));
    assert_eq!(
        looks.left,
        100 - 20 - 19,
        "one for each that is fast, and for two"
    );
    let mut looks = Looks::new(7);
    find(&motion, 1.0, &mut looks, (&mut Vec::new(), 0));
    assert_eq!(looks.left, 0);
}

#[test]
fn some_keys_out_of_line_are_one_pop() {
    for width in 2..=6 {
        let mut speeds = sway();
        speeds[20..20 + width].fill(0.5);
        (speeds[20], speeds[19 + width]) = (20.0, 19.0);
        let mut pops = Vec::new();
        let strides = speeds.windows(2).map(|pair| pair[0] + pair[1]).collect();
        let mut motion = motion(&speeds, strides, vec![0.0; 39]);
        let mut check = |motion: &OwnMotion, expected: &[usize]| {
            pops.clear();
            find(motion, 1.0, &mut Looks::new(1000), (&mut pops, 0));
            let widths: Vec<_> = pops.iter().map(|pop| pop.intervals).collect();
            assert_eq!(widths, expected, "{width}");
            assert!(pops.iter().all(|pop| pop.comes_back == (pop.intervals > 1)));
        };
        match width {
            2 => {}
            3..=5 => check(&motion, &[width]),
            _ => check(&motion, &[1, 1]),
        }
        // What does not come back has gone somewhere, twice.
        for placed in &mut motion.transforms[20 + width..] {
            placed.translation.x = 0.5;
        }
        if width > 2 {
            check(&motion, &[1, 1]);
        }
    }
}

#[test]
fn what_gathers_speed_is_no_pop() {
    let mut speeds = vec![0.1; 40];
    for (frame, speed) in [1.0, 4.0, 9.0, 12.0, 9.0, 4.0, 1.0].into_iter().enumerate() {
        speeds[15 + frame] = speed;
    }
    assert!(pops_at(&speeds).is_empty());
    // Three frames or more at one speed are a movement.
    let mut steady = vec![0.0; 40];
    steady[10..13].fill(5.0);
    assert!(pops_at(&steady).is_empty());
}

#[test]
fn what_is_too_small_to_see_is_no_pop() {
    let mut speeds = vec![0.0; 40];
    speeds[20] = 0.25;
    assert!(pops_at(&speeds).is_empty(), "less than 1 % in a frame");
    speeds[20] = 0.35;
    assert_eq!(pops_at(&speeds), [20]);
}

#[test]
fn a_key_out_of_line_is_told_from_a_limb_that_is_fast_but_goes_evenly() {
    // A knee that snaps four times, as fast as the key that is out of line.
    let mut speeds = vec![0.2; 40];
    for start in [3, 12, 25, 33] {
        speeds[start..start + 4].fill(4.0);
    }
    (speeds[20], speeds[21]) = (3.9, 4.1);
    let mut strides: Vec<_> = speeds.windows(2).map(|pair| pair[0] + pair[1]).collect();
    strides[20] = 0.3;
    let mut bends = vec![0.01; strides.len()];
    assert!(pops_with(&speeds, strides.clone(), bends.clone()).is_empty());
    (bends[19], bends[20], bends[21]) = (0.07, 0.13, 0.07);
    assert_eq!(pops_with(&speeds, strides, bends), [20]);
}

/// Of the jumps of a node that is so far along X at each key, whether they are attacks.
fn attacks(speeds: &[f32], places: impl Fn(usize) -> f32) -> Vec<bool> {
    let strides = speeds.windows(2).map(|pair| pair[0] + pair[1]);
    let mut motion = motion(speeds, strides.collect(), vec![0.0; speeds.len()]);
    for (key, placed) in motion.transforms.iter_mut().enumerate() {
        placed.translation.x = places(key);
    }
    let mut pops = Vec::new();
    find(&motion, 1.0, &mut Looks::new(1000), (&mut pops, 0));
    let jumps = pops.iter().filter(|pop| !pop.comes_back);
    jumps.map(|pop| pop.is_attack).collect()
}

/// 40 intervals that are slow, but for the first.
fn calm(start: &[f32]) -> Vec<f32> {
    let mut speeds = vec![0.05; 40];
    speeds[..start.len()].copy_from_slice(start);
    speeds
}

#[test]
fn a_jump_that_dies_away_is_an_attack() {
    let attacks = |speeds: &[f32]| attacks(speeds, |key| if key == 0 { 0.0 } else { 9.0 });
    // What an explosion throws: at once, and after a frame.
    for burst in [
        &[16.0, 5.0, 2.0, 0.5][..],
        &[8.0, 2.0, 0.5, 0.4],
        &[0.0, 8.0, 1.3, 0.9, 0.1],
    ] {
        let mut speeds = calm(burst);
        assert_eq!(attacks(&speeds), [true], "{burst:?}");
        speeds.reverse();
        assert_eq!(attacks(&speeds), [true], "{burst:?}");
    }
    // It rests before.
    let mut speeds = vec![0.0; 40];
    speeds[20..24].copy_from_slice(&[16.0, 5.0, 2.0, 0.5]);
    assert_eq!(attacks(&speeds), [true]);
    speeds[..20].fill(0.05);
    assert_eq!(attacks(&speeds), [false]);
    // A first key of the bind pose, before a limb that slows at the end of its swing, and swings back.
    for swing in [
        &[8.0, 1.2, 0.9, 0.5, 0.5, 0.9, 1.2][..],
        &[8.0, 1.2, 0.9, 0.5, 0.2, 0.3, 0.6, 0.9, 1.0],
    ] {
        let mut speeds = calm(swing);
        assert_eq!(attacks(&speeds), [false], "{swing:?}");
        speeds.reverse();
        assert_eq!(attacks(&speeds), [false], "{swing:?}");
    }
    // What an explosion throws may hit something.
    let hits = calm(&[12.0, 3.6, 1.7, 0.9, 1.2, 1.4, 2.3, 0.5]);
    assert_eq!(attacks(&hits), [true]);
    // A first key out of line, after which the node goes on, be it ever slower, or as it did.
    let out_of_line = calm(&[18.0, 0.4, 0.25, 0.2]);
    let goes_on = calm(&[18.0, 3.0, 2.9, 2.8]);
    for speeds in [&out_of_line, &goes_on] {
        assert_eq!(attacks(speeds), [false], "{speeds:?}");
    }
}

#[test]
fn a_jump_that_is_taken_back_in_steps_is_an_attack() {
    const JUMP: f32 = 18.0 / 30.0;
    let jumps = calm(&[18.0]);
    // In so many keys back to so far away.
    let sinks = |keys: usize, end: f32| {
        move |key: usize| match key {
            0 => 0.0,
            _ => JUMP + (end - JUMP) * ((key - 1) as f32 / keys as f32).min(1.0),
        }
    };
    for (keys, end, expected) in [
        (25, 0.0, true),
        (25, 0.2 * JUMP, true),
        (25, 0.3 * JUMP, false),
        // It goes all the time, or comes late.
        (39, 0.0, false),
    ] {
        let found = attacks(&jumps, sinks(keys, end));
        assert_eq!(found, [expected], "{keys} {end}");
    }
    // A loop that was closed by its last pose in the place of its first key: it sways until the end.
    let sways = |key: usize| {
        let turn = (key as f32 - 1.0) / 39.0 * std::f32::consts::FRAC_PI_2;
        if key == 0 { 0.0 } else { JUMP * turn.cos() }
    };
    assert_eq!(attacks(&jumps, sways), [false]);
    let stays = |key: usize| if matches!(key, 0 | 40) { 0.0 } else { JUMP };
    assert_eq!(attacks(&jumps, stays), [false]);
    // It comes back from farther away.
    let beyond = |key: usize| sinks(25, 0.0)(key) * if key == 9 { 2.0 } else { 1.0 };
    assert_eq!(attacks(&jumps, beyond), [false]);
    // It goes back at once.
    let mut snaps_back = jumps;
    snaps_back[39] = 18.0;
    assert_eq!(attacks(&snaps_back, stays), [false, false]);
}

/// Thousands of jumps, before or after as many keys at rest.
#[test]
fn many_jumps_beside_rest_take_no_longer() {
    const KEYS: usize = 400_000;
    let mut speeds = vec![0.0; KEYS];
    for burst in speeds[KEYS / 2..].chunks_exact_mut(10) {
        burst[..4].copy_from_slice(&[16.0, 5.0, 2.0, 0.5]);
    }
    let attacks = |speeds: &[f32]| {
        let motion = motion(speeds, Vec::new(), Vec::new());
        let jumps = (0..KEYS).filter(|jump| speeds[*jump] == 16.0);
        let (count, took) = timed(|| jumps.filter(|jump| motion.is_attack(*jump)).count());
        assert!(took < Duration::from_secs(1), "{took:?}");
        count
    };
    assert_eq!(attacks(&speeds), 1);
    speeds.reverse();
    assert_eq!(attacks(&speeds), 1);
}

#[test]
fn the_worst_are_kept() {
    let pop = |speed: usize| Pop {
        node: NODE,
        start_secs: 0.0,
        end_secs: 0.0,
        intervals: 1,
        speed: speed as f32,
        usual_speed: 0.0,
        does: Deed::Turn {
            degrees: 0.0,
            usual_degrees: 0.0,
        },
        comes_back: false,
        bend: 0.0,
        alone: None,
        is_attack: false,
    };
    let mut pops: Vec<_> = (0..20).map(|index| pop(index * 7 % 20)).collect();
    keep_worst(&mut pops, 10);
    assert_eq!(pops.len(), 20, "they are not yet twice as many");
    keep_worst(&mut pops, 3);
    pops.sort_unstable_by(Pop::by_excess);
    assert_eq!(pops, [19, 18, 17].map(pop));
}

#[test]
fn few_frames_and_nonsense_tell_nothing() {
    assert!(pops_at(&[]).is_empty());
    assert!(pops_at(&[0.0, 9.0, 0.0]).is_empty());
    let mut speeds = sway();
    speeds[5] = f32::NAN;
    speeds[9] = f32::INFINITY;
    assert!(pops_at(&speeds).is_empty());
}

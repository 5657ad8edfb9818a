//! Motion: sampling, forward kinematics, blending, root motion, analysis and bounds, as functions of a model and a time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;

#[path = "reference/corpus.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod corpus;
#[path = "reference/rng.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod rng;

mod motion {
    mod analysis;
    mod blending;
    mod borrowing;
    mod bounds;
    mod checking;
    mod dual_quaternion;
    mod faults;
    mod kinematics;
    mod mixed_time;
    mod mixing;
    mod playing;
    mod properties;
    mod property_pictures;
    mod property_rules;
    mod property_tables;
    mod retargeting;
    mod root_motion;
    mod sampling;
    mod skeleton;
    mod standing;
    mod still_clips;
    mod t_pose;
}

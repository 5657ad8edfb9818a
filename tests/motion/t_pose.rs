//! The T pose, by where arms lie in it and what it leaves alone; on the built-in model and on the people of the corpus.

use std::time::Duration;

use glam::Vec3;
use rigscope::anim::{Arms, Pose, bind_pose, t_pose};
use rigscope::app::{Session, built_in};
use rigscope::model::{Model, NodeId};
use rigscope::scene::ReferencePose;
use rigscope::ui::{Command, SkeletonCommand};

use crate::{common::folder, corpus};

/// How far arms are from lying along the line through the shoulders (1 − cosine, the worst), and that nothing else moved.
fn check(name: &str, model: &Model, arms: &Arms) -> f32 {
    let hierarchy = &model.hierarchy;
    let (mut before, mut after) = (Pose::new(hierarchy), Pose::new(hierarchy));
    if !model.skins.is_empty() {
        bind_pose(model, &mut before);
    }
    t_pose(model, arms, &mut after);
    let place = |pose: &Pose, node: NodeId| Vec3::from(pose.world[node.index()].translation);
    let joints: Vec<_> = arms.joints().collect();
    let uppers: Vec<NodeId> = joints.iter().filter_map(|arm| arm[0]).collect();
    let to_left = place(&after, uppers[0]) - place(&after, uppers[1]);
    let to_left = Vec3::new(to_left.x, 0.0, to_left.z).normalize();
    let to_left = if to_left.x.abs() > 0.866 {
        Vec3::X * to_left.x.signum()
    } else {
        to_left
    };
    let mut worst = 0.0_f32;
    for (arm, wanted) in joints.iter().zip([to_left, -to_left]) {
        for pair in arm.windows(2) {
            if let [Some(from), Some(to)] = pair {
                let (old, new) = (
                    place(&before, *to) - place(&before, *from),
                    place(&after, *to) - place(&after, *from),
                );
                worst = worst.max(1.0 - new.normalize_or(wanted).dot(wanted));
                let change = (old.length() - new.length()).abs();
                assert!(
                    change <= 1e-3 * old.length(),
                    "{name}: bones keep their lengths"
                );
            }
        }
    }
    let mut is_arm = vec![false; hierarchy.len()];
    for (id, node) in hierarchy.iter() {
        let parent = node.parent.is_some_and(|parent| is_arm[parent.index()]);
        is_arm[id.index()] = parent || uppers.contains(&id);
        if !is_arm[id.index()] {
            let (old, new) = (before.world[id.index()], after.world[id.index()]);
            assert_eq!(old, new, "{name}: {} is no part of an arm", node.name);
        }
    }
    // What is drawn and what the figures say is the same pose.
    let drawn = after.world.clone();
    for (id, node) in hierarchy.iter() {
        if uppers.contains(&id) {
            let parent = node
                .parent
                .map_or(glam::Affine3A::IDENTITY, |it| drawn[it.index()]);
            let again = parent * after.locals[id.index()].to_affine();
            let size = drawn[id.index()].matrix3.x_axis.length();
            let same = again
                .matrix3
                .abs_diff_eq(drawn[id.index()].matrix3, 1e-3 * size);
            assert!(same, "{name}: {again} {}", drawn[id.index()]);
        }
    }
    worst
}

#[test]
fn arms_lie_along_the_x_axis() {
    let import = built_in::load("Pip").unwrap();
    let arms = Arms::find(&import.model).unwrap();
    assert!(check("Pip", &import.model, &arms) < 1e-5);
    let mut session = Session::new(import, None, Duration::ZERO);
    let tee = SkeletonCommand::Hold(Some(ReferencePose::Tee));
    session.apply(Command::Skeleton(tee));
    session.update();
    let place = |name: &str| {
        let mut nodes = session.model().hierarchy.iter();
        let (id, _) = nodes.find(|(_, node)| node.name == name).unwrap();
        Vec3::from(session.actor().pose().world[id.index()].translation)
    };
    let [left, right] = ["L", "R"].map(|side| {
        let [shoulder, hand] = ["upper_arm", "hand"].map(|part| place(&format!("{part}_{side}")));
        (hand - shoulder).normalize()
    });
    assert!(left.abs_diff_eq(Vec3::X, 1e-4), "{left}");
    assert!(right.abs_diff_eq(Vec3::NEG_X, 1e-4), "{right}");
}

#[test]
fn what_is_no_person_is_left_alone_and_said_why() {
    let import = built_in::load("Windmill").unwrap();
    let why = Arms::find(&import.model).unwrap_err();
    let mut session = Session::new(import, None, Duration::ZERO);
    session.update();
    assert_eq!(session.actor().why_no_t_pose(), Some(why));
    let before = session.actor().pose().clone();
    let tee = SkeletonCommand::Hold(Some(ReferencePose::Tee));
    session.apply(Command::Skeleton(tee));
    session.update();
    assert_eq!(session.actor().pose(), &before);
}

#[test]
fn people_of_the_corpus_stretch_their_arms_and_animals_do_not() {
    let Some(folder) = folder("RIGSCOPE_CORPUS") else {
        return;
    };
    let (mut worst, mut people, mut lying) = (0.0_f32, Vec::new(), Vec::new());
    for entry in corpus::files(&folder).0 {
        let Ok(import) = rigscope::cli::load(&entry.path) else {
            continue;
        };
        let name = entry.path.display().to_string();
        match Arms::find(&import.model) {
            Ok(arms) => {
                let error = check(&name, &import.model, &arms);
                worst = worst.max(error);
                assert!(error < 1e-3, "{name}: {error}");
                people.push(name);
            }
            Err(why) if why.contains("upright") => lying.push(name),
            Err(_) => {}
        }
    }
    println!(
        "{} people, 1 - cosine at most {worst}: {people:#?}",
        people.len()
    );
    println!("named like people, and none: {lying:#?}");
    let has = |names: &[String], wanted: &str| names.iter().any(|name| name.contains(wanted));
    assert!(people.len() >= 5, "{people:?}");
    assert!(!has(&people, "Fox"), "a fox has four legs");
}

//! Lists of clips that differ.

use std::time::Duration;

use glam::Vec3;

use super::*;
use crate::{
    app::built_in,
    model::{
        ClipBuilder, Hierarchy, Interpolation, Material, MaterialProperty, Node, PropertyTarget,
        Skin, Timeline,
    },
    ui::{Command, CompareCommand},
};

/// A clip with keys of a kind for a node.
fn clip(keys: &[f32], make: impl Fn(&mut ClipBuilder, usize)) -> Clip {
    let mut builder = ClipBuilder::new("clip");
    let timeline = builder.timeline(Timeline::new(keys.to_vec()).unwrap());
    make(&mut builder, timeline);
    builder.finish()
}

/// Goes along x as far as it says at each key.
fn walk(keys: &[(f32, f32)]) -> Clip {
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    clip(&times, |builder, timeline| {
        let places = keys.iter().map(|key| Vec3::X * key.1).collect::<Vec<_>>();
        let linear = Interpolation::Linear;
        builder
            .translation(NodeId(0), timeline, linear, places)
            .unwrap();
    })
}

fn grow(size: f32) -> Clip {
    clip(&[0.0, 1.0], |builder, timeline| {
        let sizes = vec![Vec3::ONE, Vec3::splat(size)];
        let linear = Interpolation::Linear;
        builder.scale(NodeId(0), timeline, linear, sizes).unwrap();
    })
}

fn morph(weight: f32) -> Clip {
    clip(&[0.0, 1.0], |builder, timeline| {
        let linear = Interpolation::Linear;
        let weights = vec![0.0, weight];
        builder
            .weights(NodeId(0), timeline, linear, 1, weights)
            .unwrap();
    })
}

/// Makes the first material as rough as it says at half a second, and as smooth as before at the end.
fn roughen(roughness: f32) -> Clip {
    clip(&[0.0, 0.5, 1.0], |builder, timeline| {
        let target = PropertyTarget::Material(0, MaterialProperty::Roughness);
        let linear = Interpolation::Linear;
        let values = vec![0.0, roughness, 0.0];
        builder.property(target, timeline, linear, values).unwrap();
    })
}

fn rows(names: [&str; 2], clips: [Vec<Clip>; 2], by_phase: bool) -> Vec<ClipDifferenceRow> {
    let files = Files {
        by_phase,
        ..Files::default()
    };
    rows_of(names, clips, files)
}

fn rows_of(names: [&str; 2], clips: [Vec<Clip>; 2], files: Files) -> Vec<ClipDifferenceRow> {
    let mut names = names.into_iter();
    let models = clips.map(|clips| one_node(names.next().unwrap(), clips));
    job(models, files).run().rows.unwrap()
}

fn one_node(name: &str, clips: Vec<Clip>) -> Arc<Model> {
    let node = Node {
        name: name.to_owned(),
        weights: 0..1,
        ..Node::default()
    };
    Arc::new(Model {
        hierarchy: Hierarchy::new(vec![node], &[None], &[vec![0.0]]).unwrap(),
        clips,
        materials: vec![Material::default(); 2],
        // Whose root goes somewhere.
        skins: vec![Skin {
            joints: vec![NodeId(0)],
            ..Skin::default()
        }],
        ..Model::default()
    })
}

fn job(models: [Arc<Model>; 2], files: Files) -> ClipsJob {
    let names = models.each_ref().map(|model| model.clip_names());
    ClipsJob {
        files,
        names,
        models,
        size: 1.0,
    }
}

/// As the command tells it: the greatest is where keys lie that no even share of moments meets.
#[test]
fn one_key_of_many_is_found_beside_many_clips() {
    let frames = |off: f32| -> Vec<(f32, f32)> {
        let off = |frame| if frame == 1501 { off } else { 0.0 };
        let frames = 0..=3000_u16;
        frames
            .map(|frame| (f32::from(frame) / 30.0, off(frame)))
            .collect()
    };
    let models = [0.0, 7.0].map(|off| {
        let short = (0..99).map(|_| walk(&[(0.0, 0.0), (1.0, 1.0)]));
        one_node("Hip", short.chain([walk(&frames(off))]).collect())
    });
    let job = job(models, Files::default());
    let row = &job.find(1 << 17)[0];
    let found = row.worst.as_ref().unwrap();
    assert_eq!((row.clip, found.units), (Some(99), 7.0), "{row:?}");
    assert!((found.units_at_secs - 1501.0 / 30.0).abs() < 1e-5);
    assert_eq!(row.words, "");
    let few = &job.find(1 << 12)[..];
    assert_eq!(few.len(), 100);
    let long = few.iter().find(|row| row.clip == Some(99)).unwrap();
    assert!(long.words.contains(" of 12001 moments"), "{long:?}");
    let none = job.find(1);
    let words = "not compared, as there are too many clips or nodes";
    let unknown = none.iter().filter(|row| row.words == words);
    assert_eq!(unknown.count(), 99);
}

#[test]
fn clips_of_other_files_are_called_as_in_the_list() {
    let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
    let lent = session.model().clone();
    for path in ["a/anim.glb", "b/anim.glb"] {
        session.add_clips(path, lent.clone());
    }
    session.compare_with(built_in::load("Pip").unwrap());
    for command in [
        CompareCommand::ToggleDifferences,
        CompareCommand::ListClips(true),
    ] {
        session.apply(Command::Compare(command));
    }
    session.update();
    let rows = session.clips_job().unwrap().run().rows.unwrap();
    let names = session.clip_names();
    assert_eq!(rows.len(), names.len());
    for row in rows {
        assert_eq!(row.name, names[row.clip.unwrap()]);
    }
}

#[test]
fn what_is_less_than_the_tolerance_of_compare_is_no_difference() {
    let least = least_units(2.0);
    assert_eq!(
        [1.9e-4, 2.1e-4].map(|it| beyond_rounding(it, least)),
        [0.0, 2.1e-4]
    );
    assert!(
        beyond_rounding(f32::NAN, least).is_nan(),
        "what is no number counts"
    );
    assert!((MIN_DEGREES - 0.005_73).abs() < 1e-5);
    // In a model of the size 1.
    let ends = |end| [1.0, end].map(|end| vec![walk(&[(0.0, 0.0), (1.0, end)])]);
    let rows = rows(["a", "a"], ends(1.000_05), false);
    assert!(!rows[0].worst.as_ref().unwrap().is_off(), "{rows:?}");
    let rows = rows_of(["a", "a"], ends(1.0002), Files::default());
    assert!(rows[0].worst.as_ref().unwrap().is_off(), "{rows:?}");
}

#[test]
fn clips_that_are_kept_in_place_are_compared_there() {
    let [near, far] = [1.0, 3.0].map(|end| walk(&[(0.0, 0.0), (1.0, end)]));
    for (is_in_place, units) in [(false, 2.0), (true, 0.0)] {
        let files = Files {
            is_in_place,
            ..Files::default()
        };
        let clips = [vec![near.clone()], vec![far.clone()]];
        let found = rows_of(["Hip"; 2], clips, files);
        let worst = found[0].worst.as_ref().unwrap();
        assert!((worst.units - units).abs() < 1e-5, "{worst:?}");
    }
}

#[test]
fn what_comes_after_the_end_of_a_is_not_compared() {
    let short = walk(&[(0.0, 0.0), (1.0, 1.0)]);
    let long = walk(&[(0.0, 0.0), (1.0, 1.0), (1.5, 9.0), (2.0, 1.0)]);
    let found = rows(["Hip"; 2], [vec![short.clone()], vec![long]], false);
    assert!(!found[0].worst.as_ref().unwrap().is_off(), "{found:?}");
    assert_eq!(found[0].words, "1.00 s and 2.00 s long");
    // Twice as slow is the same where both begin and end together.
    let slow = walk(&[(0.0, 0.0), (2.0, 1.0)]);
    for (by_phase, units) in [(false, 0.5), (true, 0.0)] {
        let clips = [vec![short.clone()], vec![slow.clone()]];
        let found = rows(["Hip"; 2], clips, by_phase);
        assert_eq!(found[0].worst.as_ref().unwrap().units, units, "{by_phase}");
    }
}

#[test]
fn what_no_joint_says_is_said_in_words() {
    let words = |names, first, second| {
        let found = rows(names, [vec![first], vec![second]], false);
        found[0].words.clone()
    };
    let same = ["Hip"; 2];
    assert_eq!(words(same, grow(2.0), grow(3.0)), "scales differ");
    assert_eq!(words(same, morph(0.5), morph(1.0)), "morph weights differ");
    assert_eq!(words(same, morph(1.0), morph(1.0)), "");
    assert_eq!(
        words(same, roughen(0.5), roughen(1.0)),
        "roughnessFactor of /materials/0/pbrMetallicRoughness differs, most at 0.50 s"
    );
    assert_eq!(words(same, roughen(1.0), roughen(1.0)), "");
    // What has another name is found by its place.
    assert_eq!(words(["Hip", "Knee"], grow(2.0), grow(2.0)), "");
    let alien = ClipDifference {
        places: [0; 2],
        motion: Some(PoseDifference::default()),
        moments: 0,
        moved: Vec::new(),
    };
    let words = other_words(&alien, false, [1.0; 2]);
    assert_eq!(words, ["they share no node"]);
}

#[test]
fn of_several_of_a_name_each_belongs_to_that_of_its_place() {
    let [still, far] = [0.0, 5.0].map(|far| walk(&[(0.0, 0.0), (1.0, far)]));
    let both = vec![still.clone(), far];
    let found = rows(["Hip"; 2], [both.clone(), both.clone()], false);
    assert_eq!(found.len(), 2, "{found:?}");
    let is_same = |row: &ClipDifferenceRow| !row.worst.as_ref().unwrap().is_off();
    assert!(found.iter().all(is_same), "{found:?}");
    let found = rows(["Hip"; 2], [both, vec![still]], false);
    assert_eq!(found[1].words, "only A has it");
}

#[test]
fn what_fails_says_so() {
    let found = ClipDifferences::found(Files::default(), || panic!("as a test"));
    let error = found.rows.unwrap_err();
    assert!(error.contains("cannot be compared"), "{error}");
}

//! On which side the front faces of a crowd are: those of each individual where its own matrices say.

use std::path::Path;

use glam::{Affine3A, Vec3};
use rigscope::{
    anim::{Movers, Palette, PaletteForm, PaletteLayout, PaletteMatrix},
    model::{
        Clip, ClipBuilder, Hierarchy, Influences, Interpolation, Mesh, Model, Node, NodeId,
        Primitive, Skin, Timeline,
    },
    scene::{Crowd, Draws, Individual, Repertoire},
};

use super::{load, reference, written};

/// Whether a matrix mirrors; none where it is so flat that it can hardly be said.
fn mirrors(rows: &PaletteMatrix) -> Option<bool> {
    let [x, y, z] = rows.map(|row| row.truncate().as_dvec3());
    let determinant = x.dot(y.cross(z));
    let is_clear = determinant.abs() > 1e-3 * x.length() * y.length() * z.length();
    is_clear.then_some(determinant < 0.0)
}

/// Compares the sides of all records with what their own matrices say; returns how many were as they are in the file's own
/// pose, and how many were not.
fn check(model: &Model, crowd: &mut Crowd, at: &str) -> [usize; 2] {
    let layout = PaletteLayout::of_all_nodes(model);
    let mut palette = Palette::default();
    let mut draws = Draws::default();
    let mut counts = [0; 2];
    for time_secs in [0.0, 0.4, 1.3] {
        crowd.pose(model, &layout, time_secs, None, &mut palette);
        crowd.collect_draws(&model.meshes, &layout, &palette, &mut draws);
        let matrices = written(crowd, model, &layout);
        let members = palette.instance_count();
        for (index, placement) in layout.placements().iter().enumerate() {
            let straight = placement.copies - placement.mirrored_copies;
            let primitives = &model.meshes[placement.mesh].primitives;
            for (part, primitive) in primitives.iter().enumerate() {
                let skin = placement.skin.filter(|_| primitive.influences.is_some());
                let movers = primitive.influences.as_ref().map(Movers::new);
                let mut seen = vec![0; members];
                for (range, is_mirrored) in
                    draws.sides([index, part], skin.is_some(), members as u32)
                {
                    for nth in range {
                        seen[nth as usize] += 1;
                        for copy in 0..placement.copies {
                            let record = palette.record_of_copy(index, copy as usize, nth as usize);
                            let expected = match (skin, &movers) {
                                (Some(slot), Some(movers)) => {
                                    let joints = &matrices[record.first_joint as usize..];
                                    let joints = &joints[..slot.joint_count as usize];
                                    let sides: Option<Vec<_>> =
                                        joints.iter().map(mirrors).collect();
                                    sides.map(|sides| {
                                        movers.mirror(|it| sides.get(it) == Some(&true))
                                    })
                                }
                                _ => mirrors(&matrices[record.rigid as usize])
                                    .map(|mirrors| mirrors != (copy >= straight)),
                            };
                            let Some(expected) = expected else { continue };
                            assert_eq!(is_mirrored, expected, "{at}: {index} {part} {nth} {copy}");
                            counts[usize::from(is_mirrored)] += 1;
                        }
                    }
                }
                assert_eq!(seen, vec![1; members], "{at}: {index} {part}");
            }
        }
    }
    counts
}

#[test]
fn each_of_a_random_crowd_is_on_its_own_side() {
    let mut counts = [0; 2];
    for seed in 0..60 {
        let mut rng = reference::rng::Rng::new(seed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sides_{seed}.gltf"));
        std::fs::write(&path, reference::random::document(&mut rng).to_string()).unwrap();
        let model = load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let layout = PaletteLayout::of_all_nodes(&model);
        let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 20, |_| None);
        let found = check(&model, &mut crowd, &format!("seed {seed}"));
        counts = [0, 1].map(|side| counts[side] + found[side]);
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

/// A clip that scales these nodes along X, in three seconds.
fn scaled(name: &str, nodes: &[(u32, [f32; 2])]) -> Clip {
    let mut clip = ClipBuilder::new(name);
    let times = clip.timeline(Timeline::new(vec![0.0, 3.0]).unwrap());
    for &(node, values) in nodes {
        let values = values.map(|x| Vec3::ONE.with_x(x)).to_vec();
        clip.scale(NodeId(node), times, Interpolation::Linear, values)
            .unwrap();
    }
    clip.finish()
}

/// A clip in which both joints and the skinned node change sides, at times of their own.
fn flipping() -> Clip {
    let crosses = [-1.0, 2.0];
    scaled("flips", &[(0, crosses), (1, [2.0, -1.0]), (2, crosses)])
}

/// Two joints that move a primitive each, a third that is rigid, and copies of all that, of which one mirrors.
fn model(clips: Vec<Clip>) -> Model {
    let moved_by = |joint| Primitive {
        influences: Some(Influences {
            per_vertex: 4,
            joints: vec![joint, 0, 0, 0],
            weights: vec![1.0, 0.0, 0.0, 0.0],
        }),
        ..Primitive::default()
    };
    let meshes = [
        vec![moved_by(0), moved_by(1), Primitive::default()],
        vec![Primitive::default()],
    ];
    let [skinned, copied] = [0, 1].map(|mesh| Node {
        mesh: Some(mesh),
        skin: (mesh == 0).then_some(0),
        node_from_instances: match mesh {
            0 => Vec::new(),
            _ => [1.0, -1.0, 2.0]
                .map(|x| Affine3A::from_scale(Vec3::ONE.with_x(x)))
                .to_vec(),
        },
        ..Node::default()
    });
    let nodes = vec![Node::default(), Node::default(), skinned, copied];
    let parents = [None, None, None, Some(0)];
    Model {
        hierarchy: Hierarchy::new(nodes, &parents, &vec![Vec::new(); 4]).unwrap(),
        meshes: meshes
            .map(|primitives| Mesh {
                primitives,
                ..Mesh::default()
            })
            .to_vec()
            .into(),
        skins: vec![Skin {
            joints: vec![NodeId(0), NodeId(1)],
            joint_from_mesh: vec![Affine3A::IDENTITY; 2],
            ..Skin::default()
        }],
        clips,
        ..Model::default()
    }
}

#[test]
fn joints_nodes_and_copies_may_each_be_on_another_side() {
    let crosses = [-1.0, 2.0];
    for clips in [
        vec![scaled("flips", &[(0, crosses)])],
        vec![flipping()],
        vec![
            scaled("right", &[(0, [1.0, 1.0])]),
            scaled("left", &[(0, [-1.0, -1.0])]),
        ],
        vec![
            scaled("left", &[(1, [-1.0, -1.0])]),
            scaled("shrinks", &[(0, [0.0, 1.0]), (1, [-1.0, -1.0])]),
        ],
    ] {
        let model = model(clips);
        let layout = PaletteLayout::of_all_nodes(&model);
        let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 30, |_| None);
        let counts = check(&model, &mut crowd, model.clips[0].name());
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}

/// Members are looked at in groups, of which the last is smaller, and posed on several threads.
#[test]
fn each_of_very_many_is_on_its_own_side() {
    const MANY: usize = 2 * 256 + 7;
    let model = model(vec![flipping()]);
    let layout = PaletteLayout::of_all_nodes(&model);
    // In no order of their phases.
    let individual = |index: usize| Individual {
        clip: Some(0),
        phase_secs: 3.0 * ((index * 101) % MANY) as f64 / MANY as f64,
        speed: 1.0,
        world_from_root: Affine3A::IDENTITY,
    };
    let mut crowd = Crowd::new(&model, &layout, (0..MANY).map(individual).collect());
    let counts = check(&model, &mut crowd, "very many");
    assert!(counts.iter().all(|&count| count > MANY), "{counts:?}");
}

#[test]
fn a_frame_in_which_sides_change_allocates_nothing() {
    let model = model(vec![flipping()]);
    let layout = PaletteLayout::of_all_nodes(&model);
    let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 30, |_| None);
    let (mut palette, mut draws) = (Palette::default(), Draws::default());
    let mut frames = || {
        for frame in 0..40 {
            let time_secs = f64::from(frame) * 0.1;
            crowd.pose(&model, &layout, time_secs, None, &mut palette);
            crowd.collect_draws(&model.meshes, &layout, &palette, &mut draws);
        }
    };
    // So that all buffers have grown.
    frames();
    let counted = allocation_counter::measure(frames);
    assert_eq!(counted.count_total, 0);
}

/// It has no size at first, and no side then.
#[test]
fn copies_that_all_mirror_have_their_side_from_the_start() {
    let shrunk = scaled("grows", &[(0, [0.0, 2.0])]);
    for clips in [
        vec![shrunk.clone()],
        vec![shrunk, scaled("left", &[(0, [-1.0, -1.0])])],
    ] {
        let mirror = Affine3A::from_scale(Vec3::ONE.with_x(-1.0));
        let mut parts = vec![Node::default(); 2];
        parts[1].mesh = Some(0);
        parts[1].node_from_instances = vec![mirror];
        let meshes = vec![Mesh {
            primitives: vec![Primitive::default()],
            ..Mesh::default()
        }];
        let model = Model {
            hierarchy: Hierarchy::new(parts, &[None, Some(0)], &vec![Vec::new(); 2]).unwrap(),
            meshes: meshes.into(),
            clips,
            ..Model::default()
        };
        let layout = PaletteLayout::of_all_nodes(&model);
        let mut crowd = Crowd::on_field(&model, &layout, None, Repertoire::All, 30, |_| None);
        let counts = check(&model, &mut crowd, model.clips[0].name());
        assert!(counts.iter().sum::<usize>() > 30, "{counts:?}");
    }
}

#[test]
fn places_may_mirror_too() {
    let model = model(vec![scaled("stands", &[(0, [1.0, 1.0])])]);
    let layout = PaletteLayout::of_all_nodes(&model);
    let individual = |index: usize| Individual {
        clip: Some(0),
        phase_secs: 0.0,
        speed: 1.0,
        world_from_root: Affine3A::from_scale(Vec3::ONE.with_x(if index.is_multiple_of(2) {
            1.0
        } else {
            -1.0
        })),
    };
    let mut crowd = Crowd::new(&model, &layout, (0..8).map(individual).collect());
    assert_eq!(crowd.form(), PaletteForm::Full);
    let counts = check(&model, &mut crowd, "mirrored places");
    assert!(counts[0] > 0 && counts[0] == counts[1], "{counts:?}");
}

//! What programs are made of: which tracks are in the tables, which nodes have a step.

use std::time::Duration;

use glam::{Quat, Vec3};

use super::{
    bake::bake,
    program::{ENTRIES, Motion, Outputs, Program, Step, Table},
    spans::Moment,
};
use crate::{
    anim::PaletteLayout,
    model::{
        Clip, ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, NodeId, PropertyTarget,
        Timeline, processor_time::timed,
    },
};

/// A chain of nodes with a rigid mesh on each.
fn program(nodes: usize, clip: &Clip) -> Program {
    let node = |_| Node {
        mesh: Some(0),
        rest: crate::model::Transform {
            translation: Vec3::new(0.5, 1.0, -2.0),
            rotation: Quat::from_rotation_z(0.3),
            ..Default::default()
        },
        ..Node::default()
    };
    let parents: Vec<_> = (0..nodes).map(|index| index.checked_sub(1)).collect();
    let weights = vec![Vec::new(); nodes];
    let hierarchy = Hierarchy::new((0..nodes).map(node).collect(), &parents, &weights);
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        meshes: vec![Mesh::default()].into(),
        ..Model::default()
    };
    bake(&model, &PaletteLayout::of_all_nodes(&model), Some(clip))
}

fn steps(program: &Program) -> Vec<&Step> {
    program.runs.iter().flat_map(|run| &run.steps).collect()
}

fn turn(clip: &mut ClipBuilder, node: u32, timeline: usize, keys: usize) {
    let values = (0..keys).map(|key| Quat::from_rotation_y(key as f32 * 0.1));
    let linear = Interpolation::Linear;
    clip.rotation(NodeId(node), timeline, linear, values.collect::<Vec<_>>())
        .unwrap();
}

#[test]
fn only_tracks_that_are_not_in_the_tables_are_left_to_the_plain_evaluator() {
    let mut clip = ClipBuilder::new("mixed");
    let few = clip.timeline(Timeline::new(vec![0.0, 0.3, 1.0]).unwrap());
    let (many, step) = (200_000, 1e-5);
    let times = (0..many).map(|key| key as f32 * step).collect();
    let dense = clip.timeline(Timeline::new(times).unwrap());
    for node in 0..9 {
        turn(&mut clip, node, few, 3);
    }
    turn(&mut clip, 9, dense, many);
    let program = program(10, &clip.finish());
    let motions = program.runs.iter().flat_map(|run| &run.motions);
    let (mut arcs, mut plain) = (0, 0);
    for motion in motions {
        match motion {
            Motion::Arc { .. } => arcs += 1,
            Motion::PlainTurn { .. } => plain += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((arcs, plain), (9, 1));
}

#[test]
fn nodes_that_stand_still_are_part_of_what_they_hang_on() {
    let mut clip = ClipBuilder::new("two move");
    let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
    turn(&mut clip, 1, times, 2);
    turn(&mut clip, 4, times, 2);
    // This one is turned to where it is.
    let linear = Interpolation::Linear;
    let still = vec![Quat::from_rotation_z(0.3); 2];
    clip.rotation(NodeId(5), times, linear, still).unwrap();
    let program = program(7, &clip.finish());
    let written = steps(&program)
        .iter()
        .map(|step| match &step.outputs {
            Outputs::None => 0,
            Outputs::One(_) => 1,
            Outputs::Many(many) => many.len(),
        })
        .collect::<Vec<_>>();
    let shape: Vec<_> = steps(&program)
        .iter()
        .map(|step| (step.depth, step.has_children))
        .collect();
    assert_eq!(written, [1, 3, 3], "top, 1 to 3, 4 to 6");
    assert_eq!(shape, [(0, true), (1, true), (2, false)]);
}

#[test]
fn nodes_at_the_top_that_stand_still_share_a_step() {
    let moving = |_| Node {
        mesh: Some(0),
        ..Node::default()
    };
    let parents = [None, None, None, Some(2), None, Some(4)];
    let nodes = (0..parents.len()).map(moving).collect();
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); parents.len()]);
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        meshes: vec![Mesh::default()].into(),
        ..Model::default()
    };
    let shape = |turned: &[u32]| {
        let mut clip = ClipBuilder::new("turning");
        let times = clip.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        for &node in turned {
            turn(&mut clip, node, times, 2);
        }
        let clip = clip.finish();
        let program = bake(&model, &PaletteLayout::of_all_nodes(&model), Some(&clip));
        let shape = |step: &&Step| (step.depth, step.has_children);
        steps(&program).iter().map(shape).collect::<Vec<_>>()
    };
    assert_eq!(shape(&[]), [(0, false)]);
    // One that moves among them must not get in the way of what hangs on those after it.
    let all = [(0, true), (1, false), (1, false), (1, false)];
    assert_eq!(shape(&[1, 3, 5]), all);
    // Where all move, nothing is between them and the instance.
    assert_eq!(shape(&[0, 1, 2, 4]), [(0, false); 4]);
}

#[test]
fn what_neither_moves_nor_is_written_costs_nothing() {
    let node = |scale, mesh| Node {
        mesh,
        rest: crate::model::Transform {
            scale,
            ..Default::default()
        },
        ..Node::default()
    };
    // The second cannot be part of the first, since nothing has a size of nothing.
    let nodes = vec![node(Vec3::ONE, Some(0)), node(Vec3::ZERO, None)];
    let hierarchy = Hierarchy::new(nodes, &[None, None], &vec![Vec::new(); 2]);
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        meshes: vec![Mesh::default()].into(),
        ..Model::default()
    };
    let mut clip = ClipBuilder::new("still");
    let times = clip.timeline(Timeline::new(vec![0.0, 0.5, 1.0]).unwrap());
    let scales = vec![Vec3::ZERO; 3];
    clip.scale(NodeId(1), times, Interpolation::Linear, scales)
        .unwrap();
    let clip = clip.finish();
    let program = bake(&model, &PaletteLayout::of_all_nodes(&model), Some(&clip));
    assert_eq!(steps(&program).len(), 1);
    assert_eq!(program.spans.find(0.7), Moment::default());
}

#[test]
fn uneven_scale_keeps_a_node_to_itself() {
    let nodes = [Vec3::ONE, Vec3::new(1.0, 2.0, 1.0), Vec3::ONE].map(|scale| Node {
        mesh: Some(0),
        rest: crate::model::Transform {
            scale,
            ..Default::default()
        },
        ..Node::default()
    });
    let parents = [None, Some(0), Some(1)];
    let hierarchy = Hierarchy::new(nodes.into(), &parents, &vec![Vec::new(); 3]);
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        meshes: vec![Mesh::default()].into(),
        ..Model::default()
    };
    let program = bake(&model, &PaletteLayout::of_all_nodes(&model), None);
    assert_eq!(steps(&program).len(), 2, "the top and the second");
}

#[test]
fn a_table_gives_every_entry_of_every_row() {
    for tracks in [1, ENTRIES - 1, ENTRIES, ENTRIES + 1, 3 * ENTRIES] {
        let number = |track: usize, span: usize| (100 * track + span) as f32;
        let column = |track: usize| (0..5).map(|span| number(track, span)).collect();
        let columns: Vec<Vec<f32>> = (0..tracks).map(column).collect();
        let table = Table::new(&columns, 5);
        for (track, span) in (0..tracks).flat_map(|track| (0..5).map(move |span| (track, span))) {
            let block = table.block(span as u32, (track / ENTRIES) as u32);
            assert_eq!(block[track % ENTRIES], number(track, span));
        }
    }
}

/// Each looked for among all of them, they would be thousands of millions of tracks.
#[test]
fn tracks_of_very_many_properties_are_found_soon() {
    const NODES: usize = 100_000;
    let node = Node {
        mesh: Some(0),
        ..Node::default()
    };
    let weights = vec![vec![0.0; 2]; NODES];
    let hierarchy = Hierarchy::new(vec![node; NODES], &vec![None; NODES], &weights);
    let mesh = Mesh {
        target_count: 2,
        ..Mesh::default()
    };
    let model = Model {
        hierarchy: hierarchy.unwrap(),
        meshes: vec![mesh].into(),
        ..Model::default()
    };
    let mut clip = ClipBuilder::new("lights go out");
    let times = clip.timeline(Timeline::new(vec![0.0]).unwrap());
    for node in 0..NODES {
        let id = NodeId(node as u32);
        let is_shown = (node % 2) as f32;
        for (target, value) in [
            (PropertyTarget::Visibility(id), is_shown),
            (PropertyTarget::NodeWeight(id, 1), node as f32),
        ] {
            clip.property(target, times, Interpolation::Step, vec![value])
                .unwrap();
        }
    }
    let clip = clip.finish();
    let layout = PaletteLayout::of_all_nodes(&model);
    let (program, took) = timed(|| bake(&model, &layout, Some(&clip)));
    assert!(took < Duration::from_secs(8), "{took:?}");
    for node in [1, 2, NODES - 2, NODES - 1] {
        let is_shown = program.sights[node].is_shown(Some(&clip), 0.0);
        assert_eq!(is_shown, node % 2 == 1);
        let mut morphs = Vec::new();
        program.morphs[node].push(Some(&clip), 0.0, &mut morphs);
        let on: Vec<_> = morphs
            .iter()
            .map(|morph| (morph.target, morph.weight))
            .collect();
        assert_eq!(on, [(1, node as f32)]);
    }
}

//! Writes the program of a clip.
//!
//! **Frames.** A palette entry is `world_from_mesh = world_from_node · node_from_mesh`, and inverse bind matrices mostly
//! turn, scale evenly and shift: `node_from_mesh = F S T` with a rotation `F`. Every node `n` may be looked at in a frame
//! of its own, turned by any `Fₙ`: with `world′ₙ = worldₙ Fₙ` and `local′ₙ = F⁻¹ₚ localₙ Fₙ` (p its parent) concatenation
//! stays `world′ₙ = world′ₚ local′ₙ`. With `Fₙ` the rotation of its bind matrix what is left to multiply is a shift and
//! perhaps a factor: 9 multiplications a joint instead of 36. Tracks are turned when they are written to the tables, which
//! slerps and splines of quaternions and vectors allow, since turning is linear. Uneven scale does not commute with
//! turning: a node that has it keeps its own frame.

use glam::{Affine3A, DMat3, DQuat, DVec3, DVec4};

use super::{
    curve::{self, Cubic, padded},
    morphs::PlacementMorphs,
    program::{
        Bind, Curve, Linear, Motion, Output, Program, Run, Step, Stretch, Table, Terms, Translation,
    },
    spans::{self, Spans},
};
use crate::{
    anim::PaletteLayout,
    model::{Clip, Hierarchy, Interpolation, Model, Node, NodeId, Track},
};

/// How far from a turn with even scale a bind matrix may be, as a part of its scale: exporters write single precision.
const BIND_TOLERANCE: f64 = 2e-6;
/// The most that the tables of a clip may take.
const MOST_TABLE_BYTES: usize = 64 << 20;
/// Moving nodes in a run: on the Fox 4 were 4 % faster than 16 and 12 % faster than 1.
pub(super) const NODES_IN_RUN: usize = 4;

/// The program of a clip, or of the model at rest.
pub(super) fn bake(model: &Model, layout: &PaletteLayout, clip: Option<&Clip>) -> Program {
    let tracks = Tracks::new(model.hierarchy.len(), clip);
    let (moments, in_tables) = clip.map_or((vec![0.0], Vec::new()), moments);
    let binds = Binds::new(model, layout);
    let baker = Baker {
        hierarchy: &model.hierarchy,
        clip,
        frames: frames(&model.hierarchy, &tracks, &binds),
        moments,
        in_tables,
        tracks,
        binds,
        arcs: Vec::new(),
        quads: Vec::new(),
        runs: vec![Run::default()],
        moving_in_run: 0,
    };
    baker.bake(layout)
}

/// All key times of a clip, sorted and without repetition, and which of its timelines they comprise.
///
/// Every track needs an entry at every moment, so timelines that have nothing in common could multiply. Those that most
/// tracks follow go first; one that would make the tables too large is left to the plain evaluator, with its tracks.
fn moments(clip: &Clip) -> (Vec<f64>, Vec<bool>) {
    let mut bytes = vec![0; clip.timelines().len()];
    let vectors = clip.translations().iter().chain(clip.scales());
    for timeline in vectors.map(Track::timeline) {
        bytes[timeline] += 4 * size_of::<[f32; 4]>();
    }
    for timeline in clip.rotations().iter().map(Track::timeline) {
        bytes[timeline] += 4 * size_of::<[f32; 4]>();
    }
    let mut order: Vec<_> = (0..bytes.len()).collect();
    order.sort_by_key(|&timeline| std::cmp::Reverse(bytes[timeline]));

    let mut in_tables = vec![false; bytes.len()];
    let mut moments: Vec<f64> = Vec::new();
    let mut bytes_a_moment = 0;
    for timeline in order {
        let times = clip.timelines()[timeline].times_secs();
        let mut all = moments.clone();
        all.extend(spans::moments(times));
        all.sort_by(f64::total_cmp);
        all.dedup_by(|a, b| a == b);
        let is_first = moments.is_empty();
        if is_first || all.len() * (bytes_a_moment + bytes[timeline]) <= MOST_TABLE_BYTES {
            moments = all;
            bytes_a_moment += bytes[timeline];
            in_tables[timeline] = true;
        }
    }
    if moments.is_empty() {
        moments.push(0.0);
    }
    (moments, in_tables)
}

/// For each node the tracks that move it, as indices into the clip's.
struct Tracks {
    rotations: Vec<Option<usize>>,
    translations: Vec<Option<usize>>,
    scales: Vec<Option<usize>>,
    weights: Vec<Option<usize>>,
}

impl Tracks {
    fn new(nodes: usize, clip: Option<&Clip>) -> Self {
        fn by_node<T>(nodes: usize, tracks: &[Track<T>]) -> Vec<Option<usize>> {
            let mut found = vec![None; nodes];
            for (index, track) in tracks.iter().enumerate() {
                found[track.node().index()] = Some(index);
            }
            found
        }
        let empty = Clip::default();
        let clip = clip.unwrap_or(&empty);
        Self {
            rotations: by_node(nodes, clip.rotations()),
            translations: by_node(nodes, clip.translations()),
            scales: by_node(nodes, clip.scales()),
            weights: by_node(nodes, clip.weights()),
        }
    }
}

/// For each node what is to be written from it.
struct Binds {
    /// Places of the palette, and `node_from_mesh`.
    of_node: Vec<Vec<(u32, Affine3A)>>,
}

impl Binds {
    fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let mut of_node = vec![Vec::new(); model.hierarchy.len()];
        for slot in layout.skins() {
            let skin = &model.skins[slot.skin];
            let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
            for (place, (joint, &joint_from_mesh)) in (slot.first..).zip(joints) {
                of_node[joint.index()].push((place, joint_from_mesh));
            }
        }
        for placement in layout.placements() {
            of_node[placement.node.index()].push((placement.rigid, Affine3A::IDENTITY));
        }
        Self { of_node }
    }
}

/// Rotation and factor of a matrix that turns and scales evenly.
fn similarity(linear: DMat3) -> Option<(DQuat, f64)> {
    let scale = linear.determinant().cbrt();
    if !scale.is_finite() || scale <= 0.0 {
        return None;
    }
    let rotation = DQuat::from_mat3(&(linear * scale.recip())).normalize();
    let rest = linear * scale.recip() - DMat3::from_quat(rotation);
    let worst = rest
        .to_cols_array()
        .into_iter()
        .fold(0.0_f64, |worst, x| worst.max(x.abs()));
    (worst <= BIND_TOLERANCE).then_some((rotation, scale))
}

fn is_even(scale: glam::Vec3) -> bool {
    scale.x == scale.y && scale.y == scale.z
}

/// The frame of each node.
fn frames(hierarchy: &Hierarchy, tracks: &Tracks, binds: &Binds) -> Vec<DQuat> {
    let frame = |(id, node): (NodeId, &Node)| {
        let has_even_scale = node.fixed_matrix.is_some()
            || (tracks.scales[id.index()].is_none() && is_even(node.rest.scale));
        let (_, bind) = binds.of_node[id.index()].first()?;
        let (rotation, _) = similarity(bind.matrix3.as_dmat3())?;
        has_even_scale.then_some(rotation)
    };
    hierarchy
        .iter()
        .map(|node| frame(node).unwrap_or(DQuat::IDENTITY))
        .collect()
}

struct Baker<'a> {
    hierarchy: &'a Hierarchy,
    clip: Option<&'a Clip>,
    tracks: Tracks,
    binds: Binds,
    frames: Vec<DQuat>,
    moments: Vec<f64>,
    /// Whether the tracks of each timeline are in the tables.
    in_tables: Vec<bool>,
    /// For each arc its entry in every span.
    arcs: Vec<Vec<[[f32; 4]; 2]>>,
    /// For each quad its entry in every span.
    quads: Vec<Vec<[f32; 4]>>,
    runs: Vec<Run>,
    moving_in_run: usize,
}

impl Baker<'_> {
    fn bake(mut self, layout: &PaletteLayout) -> Program {
        let mut depths = vec![0_u32; self.hierarchy.len()];
        for (id, node) in self.hierarchy.iter() {
            if let Some(parent) = node.parent {
                depths[id.index()] = depths[parent.index()] + 1;
            }
        }
        for (id, node) in self.hierarchy.iter() {
            if self.moving_in_run == NODES_IN_RUN {
                self.runs.push(Run::default());
                self.moving_in_run = 0;
            }
            let index = id.index();
            let parent_frame = node
                .parent
                .map_or(DQuat::IDENTITY, |parent| self.frames[parent.index()]);
            let (linear, translation) = self.local(id, node, parent_frame.inverse());
            let outputs = self.outputs(index);
            self.run().steps.push(Step {
                linear,
                translation,
                depth: depths[index],
                outputs,
            });
        }
        Program {
            arcs: table(&self.arcs, self.moments.len()),
            quads: table(&self.quads, self.moments.len()),
            spans: Spans::new(&self.moments),
            morphs: self.morphs(layout),
            runs: self.runs,
        }
    }

    fn run(&mut self) -> &mut Run {
        // There is always one.
        let last = self.runs.len() - 1;
        &mut self.runs[last]
    }

    /// The node's local matrix in its frame; `turn` is the inverse of the parent's frame.
    fn local(&mut self, id: NodeId, node: &Node, turn: DQuat) -> (Linear, Translation) {
        let slot = self.moving_in_run as u32;
        let before = self.run().motions.len();
        let translation = self.translation(id, node, turn, slot);
        let linear = self.linear(id, node, turn, slot);
        if self.run().motions.len() > before {
            self.moving_in_run += 1;
        }
        (linear, translation)
    }

    fn translation(&mut self, id: NodeId, node: &Node, turn: DQuat, slot: u32) -> Translation {
        let rest = node
            .fixed_matrix
            .map_or(node.rest.translation, |matrix| matrix.translation.into());
        let fixed = |shift: DVec3| Translation::Fixed((turn * shift).as_vec3().to_array());
        let (Some(clip), Some(track)) = (self.clip, self.tracks.translations[id.index()]) else {
            return fixed(rest.as_dvec3());
        };
        if !self.is_in_tables(&clip.translations()[track]) {
            let (track, before) = (track as u32, turn.as_quat());
            self.run().motions.push(Motion::PlainShift {
                track,
                before,
                slot,
            });
            return Translation::Moving(slot);
        }
        let curves = self.cubics(clip, &clip.translations()[track], |value| padded(*value));
        match self.curve(&curves, |value| (turn * value.truncate()).extend(0.0)) {
            Ok(curve) => {
                self.run().motions.push(Motion::Shift { curve, slot });
                Translation::Moving(slot)
            }
            Err(constant) => Translation::Fixed(constant.truncate().as_vec3().to_array()),
        }
    }

    fn linear(&mut self, id: NodeId, node: &Node, turn: DQuat, slot: u32) -> Linear {
        let frame = self.frames[id.index()];
        let rotation = self.rotation(id, node, turn, frame);
        let scale = self.scale(id, node);
        let fixed_scale = match scale {
            Stretch::Fixed(scale) => Some(scale),
            Stretch::Moving(_) | Stretch::Plain(_) => None,
        };
        let motion = match (rotation, fixed_scale) {
            (Rotation::Fixed(matrix), Some(scale)) => {
                let scale = DVec3::from(scale.map(f64::from));
                return Linear::Fixed(rows(matrix * DMat3::from_diagonal(scale)));
            }
            (Rotation::Fixed(matrix), None) => Motion::Fixed {
                matrix: rows(matrix),
                slot,
            },
            (Rotation::Arc(arc), _) => Motion::Arc { arc, slot },
            (Rotation::Turn(curve), _) => Motion::Turn { curve, slot },
            (Rotation::Plain(track), _) => Motion::PlainTurn {
                track,
                before: turn.as_quat(),
                after: frame.as_quat(),
                slot,
            },
        };
        self.run().motions.push(motion);
        if fixed_scale != Some([1.0; 3]) {
            self.run().motions.push(Motion::Stretch { scale, slot });
        }
        Linear::Moving(slot)
    }

    fn rotation(&mut self, id: NodeId, node: &Node, turn: DQuat, frame: DQuat) -> Rotation {
        let fixed = |matrix: DMat3| {
            Rotation::Fixed(DMat3::from_quat(turn) * matrix * DMat3::from_quat(frame))
        };
        if let Some(matrix) = node.fixed_matrix {
            return fixed(matrix.matrix3.as_dmat3());
        }
        let (Some(clip), Some(track)) = (self.clip, self.tracks.rotations[id.index()]) else {
            return fixed(DMat3::from_quat(node.rest.rotation.as_dquat()));
        };
        let (index, track) = (track as u32, &clip.rotations()[track]);
        if !self.is_in_tables(track) {
            return Rotation::Plain(index);
        }
        let turned = |value: DVec4| DVec4::from(turn * DQuat::from_vec4(value) * frame);
        if track.interpolation() == Interpolation::Linear {
            let timeline = &clip.timelines()[track.timeline()];
            let arcs: Vec<_> = spans::ends(&self.moments)
                .map(|(start, end)| curve::arc(track, timeline, start, end))
                .map(|arc| {
                    [turned(arc.start.into()), turned(arc.velocity)]
                        .map(|quad| quad.as_vec4().to_array())
                })
                .collect();
            let (first, is_fixed) = (arcs[0], arcs.iter().all(|arc| *arc == arcs[0]));
            if is_fixed && first[1] == [0.0; 4] {
                let rotation = DQuat::from_array(first[0].map(f64::from)).normalize();
                return Rotation::Fixed(DMat3::from_quat(rotation));
            }
            self.arcs.push(arcs);
            return Rotation::Arc(self.arcs.len() as u32 - 1);
        }
        let curves = self.cubics(clip, track, |value| DVec4::from(value.as_dquat()));
        match self.curve(&curves, turned) {
            Ok(curve) => Rotation::Turn(curve),
            Err(constant) => {
                let rotation = DQuat::from_vec4(constant);
                let is_legal = rotation.length_squared() > f64::from(f32::MIN_POSITIVE);
                let rotation = if is_legal {
                    rotation.normalize()
                } else {
                    DQuat::IDENTITY
                };
                Rotation::Fixed(DMat3::from_quat(rotation))
            }
        }
    }

    fn scale(&mut self, id: NodeId, node: &Node) -> Stretch {
        if node.fixed_matrix.is_some() {
            return Stretch::Fixed([1.0; 3]);
        }
        let (Some(clip), Some(track)) = (self.clip, self.tracks.scales[id.index()]) else {
            return Stretch::Fixed(node.rest.scale.to_array());
        };
        if !self.is_in_tables(&clip.scales()[track]) {
            return Stretch::Plain(track as u32);
        }
        let curves = self.cubics(clip, &clip.scales()[track], |value| padded(*value));
        match self.curve(&curves, |value| value) {
            Ok(curve) => Stretch::Moving(curve),
            Err(constant) => Stretch::Fixed(constant.truncate().as_vec3().to_array()),
        }
    }

    fn is_in_tables<T>(&self, track: &Track<T>) -> bool {
        self.in_tables[track.timeline()]
    }

    fn cubics<T>(&self, clip: &Clip, track: &Track<T>, number: impl Fn(&T) -> DVec4) -> Vec<Cubic> {
        let timeline = &clip.timelines()[track.timeline()];
        let number = |index: usize| number(&track.values()[index]);
        spans::ends(&self.moments)
            .map(|(start, end)| curve::cubic(track, timeline, start, end, number))
            .collect()
    }

    /// Puts a track into the table; if it never changes, its value.
    fn curve(&mut self, cubics: &[Cubic], turned: impl Fn(DVec4) -> DVec4) -> Result<Curve, DVec4> {
        let coefficients = |cubic: &Cubic| cubic.0.map(|c| turned(c).as_vec4().to_array());
        let all: Vec<_> = cubics.iter().map(coefficients).collect();
        let last_term = |all: &[[[f32; 4]; 4]]| {
            let is_used = |term: usize| all.iter().any(|curve| curve[term] != [0.0; 4]);
            match (is_used(1), is_used(2) || is_used(3)) {
                (_, true) => Terms::Four,
                (true, false) => Terms::Two,
                (false, false) => Terms::One,
            }
        };
        let terms = last_term(&all);
        if terms == Terms::One && all.iter().all(|curve| curve[0] == all[0][0]) {
            return Err(turned(cubics[0].0[0]));
        }
        let quad = self.quads.len() as u32;
        for term in 0..terms.count() {
            self.quads
                .push(all.iter().map(|curve| curve[term]).collect());
        }
        Ok(Curve { quad, terms })
    }

    fn outputs(&self, node: usize) -> Vec<Output> {
        let unturn = DMat3::from_quat(self.frames[node].inverse());
        let output = |&(place, node_from_mesh): &(u32, Affine3A)| {
            let linear = unturn * node_from_mesh.matrix3.as_dmat3();
            let shift = unturn * node_from_mesh.translation.as_dvec3();
            let bind = bind(linear, shift);
            Output { place, bind }
        };
        self.binds.of_node[node].iter().map(output).collect()
    }

    fn morphs(&self, layout: &PaletteLayout) -> Vec<PlacementMorphs> {
        let of_node = |node: NodeId| match (self.clip, self.tracks.weights[node.index()]) {
            (Some(clip), Some(track)) => {
                let track = &clip.weights()[track];
                PlacementMorphs::moving(track, &clip.timelines()[track.timeline()])
            }
            _ => {
                let range = self.hierarchy.node(node).weights.clone();
                PlacementMorphs::fixed(&self.hierarchy.rest_weights()[range])
            }
        };
        let placements = layout.placements().iter();
        placements
            .map(|placement| of_node(placement.node))
            .collect()
    }
}

enum Rotation {
    /// In the frames of the node and its parent.
    Fixed(DMat3),
    Arc(u32),
    Turn(Curve),
    /// Left to the plain evaluator.
    Plain(u32),
}

/// The simplest form of what is left of a bind matrix.
fn bind(linear: DMat3, shift: DVec3) -> Bind {
    let point = shift.as_vec3().to_array();
    let is_turned = |rotation: DQuat| rotation.xyz().length() > BIND_TOLERANCE;
    let even = similarity(linear).filter(|&(rotation, _)| !is_turned(rotation));
    match even {
        Some((_, scale)) if (scale - 1.0).abs() <= BIND_TOLERANCE => {
            if point == [0.0; 3] {
                Bind::None
            } else {
                Bind::Point(point)
            }
        }
        Some((_, scale)) => Bind::Scaled(scale as f32, point),
        None => {
            let [a, b, c] = [0, 1, 2].map(|row| linear.row(row).extend(shift[row]).as_vec4());
            Bind::Affine([a, b, c].map(|row| row.to_array()))
        }
    }
}

fn rows(matrix: DMat3) -> [f32; 9] {
    matrix.transpose().as_mat3().to_cols_array()
}

/// Turns columns (one a track) into rows (one a span).
fn table<T: Copy>(columns: &[Vec<T>], spans: usize) -> Table<T> {
    let entries = (0..spans).flat_map(|span| columns.iter().map(move |column| column[span]));
    Table {
        entries: entries.collect(),
        per_span: columns.len(),
    }
}

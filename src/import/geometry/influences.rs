//! Joints and weights: which joints move each vertex (glTF 2.0 §3.7.3.3).

use gltf::json::{accessor::Type, mesh::Semantic, validation::Checked};

use crate::{
    import::{
        arrays::source::{Components, Use},
        base::{
            budget::Held,
            diagnostics::{Diagnostics, Fault},
            wording::there_are,
        },
        decode::Compression,
        scene::skins::{Joints, MAX_JOINTS},
    },
    model::Influences,
};

use super::{
    bad_vertices::BadVertices,
    influence_set::InfluenceSet,
    meshes::PrimitiveReader,
    vertices::{Attributes, INVALID_FORMAT, UNEQUAL_COUNT, report_lost},
    weights::{TOLERANCE_PER_WEIGHT, WeightSum, keep, normalize},
};

/// Entries of a vertex that are kept at most.
const MOST: usize = 8;
/// What becomes of vertices whose joints or weights are lost.
const LOST: &str = "weights that are missing in this set count as none";
const LOSS: &str = "the set is ignored";

/// Reads all sets of joints and weights.
pub(super) fn read(
    primitive: PrimitiveReader<'_, '_>,
    attributes: &Attributes,
    vertices: usize,
    diagnostics: &mut Diagnostics,
) -> Option<Influences> {
    let PrimitiveReader {
        mesh,
        place,
        joints: known,
        ..
    } = primitive;
    let count_of = |semantic: fn(u32) -> Semantic| {
        let has = |set: &u32| attributes.contains_key(&Checked::Valid(semantic(*set)));
        (0_u32..64).take_while(has).count()
    };
    let (joint_sets, weight_sets) = (count_of(Semantic::Joints), count_of(Semantic::Weights));
    if joint_sets != weight_sets {
        diagnostics.error(
            "MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH",
            format_args!("/meshes/{mesh}/primitives/{place}/attributes"),
            format!(
                "{} and {weight_sets} of weights",
                there_are(joint_sets, "set of joints", "sets of joints")
            ),
            "only pairs are used",
        );
    }
    let sets = (0_u32..).take(joint_sets.min(weight_sets));
    let (mut pairs, mut held): (Vec<InfluenceSet>, Vec<_>) = (Vec::new(), Vec::new());
    for set in sets {
        let read = read_set(primitive, attributes, set, vertices, diagnostics);
        let (pair, memory) = read.unzip();
        pairs.extend(pair);
        held.extend(memory);
    }
    let is_as_written = are_as_written(primitive, attributes);
    for set in pairs.iter().filter(|_| is_as_written && known.is_some()) {
        set.report_idle(primitive, diagnostics);
    }
    leave_out_weightless(primitive, &mut pairs, diagnostics);
    if pairs.is_empty() {
        return None;
    }
    let per_vertex = if pairs.len() == 1 { 4 } else { MOST };
    let entry = size_of::<u16>().saturating_add(size_of::<f32>());
    let size = per_vertex.saturating_mul(entry);
    if let Err(fault) = primitive.source.budget.charge_data(vertices, size) {
        let pointer = format_args!("/meshes/{mesh}/primitives/{place}/attributes/JOINTS_0");
        diagnostics.fault(fault, pointer, "the primitive is not skinned");
        return None;
    }
    let mut found = Findings::default();
    let influences = merge(&pairs, per_vertex, vertices, known, &mut found);
    let is_whole = pairs
        .iter()
        .all(|set| set.joints.len().min(set.weights.len()) >= vertices);
    drop((pairs, held));
    // Without a skin they move nothing.
    let is_fault = is_as_written && is_whole && known.is_some();
    found.report(primitive, is_fault, diagnostics);
    Some(influences)
}

/// Whether weights are as whoever made the model left them: compressors round them, and an accessor without data leaves them
/// to others.
fn are_as_written(primitive: PrimitiveReader<'_, '_>, attributes: &Attributes) -> bool {
    let weights = Semantic::Weights(0);
    let index = attributes.get(&Checked::Valid(weights.clone()));
    let accessor = index.and_then(|index| primitive.accessor_at(&weights, *index));
    accessor.is_some_and(|accessor| {
        let buffers = &primitive.source.buffers;
        accessor.compression(buffers) == Compression::None && !accessor.is_all_zero()
    })
}

/// Leaves out sets at the end without any weight: a second one is common, and would cost every frame.
fn leave_out_weightless(
    primitive: PrimitiveReader<'_, '_>,
    pairs: &mut Vec<InfluenceSet>,
    diagnostics: &mut Diagnostics,
) {
    let PrimitiveReader {
        mesh,
        place,
        joints: known,
        ..
    } = primitive;
    while pairs.len() > 1
        && let Some(set) = pairs.pop_if(|set| set.is_weightless())
    {
        let is_outside = |joint: &&u32| known.is_some_and(|known| !known.has(**joint));
        let outside = set.joints.iter().flatten().filter(is_outside).count();
        if outside > 0 {
            let number = set.number;
            diagnostics.error(
                "ACCESSOR_JOINTS_INDEX_OOB",
                format_args!("/meshes/{mesh}/primitives/{place}/attributes/JOINTS_{number}"),
                match outside {
                    1 => "a joint without weight is not in the skin".to_owned(),
                    _ => format!("{outside} joints, all without weight, are not in the skin"),
                },
                "the set is left out: it has no weights",
            );
        }
    }
}

/// Whether a primitive with these attributes has as many sets of joints as of weights, and any.
pub(super) fn has_joints(attributes: &Attributes) -> bool {
    let count = |is: fn(&Semantic) -> bool| {
        let found = attributes.keys();
        let found = found.filter(|it| matches!(it, Checked::Valid(semantic) if is(semantic)));
        found.count()
    };
    let joints = count(|semantic| matches!(semantic, Semantic::Joints(_)));
    let weights = count(|semantic| matches!(semantic, Semantic::Weights(_)));
    joints > 0 && joints == weights
}

/// Reads a set, with the memory that it takes until it is merged with others.
fn read_set<'r>(
    primitive: PrimitiveReader<'r, '_>,
    attributes: &Attributes,
    set: u32,
    vertices: usize,
    diagnostics: &mut Diagnostics,
) -> Option<(InfluenceSet, [Held<'r>; 2])> {
    let PrimitiveReader {
        source,
        mesh,
        place,
        ..
    } = primitive;
    let joints = Use {
        pointer: format_args!("/meshes/{mesh}/primitives/{place}/attributes/JOINTS_{set}"),
        format_code: INVALID_FORMAT,
        components: Components::Joint,
        loss: LOSS,
    };
    let weights = Use {
        pointer: format_args!("/meshes/{mesh}/primitives/{place}/attributes/WEIGHTS_{set}"),
        components: Components::FloatOrUnitInterval,
        ..joints
    };
    let mut find = |semantic: Semantic, wanted| {
        let index = *attributes.get(&Checked::Valid(semantic.clone()))?;
        let (index, accessor) =
            primitive.accessor((Some(&semantic), index), &[Type::Vec4], wanted, diagnostics)?;
        if !primitive.count_fits(UNEQUAL_COUNT, accessor, wanted, diagnostics) {
            return None;
        }
        if accessor.count < vertices {
            report_lost(accessor.count, vertices, wanted, LOST, diagnostics);
        }
        Some(index)
    };
    let joint_accessor = find(Semantic::Joints(set), joints)?;
    let weight_accessor = find(Semantic::Weights(set), weights)?;
    let budget = &source.budget;
    let joints = source.integers(joint_accessor, joints, diagnostics, |joints| joints)?;
    let held_joints = budget.held_data(1, size_of_val(&joints[..]));
    let weights = source.floats(weight_accessor, weights, diagnostics, |weights| weights)?;
    let held_weights = budget.held_data(1, size_of_val(&weights[..]));
    // What no vertex has may be of any length, and is let go.
    budget.count_vain(size_of_val(joints.get(vertices..).unwrap_or_default()));
    budget.count_vain(size_of_val(weights.get(vertices..).unwrap_or_default()));
    let set = InfluenceSet {
        number: set,
        joints,
        weights,
    };
    Some((set, [held_joints, held_weights]))
}

/// What was wrong, counted by vertices.
#[derive(Debug, Default)]
struct Findings {
    out_of_range: BadVertices,
    /// The set of the first of these.
    out_of_range_set: Option<u32>,
    /// Whether any of these had a weight.
    loses_weight: bool,
    negative: BadVertices,
    negative_set: Option<u32>,
    /// By the weights as they are written, as the next ones.
    uneven: BadVertices,
    weightless: BadVertices,
    /// Those that are left without weight, as what they had was removed.
    emptied: BadVertices,
    /// Those that have more joints than are kept, and the most weight that goes.
    crowded: BadVertices,
    most_lost: f32,
}

fn merge(
    pairs: &[InfluenceSet],
    per_vertex: usize,
    vertices: usize,
    known: Option<&Joints>,
    found: &mut Findings,
) -> Influences {
    let mut influences = Influences {
        per_vertex,
        joints: Vec::with_capacity(vertices.saturating_mul(per_vertex)),
        weights: Vec::with_capacity(vertices.saturating_mul(per_vertex)),
    };
    let is_there = |joint: u32| known.is_none_or(|known| known.has(joint));
    let mut entries: Vec<(u16, f32)> = Vec::new();
    let sound = |vertex: usize| match pairs {
        [set] => {
            let (joints, weights) = set.at(vertex);
            sound_set(&joints, &weights, known)
        }
        _ => None,
    };
    for vertex in 0..vertices {
        if let Some((joints, weights)) = sound(vertex) {
            influences.joints.extend_from_slice(&joints);
            influences.weights.extend_from_slice(&weights);
            continue;
        }
        entries.clear();
        let (mut is_out_of_range, mut is_negative) = (false, false);
        let mut written = WeightSum::default();
        for set in pairs {
            let (joints, weights) = set.at(vertex);
            for (joint, weight) in joints.into_iter().zip(weights) {
                written.add(weight);
                if weight < 0.0 {
                    is_negative = true;
                    found.negative_set.get_or_insert(set.number);
                }
                match u16::try_from(joint) {
                    Ok(small) if is_there(joint) => {
                        entries.push((small, weight.max(0.0)));
                    }
                    _ => {
                        is_out_of_range = true;
                        found.out_of_range_set.get_or_insert(set.number);
                        found.loses_weight |= weight > 0.0;
                        entries.push((0, 0.0));
                    }
                }
            }
        }
        if is_out_of_range {
            found.out_of_range.add(vertex);
        }
        if is_negative {
            found.negative.add(vertex);
        }
        if written.are_none() {
            found.weightless.add(vertex);
        } else if !written.are_even() {
            found.uneven.add(vertex);
        }
        let is_any_left = normalize(&mut entries);
        if !is_any_left && !written.are_none() {
            found.emptied.add(vertex);
        }
        if entries.len() > per_vertex {
            entries.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            let lost = keep(&mut entries, per_vertex);
            if lost > 0.0 {
                found.crowded.add(vertex);
                found.most_lost = found.most_lost.max(lost);
            }
        }
        entries.resize(per_vertex, (0, 0.0));
        for &(joint, weight) in &entries {
            influences.joints.push(joint);
            influences.weights.push(weight);
        }
    }
    influences
}

/// What most vertices have: four joints that are there, whose weights sum to 1 as they stand; none if there is more to do.
fn sound_set(
    joints: &[u32; 4],
    weights: &[f32; 4],
    known: Option<&Joints>,
) -> Option<([u16; 4], [f32; 4])> {
    let count = known.map_or(usize::MAX, Joints::count);
    let most = u32::try_from(count).unwrap_or(u32::MAX);
    let most = most.min(u32::from(u16::MAX).saturating_add(1));
    let are_all_there = known.is_none_or(Joints::are_all_there);
    let is_in_range = are_all_there && joints.iter().all(|&joint| joint < most);
    // -0 would become 0.
    let is_positive = weights.iter().all(|weight| weight.is_sign_positive());
    let sum: f32 = weights.iter().sum();
    let used = weights.iter().filter(|&&weight| weight > 0.0).count();
    let is_even = (sum - 1.0).abs() <= TOLERANCE_PER_WEIGHT * used as f32;
    let is_sound = is_in_range && is_positive && is_even;
    is_sound.then(|| (joints.map(|joint| joint as u16), *weights))
}

impl Findings {
    fn report(
        &self,
        primitive: PrimitiveReader<'_, '_>,
        is_fault: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let PrimitiveReader {
            mesh,
            place,
            joints: known,
            ..
        } = primitive;
        let set = self.out_of_range_set.unwrap_or(0);
        let joints = format_args!("/meshes/{mesh}/primitives/{place}/attributes/JOINTS_{set}");
        let set = self.negative_set.unwrap_or(0);
        let negative = format_args!("/meshes/{mesh}/primitives/{place}/attributes/WEIGHTS_{set}");
        let weights = format_args!("/meshes/{mesh}/primitives/{place}/attributes/WEIGHTS_0");
        let bad = self.out_of_range;
        if !bad.is_empty() {
            let is_lacking = match known {
                Some(joints) => joints.none_of_these(),
                None => format!("none of the {MAX_JOINTS} that a skin can have"),
            };
            let (named, name) = (bad.named(), bad.verb("names", "name"));
            let action = if self.loses_weight {
                "these weights were removed"
            } else {
                "it has no weight there"
            };
            diagnostics.error(
                "ACCESSOR_JOINTS_INDEX_OOB",
                joints,
                format!("{named} {name} a joint that is {is_lacking}"),
                action,
            );
        }
        let bad = self.crowded;
        if !bad.is_empty() {
            let (named, has) = (bad.named(), bad.verb("has", "have"));
            let percent = 100.0 * self.most_lost;
            diagnostics.warning(
                "TOO_MANY_INFLUENCES",
                format_args!("/meshes/{mesh}/primitives/{place}/attributes"),
                format!("{named} {has} weight for more than {MOST} joints"),
                format!("the {MOST} greatest are kept; up to {percent:.1} % of a vertex's weight go to them"),
            );
        }
        let bad = self.negative;
        if !bad.is_empty() {
            let code = "ACCESSOR_WEIGHTS_NEGATIVE";
            let (named, have) = (bad.named(), bad.verb("has", "have"));
            let message = format!("{named} {have} negative weights");
            let fault = if known.is_some() {
                Fault::new(code, message)
            } else {
                Fault::warning(code, message)
            };
            diagnostics.fault(fault, negative, "they count as 0");
        }
        // glTF 2.0 §3.7.3.3: they must sum to 1.
        const CODE: &str = "ACCESSOR_WEIGHTS_NON_NORMALIZED";
        let fault = |message| {
            if is_fault {
                Fault::new(CODE, message)
            } else {
                Fault::warning(CODE, message)
            }
        };
        let bad = self.uneven;
        if !bad.is_empty() {
            let fault = fault(format!("the weights of {} do not sum to 1", bad.named()));
            diagnostics.fault(fault, weights, "they were normalised");
        }
        let mut tell_empty = |bad: BadVertices, fault: Fault| {
            if !bad.is_empty() {
                let action = bad.verb("it moves with joint 0", "they move with joint 0");
                diagnostics.fault(fault, weights, action);
            }
        };
        let bad = self.weightless;
        let (named, have) = (bad.named(), bad.verb("has", "have"));
        tell_empty(bad, fault(format!("{named} {have} no weight at all")));
        // Why has been said already.
        let bad = self.emptied;
        let (named, have) = (bad.named(), bad.verb("has", "have"));
        tell_empty(
            bad,
            Fault::warning(CODE, format!("{named} {have} no weight left")),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is merged of one vertex, and how many faults were counted.
    fn merged(joints: [u32; 4], weights: [f32; 4]) -> (Vec<u16>, Vec<f32>, [usize; 5]) {
        let mut found = Findings::default();
        let pairs = [InfluenceSet {
            number: 0,
            joints: vec![joints],
            weights: vec![weights],
        }];
        let known = Joints::new(9, vec![3]);
        let it = merge(&pairs, 4, 1, Some(&known), &mut found);
        let Findings {
            out_of_range,
            negative,
            uneven,
            weightless,
            emptied,
            ..
        } = found;
        let faults = [out_of_range, negative, uneven, weightless, emptied].map(|bad| bad.count);
        (it.joints, it.weights, faults)
    }

    #[test]
    fn takes_sound_sets_as_they_are_and_mends_others() {
        let sound = merged([1, 8, 0, 0], [0.75, 0.25, 0.0, 0.0]);
        let weights = vec![0.75, 0.25, 0.0, 0.0];
        assert_eq!(sound, (vec![1, 8, 0, 0], weights, [0; 5]));
        let outside = merged([1, 9, 0, 0], [0.75, 0.25, 0.0, 0.0]);
        assert_eq!((outside.1[0], outside.2), (1.0, [1, 0, 0, 0, 0]));
        let missing = merged([1, 3, 0, 0], [0.75, 0.25, 0.0, 0.0]);
        assert_eq!(missing, outside);
        let negative = merged([1, 2, 0, 0], [1.25, -0.25, 0.0, 0.0]);
        assert_eq!((negative.1[0], negative.2), (1.0, [0, 1, 0, 0, 0]));
        let uneven = merged([1, 2, 0, 0], [0.5, 0.25, 0.25, 1.0]);
        assert_eq!((uneven.1[0], uneven.2), (0.25, [0, 0, 1, 0, 0]));
        let none = merged([1, 2, 0, 0], [0.0; 4]);
        assert_eq!((none.0[0], none.1[0], none.2), (0, 1.0, [0, 0, 0, 1, 0]));
        let huge = merged([1, 2, 0, 0], [3e38, 3e38, 0.0, 0.0]);
        assert_eq!((&huge.1[..2], huge.2), (&[0.5; 2][..], [0, 0, 1, 0, 0]));
        let nothing = merged([1, 2, 4, 5], [f32::NAN; 4]);
        assert_eq!(nothing.2, [0, 0, 0, 1, 0]);
        // What is written is told apart from what is left of it.
        let unused = merged([1, 9, 0, 0], [0.5, 0.0, 0.0, 0.0]);
        assert_eq!((unused.1[0], unused.2), (1.0, [1, 0, 1, 0, 0]));
        let emptied = merged([9, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!((emptied.0[0], emptied.2), (0, [1, 0, 0, 0, 1]));
    }
}

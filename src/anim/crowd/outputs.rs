//! What nodes write to the palette.

use glam::{DMat3, DQuat, DVec3};

use super::{
    frame::{TOLERANCE, similarity},
    program::{Bind, Next, Output, Run},
};

/// What a step writes to a place of the palette: its matrix times a linear part and a shift in its frame.
pub(super) fn output(place: u32, linear: DMat3, shift: DVec3) -> Output {
    Output {
        place,
        bind: bind(linear, shift),
        next: Next::default(),
    }
}

/// The simplest form of what is left of a bind matrix.
fn bind(linear: DMat3, shift: DVec3) -> Bind {
    let point = shift.as_vec3().to_array();
    let is_turned = |rotation: DQuat| rotation.xyz().length() > TOLERANCE;
    let even = similarity(linear).filter(|&(rotation, _)| !is_turned(rotation));
    match even {
        Some((_, scale)) if (scale - 1.0).abs() <= TOLERANCE => {
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

/// Tells each output which place of the palette is written [`outputs_ahead`] outputs later.
pub(super) fn look_ahead(runs: &mut [Run], written_nodes: usize) {
    let steps = runs.iter_mut().flat_map(|run| &mut run.steps);
    let mut outputs: Vec<_> = steps.flat_map(|step| step.outputs.as_mut_slice()).collect();
    let outputs_ahead = outputs_ahead(outputs.len() / written_nodes.max(1));
    let places: Vec<_> = outputs.iter().map(|output| output.place).collect();
    for (index, output) in outputs.iter_mut().enumerate() {
        let ahead = index + outputs_ahead;
        output.next = Next {
            matrices: places[ahead % places.len()].wrapping_sub(output.place) as i32,
            is_of_next_group: ahead >= places.len(),
        };
    }
}

/// Matrices of an instance that are written between asking for a line of the palette and writing to it, where a node has
/// `a_node` of them.
///
/// With 2 instead of 6, 10,000 instances of 64 joints took half as long again; with 8, vectors of 16 lanes lost. The
/// matrices of several skins go to as many places, of which each comes on more slowly: where there are three, 12 instead of
/// 6 saved 4 % with 8 lanes and 2 % with 16; with 18, 16 lanes lost 7 %.
fn outputs_ahead(a_node: usize) -> usize {
    match a_node {
        0 | 1 => 6,
        2..=4 => 4 * a_node,
        _ => 16,
    }
}

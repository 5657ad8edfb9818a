//! What more than one channel of a clip moves: no property may be moved twice, nor a list and one of its elements
//! (`KHR_animation_pointer`, "Operation").

use gltf::json::{self, Index};

use crate::import::{
    arrays::accessor::Accessor,
    motion::{channels::Channel, pointer::Pointed},
};

use super::{DROPPED, Reader};

const CODE: &str = "ANIMATION_DUPLICATE_TARGETS";

impl Reader<'_, '_> {
    /// Says that a channel moves what `first` does already.
    pub(super) fn report_duplicate(&mut self, channel: &Channel, first: &Channel) {
        let (clip, place) = (self.clip, channel.index);
        let pointer = format_args!("/animations/{clip}/channels/{place}");
        let first_place = first.index;
        let message = format!("channel {first_place} of the clip moves the same already");
        // Blender writes some pointers twice with the same keys, the validator follows none, and nothing is lost.
        if channel.is_pointer() && first.is_pointer() && self.have_same_keys(channel, first) {
            self.diagnostics.warning(CODE, pointer, message, DROPPED);
        } else {
            self.diagnostics.error(CODE, pointer, message, DROPPED);
        }
    }

    /// Says that a channel moves all weights of which another moves one, or one of which another moves all, if it is so.
    pub(super) fn report_overlap(&mut self, channel: &Channel) {
        let whole = match channel.target {
            Pointed::Weight(node, _) => Pointed::Weights(node),
            Pointed::MeshWeight(mesh, _) => Pointed::MeshWeights(mesh),
            target => target,
        };
        let other = if whole == channel.target {
            self.moved_parts.get(&whole).copied()
        } else {
            self.moved_parts.entry(whole).or_insert(channel.index);
            self.moved.get(&whole).map(|all| all.index)
        };
        let Some(other) = other else {
            return;
        };
        let (clip, place) = (self.clip, channel.index);
        let pointer = format_args!("/animations/{clip}/channels/{place}");
        let (one, all) = ("one of the weights", "all of them");
        let (this, that) = if whole == channel.target {
            (all, one)
        } else {
            (one, all)
        };
        let message = format!("it moves {this}, and channel {other} of the clip moves {that}");
        let action = "the one follows its own channel";
        self.diagnostics.error(CODE, pointer, message, action);
    }

    fn have_same_keys(&self, channel: &Channel, first: &Channel) -> bool {
        let [own, other] = [channel, first].map(|channel| &channel.sampler);
        own.interpolation == other.interpolation
            && self.are_same(own.input, other.input)
            && self.are_same(own.output, other.output)
    }

    /// Whether two accessors have the same elements, as far as these are numbers and vectors.
    fn are_same(&self, first: Index<json::Accessor>, second: Index<json::Accessor>) -> bool {
        let [first, second] = [first, second].map(|index| index.value());
        let accessors = &self.source.accessors;
        let (Ok(a), Ok(b)) = (accessors.get(first), accessors.get(second)) else {
            return false;
        };
        if first == second {
            return true;
        }
        let form = |it: &Accessor| (it.count, it.shape, it.component, it.normalized);
        form(a) == form(b)
            && match a.shape.multiplicity() {
                1 => self.have_same_elements::<1>(first, second),
                2 => self.have_same_elements::<2>(first, second),
                3 => self.have_same_elements::<3>(first, second),
                4 => self.have_same_elements::<4>(first, second),
                _ => false,
            }
    }

    fn have_same_elements<const N: usize>(&self, first: usize, second: usize) -> bool {
        let source = self.source;
        // Their memory stays charged: what is compared again and again must come to an end.
        let [first, second] = [first, second].map(|index| {
            let (buffers, budget) = (&source.buffers, &source.budget);
            let keep = |numbers: [f32; N]| numbers;
            source.accessors.raw_numbers(index, buffers, budget, keep)
        });
        matches!((first, second), (Ok(a), Ok(b)) if a.values == b.values)
    }
}

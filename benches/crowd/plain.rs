//! A peer: the plain evaluator that everybody writes first, an instance after the other, arrays of structures, glam's
//! slerp, a search for the key once a timeline and instance.

use glam::{Affine3A, Quat, Vec3};
use rigscope::{
    anim::{PaletteLayout, PaletteMatrix, to_palette_matrix},
    model::{Clip, Model, NodeId, Transform},
};

/// A model for the plain evaluator.
pub struct Plain {
    parents: Vec<Option<usize>>,
    rest: Vec<Transform>,
    clips: Vec<PlainClip>,
    /// Node, place in the palette, `node_from_mesh`.
    binds: Vec<(usize, usize, Affine3A)>,
    locals: Vec<Transform>,
    world: Vec<Affine3A>,
    /// For each timeline of a clip the key and the fraction of the way to the next.
    spans: Vec<(usize, f32)>,
}

struct PlainClip {
    timelines: Vec<Vec<f32>>,
    channels: Vec<Channel>,
}

struct Channel {
    node: usize,
    timeline: usize,
    values: Values,
}

enum Values {
    Translations(Vec<Vec3>),
    Rotations(Vec<Quat>),
    Scales(Vec<Vec3>),
}

impl Plain {
    /// Prepares a model whose clips are all LINEAR.
    pub fn new(model: &Model, layout: &PaletteLayout) -> Self {
        let rigid = layout.placements().iter();
        let mut binds: Vec<_> = rigid
            .filter_map(|placement| {
                let rigid = placement.rigid? as usize;
                Some((placement.node.index(), rigid, Affine3A::IDENTITY))
            })
            .collect();
        for slot in layout.skins() {
            let skin = &model.skins[slot.skin];
            let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
            for (place, (joint, &joint_from_mesh)) in (slot.first as usize..).zip(joints) {
                binds.push((joint.index(), place, joint_from_mesh));
            }
        }
        let nodes = model.hierarchy.nodes();
        let parent = |node: &rigscope::model::Node| node.parent.map(NodeId::index);
        Self {
            parents: nodes.iter().map(parent).collect(),
            rest: nodes.iter().map(|node| node.rest).collect(),
            clips: model.clips.iter().map(plain_clip).collect(),
            binds,
            locals: Vec::new(),
            world: vec![Affine3A::IDENTITY; nodes.len()],
            spans: Vec::new(),
        }
    }

    /// Poses one instance.
    pub fn pose(
        &mut self,
        clip: usize,
        time_secs: f64,
        place: Affine3A,
        out: &mut [PaletteMatrix],
    ) {
        let clip = &self.clips[clip];
        let time = time_secs as f32;
        self.spans.clear();
        for times in &clip.timelines {
            let next = times.partition_point(|&key| key <= time);
            self.spans.push(if next == 0 {
                (0, 0.0)
            } else if next == times.len() {
                (next - 1, 0.0)
            } else {
                let (from, to) = (times[next - 1], times[next]);
                (next - 1, (time - from) / (to - from))
            });
        }
        self.locals.clone_from(&self.rest);
        for channel in &clip.channels {
            let (key, fraction) = self.spans[channel.timeline];
            let next = key + usize::from(fraction > 0.0);
            let local = &mut self.locals[channel.node];
            match &channel.values {
                Values::Translations(v) => local.translation = v[key].lerp(v[next], fraction),
                Values::Rotations(v) => local.rotation = v[key].slerp(v[next], fraction),
                Values::Scales(v) => local.scale = v[key].lerp(v[next], fraction),
            }
        }
        for (node, local) in self.locals.iter().enumerate() {
            let parent = self.parents[node].map_or(place, |parent| self.world[parent]);
            self.world[node] = parent * local.to_affine();
        }
        for (node, place, bind) in &self.binds {
            out[*place] = to_palette_matrix(&(self.world[*node] * *bind));
        }
    }
}

fn plain_clip(clip: &Clip) -> PlainClip {
    let mut channels = Vec::new();
    let mut add = |node: usize, timeline, values| {
        channels.push(Channel {
            node,
            timeline,
            values,
        });
    };
    for t in clip.translations() {
        add(
            t.node().index(),
            t.timeline(),
            Values::Translations(t.values().to_vec()),
        );
    }
    for t in clip.rotations() {
        add(
            t.node().index(),
            t.timeline(),
            Values::Rotations(t.values().to_vec()),
        );
    }
    for t in clip.scales() {
        add(
            t.node().index(),
            t.timeline(),
            Values::Scales(t.values().to_vec()),
        );
    }
    let timelines = clip.timelines().iter();
    PlainClip {
        timelines: timelines
            .map(|timeline| timeline.times_secs().to_vec())
            .collect(),
        channels,
    }
}

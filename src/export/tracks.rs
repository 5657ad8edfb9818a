//! A clip as one more animation of the file that the model came from: whatever else the file says stays as it is written
//! there, unknown extensions and all, and so do its bytes.

use std::collections::{BTreeSet, HashMap};

use anyhow::{Context as _, ensure};
use glam::{Mat4, Quat};
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};

use super::{
    from_zero::from_zero,
    glb::{FLOAT, UNSIGNED_BYTE},
    source_file::{Members, SourceFile, VISIBILITY},
};
use crate::model::{
    Clip, Interpolation, KeyPart, Model, Moved, NodeId, PropertyTarget, PropertyTrack, TrackHead,
    Transform, unit_rotation,
};

const POINTER: &str = "KHR_animation_pointer";

/// A clip that is added to a file.
#[derive(Debug, Clone, Copy)]
pub struct AddedClip<'a> {
    /// The model, as the file gives it.
    pub model: &'a Model,
    /// The clip, of this model or bound to it.
    pub clip: &'a Clip,
    /// What it is called there.
    pub name: &'a str,
}

/// A file with a clip that was added.
#[derive(Debug)]
pub struct WithClip {
    /// The .glb file.
    pub bytes: Vec<u8>,
    /// What of the clip it does not have, in words.
    pub left_out: Vec<String>,
}

/// A .glb file that holds all of `source`, and the clip as its last animation: track by track, with the keys, tangents and
/// interpolation that it has, but for keys before 0, which it may not have: there it has one at 0.
///
/// Fails if the file is not that of the model any more, has a clip of that name, or if the clip moves nothing or to nowhere.
pub fn clip_glb(mut source: SourceFile<'_>, added: &AddedClip<'_>) -> anyhow::Result<WithClip> {
    let AddedClip { model, clip, name } = *added;
    check_addable(&source, model, name)?;
    let clip = &*from_zero(clip)?;
    let mut writer = TrackWriter::new(model, clip, name);
    writer.add_placements()?;
    writer.add_weights(&source)?;
    writer.add_properties(&mut source)?;
    ensure!(
        !writer.tracks.is_empty(),
        "{} moves nothing of {}",
        said(clip),
        model.name
    );
    let mut left_out = writer.finish(&mut source)?;
    left_out.extend(free_matrices(&mut source, model, clip)?);
    let bytes = source.finish().with_context(|| model.name.clone())?;
    Ok(WithClip { bytes, left_out })
}

/// Fails if the file is another one than the model was read from, or has a clip of that name: then none can be added.
pub fn check_addable(source: &SourceFile<'_>, model: &Model, name: &str) -> anyhow::Result<()> {
    let mut nodes = model.hierarchy.iter();
    let has_same_names =
        nodes.all(|(_, node)| source.node_name(node.file_index) == Some(&*node.name));
    ensure!(
        source.node_count() == model.hierarchy.len() && has_same_names,
        "{} has changed since it was read",
        model.name
    );
    ensure!(
        !source.has_clip(name),
        "{} has a clip {name:?} already",
        model.name
    );
    Ok(())
}

/// A clip by the name that it has, whatever it will be called.
fn said(clip: &Clip) -> String {
    match clip.name() {
        "" => "the clip".to_owned(),
        name => format!("{name:?}"),
    }
}

/// A track whose values are laid out.
struct Written {
    /// Where its values go, as text.
    target: Box<RawValue>,
    timeline: usize,
    interpolation: Interpolation,
    values: Values,
}

/// Where the values of a track lie.
#[derive(Clone, Copy)]
struct Values {
    /// Among the numbers, or among the flags.
    offset: usize,
    component: u32,
    kind: &'static str,
    /// Elements, those of all keys together.
    count: usize,
}

/// Lays the tracks of a clip out as bytes: numbers first, then what is yes or no.
struct TrackWriter<'a> {
    model: &'a Model,
    clip: &'a Clip,
    name: &'a str,
    numbers: Vec<u8>,
    flags: Vec<u8>,
    tracks: Vec<Written>,
    /// Where the values of tracks are that share them, by their place in memory and their number.
    shared: HashMap<(usize, usize), usize>,
    /// What has no track, in words.
    left_out: Vec<String>,
}

impl<'a> TrackWriter<'a> {
    fn new(model: &'a Model, clip: &'a Clip, name: &'a str) -> Self {
        Self {
            model,
            clip,
            name,
            numbers: Vec::new(),
            flags: Vec::new(),
            tracks: Vec::new(),
            shared: HashMap::new(),
            left_out: Vec::new(),
        }
    }

    /// Lays numbers out, unless those of a track before are the same; where they begin. Fails if one is not finite.
    fn add_numbers<const N: usize, T: Copy>(
        &mut self,
        moved: Moved,
        values: &[T],
        parts: impl Fn(T) -> [f32; N],
    ) -> anyhow::Result<usize> {
        let key = (values.as_ptr().addr(), values.len());
        if let Some(&offset) = self.shared.get(&key) {
            return Ok(offset);
        }
        let offset = self.numbers.len();
        self.numbers.reserve(size_of_val(values));
        for number in values.iter().flat_map(|&value| parts(value)) {
            ensure!(
                number.is_finite(),
                "{} has a value in {} that is no number",
                self.named(moved),
                said(self.clip)
            );
            self.numbers.extend_from_slice(&number.to_le_bytes());
        }
        self.shared.insert(key, offset);
        Ok(offset)
    }

    /// What a track moves, in words.
    fn named(&self, moved: Moved) -> String {
        let hierarchy = &self.model.hierarchy;
        match moved {
            Moved::Property(target) => target.pointer(hierarchy),
            of_node => {
                let name = of_node.node().map(|node| hierarchy.display_name(node));
                format!("{:?}", name.unwrap_or_default())
            }
        }
    }

    fn add(&mut self, target: Box<RawValue>, head: TrackHead, values: Values) {
        self.tracks.push(Written {
            target,
            timeline: head.timeline,
            interpolation: head.interpolation,
            values,
        });
    }

    fn node_target(&self, node: NodeId, path: &str) -> anyhow::Result<Box<RawValue>> {
        let node = self.model.hierarchy.node(node).file_index;
        Ok(to_raw_value(&json!({ "node": node, "path": path }))?)
    }

    fn add_placements(&mut self) -> anyhow::Result<()> {
        let clip = self.clip;
        let vectors = |offset, count| Values {
            offset,
            component: FLOAT,
            kind: "VEC3",
            count,
        };
        for track in clip.translations() {
            let head = track.head(Moved::Translation);
            let offset = self.add_numbers(head.moved, track.values(), |it| it.to_array())?;
            let target = self.node_target(track.node(), "translation")?;
            self.add(target, head, vectors(offset, track.values().len()));
        }
        for track in clip.rotations() {
            let head = track.head(Moved::Rotation);
            let offset = self.add_numbers(head.moved, track.values(), |it| it.to_array())?;
            let target = self.node_target(track.node(), "rotation")?;
            let values = Values {
                kind: "VEC4",
                ..vectors(offset, track.values().len())
            };
            self.add(target, head, values);
        }
        for track in clip.scales() {
            let head = track.head(Moved::Scale);
            let offset = self.add_numbers(head.moved, track.values(), |it| it.to_array())?;
            let target = self.node_target(track.node(), "scale")?;
            self.add(target, head, vectors(offset, track.values().len()));
        }
        Ok(())
    }

    /// Adds the weights of whole nodes. Targets that could not be read have no weights here, and a clip must have all
    /// (glTF 2.0 §3.11).
    fn add_weights(&mut self, source: &SourceFile<'_>) -> anyhow::Result<()> {
        let clip = self.clip;
        for track in clip.weights() {
            let head = track.head(Moved::Weights);
            let file_index = self.model.hierarchy.node(track.node()).file_index;
            if source.target_count(file_index) != Some(track.width()) {
                self.left_out.push(format!(
                    "some morph targets of {} could not be read, so its weights are left out",
                    self.named(head.moved)
                ));
                continue;
            }
            let offset = self.add_numbers(head.moved, track.values(), |weight| [weight])?;
            let target = self.node_target(track.node(), "weights")?;
            let values = Values {
                offset,
                component: FLOAT,
                kind: "SCALAR",
                count: track.values().len(),
            };
            self.add(target, head, values);
        }
        Ok(())
    }

    /// Adds what pointers name, and to the file what these need.
    fn add_properties(&mut self, source: &mut SourceFile<'_>) -> anyhow::Result<()> {
        let clip = self.clip;
        for track in clip.properties() {
            let target = track.target();
            let pointer = target.pointer(&self.model.hierarchy);
            let head = track.head();
            let (head, values) = if let PropertyTarget::Visibility(node) = target {
                let node = self.model.hierarchy.node(node);
                source.state_visibility(node.file_index, !node.is_hidden)?;
                source.use_extension(VISIBILITY)?;
                // There is nothing between hidden and shown.
                let head = TrackHead {
                    interpolation: Interpolation::Step,
                    ..head
                };
                (head, self.add_flags(track))
            } else {
                source.state_owner(&pointer)?;
                let offset = self.add_numbers(head.moved, track.values(), |it| [it])?;
                let width = target.width();
                let values = Values {
                    offset,
                    component: FLOAT,
                    kind: ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1],
                    count: track.values().len() / width,
                };
                (head, values)
            };
            source.use_extension(POINTER)?;
            let target =
                json!({ "path": "pointer", "extensions": { POINTER: { "pointer": pointer } } });
            self.add(to_raw_value(&target)?, head, values);
        }
        Ok(())
    }

    /// Lays out whether a node is shown at each key.
    fn add_flags(&mut self, track: &PropertyTrack) -> Values {
        let offset = self.flags.len();
        let interpolation = track.interpolation();
        let keys = track.values().iter();
        let keys = keys.skip(interpolation.place(0, KeyPart::Value));
        let keys = keys.step_by(interpolation.parts_per_key());
        self.flags.extend(keys.map(|key| u8::from(*key != 0.0)));
        Values {
            offset,
            component: UNSIGNED_BYTE,
            kind: "SCALAR",
            count: self.flags.len() - offset,
        }
    }

    /// Puts all into the file: the times of keys, then the tracks; what was left out.
    fn finish(mut self, source: &mut SourceFile<'_>) -> anyhow::Result<Vec<String>> {
        let mut times: Vec<Option<(usize, Vec<f32>)>> = vec![None; self.clip.timelines().len()];
        for track in &self.tracks {
            if times[track.timeline].is_none() {
                let timeline = &self.clip.timelines()[track.timeline];
                let secs = rising(timeline.times_secs());
                let offset = self.numbers.len();
                self.numbers
                    .extend(secs.iter().flat_map(|time| time.to_le_bytes()));
                times[track.timeline] = Some((offset, secs));
            }
        }
        let first_flag = self.numbers.len();
        self.numbers.append(&mut self.flags);
        let view = source.add_bytes(&self.numbers)?;
        let mut add_times = |place: Option<(usize, Vec<f32>)>| {
            place.map(|(offset, secs)| {
                source.add_accessor(&json!({
                    "bufferView": view, "byteOffset": offset, "componentType": FLOAT,
                    "count": secs.len(), "type": "SCALAR",
                    "min": [secs.first()], "max": [secs.last()],
                }))
            })
        };
        let inputs: Vec<Option<usize>> = times.into_iter().map(&mut add_times).collect();
        // As text, which takes a tenth of what values take.
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for track in self.tracks {
            let Values {
                offset,
                component,
                kind,
                count,
            } = track.values;
            let is_flag = component == UNSIGNED_BYTE;
            let offset = if is_flag { first_flag + offset } else { offset };
            let output = source.add_accessor(&json!({
                "bufferView": view, "byteOffset": offset, "componentType": component, "count": count, "type": kind,
            }));
            channels.push(to_raw_value(&Members::from([
                ("sampler".to_owned(), to_raw_value(&samplers.len())?),
                ("target".to_owned(), track.target),
            ]))?);
            samplers.push(to_raw_value(&json!({
                "input": inputs[track.timeline], "output": output, "interpolation": track.interpolation.name(),
            }))?);
        }
        source.add_animation(&Members::from([
            ("name".to_owned(), to_raw_value(self.name)?),
            ("samplers".to_owned(), to_raw_value(&samplers)?),
            ("channels".to_owned(), to_raw_value(&channels)?),
        ]));
        Ok(self.left_out)
    }
}

/// The times of keys, each after the one before (glTF 2.0 §3.11): the second of two at one time, of which a file may have read
/// some, is the least bit later, and never by less than a number of full precision.
fn rising(times_secs: &[f32]) -> Vec<f32> {
    let mut last = f32::NEG_INFINITY;
    let times = times_secs.iter().map(|&time| {
        last = if time > last {
            time
        } else {
            last.next_up().max(last + f32::MIN_POSITIVE)
        };
        last
    });
    times.collect()
}

/// The rotation of length 1, without which no key is one; what has no direction is none.
pub(super) fn unit(rotation: Quat) -> Quat {
    unit_rotation(rotation).unwrap_or(Quat::IDENTITY)
}

/// How far a matrix may be from what it comes apart into, as a part of its greatest number.
const SAME_MATRIX: f32 = 1e-4;

/// Nodes that clips move have no matrix (glTF 2.0 §3.5.3): they get what it says. What shears is lost, as in the picture, which
/// is returned in words.
fn free_matrices(
    source: &mut SourceFile<'_>,
    model: &Model,
    clip: &Clip,
) -> anyhow::Result<Vec<String>> {
    let nodes: BTreeSet<NodeId> = clip.placed_nodes().collect();
    let mut lost = Vec::new();
    for id in nodes {
        let node = model.hierarchy.node(id);
        let Transform {
            translation,
            rotation,
            scale,
        } = node.rest;
        let matrix = source
            .replace_matrix(
                node.file_index,
                &[
                    ("translation", json!(translation.to_array())),
                    ("rotation", json!(rotation.to_array())),
                    ("scale", json!(scale.to_array())),
                ],
            )
            .with_context(|| format!("node {} cannot be moved", node.file_index))?;
        let apart = Mat4::from(node.rest.to_affine());
        let is_lost = |matrix: Mat4| {
            let greatest = matrix.to_cols_array().map(f32::abs);
            let most = SAME_MATRIX * greatest.into_iter().fold(0.0, f32::max);
            !matrix.abs_diff_eq(apart, most)
        };
        if matrix.is_some_and(is_lost) {
            let name = model.hierarchy.display_name(id);
            lost.push(format!(
                "the matrix of {name:?} shears, which no node that moves can do"
            ));
        }
    }
    Ok(lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_one_after_the_other() {
        let times = rising(&[0.0, 0.0, 0.0, 0.5, 1.0, 1.0]);
        assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
        let near = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0];
        assert!(times.iter().zip(near).all(|(a, b)| (a - b).abs() < 1e-6));
        assert_eq!([times[0], times[3], times[4]], [0.0, 0.5, 1.0]);
        let mut lengths = times.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(lengths.all(f32::is_normal), "{times:?}");
    }
}

//! A comparison in words, and as JSON.

use serde_json::{Value, json};

use super::{ClipDifference, Comparison, Verdict};
use crate::{
    anim::difference::{
        AttributeDifference, Greatest, MovedDifference, PoseDifference, PropertyDifference,
        PropertyValue,
    },
    cli::plain,
    import::first_few,
    model::{Hierarchy, Model, NodeId, shared_names, shortened},
};

/// Changes when a field of the JSON changes its meaning or goes away.
const VERSION: u32 = 1;

/// Names that the text lists of nodes that one model alone has; JSON has all of them.
const MAX_LISTED: usize = 10;
/// And of those that have another name in the other.
const MAX_RENAMED: usize = 4;

impl Comparison<'_> {
    /// The comparison as the command prints it with `--json`.
    pub fn to_json(&self) -> Value {
        let names = |side: usize, nodes: &[NodeId]| -> Vec<String> {
            let hierarchy = &self.models[side].hierarchy;
            nodes
                .iter()
                .map(|&node| hierarchy.display_name(node))
                .collect()
        };
        let clip_names = |side: usize, clips: &[usize]| -> Vec<&str> {
            let all = &self.models[side].clips;
            clips.iter().map(|&clip| all[clip].name()).collect()
        };
        let counts = self
            .counts
            .iter()
            .map(|(what, counts)| (what.replace(' ', "_"), json!(counts)));
        let clips = self.clips.iter().map(|clip| {
            let [first, second] = clip.places;
            json!({
                "name": self.models[0].clips[first].name(),
                "index": [first, second],
                "duration_secs": self.durations_secs(clip),
                "first_key_secs": self.starts_secs(clip),
                "other_name": self.other_name(clip),
                "channels": self.channels(clip),
                "difference": clip.motion.as_ref().map(|of| self.difference_to_json(of)),
                "moments": clip.motion.map(|_| clip.moments),
                "properties": clip.moved.iter().map(moved_to_json).collect::<Vec<_>>(),
                "same": self.is_clip_same(clip),
            })
        });
        let skins = self.skins.iter().map(|skin| {
            json!({
                "index": skin.index,
                "other_joints": skin.other_joints,
                "only_first": names(0, &skin.only_first),
                "only_second": names(1, &skin.only_second),
                "bind": skin.bind,
                "degrees": skin.turned.to_degrees(),
                "moved": skin.moved,
                "joint": skin.worst.map(|joint| self.models[0].hierarchy.display_name(joint)),
                "same": self.is_skin_same(skin),
            })
        });
        let meshes = self.meshes.iter().map(|mesh| {
            let hierarchy = &self.models[0].hierarchy;
            let [index, other_index] = mesh.indices;
            json!({
                "index": index,
                "other_index": other_index,
                "moved": mesh.moved,
                "distance": mesh.distance * self.size,
                "turned": mesh.shapes.turned,
                "joined_otherwise": mesh.shapes.joined_otherwise,
                "bound_otherwise": mesh.bound_otherwise,
                "weight": mesh.weight,
                "joint": mesh.joint.map(|joint| hierarchy.display_name(joint)),
                "morphed_otherwise": mesh.morphed_otherwise,
                "attributes": mesh.other_attributes().map(attribute_to_json).collect::<Vec<_>>(),
                "same": mesh.is_none(),
            })
        });
        let renamed = self.renamed().into_iter();
        let renamed = renamed.map(|(a, b)| [names(0, &[a]), names(1, &[b])].concat());
        json!({
            "schema": "rigscope-compare",
            "schema_version": VERSION,
            "models": self.models.map(|model| &model.name),
            "incomplete": self.incomplete,
            "same": self.is_same(),
            "tolerance": self.tolerance,
            "size": self.size,
            "size_note": self.size_note,
            "counts": counts.collect::<serde_json::Map<_, _>>(),
            "nodes": {
                "matched": self.nodes.pairs.len(),
                "only_first": names(0, &self.nodes.only_first),
                "only_second": names(1, &self.nodes.only_second),
                "renamed": renamed.collect::<Vec<_>>(),
            },
            "rest": self.difference_to_json(&self.rest),
            "skins": skins.collect::<Vec<_>>(),
            "meshes": meshes.collect::<Vec<_>>(),
            "properties": self.properties_to_json(),
            "parts": self.parts_to_json(),
            "clips": clips.collect::<Vec<_>>(),
            "clips_only_first": clip_names(0, &self.only_first),
            "clips_only_second": clip_names(1, &self.only_second),
        })
    }

    fn properties_to_json(&self) -> Vec<Value> {
        let properties = self.appearance.properties.iter();
        let to_json = |it: &PropertyDifference| {
            json!({
                "kind": it.kind.to_string(),
                "name": it.name,
                "index": it.indices,
                "property": it.property,
                "values": it.values.each_ref().map(value_to_json),
                "difference": it.amount.filter(|amount| amount.is_finite()),
                "note": it.note,
            })
        };
        properties.map(to_json).collect()
    }

    /// What belongs together, and what one alone has, of each kind.
    fn parts_to_json(&self) -> Value {
        let matches = self.appearance.matches().map(|(kind, parts)| {
            let names = |side: usize, indices| kind.names(self.models[side], indices);
            let parts = json!({
                "matched": parts.pairs.len(),
                "only_first": names(0, &parts.only_first),
                "only_second": names(1, &parts.only_second),
            });
            (kind.plural().to_owned(), parts)
        });
        Value::Object(matches.into_iter().collect())
    }

    fn difference_to_json(&self, difference: &PoseDifference) -> Value {
        let hierarchy = &self.models[0].hierarchy;
        let greatest = |unit: &str, greatest: &Greatest, factor: f64| {
            json!({
                unit: greatest.amount * factor,
                "node": greatest.node.map(|node| hierarchy.display_name(node)),
                "node_index": greatest.node.map(|node| hierarchy.node(node).file_index),
                "time_secs": greatest.node.map(|_| greatest.time_secs),
            })
        };
        json!({
            "samples": difference.samples,
            "translation": greatest("distance", &difference.translation, 1.0),
            "rotation": greatest("degrees", &difference.rotation, 1_f64.to_degrees()),
            "scale": greatest("difference", &difference.scale, 1.0),
            "weight": greatest("difference", &difference.weight, 1.0),
            "place": greatest("distance", &difference.position, 1.0),
            "visibility": greatest("difference", &difference.visibility, 1.0),
        })
    }

    /// The comparison in words.
    pub fn to_text(&self) -> String {
        let [first, second] = self.models;
        let mut lines = vec![format!("{} beside {}", first.name, second.name)];
        lines.push(format!(
            "  {:<14}{} in both",
            "nodes",
            self.nodes.pairs.len()
        ));
        let only = [
            (first, &self.nodes.only_first),
            (second, &self.nodes.only_second),
        ];
        for (model, nodes) in only {
            let names = nodes.iter().map(|&node| {
                let name = &*model.hierarchy.node(node).name;
                let place = || model.hierarchy.display_name(node);
                shown(name).unwrap_or_else(place)
            });
            lines.extend(list_only(&model.name, ["node", "nodes"], names.collect()));
        }
        lines.extend(self.describe_renamed());
        if let Some(note) = &self.size_note {
            lines.push(format!("  {:<14}{} is {note}", "size", second.name));
        }
        for (what, [a, b]) in &self.counts {
            if a != b {
                lines.push(format!("  {what:<14}{a} and {b}"));
            }
        }
        for skin in &self.skins {
            if !self.is_skin_same(skin) {
                lines.push(self.describe_skin(skin));
            }
        }
        for mesh in &self.meshes {
            let words = mesh.words(self.models[0]);
            lines.extend(words.map(|words| format!("  {words}")));
        }
        for (kind, parts) in self.appearance.matches() {
            let sides = [(first, &parts.only_first), (second, &parts.only_second)];
            for (model, indices) in sides {
                let names = indices.iter().map(|&index| {
                    let place = || format!("{kind} {index}");
                    shown(kind.name(model, index)).unwrap_or_else(place)
                });
                lines.extend(list_only(
                    &model.name,
                    [&kind.to_string(), kind.plural()],
                    names.collect(),
                ));
            }
        }
        let properties = self.appearance.properties.iter();
        lines.extend(properties.map(|property| format!("  {property}")));
        if !self.is_within(&self.rest) {
            lines.push("  the files' own poses differ:".to_owned());
            self.describe(&self.rest, false, &mut lines);
        }
        let shown = self.models.map(shown_clips);
        for clip in &self.clips {
            let [place, _] = clip.places;
            self.describe_clip(clip, &shown[0][place], &mut lines);
        }
        let only = [&self.only_first, &self.only_second];
        for ((model, clips), shown) in self.models.into_iter().zip(only).zip(&shown) {
            let names = clips.iter().map(|&clip| shown[clip].clone());
            lines.extend(list_only(&model.name, ["clip", "clips"], names.collect()));
        }
        lines.push(self.conclusion());
        plain::lines(&lines)
    }

    fn conclusion(&self) -> String {
        let tolerance = number(self.tolerance);
        let as_far = match (self.verdict(), &self.incomplete[..]) {
            (Verdict::Different, _) => return format!("different by more than {tolerance}"),
            (Verdict::Same, []) => "",
            (Verdict::Same, _) => " as far as they could be read",
            (Verdict::Unknown, []) => " as far as they were compared",
            (Verdict::Unknown, _) => " as far as they could be read and were compared",
        };
        format!("the same{as_far}, within {tolerance}")
    }

    fn describe_renamed(&self) -> Option<String> {
        let renamed = self.renamed();
        let [first, second] = self.models.map(|model| &model.hierarchy);
        let names = renamed.iter().map(|(a, b)| {
            let names = [first.node(*a), second.node(*b)].map(|node| shortened(&node.name));
            let [a, b] = names;
            format!("{a:?} is {b:?}")
        });
        let names = first_few(names, MAX_RENAMED);
        (!renamed.is_empty())
            .then(|| format!("  {:<14}{} with other names: {names}", "", renamed.len()))
    }

    fn channels(&self, clip: &ClipDifference) -> [usize; 2] {
        let clips = self.both(clip);
        clips.map(|clip| clip.channel_counts().channels)
    }

    fn describe_clip(&self, clip: &ClipDifference, name: &str, lines: &mut Vec<String>) {
        let kind = if name.starts_with('"') { "clip " } else { "" };
        let [a, b] = self.durations_secs(clip);
        let mut line = format!("  {kind}{name}: ");
        line += &match (&clip.motion, self.is_clip_same(clip)) {
            (None, _) => "not compared, as there are too many clips or nodes".to_owned(),
            (Some(_), Some(true)) => "the same".to_owned(),
            (Some(_), Some(false)) if clip.is_complete() => "differs".to_owned(),
            (Some(difference), is_same) => {
                let (samples, moments) = (difference.samples, clip.moments);
                let found = match is_same {
                    Some(_) => "differs; it was compared",
                    None => "the same",
                };
                format!("{found} at {samples} of {moments} moments, as there are too many")
            }
        };
        if (a - b).abs() > self.tolerance {
            line += &format!(", {a:.3} s and {b:.3} s long");
        }
        let [first, second] = self.starts_secs(clip);
        let shift = second - first;
        if shift.abs() > self.tolerance && self.is_clip_same(clip) != Some(true) {
            line += &format!(", with first keys at {first:.3} s and {second:.3} s");
            // As long, but for what is before the first key.
            if ((b - a) - shift).abs() <= self.tolerance {
                line += &format!(", as if shifted by {shift:.3} s");
            }
        }
        let [a, b] = self.channels(clip);
        if a != b {
            line += &format!(", {a} and {b} channels");
        }
        if let Some(other) = self.other_name(clip) {
            line += &format!(", and is called {:?}", shortened(other));
        }
        lines.push(line);
        lines.extend(clip.moved.iter().map(|moved| {
            let MovedDifference {
                pointer,
                amount,
                time_secs,
            } = moved;
            format!("    {pointer}: {amount:.6} apart at {time_secs:.4} s")
        }));
        if let Some(difference) = &clip.motion
            && !self.is_within(difference)
        {
            self.describe(difference, true, lines);
        }
    }

    /// A line for each kind of difference that is more than is tolerated.
    fn describe(&self, difference: &PoseDifference, in_time: bool, lines: &mut Vec<String>) {
        let hierarchy = &self.models[0].hierarchy;
        let length = self.tolerance * self.size;
        let mut line = |greatest: &Greatest, most: f64, words: String| {
            if greatest.amount <= most {
                return;
            }
            let at = where_and_when(greatest, hierarchy, in_time);
            lines.push(format!("    {words} {at}"));
        };
        let share = |greatest: &Greatest| 100.0 * greatest.amount / self.size;
        let rotation = &difference.rotation;
        line(
            rotation,
            self.tolerance,
            format!("turned {:.4}°", rotation.amount.to_degrees()),
        );
        let moved = &difference.translation;
        let words = format!(
            "moved {:.6} from its parent ({:.3}% of the size)",
            moved.amount,
            share(moved)
        );
        line(moved, length, words);
        let (scale, weight) = (&difference.scale, &difference.weight);
        let mirrored = &difference.mirrored;
        line(mirrored, self.tolerance, "mirrored".to_owned());
        // What mirrors it is told.
        if mirrored.node.is_none() || mirrored.node != scale.node {
            line(
                scale,
                self.tolerance,
                format!("scaled by {:.6} more or less", scale.amount),
            );
        }
        line(
            weight,
            self.tolerance,
            format!("weights of morph targets {:.6} apart", weight.amount),
        );
        let place = &difference.position;
        let words = format!(
            "{:.6} away in the world ({:.3}% of the size)",
            place.amount,
            share(place)
        );
        line(place, length, words);
        line(
            &difference.visibility,
            0.0,
            "hidden in one alone,".to_owned(),
        );
    }
}

fn moved_to_json(moved: &MovedDifference) -> Value {
    json!({
        "pointer": moved.pointer,
        "difference": moved.amount,
        "time_secs": moved.time_secs,
    })
}

/// The difference is null where one mesh alone has the attribute.
fn attribute_to_json(attribute: AttributeDifference) -> Value {
    json!({
        "attribute": attribute.attribute.semantic(),
        "vertices": attribute.vertices,
        "difference": Some(attribute.amount).filter(|amount| amount.is_finite()),
    })
}

/// A number, or several; a name, or else an index; null for what is not there, and for infinity.
fn value_to_json(value: &PropertyValue) -> Value {
    match value {
        PropertyValue::Absent => Value::Null,
        PropertyValue::Flag(is_set) => json!(is_set),
        PropertyValue::Count(count) => json!(count),
        PropertyValue::Numbers(numbers) => match &numbers[..] {
            [one] => json!(one),
            several => json!(several),
        },
        PropertyValue::Word(word) => json!(word),
        PropertyValue::Part(name, index) if name.is_empty() => json!(index),
        PropertyValue::Part(name, _) | PropertyValue::Name(name) => json!(name),
    }
}

fn where_and_when(greatest: &Greatest, hierarchy: &Hierarchy, in_time: bool) -> String {
    let Some(node) = greatest.node else {
        return String::new();
    };
    let name = hierarchy.display_name(node);
    let name = shortened(&name);
    if in_time {
        format!("at {name:?}, {:.4} s", greatest.time_secs)
    } else {
        format!("at {name:?}")
    }
}

/// How the text calls each clip of a model: with its index where others are called so, too.
fn shown_clips(model: &Model) -> Vec<String> {
    let names = model.clips.iter().map(|clip| shortened(clip.name()));
    let names: Vec<_> = names.collect();
    let shared = shared_names(names.iter().map(|name| &**name));
    let shown = names.iter().enumerate().map(|(index, name)| match &**name {
        "" => format!("clip {index}"),
        name if shared.contains(name) => format!("{name:?} (index {index})"),
        name => format!("{name:?}"),
    });
    shown.collect()
}

/// A number as it can be typed: without a hundred zeros.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-6..1e6).contains(&value) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// A name as the text has it; none of what has no name.
fn shown(name: &str) -> Option<String> {
    let name = shortened(name);
    (!name.is_empty()).then(|| format!("{name:?}"))
}

/// A line about what only one of the models has.
fn list_only(model: &str, [one, several]: [&str; 2], names: Vec<String>) -> Option<String> {
    let mut shown = names.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>();
    if names.len() > MAX_LISTED {
        shown.push(format!("{} more", names.len() - MAX_LISTED));
    }
    let words = match &*names {
        [] => return None,
        // A place says what it is of.
        [place] if !place.starts_with('"') => String::new(),
        [_] => format!("the {one} "),
        _ => format!("the {several} "),
    };
    Some(format!("  only {model} has {words}{}", shown.join(", ")))
}

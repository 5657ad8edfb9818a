//! What the sheet lists: the channels of the chosen node, or all nodes that move; and their numbers, as they are played.

use std::cell::OnceCell;

mod row;
mod turns;

pub(in crate::app) use self::row::{property_name, tell_apart};
use self::{row::channel_row, turns::Turns};
use super::{clip_keys::ClipKey, extremes::Extremes};
use crate::{
    anim::{Channel, last_key},
    app::Session,
    model::{Clip, Model, NodeId, Timeline},
    ui::{Between, Lanes, NumberKind, Numbers, SheetRow},
};

/// The rows, and what they were made from.
#[derive(Debug, Default)]
pub(in crate::app) struct Sheet {
    title: String,
    rows: Vec<SheetRow>,
    /// The channel of each row; none if it is a node's.
    channels: Vec<Option<Channel>>,
    /// The numbers of each row at its keys, once they were asked for.
    prepared: Vec<Prepared>,
    /// Whether the rows are those of the chosen node.
    of_node: bool,
    from: Option<SheetKey>,
}

/// Rows are others if any of this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SheetKey {
    clip: ClipKey,
    node: Option<NodeId>,
    /// Whether rotations are shown as they are kept.
    quaternions: bool,
}

/// What is known of a row once it was asked for.
#[derive(Debug, Clone, Default)]
struct Prepared {
    keys: OnceCell<Extremes>,
    /// Of rotations in degrees.
    turns: OnceCell<Turns>,
    bounds: OnceCell<(Lanes, Lanes)>,
}

/// The sheet with the clip that it is about.
#[derive(Debug)]
pub(in crate::app) struct SheetOfClip<'a> {
    pub(super) title: &'a str,
    pub(super) rows: &'a [SheetRow],
    pub(super) of_node: bool,
    channels: &'a [Option<Channel>],
    prepared: &'a [Prepared],
    clip: Option<&'a Clip>,
}

impl Sheet {
    /// Brings the rows up to date, if anybody sees them.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        if session.timeline.sheet.is_none() {
            return;
        }
        let key = session.timeline_key();
        let from = SheetKey {
            clip: key,
            node: session.selected,
            quaternions: session.timeline.quaternions,
        };
        if self.from.replace(from) == Some(from) {
            return;
        }
        let model = session.model();
        let clip = key.clip.and_then(|clip| model.clips.get(clip));
        let quaternions = session.timeline.quaternions;
        let node = session
            .selected
            .filter(|node| node.index() < model.hierarchy.len());
        let found = clip.map(|clip| rows(model, clip, node, quaternions));
        (self.rows, self.channels, self.of_node) = found.unwrap_or_default();
        self.title = match node.filter(|_| self.of_node) {
            Some(node) => model.hierarchy.display_name(node),
            None if self.rows.is_empty() => String::new(),
            None => "All that moves".to_owned(),
        };
        // A node that moves alone need not be chosen: its keys are all there are.
        if let ([row], Some(clip)) = (&self.rows[..], clip)
            && let Some(node) = row.node
        {
            self.title = format!("All that moves: {}", self.rows[0].label);
            let alone = Some(NodeId(node as u32));
            (self.rows, self.channels, _) = rows(model, clip, alone, quaternions);
        }
        self.prepared = vec![Prepared::default(); self.rows.len()];
    }

    /// The sheet as the panels read it.
    pub(in crate::app) fn with_clip<'a>(&'a self, session: &'a Session) -> SheetOfClip<'a> {
        let is_open = session.timeline.sheet.is_some();
        let clip = session.timeline_clip().filter(|_| is_open);
        let clip = clip.and_then(|clip| session.model().clips.get(clip));
        SheetOfClip {
            title: &self.title,
            rows: if clip.is_some() { &self.rows } else { &[] },
            of_node: self.of_node,
            channels: &self.channels,
            prepared: &self.prepared,
            clip,
        }
    }
}

type Rows = (Vec<SheetRow>, Vec<Option<Channel>>, bool);

fn rows(model: &Model, clip: &Clip, node: Option<NodeId>, quaternions: bool) -> Rows {
    let of_node = node.map(|node| {
        Channel::all(clip)
            .filter(|it| it.head(clip).moved.stands_at(model, node))
            .collect()
    });
    let of_node: Vec<Channel> = of_node.unwrap_or_default();
    let (mut rows, mut channels) = (Vec::new(), Vec::new());
    if !of_node.is_empty() {
        rows.extend(
            of_node
                .iter()
                .map(|channel| channel_row(model, clip, *channel, quaternions)),
        );
        channels.extend(of_node.into_iter().map(Some));
        tell_apart(rows.iter_mut().map(|row| &mut row.label));
        return (rows, channels, true);
    }
    // A row for each node in the order of the tree, then what is no node's.
    let mut by_node: Vec<Option<SheetRow>> = vec![None; model.hierarchy.len()];
    for channel in Channel::all(clip) {
        let row = channel_row(model, clip, channel, quaternions);
        let Some(node) = channel.node(clip) else {
            rows.push(row);
            channels.push(Some(channel));
            continue;
        };
        match &mut by_node[node.index()] {
            Some(sum) => {
                sum.key_count += row.key_count;
                sum.timelines.extend(
                    row.timelines
                        .iter()
                        .filter(|t| !sum.timelines.contains(t))
                        .copied()
                        .collect::<Vec<_>>(),
                );
                if sum.between != row.between {
                    sum.between = Between::Mixed;
                }
            }
            none => {
                *none = Some(SheetRow {
                    label: model.hierarchy.display_name(node),
                    node: Some(node.index()),
                    numbers: NumberKind::None,
                    pointer: None,
                    ..row
                });
            }
        }
    }
    let mut sums: Vec<_> = by_node.into_iter().flatten().collect();
    let mut no_channels = vec![None; sums.len()];
    tell_apart(rows.iter_mut().map(|row| &mut row.label));
    sums.append(&mut rows);
    no_channels.append(&mut channels);
    (sums, no_channels, false)
}

impl SheetOfClip<'_> {
    fn channel(&self, row: usize) -> Option<(&Clip, Channel, &SheetRow)> {
        let channel = self.channels.get(row).copied().flatten()?;
        Some((self.clip?, channel, self.rows.get(row)?))
    }

    /// The numbers of a row at its keys.
    fn prepared(&self, row: usize) -> Option<&Extremes> {
        let (clip, channel, sheet_row) = self.channel(row)?;
        let prepare = || {
            if sheet_row.numbers == NumberKind::Degrees
                && let Some((_, turns)) = self.turns(row)
            {
                return Extremes::new(turns.keys.clone());
            }
            let keys = (0..sheet_row.key_count).map(|key| channel.key(clip, key).value);
            Extremes::new(keys.collect())
        };
        Some(self.prepared.get(row)?.keys.get_or_init(prepare))
    }

    /// The degrees of a row of rotations, and when its keys are.
    fn turns(&self, row: usize) -> Option<(&[f32], &Turns)> {
        let (clip, channel, _) = self.channel(row)?;
        let times = self.times_secs(channel.timeline(clip))?;
        let follow = || Turns::along(clip, channel, times);
        Some((times, self.prepared.get(row)?.turns.get_or_init(follow)))
    }

    /// The numbers at a time, with degrees that do not jump.
    fn value(&self, row: usize, time_secs: f64) -> Option<Lanes> {
        let (clip, channel, sheet_row) = self.channel(row)?;
        let value = channel.value(clip, time_secs);
        if sheet_row.numbers != NumberKind::Degrees {
            return Some(value);
        }
        let (times, turns) = self.turns(row)?;
        let key = last_key(times, time_secs);
        let key_secs = times.get(key).map_or(0.0, |&time| f64::from(time));
        Some(turns.at(value, time_secs, key, key_secs))
    }
}

impl SheetOfClip<'_> {
    fn find_bounds(&self, row: usize) -> (Lanes, Lanes) {
        /// Splines go beyond their keys.
        const SAMPLES: u32 = 512;
        let (mut least, mut greatest) = self.extremes(row, 0, usize::MAX);
        let duration_secs = self
            .clip
            .map_or(0.0, |clip| f64::from(clip.duration_secs()));
        for sample in 0..=SAMPLES {
            let time_secs = duration_secs * f64::from(sample) / f64::from(SAMPLES);
            for (lane, number) in self.at(row, time_secs).into_iter().enumerate() {
                least[lane] = least[lane].min(number);
                greatest[lane] = greatest[lane].max(number);
            }
        }
        (least, greatest)
    }
}

impl Numbers for SheetOfClip<'_> {
    fn times_secs(&self, timeline: usize) -> Option<&[f32]> {
        let timelines = self.clip?.timelines();
        timelines.get(timeline).map(Timeline::times_secs)
    }

    fn at(&self, row: usize, time_secs: f64) -> Lanes {
        self.value(row, time_secs).unwrap_or_default()
    }

    fn key(&self, row: usize, key: usize) -> Lanes {
        self.prepared(row)
            .map_or_else(Lanes::default, |keys| keys.key(key))
    }

    fn tangents(&self, row: usize, key: usize) -> Option<(Lanes, Lanes)> {
        let (clip, channel, sheet_row) = self.channel(row)?;
        // Tangents are those of quaternions; degrees have none.
        let has_tangents = sheet_row.numbers != NumberKind::Degrees;
        channel.key(clip, key).tangents.filter(|_| has_tangents)
    }

    fn extremes(&self, row: usize, from: usize, to: usize) -> (Lanes, Lanes) {
        let keys = self.prepared(row);
        keys.map_or_else(Default::default, |keys| keys.between(from, to))
    }

    fn bounds(&self, row: usize) -> (Lanes, Lanes) {
        let prepared = self.prepared.get(row);
        let find = || self.find_bounds(row);
        prepared.map_or_else(Default::default, |prepared| {
            *prepared.bounds.get_or_init(find)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Quat;

    use super::*;
    use crate::{
        import::Import,
        model::{
            ClipBuilder, Hierarchy, Interpolation, MaterialProperty, Mesh, Node, Primitive,
            PropertyTarget, VariantMaterial,
        },
        ui::{Command, SheetKind, TimelineCommand},
    };

    fn model() -> Model {
        let nodes = vec![Node::default(); 3];
        let hierarchy = Hierarchy::new(nodes, &[None, Some(0), Some(1)], &[vec![], vec![], vec![]]);
        let mut builder = ClipBuilder::new("");
        let slow = builder.timeline(Timeline::new(vec![0.0, 1.0]).unwrap());
        let fast = builder.timeline(Timeline::new(vec![0.0, 0.5, 1.0]).unwrap());
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_x(1.0), Quat::IDENTITY];
        builder
            .rotation(NodeId(2), fast, Interpolation::Linear, turns)
            .unwrap();
        let places = vec![glam::Vec3::ZERO, glam::Vec3::new(1.0, 2.0, -3.0)];
        builder
            .translation(NodeId(2), slow, Interpolation::Step, places.clone())
            .unwrap();
        builder
            .translation(NodeId(1), slow, Interpolation::Linear, places)
            .unwrap();
        let ior = PropertyTarget::Material(0, MaterialProperty::Ior);
        builder
            .property(ior, slow, Interpolation::Linear, vec![1.0, 1.5])
            .unwrap();
        Model {
            hierarchy: hierarchy.unwrap(),
            clips: vec![builder.finish()],
            ..Model::default()
        }
    }

    #[test]
    fn a_chosen_node_has_a_row_for_each_channel() {
        let model = model();
        let (rows, channels, of_node) = rows(&model, &model.clips[0], Some(NodeId(2)), false);
        assert!(of_node);
        let seen: Vec<_> = rows
            .iter()
            .map(|row| (&*row.label, row.between, row.key_count, row.numbers))
            .collect();
        assert_eq!(
            seen,
            [
                ("Translation", Between::Step, 2, NumberKind::Axes(3)),
                ("Rotation", Between::Linear, 3, NumberKind::Degrees),
            ]
        );
        assert_eq!(
            channels,
            [Some(Channel::Translation(0)), Some(Channel::Rotation(0))]
        );
    }

    #[test]
    fn a_node_has_the_channels_of_all_materials_that_it_may_have() {
        let mut model = model();
        let other = VariantMaterial {
            variant: 0,
            material: 0,
        };
        let primitive = Primitive {
            material: 1,
            variant_materials: vec![other],
            ..Primitive::default()
        };
        let primitives = vec![primitive];
        let mesh = Mesh {
            primitives,
            ..Mesh::default()
        };
        model.meshes = vec![mesh].into();
        let node = Node {
            mesh: Some(0),
            ..Node::default()
        };
        model.hierarchy = Hierarchy::new(vec![node], &[None], &[vec![]]).unwrap();
        let (rows, ..) = rows(&model, &model.clips[0], Some(NodeId(0)), false);
        assert_eq!(rows.len(), 1, "{rows:?}");
    }

    #[test]
    fn without_a_choice_nodes_are_summed_up_in_the_order_of_the_tree() {
        let model = model();
        for node in [None, Some(NodeId(0))] {
            let (rows, channels, of_node) = rows(&model, &model.clips[0], node, false);
            assert!(!of_node);
            let seen: Vec<_> = rows
                .iter()
                .map(|row| (row.node, row.between, row.key_count, row.timelines.clone()))
                .collect();
            assert_eq!(
                seen,
                [
                    (Some(1), Between::Linear, 2, vec![0]),
                    (Some(2), Between::Mixed, 5, vec![0, 1]),
                    (None, Between::Linear, 2, vec![0]),
                ]
            );
            assert_eq!(channels, [None, None, Some(Channel::Property(0))]);
        }
    }

    /// Whichever node is chosen: only its own keys are those of the chosen node.
    #[test]
    fn one_that_moves_alone_has_a_row_for_each_channel() {
        let mut model = model();
        let clip = &model.clips[0];
        model.clips = vec![clip.of_nodes(|node| node == NodeId(2))];
        let name = model.hierarchy.display_name(NodeId(2));
        let import = Import {
            model,
            ..Import::default()
        };
        let mut session = Session::new(import, None, Duration::ZERO);
        let open = TimelineCommand::ShowSheet(Some(SheetKind::Curves));
        session.apply(Command::Timeline(open));
        let mut sheet = Sheet::default();
        for (chosen, of_node) in [(None, false), (Some(0), false), (Some(2), true)] {
            session.apply(Command::SelectNode(chosen));
            sheet.update(&session);
            let title = if of_node {
                name.clone()
            } else {
                format!("All that moves: {name}")
            };
            let of_clip = sheet.with_clip(&session);
            assert_eq!(of_clip.title, title);
            assert_eq!(of_clip.of_node, of_node, "{chosen:?}");
            assert_eq!(of_clip.rows.len(), 2, "{chosen:?}");
        }
    }

    #[test]
    fn numbers_are_those_that_are_played() {
        let model = model();
        let clip = &model.clips[0];
        let (rows, channels, of_node) = rows(&model, clip, Some(NodeId(2)), false);
        let sheet = SheetOfClip {
            of_node,
            channels: &channels,
            prepared: &vec![Prepared::default(); rows.len()],
            clip: Some(clip),
            title: "",
            rows: &rows,
        };
        assert_eq!(sheet.at(0, 0.99), [0.0; 4]);
        assert_eq!(sheet.at(0, 1.0), [1.0, 2.0, -3.0, 0.0]);
        let half = 0.5_f32.to_degrees();
        assert!((sheet.at(1, 0.25)[0] - half).abs() < 1e-3);
        assert!((sheet.key(1, 1)[0] - 2.0 * half).abs() < 1e-3);
        assert_eq!(
            sheet.bounds(0),
            ([0.0, 0.0, -3.0, 0.0], [1.0, 2.0, 0.0, 0.0])
        );
        assert_eq!(sheet.tangents(0, 0), None);
        assert_eq!(sheet.at(7, 0.5), [0.0; 4]);
    }
}

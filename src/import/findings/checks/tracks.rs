//! Animations: whether what channels and samplers refer to is there, and whether key times and values fit their purpose
//! (glTF 2.0 §3.11). The loader sees only those of channels that move something.

use std::borrow::Cow;

use gltf::json::accessor::{ComponentType, Type};

use crate::import::{
    arrays::source::Source,
    base::{
        diagnostics::Severity,
        hashing::HashMap,
        wording::{counted, shorten, there_are},
    },
    json::{
        document::{Document, Section},
        plain::{PlainAccessor, PlainAnimation, PlainChannel, PlainSampler},
    },
};

use super::{
    Report,
    facts::{Facts, objects},
    fields::{Fields, Pointer},
    formats::{self, Format},
    keys::Keys,
};

#[derive(Debug)]
struct Sampler {
    input: Option<usize>,
    output: Option<usize>,
    is_spline: bool,
    /// The interpolation, if it is none of those there are, cut to what fits a message.
    unknown: Option<Box<str>>,
}

#[derive(Debug)]
struct Channel<'c> {
    sampler: Option<usize>,
    node: Option<usize>,
    path: Cow<'c, str>,
}

pub(super) fn check(source: &Source<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
    let document = &source.document;
    let (mut targets, mut keys) = (Targets::of(document), Keys::of(source));
    let at = &Pointer::Root.key(Section::Animations.name());
    for index in 0..document.count(Section::Animations) {
        if report.progress.is_cancelled() {
            return;
        }
        let plain = document.plain().animation(index);
        if plain.is_some_and(|animation| is_sound(document, animation, &targets)) {
            continue;
        }
        let at = &at.item(index);
        let mut checker = Checker {
            facts,
            targets: &mut targets,
            keys: &mut keys,
            at,
            report,
        };
        if let Some(animation) = plain {
            let samplers = animation.samplers.iter().map(Sampler::of_plain);
            let channels = animation.channels.iter().map(Channel::of_plain);
            checker.check(&samplers.collect::<Vec<_>>(), channels);
            continue;
        }
        let text = document.text(Section::Animations, index);
        let animation = Fields::of(text).unwrap_or_default();
        let samplers = animation.list("samplers").into_iter().map(Sampler::of);
        let channels = animation.list("channels").into_iter().map(Channel::of);
        checker.check(&samplers.collect::<Vec<_>>(), channels);
    }
}

/// Whether each channel of an animation has a sampler of its own, with floats for one of the usual paths: then there is
/// nothing to say, which is seen much sooner than what is wrong.
fn is_sound(
    document: &Document<'_>,
    animation: &PlainAnimation<'_>,
    targets: &Targets<'_>,
) -> bool {
    let (channels, samplers) = (&animation.channels, &animation.samplers);
    let nodes = targets.node_count();
    let accessor = |index: u32| document.plain().accessor(usize::try_from(index).ok()?);
    let is_of = |accessor: &PlainAccessor, shape: Type| {
        let is_float = accessor.component == ComponentType::F32 && !accessor.normalized;
        is_float && accessor.shape == shape
    };
    // Most samplers have the key times of the one before them.
    let mut last = None;
    let mut keys_of = |input: u32| {
        if let Some((_, keys)) = last.filter(|(index, _)| *index == input) {
            return Some(keys);
        }
        let times = accessor(input)?;
        let has_bounds = times.bounds.as_ref().is_some_and(|it| it.are_both());
        (is_of(times, Type::Scalar) && has_bounds).then_some(())?;
        last = Some((input, times.count));
        Some(times.count)
    };
    let mut fits = |channel: &PlainChannel<'_>, sampler: &PlainSampler<'_>| {
        let keys = keys_of(sampler.input)?;
        let values = accessor(sampler.output)?;
        let shape = match channel.path {
            "translation" | "scale" => Type::Vec3,
            "rotation" => Type::Vec4,
            _ => return None,
        };
        is_interpolation(sampler.interpolation).then_some(())?;
        let is_spline = sampler.interpolation == Some(SPLINE);
        let expected = keys.checked_mul(if is_spline { 3 } else { 1 })?;
        let node = usize::try_from(channel.node?).ok()?;
        let is_movable = node < nodes && !targets.has_matrix(node);
        Some(is_movable && is_of(values, shape) && values.count == expected)
    };
    let mut pairs = (0..).zip(channels.iter().zip(samplers));
    channels.len() == samplers.len()
        && pairs.all(|(place, (channel, sampler))| {
            channel.sampler == place && fits(channel, sampler) == Some(true)
        })
}

impl Sampler {
    fn of_plain(plain: &PlainSampler<'_>) -> Self {
        Self {
            input: usize::try_from(plain.input).ok(),
            output: usize::try_from(plain.output).ok(),
            is_spline: plain.interpolation == Some(SPLINE),
            unknown: unknown(plain.interpolation),
        }
    }

    fn of(text: &str) -> Self {
        if let Some(plain) = PlainSampler::of(text) {
            return Self::of_plain(&plain);
        }
        let sampler = Fields::of(text).unwrap_or_default();
        let interpolation = sampler.text("interpolation");
        Self {
            input: sampler.index("input"),
            output: sampler.index("output"),
            is_spline: interpolation.as_deref() == Some(SPLINE),
            unknown: unknown(interpolation.as_deref()),
        }
    }
}

const SPLINE: &str = "CUBICSPLINE";

fn is_interpolation(name: Option<&str>) -> bool {
    matches!(name, None | Some("LINEAR" | "STEP" | SPLINE))
}

/// An interpolation that is none, cut to what fits a message.
fn unknown(interpolation: Option<&str>) -> Option<Box<str>> {
    let unknown = interpolation.filter(|_| !is_interpolation(interpolation))?;
    Some(shorten(unknown).to_string().into())
}

impl<'c> Channel<'c> {
    fn of_plain(plain: &PlainChannel<'c>) -> Self {
        Self {
            sampler: usize::try_from(plain.sampler).ok(),
            node: plain.node.and_then(|node| usize::try_from(node).ok()),
            path: Cow::Borrowed(plain.path),
        }
    }

    fn of(text: &'c str) -> Self {
        if let Some(plain) = PlainChannel::of(text) {
            return Self::of_plain(&plain);
        }
        let channel = Fields::of(text).unwrap_or_default();
        let target = channel.object("target");
        Self {
            sampler: channel.index("sampler"),
            node: target.index("node"),
            path: target.text("path").unwrap_or_default(),
        }
    }
}

/// Checks one animation.
struct Checker<'c, 'd, 's, 'r> {
    facts: &'c Facts<'c>,
    targets: &'c mut Targets<'d>,
    keys: &'c mut Keys<'d, 's>,
    at: &'c Pointer<'c>,
    report: &'c mut Report<'r>,
}

impl Checker<'_, '_, '_, '_> {
    fn check<'t>(&mut self, samplers: &[Sampler], channels: impl Iterator<Item = Channel<'t>>) {
        let at = &self.at.key("samplers");
        for (place, sampler) in samplers.iter().enumerate() {
            self.sampler(sampler, &at.item(place));
        }
        let at = &self.at.key("channels");
        for (place, channel) in channels.enumerate() {
            let at = &at.item(place);
            let here = &at.key("sampler");
            self.report
                .reference(channel.sampler, "samplers", samplers.len(), here);
            let found = channel
                .sampler
                .and_then(|place| Some((place, samplers.get(place)?)));
            self.channel(&channel, found, at);
        }
    }

    fn sampler(&mut self, sampler: &Sampler, at: &Pointer<'_>) {
        let (facts, report) = (self.facts, &mut *self.report);
        report.accessor(sampler.output, facts, &at.key("output"));
        if let Some(unknown) = &sampler.unknown {
            // Of those that a channel uses it is said already.
            let (code, at) = ("VALUE_NOT_IN_LIST", &at.key("interpolation"));
            let message = format!("the interpolation \"{unknown}\" is unknown");
            report.add(Severity::Warning, code, at, message);
        }
        let at = &at.key("input");
        let Some(input) = report.accessor(sampler.input, facts, at) else {
            return;
        };
        let (index, accessor) = input;
        self.keys.times(index, at, report);
        // Hundreds of samplers may have the same key times: once is enough.
        let is_said = |report: &Report<'_>, code: &str| {
            let start = format!("accessor {index} ");
            report.diagnostics.mentions(code, &start)
        };
        let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT";
        let format = formats::KEY_TIMES;
        if format.complaint(index, &accessor).is_some() && !is_said(report, code) {
            report.format(code, format, input, at);
        }
        let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS";
        if accessor.lacks_bounds() && !is_said(report, code) {
            let message =
                format!("accessor {index} states no min and max, which key times must have");
            report.error(code, at, message);
        }
    }

    fn channel(
        &mut self,
        channel: &Channel<'_>,
        sampler: Option<(usize, &Sampler)>,
        at: &Pointer<'_>,
    ) {
        let (path, here) = (&*channel.path, &at.key("target"));
        let nodes = self.targets.node_count();
        let section = Section::Nodes.name();
        self.report
            .reference(channel.node, section, nodes, &here.key("node"));
        let is_placed = matches!(path, "translation" | "rotation" | "scale");
        let is_matrix = |node: usize| self.targets.has_matrix(node);
        if is_placed && channel.node.is_some_and(is_matrix) {
            let code = "ANIMATION_CHANNEL_TARGET_NODE_MATRIX";
            self.report
                .error(code, here, "it moves a node that has a matrix");
        }
        let node = channel
            .node
            .filter(|&node| node < nodes && path == "weights");
        // Elements of a key; what is 0 is unknown.
        let mut width = 1;
        if path == "weights" {
            width = node.map_or(0, |node| self.targets.of_node(node));
        }
        if node.is_some() && width == 0 {
            let code = "ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS";
            self.report
                .error(code, here, "the node has no morph targets");
        }
        // What a pointer names may be of any kind.
        let Some((format, (place, sampler))) = Format::of_path(path).zip(sampler) else {
            return;
        };
        let find = |index: Option<usize>| Some((index?, self.facts.accessor(index?)?));
        let Some(output) = find(sampler.output) else {
            return;
        };
        let here = &self.at.key("samplers");
        let here = &here.item(place);
        let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT";
        self.report
            .format(code, format, output, &here.key("output"));
        // Where the node is not there, the whole channel is at fault.
        let is_played = channel.node.is_some() && sampler.unknown.is_none();
        if let Some(index) = sampler.output
            && path == "rotation"
            && !is_played
        {
            let at = &here.key("output");
            self.keys
                .rotations(index, sampler.is_spline, at, self.report);
        }
        let keys = find(sampler.input).map_or(0, |(_, input)| input.count);
        let per_key = if sampler.is_spline { 3 } else { 1 };
        let expected = keys.saturating_mul(per_key).saturating_mul(width);
        let (_, accessor) = output;
        let found = accessor.count;
        if found != expected && found != 0 && expected != 0 {
            let values = there_are(found, "value", "values");
            let wanted = counted(expected, "is", "are");
            let message = format!("{values} where {wanted} needed");
            let code = "ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT";
            self.report.error(code, at, message);
        }
    }
}

/// What of nodes matters to channels that move them: whether they have a matrix, which these must not, and how many morph
/// targets, each looked up when it is first asked for.
struct Targets<'d> {
    document: &'d Document<'d>,
    have_matrix: Vec<bool>,
    of_nodes: HashMap<usize, u64>,
    of_meshes: HashMap<usize, u64>,
}

impl<'d> Targets<'d> {
    fn of(document: &'d Document<'_>) -> Self {
        let nodes = objects(document, Section::Nodes);
        Self {
            document,
            have_matrix: nodes.map(|node| node.has("matrix")).collect(),
            of_nodes: HashMap::default(),
            of_meshes: HashMap::default(),
        }
    }

    fn node_count(&self) -> usize {
        self.document.count(Section::Nodes)
    }

    fn has_matrix(&self, node: usize) -> bool {
        self.have_matrix.get(node) == Some(&true)
    }

    fn of_node(&mut self, node: usize) -> u64 {
        if let Some(&count) = self.of_nodes.get(&node) {
            return count;
        }
        let object = Fields::of(self.document.text(Section::Nodes, node));
        let mesh = object.and_then(|object| object.index("mesh"));
        let count = mesh.map_or(0, |mesh| self.of_mesh(mesh));
        self.of_nodes.insert(node, count);
        count
    }

    /// All primitives of a mesh must have as many as the first.
    fn of_mesh(&mut self, mesh: usize) -> u64 {
        let document = self.document;
        *self.of_meshes.entry(mesh).or_insert_with(|| {
            let mesh = Fields::of(document.text(Section::Meshes, mesh)).unwrap_or_default();
            let primitives = mesh.list("primitives");
            let first = primitives.first().and_then(|text| Fields::of(text));
            let targets = first.map(|first| first.list("targets").len());
            targets
                .and_then(|count| u64::try_from(count).ok())
                .unwrap_or(0)
        })
    }
}

//! Objects that fit the schema and have nothing but what it lists, read at once: they are most of the text of files with
//! animations, and there is seldom anything to say of them. All others are read with more care, property by property.

use std::sync::Arc;

use gltf::json::accessor::{ComponentType, Type};

use crate::import::numbers::{
    bounds::{Bounds, Numbers, fits},
    components::{component_of, shape_of},
};

use super::scanner::{Scanner, once};

/// The plain ones of all objects of some kinds, by their indices.
#[derive(Debug, Default)]
pub(in crate::import) struct Plain<'t> {
    pub views: Vec<Option<PlainView>>,
    pub accessors: Vec<Option<PlainAccessor>>,
    pub animations: Vec<Option<PlainAnimation<'t>>>,
}

/// An accessor without extensions, extras and replaced elements, whose bounds fit its elements. There may be tens of
/// thousands of them.
#[derive(Debug, PartialEq)]
pub(in crate::import) struct PlainAccessor {
    pub view: Option<u32>,
    pub offset: Option<u32>,
    pub component: ComponentType,
    pub shape: Type,
    pub normalized: bool,
    pub count: u32,
    pub bounds: Option<Arc<Bounds>>,
}

/// A view without extensions and extras.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::import) struct PlainView {
    pub buffer: u32,
    pub offset: u32,
    pub length: u32,
    pub stride: Option<u8>,
    pub target: Option<u16>,
}

/// An animation without extensions and extras, with channels and samplers.
#[derive(Debug)]
pub(in crate::import) struct PlainAnimation<'t> {
    pub name: Option<&'t str>,
    pub channels: Vec<PlainChannel<'t>>,
    pub samplers: Vec<PlainSampler<'t>>,
}

/// What a channel moves, and by which sampler.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct PlainChannel<'t> {
    pub sampler: u32,
    pub node: Option<u32>,
    pub path: &'t str,
}

/// The accessors of a sampler.
#[derive(Debug, Clone, Copy)]
pub(in crate::import) struct PlainSampler<'t> {
    pub input: u32,
    pub output: u32,
    pub interpolation: Option<&'t str>,
}

impl<'t> Plain<'t> {
    /// Reads all objects whose texts these are.
    pub(super) fn of(views: &[&'t str], accessors: &[&'t str], animations: &[&'t str]) -> Self {
        Self {
            views: views.iter().map(|text| PlainView::of(text)).collect(),
            accessors: accessors.iter().map(|it| PlainAccessor::of(it)).collect(),
            animations: animations.iter().map(|it| PlainAnimation::of(it)).collect(),
        }
    }

    /// The view at `index`, if it is plain.
    pub(in crate::import) fn view(&self, index: usize) -> Option<&PlainView> {
        self.views.get(index)?.as_ref()
    }

    /// The accessor at `index`, if it is plain.
    pub(in crate::import) fn accessor(&self, index: usize) -> Option<&PlainAccessor> {
        self.accessors.get(index)?.as_ref()
    }

    /// The animation at `index`, if it is plain.
    pub(in crate::import) fn animation(&self, index: usize) -> Option<&PlainAnimation<'t>> {
        self.animations.get(index)?.as_ref()
    }
}

/// A list of as many numbers as `min` and `max` of an accessor may have.
fn numbers(scanner: &mut Scanner<'_>) -> Option<Numbers> {
    let mut numbers = [0.0; 16];
    let mut count = 0_usize;
    scanner.array(|item| {
        *numbers.get_mut(count)? = item.number()?;
        count = count.saturating_add(1);
        Some(())
    })?;
    let numbers = numbers.get(..count)?;
    matches!(count, 1..=4 | 9 | 16).then(|| numbers.into())
}

impl PlainAccessor {
    /// The accessor with this text; none if there may be something to say of it.
    pub(in crate::import) fn of(text: &str) -> Option<Self> {
        Self::read(&mut Scanner::new(text))
    }

    /// Reads one; none if there may be something to say of it.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Option<Self> {
        let (mut view, mut offset, mut component, mut shape) = (None, None, None, None);
        let (mut normalized, mut count, mut name) = (None, None, None);
        let (mut min, mut max) = (None, None);
        scanner.object(|key, value| match key {
            "bufferView" => once(&mut view, value.index()),
            "byteOffset" => once(&mut offset, value.index()),
            "componentType" => once(&mut component, value.index().and_then(component_of)),
            "count" => once(&mut count, value.index()),
            "type" => once(&mut shape, value.text().and_then(shape_of)),
            "normalized" => once(&mut normalized, value.flag()),
            "min" => once(&mut min, numbers(value)),
            "max" => once(&mut max, numbers(value)),
            "name" => once(&mut name, value.text()),
            _ => None,
        })?;
        let (component, shape) = (component?, shape?);
        let is_fit = |bound: &Option<Numbers>| {
            let length = shape.multiplicity();
            let bound = bound.as_ref();
            bound.is_none_or(|numbers| fits(numbers, component, length))
        };
        (is_fit(&min) && is_fit(&max)).then_some(())?;
        Some(Self {
            view,
            offset,
            component,
            shape,
            normalized: normalized == Some(true),
            count: count.filter(|&count| count > 0)?,
            bounds: Bounds::of(min, max),
        })
    }
}

impl PlainView {
    /// The view with this text; none if there may be something to say of it.
    pub(super) fn of(text: &str) -> Option<Self> {
        Self::read(&mut Scanner::new(text))
    }

    /// Reads one; none if there may be something to say of it.
    pub(super) fn read(scanner: &mut Scanner<'_>) -> Option<Self> {
        let (mut buffer, mut offset, mut length) = (None, None, None);
        let (mut stride, mut target, mut name) = (None, None, None);
        scanner.object(|key, value| match key {
            "buffer" => once(&mut buffer, value.index()),
            "byteOffset" => once(&mut offset, value.index()),
            "byteLength" => once(&mut length, value.index()),
            "byteStride" => once(&mut stride, value.small()),
            "target" => once(&mut target, value.small()),
            "name" => once(&mut name, value.text()),
            _ => None,
        })?;
        let is_stride = |stride: u8| (4..=252).contains(&stride) && stride.is_multiple_of(4);
        stride.is_none_or(is_stride).then_some(())?;
        // Vertices, or indices.
        target
            .is_none_or(|target| matches!(target, 34962 | 34963))
            .then_some(())?;
        Some(Self {
            buffer: buffer?,
            offset: offset.unwrap_or(0),
            length: length.filter(|&length| length > 0)?,
            stride,
            target,
        })
    }
}

impl<'t> PlainAnimation<'t> {
    /// The animation with this text; none if there may be something to say of it.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        Self::read(&mut Scanner::new(text))
    }

    /// Reads one; none if there may be something to say of it.
    pub(super) fn read(scanner: &mut Scanner<'t>) -> Option<Self> {
        let (mut channels, mut samplers, mut name) = (None, None, None);
        scanner.object(|key, value| match key {
            "channels" => once(&mut channels, all(value, PlainChannel::read)),
            "samplers" => once(&mut samplers, all(value, PlainSampler::read)),
            "name" => once(&mut name, value.text()),
            _ => None,
        })?;
        Some(Self {
            name,
            channels: channels?,
            samplers: samplers?,
        })
    }
}

/// All items of an array that is not empty.
fn all<'t, T>(
    scanner: &mut Scanner<'t>,
    read: impl Fn(&mut Scanner<'t>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut items = Vec::new();
    scanner.array(|item| {
        items.push(read(item)?);
        Some(())
    })?;
    (!items.is_empty()).then_some(items)
}

impl<'t> PlainChannel<'t> {
    /// The channel with this text; none if there may be something to say of it.
    pub(in crate::import) fn of(text: &'t str) -> Option<Self> {
        Self::read(&mut Scanner::new(text))
    }

    fn read(scanner: &mut Scanner<'t>) -> Option<Self> {
        let (mut sampler, mut target, mut node, mut path) = (None, None, None, None);
        scanner.object(|key, value| match key {
            "sampler" => once(&mut sampler, value.index()),
            "target" => {
                let read = value.object(|key, value| match key {
                    "node" => once(&mut node, value.index()),
                    "path" => once(&mut path, value.text()),
                    _ => None,
                });
                once(&mut target, read)
            }
            _ => None,
        })?;
        target?;
        Some(Self {
            sampler: sampler?,
            node,
            path: path?,
        })
    }
}

impl<'t> PlainSampler<'t> {
    /// The sampler with this text; none if there may be something to say of it.
    pub(in crate::import) fn of(text: &'t str) -> Option<Self> {
        Self::read(&mut Scanner::new(text))
    }

    fn read(scanner: &mut Scanner<'t>) -> Option<Self> {
        let (mut input, mut output, mut interpolation) = (None, None, None);
        scanner.object(|key, value| match key {
            "input" => once(&mut input, value.index()),
            "output" => once(&mut output, value.index()),
            "interpolation" => once(&mut interpolation, value.text()),
            _ => None,
        })?;
        Some(Self {
            input: input?,
            output: output?,
            interpolation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_odd_animations_to_others() {
        let text = r#"{"samplers": [{"input": 1, "output": 2}],
                       "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}"#;
        let plain = PlainAnimation::of(text).unwrap();
        assert_eq!((plain.samplers[0].input, plain.samplers[0].output), (1, 2));
        assert_eq!(plain.channels[0].node, Some(0));
        for (is, becomes) in [
            ("\"input\": 1", "\"input\": -1"),
            ("\"input\": 1", "\"input\": 1.0"),
            ("\"node\": 0", "\"node\": null"),
            (
                "\"path\": \"scale\"",
                "\"extensions\": {}, \"path\": \"scale\"",
            ),
            ("\"path\": \"scale\"", "\"path\": \"sc\\u0061le\""),
            ("{\"input\": 1, \"output\": 2}", ""),
            ("{\"samplers\"", "{\"extras\": 1, \"samplers\""),
            ("\"target\"", "\"target\": {}, \"target\""),
        ] {
            let odd = text.replace(is, becomes);
            assert_ne!(odd, text);
            assert!(PlainAnimation::of(&odd).is_none(), "{odd}");
        }
    }

    #[test]
    fn leaves_odd_accessors_and_views_to_others() {
        let accessor = r#"{"bufferView":1,"byteOffset":8,"componentType":5126,"type":"VEC2","count":4,"min":[0,-1.5],"max":[1,2]}"#;
        let plain = PlainAccessor::of(accessor).unwrap();
        let bounds = plain.bounds.unwrap();
        assert_eq!(bounds.min.as_deref(), Some(&[0.0, -1.5][..]));
        assert_eq!(bounds.max.as_deref(), Some(&[1.0, 2.0][..]));
        assert_eq!((plain.view, plain.count), (Some(1), 4));
        let view = r#"{"buffer":0,"byteLength":12,"byteStride":8,"target":34962}"#;
        assert_eq!(PlainView::of(view).unwrap().stride, Some(8));
        for (is, becomes) in [
            (":1,", ":null,"),
            ("\"count\":4", "\"count\":0"),
            ("\"count\":4", "\"count\":4294967296"),
            ("VEC2", "VEC5"),
            ("\"count\":4", "\"sparse\":{},\"count\":4"),
            ("-1.5]", "1e999]"),
            ("-1.5]", "1,2,3,4]"),
            ("[0,-1.5]", "[]"),
            ("[0,-1.5]", "[0]"),
            ("5126", "5121"),
            ("5126", "5124"),
            ("\"byteLength\":12", "\"byteLength\":0"),
            ("\"byteLength\":12", "\"byteLength\":12,\"byteLength\":12"),
            ("\"byteStride\":8", "\"byteStride\":6"),
            ("\"byteStride\":8", "\"byteStride\":264"),
            ("34962", "65536"),
            ("\"buffer\":0,", ""),
        ] {
            let odd = (accessor.replace(is, becomes), view.replace(is, becomes));
            assert_ne!((&*odd.0, &*odd.1), (accessor, view));
            let both = PlainAccessor::of(&odd.0).is_some() && PlainView::of(&odd.1).is_some();
            assert!(!both, "{odd:?}");
        }
    }
}

//! Uses of accessors and views: what serves one purpose must not serve another, and vertex attributes have rules of their
//! own about strides and alignment (glTF 2.0 §3.6.2.4 and §3.7.2.1).

use crate::import::json::document::{Document, Section};

use super::{
    Report,
    facts::{ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, Facts, objects},
    fields::{Fields, Pointer, integer},
};

/// What an accessor or a view is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    VertexAttribute,
    Indices,
    AnimationInput,
    AnimationOutput,
    InverseBindMatrices,
    Image,
    Sparse,
}

/// What all accessors and views have been used for so far.
struct Usage<'f, 'r, 'd> {
    facts: &'f Facts<'f>,
    accessors: Vec<Option<Purpose>>,
    views: Vec<Option<Purpose>>,
    /// The accessor of vertex attributes that lies in each view.
    attribute_of_view: Vec<Option<usize>>,
    report: &'r mut Report<'d>,
}

pub(super) fn check(document: &Document<'_>, facts: &Facts<'_>, report: &mut Report<'_>) {
    let views = facts.views().map(|view| match view.target {
        Some(ARRAY_BUFFER) => Some(Purpose::VertexAttribute),
        Some(ELEMENT_ARRAY_BUFFER) => Some(Purpose::Indices),
        _ => None,
    });
    let mut usage = Usage {
        facts,
        accessors: vec![None; facts.accessor_count()],
        views: views.collect(),
        attribute_of_view: vec![None; facts.view_count()],
        report,
    };
    let root = Pointer::Root;
    usage.sparse(&root.key(Section::Accessors.name()));
    let at = &root.key(Section::Meshes.name());
    for (index, mesh) in objects(document, Section::Meshes).enumerate() {
        let at = &at.item(index);
        let at = &at.key("primitives");
        for (place, primitive) in mesh.list("primitives").into_iter().enumerate() {
            let primitive = Fields::of(primitive).unwrap_or_default();
            usage.primitive(&primitive, &at.item(place));
        }
    }
    let at = &root.key(Section::Animations.name());
    for index in 0..document.count(Section::Animations) {
        let at = &at.item(index);
        let at = &at.key("samplers");
        if let Some(animation) = document.plain().animation(index) {
            for (place, sampler) in animation.samplers.iter().enumerate() {
                let is_spline = sampler.interpolation == Some("CUBICSPLINE");
                let input = usize::try_from(sampler.input).ok();
                let output = usize::try_from(sampler.output).ok();
                usage.sampler(input, output, is_spline, &at.item(place));
            }
            continue;
        }
        let text = document.text(Section::Animations, index);
        let animation = Fields::of(text).unwrap_or_default();
        for (place, sampler) in animation.list("samplers").into_iter().enumerate() {
            let sampler = Fields::of(sampler).unwrap_or_default();
            let is_spline = sampler.text("interpolation").as_deref() == Some("CUBICSPLINE");
            let (input, output) = (sampler.index("input"), sampler.index("output"));
            usage.sampler(input, output, is_spline, &at.item(place));
        }
    }
    let at = &root.key(Section::Skins.name());
    for (index, skin) in objects(document, Section::Skins).enumerate() {
        let at = &at.item(index);
        let matrices = skin.index("inverseBindMatrices");
        let at = &at.key("inverseBindMatrices");
        usage.accessor(matrices, Purpose::InverseBindMatrices, at);
    }
    let at = &root.key(Section::Images.name());
    for (index, image) in objects(document, Section::Images).enumerate() {
        let at = &at.item(index);
        let at = &at.key("bufferView");
        if let Some(view) = image.index("bufferView") {
            usage.view(view, Purpose::Image, at);
        }
    }
}

impl Usage<'_, '_, '_> {
    fn sparse(&mut self, accessors: &Pointer<'_>) {
        let facts = self.facts;
        for (index, stated) in facts.stated() {
            let sparse = stated.sparse.and_then(Fields::of).unwrap_or_default();
            let at = &accessors.item(index);
            let at = &at.key("sparse");
            for name in ["indices", "values"] {
                if let Some(view) = sparse.object(name).index("bufferView") {
                    let at = &at.key(name);
                    self.view(view, Purpose::Sparse, &at.key("bufferView"));
                }
            }
        }
    }

    fn primitive(&mut self, primitive: &Fields<'_>, at: &Pointer<'_>) {
        let attributes = at.key("attributes");
        self.attributes(&primitive.object("attributes"), &attributes);
        let targets = &at.key("targets");
        for (index, target) in primitive.list("targets").into_iter().enumerate() {
            let target = Fields::of(target).unwrap_or_default();
            self.attributes(&target, &targets.item(index));
        }
        let indices = primitive.index("indices");
        self.accessor(indices, Purpose::Indices, &at.key("indices"));
    }

    fn attributes(&mut self, attributes: &Fields<'_>, at: &Pointer<'_>) {
        for (name, index) in attributes.iter() {
            let at = &at.key(name);
            let index = integer(index).and_then(|index| usize::try_from(index).ok());
            self.accessor(index, Purpose::VertexAttribute, at);
            if let Some(index) = index {
                self.attribute(index, at);
            }
        }
    }

    fn attribute(&mut self, index: usize, at: &Pointer<'_>) {
        let Some(accessor) = self.facts.accessor(index) else {
            return;
        };
        let Some(view) = self.facts.view_of(&accessor) else {
            return;
        };
        let is_packed = view.stride.is_none();
        let is_aligned = accessor.offset.unwrap_or(0).is_multiple_of(4)
            && (!is_packed || accessor.used_size().is_multiple_of(4));
        if !is_aligned {
            let message = "vertex attributes must start at multiples of 4 bytes";
            let code = "MESH_PRIMITIVE_ACCESSOR_UNALIGNED";
            self.report.error(code, at, message);
        }
        let slot = accessor
            .view
            .and_then(|view| self.attribute_of_view.get_mut(view));
        let Some(slot) = slot.filter(|_| is_packed) else {
            return;
        };
        if *slot.get_or_insert(index) != index {
            let message = "accessors share the buffer view, which then must have a byteStride";
            let code = "MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE";
            self.report.error(code, at, message);
        }
    }

    fn sampler(
        &mut self,
        input: Option<usize>,
        output: Option<usize>,
        is_spline: bool,
        at: &Pointer<'_>,
    ) {
        self.accessor(input, Purpose::AnimationInput, &at.key("input"));
        self.accessor(output, Purpose::AnimationOutput, &at.key("output"));
        let keys = || input.and_then(|input| self.facts.accessor(input));
        if is_spline && keys().is_some_and(|keys| keys.count < 2) {
            let message = "a spline must have at least two keys";
            let code = "ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS";
            self.report.error(code, &at.key("input"), message);
        }
    }

    fn accessor(&mut self, index: Option<usize>, purpose: Purpose, at: &Pointer<'_>) {
        let Some(index) = index else {
            return;
        };
        let (Some(slot), Some(accessor)) =
            (self.accessors.get_mut(index), self.facts.accessor(index))
        else {
            return;
        };
        let first = *slot.get_or_insert(purpose);
        if first != purpose {
            let message = format!(
                "accessor {index} serves {} already, and here {}",
                first.name(),
                purpose.name()
            );
            self.report.error("ACCESSOR_USAGE_OVERRIDE", at, message);
        }
        let Some(view) = accessor.view else {
            return;
        };
        self.view(view, purpose, at);
        let has_stride = self
            .facts
            .view(view)
            .is_some_and(|view| view.stride.is_some());
        if has_stride && let Some(code) = purpose.stride_code() {
            let message = "only views of vertex attributes may have a byteStride";
            self.report.error(code, at, message);
        }
    }

    fn view(&mut self, index: usize, purpose: Purpose, at: &Pointer<'_>) {
        let Some(slot) = self.views.get_mut(index) else {
            return;
        };
        let first = *slot.get_or_insert(purpose);
        if !first.can_share_view(purpose) {
            let message = format!(
                "buffer view {index} serves {} already, and here {}",
                first.name(),
                purpose.name()
            );
            self.report
                .error("BUFFER_VIEW_TARGET_OVERRIDE", at, message);
        }
        let has_stride = self
            .facts
            .view(index)
            .is_some_and(|view| view.stride.is_some());
        let code = match purpose {
            Purpose::Image => "IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE",
            Purpose::Sparse => "BUFFER_VIEW_INVALID_BYTE_STRIDE",
            _ => return,
        };
        if has_stride {
            let message = "only views of vertex attributes may have a byteStride";
            self.report.error(code, at, message);
        }
    }
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::VertexAttribute => "vertex attributes",
            Self::Indices => "indices",
            Self::AnimationInput => "key times",
            Self::AnimationOutput => "key values",
            Self::InverseBindMatrices => "inverse bind matrices",
            Self::Image => "an image",
            Self::Sparse => "a sparse accessor",
        }
    }

    fn can_share_view(self, other: Self) -> bool {
        let is_other = |purpose| {
            matches!(
                purpose,
                Self::AnimationInput | Self::AnimationOutput | Self::Sparse
            )
        };
        self == other || (is_other(self) && is_other(other))
    }

    fn stride_code(self) -> Option<&'static str> {
        match self {
            Self::VertexAttribute | Self::Image | Self::Sparse => None,
            Self::Indices => Some("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE"),
            Self::AnimationInput | Self::AnimationOutput => {
                Some("ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE")
            }
            Self::InverseBindMatrices => Some("SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE"),
        }
    }
}

//! The contract with WGSL: every module is valid, every struct that the CPU writes lies as the shader reads it, and what both
//! compute is the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;
#[path = "shaders/directions.rs"]
mod directions;

use std::{
    collections::BTreeSet,
    mem::{offset_of, size_of},
};

use rigscope::render::{
    layout, shaders,
    vertices::{Attributes, GpuInfluences, MeshBuffers},
};
use wgpu::{VertexStepMode, naga};

/// What the viewer may not ask of a device: nothing beyond WebGPU's core.
fn validate(shader: &shaders::Shader) -> Result<naga::Module, String> {
    validate_source(shader, shader.source())
}

fn validate_source(shader: &shaders::Shader, source: String) -> Result<naga::Module, String> {
    let module = naga::front::wgsl::parse_str(&source)
        .map_err(|error| format!("{}: {}", shader.name, error.emit_to_string(&source)))?;
    // Sums of blended surfaces alone may ask for what OpenGL ES lacks: they are done without there.
    let capabilities = if shader.name == shaders::WEIGHTED.name {
        naga::valid::Capabilities::MULTISAMPLED_SHADING
    } else {
        naga::valid::Capabilities::empty()
    };
    naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| format!("{}: {}", shader.name, error.emit_to_string(&source)))?;
    Ok(module)
}

#[test]
fn every_shader_is_valid() {
    let errors: Vec<_> = shaders::ALL
        .iter()
        .filter_map(|shader| validate(shader).err())
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// With room for fewer textures than there are maps, too: what is left out are slots.
#[test]
fn shaders_for_few_textures_are_valid() {
    for slots in [1, 9, 12, layout::MAP_COUNT] {
        for shader in &shaders::ALL {
            let module = validate_source(shader, shader.source_for(slots)).unwrap();
            let slots_of = |module: &naga::Module| {
                let names = module.global_variables.iter();
                let names = names.filter_map(|(_, variable)| variable.name.as_deref());
                let is_slot = |name: &str| {
                    let number = ["texture_", "sampler_"].map(|kind| name.strip_prefix(kind));
                    let mut numbers = number.into_iter().flatten();
                    numbers.any(|number| number.parse::<usize>().is_ok())
                };
                names.filter(|name| is_slot(name)).count()
            };
            let found = slots_of(&module);
            let has_materials = slots_of(&validate(shader).unwrap()) > 0;
            let expected = if has_materials { 2 * slots } else { 0 };
            assert_eq!(found, expected, "{} with {slots}", shader.name);
        }
    }
}

/// Locations that a vertex stage reads.
fn inputs(shader: &shaders::Shader, entry: &str) -> BTreeSet<u32> {
    let module = validate(shader).unwrap();
    let mut entries = module.entry_points.iter();
    let entry = entries.find(|it| it.name == entry).unwrap();
    let location = |binding: &Option<naga::Binding>| match binding {
        Some(naga::Binding::Location { location, .. }) => Some(*location),
        _ => None,
    };
    let mut locations = BTreeSet::new();
    for argument in &entry.function.arguments {
        locations.extend(location(&argument.binding));
        if let naga::TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
            locations.extend(members.iter().filter_map(|it| location(&it.binding)));
        }
    }
    locations
}

/// Whatever vertices have, each input reads something within its vertex, and what they have lies side by side.
#[test]
fn vertices_lie_as_the_shader_reads_them() {
    let locations = |buffers: &MeshBuffers| {
        let layouts = buffers.layouts();
        let attributes = layouts.iter().flatten().flat_map(|it| it.attributes);
        let locations: Vec<_> = attributes.map(|it| it.shader_location).collect();
        let unique: BTreeSet<_> = locations.iter().copied().collect();
        assert_eq!(unique.len(), locations.len(), "{buffers:?}");
        for layout in layouts.iter().flatten() {
            let mut ends = layout.attributes.iter();
            let fits = ends.all(|it| it.offset + it.format.size() <= layout.array_stride);
            assert!(fits, "{layout:?}");
        }
        unique
    };
    let entries = ["rigid", "skinned_4", "skinned_8"];
    for (sets_of_four, entry) in entries.into_iter().enumerate() {
        for bits in 0..=Attributes::ALL.bits() {
            let all = [
                Attributes::NORMALS,
                Attributes::TANGENTS,
                Attributes::TEX_COORDS_0,
                Attributes::TEX_COORDS_1,
                Attributes::COLORS,
            ];
            let own = all.into_iter().filter(|it| it.bits() & bits != 0);
            let own = own.fold(Attributes::NONE, Attributes::with);
            assert_eq!(own.bits(), bits);
            let found = locations(&MeshBuffers::new(own, sets_of_four));
            assert_eq!(found, inputs(&shaders::MESHES, &format!("vs_{entry}")));
            for stage in ["view", "normal"] {
                let entry = format!("vs_{stage}_{entry}");
                assert_eq!(found, inputs(&shaders::MESH_VIEWS, &entry));
            }
        }
        let found = locations(&MeshBuffers::of_positions(sets_of_four));
        let entry = format!("vs_position_{entry}");
        assert_eq!(found, inputs(&shaders::SHADOWS, &entry));
    }
    assert_eq!(size_of::<GpuInfluences>(), 24);
    let strides = |attributes, sets_of_four| {
        let buffers = MeshBuffers::new(attributes, sets_of_four);
        let layouts = buffers.layouts();
        let strides = layouts.iter().flatten().map(|it| it.array_stride);
        strides.collect::<Vec<_>>()
    };
    assert_eq!(strides(Attributes::NONE, 0), [12, 16]);
    assert_eq!(strides(Attributes::ALL, 0), [12, 16, 32]);
    assert_eq!(strides(Attributes::NORMALS, 2), [12, 16, 48, 4]);
    // Where each vertex is an instance, one record is that of all.
    let at_vertices = MeshBuffers::new(Attributes::NORMALS, 2);
    let layouts = at_vertices.layouts_at_vertices();
    let steps = layouts.iter().flatten();
    let steps = steps.map(|it| (it.array_stride, it.step_mode == VertexStepMode::Instance));
    let expected = [12, 0, 48, 4].map(|stride| (stride, true));
    assert_eq!(steps.collect::<Vec<_>>(), expected);
}

/// Members of a WGSL struct with their offsets, and its size.
fn wgsl_struct(shader: &shaders::Shader, name: &str) -> (Vec<(String, usize)>, usize) {
    let module = validate(shader).unwrap();
    let found = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some(name));
    let Some((_, ty)) = found else {
        panic!("{} has no struct {name}", shader.name);
    };
    let naga::TypeInner::Struct { members, span } = &ty.inner else {
        panic!("{name} is no struct");
    };
    let members = members
        .iter()
        .map(|member| (member.name.clone().unwrap(), member.offset as usize))
        .collect();
    (members, *span as usize)
}

#[track_caller]
fn check(shader: &shaders::Shader, name: &str, members: &[(&str, usize)], size: usize) {
    let (found, found_size) = wgsl_struct(shader, name);
    let expected: Vec<_> = members
        .iter()
        .map(|&(member, offset)| (member.to_owned(), offset))
        .collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(found_size, size, "size of {name}");
}

/// Name and offset of each field that is given.
macro_rules! fields {
    ($type:ty: $($field:ident),+) => {
        &[$((stringify!($field), offset_of!($type, $field))),+]
    };
}

#[test]
fn structs_match_wgsl() {
    use layout::{
        FrameUniform, GhostUniform, GpuInstance, GpuMorph, LightUniform, LobeSample,
        MaterialUniform, OutputUniform, PoseUniform, PrimitiveUniform,
    };
    check(
        &shaders::MESHES,
        "FrameUniform",
        fields!(FrameUniform: unread, clip_from_eye, direction_from_clip, eye, backward, grid, harmonics, environment, shadow_from_eye,
            shadow, ground, output, counts, lights, depth_range, weight_colors, matrices_per_instance, chosen_count, difference_scale,
            normal_length, pixels_per_point, grid_middle, chosen),
        size_of::<FrameUniform>(),
    );
    check(
        &shaders::MESHES,
        "LightUniform",
        fields!(LightUniform: position, direction, intensity, cone),
        size_of::<LightUniform>(),
    );
    check(
        &shaders::PREFILTERING,
        "LobeSample",
        fields!(LobeSample: direction),
        size_of::<LobeSample>(),
    );
    check(
        &shaders::MESHES,
        "MaterialUniform",
        fields!(MaterialUniform: base_color, emissive, specular_glossiness, specular, clearcoat, sheen, iridescence,
            anisotropy, diffuse_transmission, volume, metallic, roughness, normal_scale, occlusion_strength, alpha_cutoff,
            ior, dispersion, transmission, tex_coord_bits, tangent_map, padding_0, padding_1, tex_coord_rows),
        size_of::<MaterialUniform>(),
    );
    check(
        &shaders::MESHES,
        "PrimitiveUniform",
        fields!(PrimitiveUniform: flags, padding_0, padding_1, padding_2),
        size_of::<PrimitiveUniform>(),
    );
    check(
        &shaders::MESHES,
        "InstanceRecord",
        fields!(GpuInstance: first_joint, rigid, first_morph, morph_count),
        size_of::<GpuInstance>(),
    );
    check(
        &shaders::MESHES,
        "ActiveMorph",
        fields!(GpuMorph: target_index, weight),
        size_of::<GpuMorph>(),
    );
    check(
        &shaders::TONE,
        "OutputUniform",
        fields!(OutputUniform: background_top, background_bottom, viewport, options),
        size_of::<OutputUniform>(),
    );
    check(
        &shaders::POSED_VERTICES,
        "PoseUniform",
        fields!(PoseUniform: instance, counts),
        size_of::<PoseUniform>(),
    );
    check(
        &shaders::GHOSTS,
        "GhostUniform",
        fields!(GhostUniform: tint, heights, pixels_per_point),
        size_of::<GhostUniform>(),
    );
}

#[test]
fn attributes_of_the_overlay_lie_where_the_structs_have_them() {
    use layout::{GpuLine, GpuShape, ShapeVertex};
    let offsets = |buffer: &Option<wgpu::VertexBufferLayout<'_>>| {
        let buffer = buffer.as_ref().unwrap();
        let offsets = buffer
            .attributes
            .iter()
            .map(|attribute| attribute.offset as usize);
        (offsets.collect::<Vec<_>>(), buffer.array_stride as usize)
    };
    let [shape, shape_instance] = layout::overlay_buffers();
    let shape_offsets = vec![
        offset_of!(ShapeVertex, position),
        offset_of!(ShapeVertex, normal),
        offset_of!(ShapeVertex, outward),
    ];
    assert_eq!(offsets(&shape), (shape_offsets, size_of::<ShapeVertex>()));
    let rows = offset_of!(GpuShape, world_from_shape);
    let shape_offsets = vec![rows, rows + 16, rows + 32, offset_of!(GpuShape, color)];
    assert_eq!(
        offsets(&shape_instance),
        (shape_offsets, size_of::<GpuShape>())
    );
    let [line] = layout::line_buffers();
    let ends = [offset_of!(GpuLine, from), offset_of!(GpuLine, to)];
    let line_offsets = vec![ends[0], ends[1], offset_of!(GpuLine, color)];
    assert_eq!(offsets(&line), (line_offsets, size_of::<GpuLine>()));
    assert_eq!(offset_of!(GpuLine, width_px), ends[0] + 12);
}

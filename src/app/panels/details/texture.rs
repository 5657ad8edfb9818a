//! What there is to say of a texture: its image, what that costs, and how it is sampled.

use crate::{
    model::{Filter, Image, MipFilter, Model, Sampler, TexelFormat, TextureTransform, Wrap},
    ui::{Fact, FactSection, bytes},
};

use super::material::{Slot, map_name, texture_name};

/// A texture without its uses, whose placement clips move.
pub(super) fn part(model: &Model, index: usize) -> FactSection {
    let name = texture_name(model, index);
    let Some(texture) = model.textures.get(index) else {
        let facts = vec![Fact::new("Image", "missing").odd_if(true)];
        return FactSection { name, facts };
    };
    let mut facts = Vec::new();
    match model.images.get(texture.image) {
        Some(image) => facts.extend(of_image(image)),
        None => facts.push(Fact::new("Image", "missing").odd_if(true)),
    }
    facts.push(Fact::new("Filters", filters(&texture.sampler)));
    facts.push(Fact::new("Beyond its edges", wraps(&texture.sampler)));
    let indices = format!("texture {index}, image {}", texture.image);
    facts.push(Fact::new("In the file", indices));
    FactSection { name, facts }
}

/// The uses of a texture among those by the material that is shown, as they are at a moment; how they are placed where
/// `is_placed` says that they ever are.
pub(super) fn uses(index: usize, slots: &[Slot], is_placed: impl Fn(&Slot) -> bool) -> Vec<Fact> {
    let mut facts = Vec::new();
    for slot in slots.iter().filter(|slot| slot.texture.texture == index) {
        let set = format!("TEXCOORD_{}", slot.texture.tex_coord);
        facts.push(Fact::new(map_name(slot.slot), set));
        if is_placed(slot) {
            facts.push(Fact::new("Placed", placement(&slot.texture.transform)));
        }
    }
    facts
}

fn placement(placed: &TextureTransform) -> String {
    let [u, v] = placed.offset.to_array();
    let [x, y] = placed.scale.to_array();
    let degrees = placed.rotation_radians.to_degrees();
    let text = format!("{u:.2} {v:.2}, × {x:.2} {y:.2}, {degrees:.0}°");
    text.replace('-', "−")
}

fn of_image(image: &Image) -> Vec<Fact> {
    let mut facts = Vec::new();
    if image.is_placeholder {
        let fact = Fact::new("Image", "could not be read").odd_if(true);
        facts.push(fact.hint("A checkerboard stands for it"));
    }
    let size = format!("{} × {} pixels", image.width, image.height);
    facts.push(Fact::new("Size", size));
    let format = match image.format {
        TexelFormat::Rgb8 => "RGB, 8 bits each",
        TexelFormat::Grey8 => "Grey, 8 bits",
        TexelFormat::Rgba8 => "RGBA, 8 bits each",
        TexelFormat::Bc7 => "BC7, in blocks",
        TexelFormat::Etc2 => "ETC2, in blocks",
        TexelFormat::Astc => "ASTC, in blocks",
    };
    facts.push(Fact::new("Format", format));
    let in_file = image.levels.len();
    let all = 32 - image.width.max(image.height).max(1).leading_zeros() as usize;
    let is_plain = matches!(
        image.format,
        TexelFormat::Rgb8 | TexelFormat::Rgba8 | TexelFormat::Grey8
    );
    let are_made = in_file <= 1 && is_plain;
    let levels = if are_made { all } else { in_file };
    let source = if are_made { "made" } else { "of the file" };
    facts.push(Fact::new("Mip levels", format!("{levels}, {source}")));
    facts.push(Fact::new("Memory", bytes(gpu_bytes(image, levels))));
    facts
}

/// What all levels take on the GPU.
fn gpu_bytes(image: &Image, levels: usize) -> u64 {
    let of_level = |level: usize| {
        let (width, height) = image.level_size(level);
        // GPUs have no format of three bytes, nor of one for all colours.
        let format = match image.format {
            TexelFormat::Rgb8 | TexelFormat::Grey8 => TexelFormat::Rgba8,
            other => other,
        };
        format.size(width, height) as u64
    };
    (0..levels).map(of_level).fold(0, u64::saturating_add)
}

fn filters(sampler: &Sampler) -> String {
    let name = |filter: Filter| match filter {
        Filter::Nearest => "nearest",
        Filter::Linear => "linear",
    };
    let mip = match sampler.mip {
        MipFilter::None => "no mip levels",
        MipFilter::Nearest => "nearest level",
        MipFilter::Linear => "between levels",
    };
    let (larger, smaller) = (name(sampler.magnify), name(sampler.minify));
    if larger == smaller {
        format!("{larger}, {mip}")
    } else {
        format!("{larger} and {smaller}, {mip}")
    }
}

fn wraps(sampler: &Sampler) -> String {
    let name = |wrap: Wrap| match wrap {
        Wrap::Repeat => "repeated",
        Wrap::MirroredRepeat => "mirrored",
        Wrap::ClampToEdge => "clamped",
    };
    let (u, v) = (name(sampler.wrap_u), name(sampler.wrap_v));
    if u == v {
        u.to_owned()
    } else {
        format!("u {u}, v {v}")
    }
}

//! Where a surface is cut out by its alpha (glTF 2.0 §3.9.4): there is nothing there that could be picked, or hide what is
//! behind it.

use glam::{Vec2, Vec3};

use crate::{
    anim::{
        ActiveMorph,
        skinning::{morph_color, morph_tex_coord},
    },
    model::{
        AlphaMode, Filter, Image, Material, Model, Primitive, Sampler, TexelFormat, TextureRef,
        Wrap,
    },
};

/// The alpha of a primitive's surface, of which that is drawn which is not below the cutoff.
pub(super) struct Cutout<'a> {
    primitive: &'a Primitive,
    cutoff: f32,
    /// What the texture multiplies.
    alpha: f32,
    texture: Option<(&'a TextureRef, &'a Sampler, &'a Image)>,
}

impl<'a> Cutout<'a> {
    /// None where nothing is cut out, and where the texture is in blocks that only a graphics adapter reads.
    pub(super) fn of(
        model: &'a Model,
        material: &'a Material,
        primitive: &'a Primitive,
    ) -> Option<Self> {
        let AlphaMode::Mask { cutoff } = material.alpha_mode else {
            return None;
        };
        let (color, texture) = match &material.specular_glossiness {
            Some(surface) => (surface.diffuse, &surface.diffuse_texture),
            None => (material.base_color, &material.base_color_texture),
        };
        let texture = match texture {
            None => None,
            Some(of) => {
                let texture = model.textures.get(of.texture)?;
                let image = model.images.get(texture.image)?;
                match image.format {
                    TexelFormat::Rgba8 => Some((of, &texture.sampler, image)),
                    TexelFormat::Rgb8 | TexelFormat::Grey8 => None,
                    TexelFormat::Bc7 | TexelFormat::Etc2 | TexelFormat::Astc => return None,
                }
            }
        };
        Some(Self {
            primitive,
            cutoff,
            alpha: color.w,
            texture,
        })
    }

    /// Whether the surface is drawn at a point of a triangle, of whose corners so much each is in it.
    pub(super) fn is_there(&self, corners: [u32; 3], parts: Vec3, morphs: &[ActiveMorph]) -> bool {
        let (vertices, targets) = (&self.primitive.vertices, &self.primitive.targets);
        let corners = corners
            .map(|corner| corner as usize)
            .into_iter()
            .zip(parts.to_array());
        let mut alpha = self.alpha;
        if !vertices.colors.is_empty() {
            let of_corners = corners.clone().map(|(vertex, part)| {
                let color = vertices.colors.get(vertex);
                color.map_or(part, |color| {
                    part * morph_color(color, vertex, targets, morphs).w
                })
            });
            alpha *= of_corners.sum::<f32>();
        }
        if let Some((of, sampler, image)) = self.texture {
            let set = vertices.tex_coords.get(of.tex_coord);
            let of_corners = corners.map(|(vertex, part)| {
                let own = set.and_then(|set| set.get(vertex)).copied();
                let own = own.unwrap_or_default();
                part * morph_tex_coord(own, of.tex_coord, vertex, targets, morphs)
            });
            let at = of_corners.sum::<Vec2>().extend(1.0);
            let on_image = Vec2::from(of.transform.rows().map(|row| row.dot(at)));
            alpha *= alpha_at(image, sampler, on_image);
        }
        alpha >= self.cutoff
    }
}

/// The alpha of an image in full size, which is what the eye sees that is near enough to aim at holes.
fn alpha_at(image: &Image, sampler: &Sampler, at: Vec2) -> f32 {
    let Some(texels) = image.levels.first() else {
        return 1.0;
    };
    let texel = |x: f32, y: f32| {
        let x = wrapped(x, image.width, sampler.wrap_u);
        let y = wrapped(y, image.height, sampler.wrap_v);
        let alpha = texels.get(4 * (y * image.width as usize + x) + 3);
        alpha.map_or(1.0, |alpha| f32::from(*alpha) / 255.0)
    };
    let at = at * Vec2::new(image.width as f32, image.height as f32);
    if sampler.magnify == Filter::Nearest {
        return texel(at.x.floor(), at.y.floor());
    }
    let first = (at - 0.5).floor();
    let part = at - 0.5 - first;
    let row = |y: f32| {
        let (left, right) = (texel(first.x, y), texel(first.x + 1.0, y));
        left + (right - left) * part.x
    };
    let (upper, lower) = (row(first.y), row(first.y + 1.0));
    upper + (lower - upper) * part.y
}

/// A whole number of texels from the edge, brought into the image.
fn wrapped(place: f32, side: u32, wrap: Wrap) -> usize {
    let length = side as f32;
    let within = match wrap {
        Wrap::Repeat => place.rem_euclid(length),
        Wrap::MirroredRepeat => {
            let twice = place.rem_euclid(2.0 * length);
            twice.min(2.0 * length - 1.0 - twice)
        }
        Wrap::ClampToEdge => place,
    };
    // What is no number becomes 0.
    within.clamp(0.0, length - 1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Texture, TextureTransform, Vertices};

    /// A row of four texels with these alphas, on a triangle whose second set of coordinates runs from 0 to 2.
    fn model(alphas: [u8; 4], wrap_u: Wrap) -> Model {
        let texels = alphas.iter().flat_map(|alpha| [9, 9, 9, *alpha]);
        Model {
            images: vec![Image {
                width: 4,
                height: 1,
                levels: vec![texels.collect()].into(),
                ..Image::default()
            }]
            .into(),
            textures: vec![Texture {
                image: 0,
                sampler: Sampler {
                    magnify: Filter::Nearest,
                    wrap_u,
                    ..Sampler::default()
                },
            }],
            ..Model::default()
        }
    }

    fn primitive() -> Primitive {
        let tex_coords = vec![Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::ZERO];
        Primitive {
            vertices: Vertices {
                positions: vec![Vec3::ZERO; 3],
                tex_coords: [vec![Vec2::ZERO; 3], tex_coords],
                ..Vertices::default()
            },
            ..Primitive::default()
        }
    }

    fn material(transform: TextureTransform) -> Material {
        Material {
            alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
            base_color_texture: Some(TextureRef {
                texture: 0,
                tex_coord: 1,
                transform,
            }),
            ..Material::default()
        }
    }

    /// Which of eight places along the triangle's first edge are there.
    fn there(model: &Model, material: &Material) -> String {
        let primitive = primitive();
        let cutout = Cutout::of(model, material, &primitive).unwrap();
        let places = (0..8).map(|place| {
            let part = (place as f32 + 0.5) / 8.0;
            let parts = Vec3::new(1.0 - part, part, 0.0);
            if cutout.is_there([0, 1, 2], parts, &[]) {
                'x'
            } else {
                '.'
            }
        });
        places.collect()
    }

    #[test]
    fn holes_are_where_the_texture_has_them() {
        let holes = [255, 0, 200, 100];
        let plain = material(TextureTransform::default());
        for (wrap, expected) in [
            (Wrap::Repeat, "x.x.x.x."),
            (Wrap::MirroredRepeat, "x.x..x.x"),
            (Wrap::ClampToEdge, "x.x....."),
        ] {
            assert_eq!(there(&model(holes, wrap), &plain), expected, "{wrap:?}");
        }
        let moved = material(TextureTransform {
            offset: Vec2::new(0.25, 0.0),
            ..TextureTransform::default()
        });
        assert_eq!(there(&model(holes, Wrap::Repeat), &moved), ".x.x.x.x");
        let faint = Material {
            base_color: glam::Vec4::new(1.0, 1.0, 1.0, 0.6),
            ..plain.clone()
        };
        assert_eq!(there(&model(holes, Wrap::Repeat), &faint), "x...x...");
        let opaque = Material {
            alpha_mode: AlphaMode::Opaque,
            ..plain
        };
        let (model, primitive) = (model(holes, Wrap::Repeat), primitive());
        assert!(Cutout::of(&model, &opaque, &primitive).is_none());
    }

    #[test]
    fn texels_are_mixed_and_what_is_no_number_is_somewhere() {
        let model = model([255, 0, 255, 0], Wrap::ClampToEdge);
        let sampler = Sampler {
            wrap_u: Wrap::ClampToEdge,
            ..Sampler::default()
        };
        for (u, expected) in [
            (0.0, 1.0),
            (0.125, 1.0),
            (0.25, 0.5),
            (0.3125, 0.25),
            (2.0, 0.0),
        ] {
            let found = alpha_at(&model.images[0], &sampler, Vec2::new(u, 0.5));
            assert!((found - expected).abs() < 1e-6, "{u}: {found}");
        }
        for u in [f32::NAN, f32::INFINITY, -1e38] {
            alpha_at(&model.images[0], &sampler, Vec2::new(u, u));
            alpha_at(&model.images[0], &Sampler::default(), Vec2::new(u, u));
        }
    }
}

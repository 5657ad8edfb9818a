//! What there is to inspect of models: which views and lines have something to show.

use crate::{
    model::{Keyed as _, Material, MaterialProperty, Model, SeenLayers, Topology},
    scene::ViewMode,
};

/// What views and lines lack in models; by default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inspectable {
    /// A bit for each view of layers that no material has which a primitive names, by its number.
    without: u32,
    /// Whether no mesh has triangles, and so edges, be it in the scene that is shown or in none.
    pub lacks_edges: bool,
    /// Whether no mesh has normals, be it in the scene that is shown or in none.
    pub lacks_normals: bool,
}

impl Inspectable {
    /// What there is of these models, shown together.
    pub fn of<'m>(models: impl Iterator<Item = &'m Model> + Clone) -> Self {
        let with = models
            .clone()
            .fold(0, |bits, model| bits | views_of_layers(model));
        let of_layers = ViewMode::ALL.iter().filter(|mode| mode.is_about_layers());
        let of_layers = of_layers.fold(0, |bits, mode| bits | bit(*mode));
        let primitives = models.flat_map(Model::primitives);
        let is_surface = |topology| topology == Topology::Triangles;
        Self {
            without: of_layers & !with,
            lacks_edges: !primitives.clone().any(|it| is_surface(it.topology)),
            lacks_normals: primitives.map(|it| &it.vertices.normals).all(Vec::is_empty),
        }
    }

    /// Whether a view shows something: those of layers do if any material that is drawn has the layer, all others always.
    pub fn has(self, mode: ViewMode) -> bool {
        self.without & bit(mode) == 0
    }

    /// The view so many places further in [`ViewMode::ALL`](crate::model::Keyed::ALL), going round at its ends, among those
    /// that show something.
    pub fn step(self, from: ViewMode, steps: i32) -> ViewMode {
        let all = ViewMode::ALL.iter().copied();
        let shown: Vec<_> = all.filter(|&mode| mode == from || self.has(mode)).collect();
        let place = shown.iter().position(|mode| *mode == from);
        let place = place.unwrap_or(0) as i64 + i64::from(steps);
        shown[place.rem_euclid(shown.len() as i64) as usize]
    }
}

fn bit(mode: ViewMode) -> u32 {
    1 << mode as u32
}

/// A bit for each view of layers that a material has which a primitive names.
fn views_of_layers(model: &Model) -> u32 {
    let seen = SeenLayers::of(model);
    let materials = model.materials.iter().enumerate();
    let named = materials.zip(model.named_materials());
    let named = named.filter_map(|(material, is_named)| is_named.then_some(material));
    let mut views = 0;
    for (index, material) in named {
        let is_seen = |property| seen.has(index, material, property);
        let all = ViewMode::ALL.iter().copied();
        let shown = all.filter(|&mode| has_layer(material, mode, is_seen));
        views |= shown.fold(0, |bits, mode| bits | bit(mode));
    }
    views
}

/// Whether a material has what a view of layers is about, of which `is_seen` says where the factor is ever other than 0. What is
/// reflected is also said by specular and glossiness.
fn has_layer(
    material: &Material,
    mode: ViewMode,
    is_seen: impl Fn(MaterialProperty) -> bool,
) -> bool {
    use MaterialProperty as P;
    use ViewMode as V;
    // Without light there are no layers.
    if material.unlit {
        return false;
    }
    match mode {
        V::Clearcoat | V::ClearcoatRoughness => is_seen(P::Clearcoat),
        V::Sheen | V::SheenRoughness => is_seen(P::SheenColor),
        // Dielectrics reflect by themselves: here 0 is what stands out.
        V::Specular => material.specular.is_some(),
        V::SpecularColor => material.specular.is_some() || material.specular_glossiness.is_some(),
        V::Transmission => is_seen(P::Transmission),
        V::DiffuseTransmission | V::DiffuseTransmissionColor => is_seen(P::DiffuseTransmission),
        V::Iridescence => is_seen(P::Iridescence),
        V::Anisotropy => is_seen(P::AnisotropyStrength),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use glam::Vec3;

    use super::*;
    use crate::model::{
        Anisotropy, Clearcoat, ClipBuilder, DiffuseTransmission, Interpolation, Iridescence, Mesh,
        Primitive, PropertyTarget, Sheen, Specular, SpecularGlossiness, Timeline, Transmission,
        VariantMaterial, Volume,
    };

    fn of(models: &[Model]) -> Inspectable {
        Inspectable::of(models.iter())
    }

    /// A model of one primitive.
    fn with(primitive: Primitive, materials: Vec<Material>) -> Model {
        let mesh = Mesh {
            primitives: vec![primitive],
            ..Mesh::default()
        };
        Model {
            meshes: vec![mesh].into(),
            materials,
            ..Model::default()
        }
    }

    fn in_material(material: Material) -> Model {
        with(Primitive::default(), vec![material, Material::default()])
    }

    fn coated(factor: f32) -> Material {
        Material {
            clearcoat: Some(Clearcoat {
                factor,
                ..Clearcoat::default()
            }),
            ..Material::default()
        }
    }

    /// The views of layers that show something of a model.
    fn views(model: Model) -> Vec<ViewMode> {
        let found = of(&[model]);
        let layers = ViewMode::ALL.iter().filter(|mode| mode.is_about_layers());
        layers.copied().filter(|mode| found.has(*mode)).collect()
    }

    #[test]
    fn steps_go_to_views_of_layers_that_there_are() {
        let all = Inspectable::default();
        assert_eq!(all.step(ViewMode::Lit, -1), ViewMode::Overdraw);
        assert_eq!(all.step(ViewMode::Overdraw, 2), ViewMode::Wireframe);
        assert_eq!(all.step(ViewMode::Emissive, 1), ViewMode::Clearcoat);
        let plain = in_material(Material::default());
        let none = of(slice::from_ref(&plain));
        assert_eq!(none.step(ViewMode::Emissive, 1), ViewMode::Normal);
        assert_eq!(none.step(ViewMode::Normal, -1), ViewMode::Emissive);
        // One that was chosen all the same has its place.
        assert_eq!(none.step(ViewMode::Sheen, 1), ViewMode::Normal);
        assert_eq!(none.step(ViewMode::Sheen, -1), ViewMode::Emissive);
        let coated = in_material(coated(1.0));
        for coated in [of(slice::from_ref(&coated)), of(&[plain, coated])] {
            let mut mode = ViewMode::Emissive;
            let next = [(); 3].map(|()| {
                mode = coated.step(mode, 1);
                mode
            });
            let coat = [ViewMode::Clearcoat, ViewMode::ClearcoatRoughness];
            assert_eq!(next, [coat[0], coat[1], ViewMode::Normal]);
        }
    }

    #[test]
    fn all_views_have_something_but_those_of_layers() {
        let none = of(&[in_material(Material::default())]);
        for &mode in ViewMode::ALL {
            assert_eq!(none.has(mode), !mode.is_about_layers(), "{mode:?}");
        }
    }

    /// What an extension gives a material, and the views of it.
    type Case = (fn(&mut Material), &'static [ViewMode]);

    /// One of each extension that changes what a surface is made of.
    const CASES: [Case; 10] = {
        use ViewMode as V;
        [
            (
                |it| *it = coated(0.5),
                &[V::Clearcoat, V::ClearcoatRoughness],
            ),
            (
                |it| {
                    it.sheen = Some(Sheen {
                        color: Vec3::X,
                        ..Sheen::default()
                    });
                },
                &[V::Sheen, V::SheenRoughness],
            ),
            (
                |it| it.specular = Some(Specular::default()),
                &[V::Specular, V::SpecularColor],
            ),
            (
                |it| it.specular_glossiness = Some(SpecularGlossiness::default()),
                &[V::SpecularColor],
            ),
            (
                |it| {
                    it.transmission = Some(Transmission {
                        factor: 0.5,
                        texture: None,
                    });
                },
                &[V::Transmission],
            ),
            (
                |it| {
                    it.diffuse_transmission = Some(DiffuseTransmission {
                        factor: 0.5,
                        ..DiffuseTransmission::default()
                    });
                },
                &[V::DiffuseTransmission, V::DiffuseTransmissionColor],
            ),
            (
                |it| {
                    it.iridescence = Some(Iridescence {
                        factor: 0.5,
                        ..Iridescence::default()
                    });
                },
                &[V::Iridescence],
            ),
            (
                |it| {
                    it.anisotropy = Some(Anisotropy {
                        strength: 0.5,
                        ..Anisotropy::default()
                    });
                },
                &[V::Anisotropy],
            ),
            (|it| it.volume = Some(Volume::default()), &[]),
            (|it| (it.ior, it.dispersion) = (1.4, 0.1), &[]),
        ]
    };

    #[test]
    fn each_extension_has_its_views() {
        let material = |give: fn(&mut Material)| {
            let mut material = Material::default();
            give(&mut material);
            material
        };
        for (give, expected) in CASES {
            assert_eq!(views(in_material(material(give))), expected);
            // Light is what it changes.
            let unlit = Material {
                unlit: true,
                ..material(give)
            };
            assert_eq!(views(in_material(unlit)), [], "{expected:?}");
        }
        let of_any: Vec<_> = CASES.iter().flat_map(|(_, views)| *views).collect();
        for mode in ViewMode::ALL.iter().filter(|mode| mode.is_about_layers()) {
            assert!(of_any.contains(&mode), "{mode:?} is of no extension");
        }
    }

    /// Unless a clip moves it.
    #[test]
    fn layers_whose_factor_is_0_are_none() {
        let nothing = [
            coated(0.0),
            Material {
                sheen: Some(Sheen::default()),
                transmission: Some(Transmission::default()),
                diffuse_transmission: Some(DiffuseTransmission::default()),
                iridescence: Some(Iridescence::default()),
                anisotropy: Some(Anisotropy::default()),
                ..Material::default()
            },
        ];
        for material in nothing {
            assert_eq!(views(in_material(material)), []);
        }
        let mut clip = ClipBuilder::new("covers");
        let times = clip.timeline(Timeline::new(vec![0.0]).unwrap());
        let target = PropertyTarget::Material(0, MaterialProperty::Clearcoat);
        clip.property(target, times, Interpolation::Step, vec![1.0])
            .unwrap();
        let moved = Model {
            clips: vec![clip.finish()],
            ..in_material(coated(0.0))
        };
        let coat = [ViewMode::Clearcoat, ViewMode::ClearcoatRoughness];
        assert_eq!(views(moved), coat);
    }

    #[test]
    fn layers_of_materials_that_no_primitive_names_are_none() {
        let named = |variant_materials| {
            let primitive = Primitive {
                variant_materials,
                ..Primitive::default()
            };
            views(with(primitive, vec![Material::default(), coated(1.0)])).len()
        };
        assert_eq!(named(Vec::new()), 0);
        let variant = VariantMaterial {
            variant: 0,
            material: 1,
        };
        assert_eq!(named(vec![variant]), 2);
    }

    #[test]
    fn lines_need_triangles_and_normals() {
        let lacking = |topology, normals: usize| {
            let mut primitive = Primitive {
                topology,
                ..Primitive::default()
            };
            primitive.vertices.normals = vec![Vec3::Z; normals];
            let found = of(&[with(primitive, vec![Material::default()])]);
            (found.lacks_edges, found.lacks_normals)
        };
        assert_eq!(lacking(Topology::Triangles, 0), (false, true));
        assert_eq!(lacking(Topology::Points, 3), (true, false));
        assert_eq!(lacking(Topology::Lines, 0), (true, true));
    }
}

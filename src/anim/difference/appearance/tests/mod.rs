//! Each property of a thing is changed in turn, and must be told, it alone.

mod placed;

use glam::{Vec2, Vec3, Vec4};

use super::*;
use crate::model::{
    AlphaMode, Anisotropy, Camera, CameraProperty, Clearcoat, DiffuseTransmission, Filter, Image,
    Iridescence, Light, LightKind, LightProperty, Material, MaterialProperty, MipFilter,
    NormalTexture, OcclusionTexture, Projection, PropertyTarget, PropertyValues, Sampler, Sheen,
    Specular, SpecularGlossiness, Texture, TextureRef, TextureSlot, TransformProperty,
    Transmission, Volume, Wrap,
    property_names::{CAMERA, LIGHT, MATERIAL, TRANSFORM},
};

/// A material that has everything, with the first texture in all slots.
fn full() -> Material {
    let map = Some(TextureRef::default());
    let normal_texture = Some(NormalTexture {
        texture: TextureRef::default(),
        scale: 1.0,
    });
    Material {
        name: "Skin".to_owned(),
        base_color_texture: map,
        metallic_roughness_texture: map,
        normal_texture,
        occlusion_texture: Some(OcclusionTexture {
            texture: TextureRef::default(),
            strength: 1.0,
        }),
        emissive_texture: map,
        alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
        specular: Some(Specular {
            texture: map,
            color_texture: map,
            ..Specular::default()
        }),
        clearcoat: Some(Clearcoat {
            texture: map,
            roughness_texture: map,
            normal_texture,
            ..Clearcoat::default()
        }),
        sheen: Some(Sheen {
            color_texture: map,
            roughness_texture: map,
            ..Sheen::default()
        }),
        transmission: Some(Transmission {
            texture: map,
            ..Transmission::default()
        }),
        volume: Some(Volume {
            thickness_texture: map,
            ..Volume::default()
        }),
        iridescence: Some(Iridescence {
            texture: map,
            thickness_texture: map,
            ..Iridescence::default()
        }),
        anisotropy: Some(Anisotropy {
            texture: map,
            ..Anisotropy::default()
        }),
        diffuse_transmission: Some(DiffuseTransmission {
            texture: map,
            color_texture: map,
            ..DiffuseTransmission::default()
        }),
        specular_glossiness: Some(SpecularGlossiness {
            diffuse_texture: map,
            texture: map,
            ..SpecularGlossiness::default()
        }),
        ..Material::default()
    }
}

/// A model of one material, a light and a camera of each kind, and three pictures: the second is the first under another
/// name, the third is another one.
fn model(material: Material) -> Model {
    let picture = |name: &str, grey| Image {
        name: name.to_owned(),
        width: 1,
        height: 1,
        levels: vec![vec![grey, grey, grey, 255]].into(),
        ..Image::default()
    };
    let pictures = vec![
        picture("a.png", 0),
        picture("b.png", 0),
        picture("c.png", 51),
    ];
    let texture = |image| Texture {
        image,
        sampler: Sampler::default(),
    };
    let light = |name: &str, kind| Light {
        name: name.to_owned(),
        kind,
        color: Vec3::ONE,
        intensity: 100.0,
        range: Some(10.0),
    };
    let spot = LightKind::Spot {
        inner_radians: 0.25,
        outer_radians: 0.5,
    };
    let camera = |name: &str, projection| Camera {
        name: name.to_owned(),
        projection,
    };
    let perspective = Projection::Perspective {
        fov_y_radians: 1.0,
        aspect: Some(1.5),
        near: 0.1,
        far: Some(100.0),
    };
    let parallel = Projection::Orthographic {
        half_width: 1.0,
        half_height: 1.0,
        near: 0.1,
        far: 100.0,
    };
    Model {
        materials: vec![material, Material::default()],
        textures: (0..3).map(texture).collect(),
        images: pictures.into(),
        lights: vec![light("Lamp", spot), light("Sun", LightKind::Directional)],
        cameras: vec![camera("Eye", perspective), camera("Plan", parallel)],
        ..Model::default()
    }
}

fn compare(first: &Model, second: &Model, tolerance: f64) -> AppearanceDifference {
    let nodes = NodeMatch::new(&first.hierarchy, &second.hierarchy);
    let models = [first, second];
    let mut pictures = |places: [usize; 2]| {
        let [a, b] = [0, 1].map(|side: usize| &models[side].images[places[side]]);
        compare_pictures([a, b], tolerance)
    };
    compare_appearance(models, &nodes, 2.0, tolerance, &mut pictures)
}

/// The lines about two models.
fn told(first: &Model, second: &Model) -> Vec<String> {
    let found = compare(first, second, 1e-4);
    found.properties.iter().map(ToString::to_string).collect()
}

/// The properties that differ where the material is changed.
fn changed(change: impl FnOnce(&mut Material)) -> Vec<String> {
    let mut material = full();
    change(&mut material);
    let found = compare(&model(full()), &model(material), 1e-4);
    let properties = found.properties.into_iter();
    properties.map(|it| it.property).collect()
}

#[test]
fn a_model_is_the_same_as_itself() {
    let model = model(full());
    assert!(compare(&model, &model, 0.0).is_none());
}

#[test]
fn every_number_of_a_material_a_light_and_a_camera_is_told() {
    let model = model(full());
    let targets = |owner: &[usize], target: &dyn Fn(usize) -> PropertyTarget| {
        owner.iter().map(|index| target(*index)).collect::<Vec<_>>()
    };
    let materials = MATERIAL
        .iter()
        .map(|&(name, property, _): &(_, MaterialProperty, _)| {
            (
                name,
                targets(&[0], &|it| PropertyTarget::Material(it, property)),
            )
        });
    let lights = LIGHT
        .iter()
        .map(|&(name, property, _): &(_, LightProperty, _)| {
            (
                name,
                targets(&[0, 1], &|it| PropertyTarget::Light(it, property)),
            )
        });
    let cameras = CAMERA
        .iter()
        .map(|&(name, property, _): &(_, CameraProperty, _)| {
            (
                name,
                targets(&[0, 1], &|it| PropertyTarget::Camera(it, property)),
            )
        });
    let mut count = 0;
    for (name, targets) in materials.chain(lights).chain(cameras) {
        let mut are_there = 0;
        for target in targets {
            for lane in 0..target.width() {
                let mut values = PropertyValues {
                    materials: model.materials.clone(),
                    lights: model.lights.clone(),
                    cameras: model.cameras.clone(),
                };
                let Some(numbers) = values.numbers_mut(target) else {
                    continue;
                };
                let number = &mut numbers[lane];
                *number = if number.is_finite() {
                    *number * 0.5 + 0.03125
                } else {
                    3.0
                };
                let other = Model {
                    materials: values.materials,
                    lights: values.lights,
                    cameras: values.cameras,
                    ..model.clone()
                };
                let found = compare(&model, &other, 1e-4).properties;
                let properties: Vec<_> = found.iter().map(|it| &*it.property).collect();
                assert_eq!(properties, [name], "{target:?}");
                assert!(compare(&model, &other, f64::INFINITY).is_none());
                are_there += 1;
            }
        }
        assert!(are_there > 0, "{name}");
        count += 1;
    }
    assert_eq!(count, MATERIAL.len() + LIGHT.len() + CAMERA.len());
}

#[test]
fn every_texture_of_a_material_is_told_and_all_that_it_is_placed_by() {
    for slot in TextureSlot::ALL {
        let name = slot.name();
        let texture = |material: &mut Material, change: &dyn Fn(&mut TextureRef)| {
            change(material.texture_mut(slot).unwrap());
        };
        let placed = |change: &dyn Fn(&mut TextureRef)| changed(|it| texture(it, change));
        assert_eq!(placed(&|it| it.texture = 2), [name]);
        assert!(
            placed(&|it| it.texture = 1).is_empty(),
            "a picture's name is not it"
        );
        assert_eq!(placed(&|it| it.tex_coord = 1), [format!("{name}/texCoord")]);
        for &(property, which, _) in TRANSFORM {
            let found = placed(&|it| match which {
                TransformProperty::Offset => it.transform.offset = Vec2::new(0.0, 0.25),
                TransformProperty::Rotation => it.transform.rotation_radians = 1.0,
                TransformProperty::Scale => it.transform.scale = Vec2::new(2.0, 1.0),
            });
            let expected = format!("{name}/extensions/KHR_texture_transform/{property}");
            assert_eq!(found, [expected]);
        }
    }
}

#[test]
fn what_is_no_number_of_a_material_is_told() {
    let old = |name: &str| format!("extensions/KHR_materials_pbrSpecularGlossiness{name}");
    let terms = |change: &dyn Fn(&mut SpecularGlossiness)| {
        changed(|it| change(it.specular_glossiness.as_mut().unwrap()))
    };
    assert_eq!(changed(|it| it.double_sided = true), ["doubleSided"]);
    assert_eq!(
        changed(|it| it.unlit = true),
        ["extensions/KHR_materials_unlit"]
    );
    assert_eq!(
        changed(|it| it.alpha_mode = AlphaMode::Blend),
        ["alphaMode"]
    );
    assert_eq!(changed(|it| it.name = "Hide".to_owned()), ["name"]);
    assert_eq!(changed(|it| it.specular_glossiness = None), [old("")]);
    assert_eq!(
        terms(&|it| it.diffuse = Vec4::ZERO),
        [old("/diffuseFactor")]
    );
    assert_eq!(
        terms(&|it| it.specular = Vec3::ZERO),
        [old("/specularFactor")]
    );
    assert_eq!(terms(&|it| it.glossiness = 0.0), [old("/glossinessFactor")]);
    assert_eq!(
        terms(&|it| it.diffuse_texture = None),
        [old("/diffuseTexture")]
    );
    assert_eq!(
        terms(&|it| it.texture = None),
        [old("/specularGlossinessTexture")]
    );
    // Less than is tolerated is not told, and of a large number a part is.
    assert!(changed(|it| it.roughness = 0.99995).is_empty());
    assert_eq!(changed(|it| it.roughness = 0.9995).len(), 1);
    let thin =
        |nanometres| changed(|it| it.iridescence.as_mut().unwrap().thickness_max_nm = nanometres);
    assert!(thin(400.03).is_empty());
    assert_eq!(thin(400.05).len(), 1);
}

#[test]
fn a_layer_that_says_nothing_is_as_good_as_none() {
    let bare = model(Material::default());
    let layers = |clearcoat| {
        model(Material {
            clearcoat: Some(clearcoat),
            sheen: Some(Sheen::default()),
            volume: Some(Volume::default()),
            iridescence: Some(Iridescence::default()),
            ..Material::default()
        })
    };
    assert!(compare(&bare, &layers(Clearcoat::default()), 0.0).is_none());
    let coat = Clearcoat {
        factor: 0.5,
        ..Clearcoat::default()
    };
    let line = "material 0: clearcoatFactor 0 and 0.5";
    assert_eq!(told(&bare, &layers(coat)), [line]);
}

#[test]
fn samplers_are_told_by_the_names_that_files_have() {
    let first = model(full());
    for (change, line) in [
        (
            (|it| it.wrap_u = Wrap::ClampToEdge) as fn(&mut Sampler),
            "wrapS REPEAT and CLAMP_TO_EDGE",
        ),
        (
            |it| it.wrap_v = Wrap::MirroredRepeat,
            "wrapT REPEAT and MIRRORED_REPEAT",
        ),
        (
            |it| it.magnify = Filter::Nearest,
            "magFilter LINEAR and NEAREST",
        ),
        (
            |it| it.minify = Filter::Nearest,
            "minFilter LINEAR_MIPMAP_LINEAR and NEAREST_MIPMAP_LINEAR",
        ),
        (
            |it| it.mip = MipFilter::None,
            "minFilter LINEAR_MIPMAP_LINEAR and LINEAR",
        ),
    ] {
        let mut second = first.clone();
        change(&mut second.textures[0].sampler);
        let lines = told(&first, &second);
        assert_eq!(lines.len(), TextureSlot::ALL.len(), "{lines:?}");
        let whole = format!("material \"Skin\": normalTexture/sampler/{line}");
        assert!(lines.contains(&whole), "{lines:?}");
    }
}

#[test]
fn a_line_says_what_differs_in_what() {
    let first = model(full());
    let material = Material {
        base_color: Vec4::new(1.0, 0.25, 0.5, 1.0),
        base_color_texture: Some(TextureRef {
            texture: 2,
            ..TextureRef::default()
        }),
        emissive_texture: None,
        ..full()
    };
    let lines = told(&first, &model(material));
    let expected = [
        "material \"Skin\": baseColorFactor [1, 1, 1, 1] and [1, 0.25, 0.5, 1]",
        "material \"Skin\": baseColorTexture \"a.png\" and \"c.png\", another picture, 100.000% of the texels differ by up \
         to 0.200",
        "material \"Skin\": emissiveTexture \"a.png\" and none",
    ];
    assert_eq!(lines, expected);
    let mut second = first.clone();
    second.lights[0].range = None;
    second.lights[1].kind = LightKind::Point;
    second.cameras[1].projection = second.cameras[0].projection;
    let expected = [
        "light \"Lamp\": range 10 and none",
        "light \"Sun\": type directional and point",
        "camera \"Plan\": type orthographic and perspective",
    ];
    assert_eq!(told(&first, &second), expected);
}

#[test]
fn each_two_pictures_are_compared_once() {
    let model = model(full());
    let nodes = NodeMatch::same(0);
    let mut asked = Vec::new();
    let mut pictures = |places| {
        asked.push(places);
        None
    };
    compare_appearance([&model, &model], &nodes, 1.0, 0.0, &mut pictures);
    assert_eq!(asked, [[0, 0]]);
}

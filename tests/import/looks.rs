//! Materials, textures, samplers and images.

use std::{io::Cursor, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use glam::{Vec3, Vec4};
use image::{DynamicImage, ImageFormat};
use rigscope::{
    import::Severity,
    model::{AlphaMode, Filter, Material, MipFilter, Sampler, TextureRef, TextureTransform, Wrap},
};
use serde_json::{Value, json};

use super::file::{File, assert_error, assert_found, assert_sound};

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn red_dot(format: ImageFormat) -> Vec<u8> {
    let mut image = image::RgbImage::new(1, 1);
    image.put_pixel(0, 0, image::Rgb([255, 0, 0]));
    encoded(&image.into(), format)
}

fn with_image(image: Value) -> File {
    let mut file = File::triangle();
    file.json["images"] = json!([image]);
    file.json["textures"] = json!([{"source": 0}]);
    file
}

fn data_uri(bytes: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(bytes))
}

#[test]
fn reads_a_material() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    file.json["materials"] = json!([{
        "name": "skin",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6,
            "baseColorTexture": {"index": 0, "texCoord": 1}
        },
        "normalTexture": {"index": 0, "scale": 2},
        "occlusionTexture": {"index": 0, "strength": 0.5},
        "emissiveFactor": [0.7, 0.8, 0.9],
        "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
        "extensions": {"KHR_materials_unlit": {}}
    }]);
    file.json["extensionsUsed"] = json!(["KHR_materials_unlit"]);
    for set in ["TEXCOORD_0", "TEXCOORD_1"] {
        let coordinates = file.floats("VEC2", &[0.0; 6]);
        file.primitive()["attributes"][set] = coordinates.into();
    }
    file.primitive()["material"] = 0.into();
    let import = file.load();
    let material = &import.model.materials[0];
    assert_eq!(material.name, "skin");
    assert_eq!(material.base_color, Vec4::new(0.1, 0.2, 0.3, 0.4));
    assert_eq!((material.metallic, material.roughness), (0.5, 0.6));
    let texture = TextureRef {
        texture: 0,
        tex_coord: 1,
        transform: TextureTransform::default(),
    };
    assert_eq!(material.base_color_texture, Some(texture));
    assert_eq!(material.normal_texture.unwrap().scale, 2.0);
    assert_eq!(material.occlusion_texture.unwrap().strength, 0.5);
    assert_eq!(material.emissive, Vec3::new(0.7, 0.8, 0.9));
    assert_eq!(material.alpha_mode, AlphaMode::Mask { cutoff: 0.25 });
    assert!(material.double_sided && material.unlit);
    assert_eq!(import.model.materials[1], Material::default());
    assert_eq!(import.model.meshes[0].primitives[0].material, 0);
    assert_sound(&import);
}

#[test]
fn clamps_factors() {
    let mut file = File::triangle();
    file.json["materials"] =
        json!([{"pbrMetallicRoughness": {"metallicFactor": 7}, "alphaMode": "GLOW"}]);
    let import = file.load();
    assert_eq!(import.model.materials[0].metallic, 1.0);
    let pointer = "/materials/0/pbrMetallicRoughness/metallicFactor";
    assert_error(&import, "VALUE_NOT_IN_RANGE", pointer);
    let code = "VALUE_NOT_IN_LIST";
    assert_found(&import, Severity::Warning, code, "/materials/0/alphaMode");
}

#[test]
fn names_textures_that_are_not_there() {
    let mut file = File::triangle();
    file.json["materials"] = json!([{"emissiveTexture": {"index": 4}}]);
    file.primitive()["material"] = 3.into();
    let import = file.load();
    assert_eq!(import.model.materials[0].emissive_texture, None);
    assert_eq!(import.model.meshes[0].primitives[0].material, 1);
    let code = "UNRESOLVED_REFERENCE";
    assert_error(&import, code, "/materials/0/emissiveTexture/index");
    assert_error(&import, code, "/meshes/0/primitives/0/material");
}

#[test]
fn uses_the_first_set_for_sets_it_lacks() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    file.json["materials"] = json!([{"emissiveTexture": {"index": 0, "texCoord": 2}}]);
    let import = file.load();
    let texture = import.model.materials[0].emissive_texture.unwrap();
    assert_eq!(texture.tex_coord, 0);
    let pointer = "/materials/0/emissiveTexture/texCoord";
    let code = "TEXCOORD_SET_UNSUPPORTED";
    assert_found(&import, Severity::Warning, code, pointer);
}

#[test]
fn reads_samplers() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    file.json["samplers"] =
        json!([{"magFilter": 9728, "minFilter": 9985, "wrapS": 33071, "wrapT": 33648}]);
    file.json["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 0}]);
    let import = file.load();
    let expected = Sampler {
        magnify: Filter::Nearest,
        minify: Filter::Linear,
        mip: MipFilter::Nearest,
        wrap_u: Wrap::ClampToEdge,
        wrap_v: Wrap::MirroredRepeat,
    };
    assert_eq!(import.model.textures[0].sampler, expected);
    assert_eq!(import.model.textures[1].sampler, Sampler::default());
}

#[test]
fn believes_the_bytes_of_an_image_not_its_mime_type() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let mut file = with_image(json!({}));
        let view = file.view(&red_dot(format));
        file.json["images"] =
            json!([{"bufferView": view, "mimeType": "image/bogus", "name": "dot"}]);
        let import = file.load();
        let image = &import.model.images[0];
        assert_eq!((image.width, image.height, &*image.name), (1, 1, "dot"));
        let [red, green, _, alpha] = image.rgba8(0).unwrap()[..] else {
            panic!("a texel has four channels");
        };
        assert!(red > 250 && green < 5 && alpha == 255);
        assert_error(&import, "IMAGE_MIME_TYPE_INVALID", "/images/0");
    }
}

#[test]
fn brings_16_bits_to_8_and_says_so() {
    let code = "IMAGE_BIT_DEPTH_REDUCED";
    let pixel = image::Luma([0x8080_u16]);
    let image = DynamicImage::ImageLuma16(image::ImageBuffer::from_pixel(2, 1, pixel));
    let import = with_image(json!({"uri": data_uri(&encoded(&image, ImageFormat::Png))})).load();
    let texels = import.model.images[0].rgba8(0).unwrap();
    assert_eq!(*texels, [128, 128, 128, 255].repeat(2));
    assert_found(&import, Severity::Info, code, "/images/0");
    // Grey with alpha is left to the same decoder.
    let image = DynamicImage::ImageLumaA8(image.into_luma_alpha8());
    let import = with_image(json!({"uri": data_uri(&encoded(&image, ImageFormat::Png))})).load();
    assert!(import.diagnostics.iter().all(|found| found.code != code));
}

#[test]
fn puts_a_checkerboard_for_a_bad_image() {
    let whole = red_dot(ImageFormat::Png);
    for image in [
        json!({"uri": data_uri(&whole[..40])}),
        json!({"uri": "missing.png"}),
        json!({"uri": data_uri(b"\xabKTX 20\xbb\r\n\x1a\n")}),
        json!({"bufferView": 9}),
        json!({}),
    ] {
        let import = with_image(image.clone()).load();
        assert!(import.model.images[0].is_placeholder, "{image}");
        assert_eq!(import.model.textures[0].image, 0);
        let found = &import.diagnostics[0];
        assert_eq!(found.severity, Severity::Error, "{found}");
        assert!(found.pointer.starts_with("/images/0"), "{found}");
    }
    let import = with_image(json!({"uri": data_uri(b"DDS ")})).load();
    let code = "IMAGE_FORMAT_UNSUPPORTED";
    assert_found(&import, Severity::Warning, code, "/images/0");
}

/// One cause is told once, however many textures it costs: those of an extension that is not known here, and what they name.
#[test]
fn all_images_of_one_unknown_format_are_one_finding() {
    let told = |images: &[&[u8]]| {
        let mut file = File::triangle();
        let uris = images.iter().map(|bytes| json!({"uri": data_uri(bytes)}));
        file.json["images"] = uris.collect();
        let textures = (0..images.len())
            .map(|source| json!({"extensions": {"EXT_texture_avif": {"source": source}}}));
        file.json["textures"] = textures.collect();
        let import = file.load();
        let codes = ["IMAGE_UNRECOGNIZED_FORMAT", "TEXTURE_WITHOUT_IMAGE"];
        let found = codes.map(|code| {
            let found = import.diagnostics.iter().filter(|it| it.code == code);
            let lines = found.map(|it| (it.pointer.clone(), it.message.clone(), it.others.len()));
            lines.collect::<Vec<_>>()
        });
        found.map(|lines| {
            let lines = lines.iter();
            let lines = lines.map(|(at, message, others)| format!("{at}: {message} ({others})"));
            lines.collect::<Vec<_>>().join("; ")
        })
    };
    let still = b"\0\0\0\x20ftypavif\0\0\0\0";
    let moving = b"\0\0\0\x20ftypavis\0\0\0\0";
    let avif = "it is an AVIF picture, which is not read here";
    let [images, textures] = told(&[still]);
    assert_eq!(images, format!("/images/0: {avif} (0)"));
    let one = "/textures/0: the texture has no image of a known kind (0)";
    assert_eq!(textures, one);
    let junk = b"junk of no kind that anybody knows";
    let [images, textures] = told(&[still, moving, junk, still, still, moving]);
    let junk = "/images/2: its first bytes are those of no known image format (0)";
    let others = "as with 4 other images: 1, 3, 4 and 1 more (4)";
    assert_eq!(images, format!("/images/0: {avif}, {others}; {junk}"));
    let all = "6 textures have no image of a known kind: 0, 1, 2 and 3 more (5)";
    assert_eq!(textures, format!("/textures/0: {all}"));
}

#[test]
fn all_images_of_one_format_that_is_not_read_are_one_finding() {
    let mut file = File::triangle();
    let gifs = (0..60).map(|_| json!({"uri": data_uri(b"GIF89a")}));
    file.json["images"] = gifs.chain([json!({"uri": data_uri(b"BM")})]).collect();
    file.json["textures"] = (0..61).map(|source| json!({"source": source})).collect();
    let import = file.load();
    let found = import.diagnostics.iter();
    let found = found.filter(|it| it.code == "IMAGE_FORMAT_UNSUPPORTED");
    let mut lines: Vec<_> = found
        .map(|it| format!("{}: {}; {}", it.pointer, it.message, it.action))
        .collect();
    lines.sort_unstable();
    let gifs = "GIF cannot be read, as with 59 other images: 1, 2, 3 and 56 more";
    let expected = [
        format!("/images/0: {gifs}; a checkerboard stands for them as base colours; materials do without them as any other maps"),
        "/images/60: BMP cannot be read; a checkerboard stands for it as base colour; materials do without it as any other map".to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_buffer_view_stands_for_a_file_that_is_missing() {
    let mut file = with_image(json!({"uri": "missing.png"}));
    let view = file.view(&red_dot(ImageFormat::Png));
    file.json["images"][0]["bufferView"] = view.into();
    file.json["images"][0]["mimeType"] = "image/png".into();
    let import = file.load();
    assert!(!import.model.images[0].is_placeholder);
    assert_error(&import, "IO_ERROR", "/images/0/uri");
}

#[test]
fn images_with_the_very_bytes_of_another_share_its_texels() {
    let mut file = File::triangle();
    let (red, damaged) = (red_dot(ImageFormat::Png), &red_dot(ImageFormat::Png)[..40]);
    let views = [&red, &red, damaged].map(|bytes| file.view(bytes));
    let images = [0, 1, 0, 2, 2].map(|view| {
        json!({"bufferView": views[view], "mimeType": "image/png", "name": format!("of {view}")})
    });
    file.json["images"] = images.into();
    file.json["textures"] = (0..5).map(|source| json!({"source": source})).collect();
    let import = file.load();
    let images = &import.model.images;
    assert_eq!(images[2], images[0]);
    assert!(Arc::ptr_eq(&images[2].levels, &images[0].levels));
    assert_eq!(images[1].levels, images[0].levels);
    let names: Vec<_> = images.iter().map(|image| image.name.as_str()).collect();
    assert_eq!(names, ["of 0", "of 1", "of 0", "of 2", "of 2"]);
    // Each that cannot be read is said.
    for pointer in ["/images/3", "/images/4"] {
        assert!(
            import
                .diagnostics
                .iter()
                .any(|found| found.pointer == pointer)
        );
    }
}

/// A checkerboard is no map of normals: what nothing is known of changes nothing.
#[test]
fn materials_do_without_maps_that_cannot_be_read() {
    let mut file = with_image(json!({"uri": "missing.png"}));
    let map = json!({"index": 0});
    file.json["extensionsUsed"] = json!([
        "KHR_materials_transmission",
        "KHR_materials_clearcoat",
        "KHR_materials_pbrSpecularGlossiness",
    ]);
    file.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": map, "metallicRoughnessTexture": map},
        "normalTexture": map,
        "occlusionTexture": map,
        "emissiveTexture": map,
        "emissiveFactor": [1, 1, 1],
        "extensions": {
            "KHR_materials_transmission": {"transmissionFactor": 0.5, "transmissionTexture": map},
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatNormalTexture": map},
            "KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": map, "specularGlossinessTexture": map},
        },
    }]);
    let import = file.load();
    let material = &import.model.materials[0];
    assert!(material.base_color_texture.is_some());
    assert!(material.metallic_roughness_texture.is_none());
    assert!(material.normal_texture.is_none() && material.occlusion_texture.is_none());
    assert!(material.emissive_texture.is_none());
    assert_eq!(material.emissive, Vec3::ZERO, "nobody knows where it glows");
    let transmission = material.transmission.as_ref().unwrap();
    assert!(transmission.texture.is_none() && transmission.factor == 0.0);
    assert!(material.clearcoat.unwrap().normal_texture.is_none());
    let old = material.specular_glossiness.as_ref().unwrap();
    assert!(old.diffuse_texture.is_some() && old.texture.is_none());
}

#[test]
fn prefers_images_of_extensions_that_can_be_read() {
    let whole = |format| json!({"uri": data_uri(&red_dot(format))});
    let bad = json!({"uri": data_uri(b"\xabKTX 20\xbb\r\n\x1a\n")});
    let mut file = with_image(whole(ImageFormat::Png));
    file.json["images"] = json!([whole(ImageFormat::Png), whole(ImageFormat::WebP), bad]);
    file.json["extensionsRequired"] = json!(["EXT_texture_webp", "KHR_texture_basisu"]);
    for (extension, source, expected) in [
        ("EXT_texture_webp", 1, 1),
        ("KHR_texture_basisu", 2, 0),
        ("ACME_texture", 1, 0),
    ] {
        file.json["textures"] =
            json!([{"source": 0, "extensions": {extension: {"source": source}}}]);
        let import = file.load();
        assert_eq!(import.model.textures[0].image, expected, "{extension}");
    }
}

#[test]
fn gives_textures_without_an_image_one() {
    let mut file = File::triangle();
    file.json["textures"] = json!([{}, {"source": 3}]);
    let import = file.load();
    let model = &import.model;
    assert_eq!(model.images.len(), 1);
    assert!(model.textures.iter().all(|texture| texture.image == 0));
    assert_error(&import, "UNRESOLVED_REFERENCE", "/textures/1/source");
    let code = "TEXTURE_WITHOUT_IMAGE";
    assert_found(&import, Severity::Warning, code, "/textures/0");
}

#[test]
fn prefers_the_webp_image() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    let webp = json!({"uri": data_uri(&red_dot(ImageFormat::WebP))});
    file.json["images"].as_array_mut().unwrap().push(webp);
    file.json["textures"] =
        json!([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}]);
    assert_eq!(file.load().model.textures[0].image, 1);
}

#[test]
fn tells_what_is_drawn_where_the_webp_image_cannot_be_read() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    let junk = json!({"uri": data_uri(b"RIFF....WEBPjunk")});
    file.json["images"].as_array_mut().unwrap().push(junk);
    let both = json!({"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}});
    let webp = json!({"extensions": {"EXT_texture_webp": {"source": 1}}});
    for (textures, action) in [
        (json!([both]), "the other image of its texture is used"),
        (
            json!([both, webp]),
            "a checkerboard stands for it as base colour; materials do without it as any other map",
        ),
    ] {
        file.json["textures"] = textures;
        let import = file.load();
        assert_eq!(import.model.textures[0].image, 0);
        let found = import
            .diagnostics
            .iter()
            .find(|it| it.pointer == "/images/1");
        assert_eq!(found.unwrap().action, action);
    }
}

#[test]
fn pays_for_images_before_it_decodes_them() {
    // 8000 x 8000 pixels of one colour, in a few kilobytes, of a kind that is not read at half of its size.
    let image = image::GrayAlphaImage::new(8000, 8000);
    let bytes = encoded(&DynamicImage::ImageLumaA8(image), ImageFormat::Png);
    let import = with_image(json!({"uri": data_uri(&bytes)})).load();
    assert!(import.model.images[0].is_placeholder);
    assert_error(&import, "MEMORY_BUDGET_EXCEEDED", "/images/0");
}

#[test]
fn reads_texture_transforms_and_their_set_of_coordinates() {
    let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
    file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
    file.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 0, "extensions": {
            "KHR_texture_transform": {"offset": [0.25, 0.5], "rotation": 1.5, "scale": [2.0, 3.0], "texCoord": 1}
        }}},
        "emissiveTexture": {"index": 0}
    }]);
    let material = &file.load().model.materials[0];
    let base = material.base_color_texture.unwrap();
    assert_eq!(base.tex_coord, 1);
    assert_eq!(base.transform.offset, glam::Vec2::new(0.25, 0.5));
    assert_eq!(base.transform.rotation_radians, 1.5);
    assert_eq!(base.transform.scale, glam::Vec2::new(2.0, 3.0));
    let emissive = material.emissive_texture.unwrap();
    assert_eq!(emissive.transform, TextureTransform::default());
}

#[test]
fn sets_of_texture_transforms_are_named_where_they_stand() {
    for (transform, place) in [
        (json!({}), "texCoord"),
        (
            json!({"texCoord": 2}),
            "extensions/KHR_texture_transform/texCoord",
        ),
    ] {
        let mut file = with_image(json!({"uri": data_uri(&red_dot(ImageFormat::Png))}));
        file.json["extensionsUsed"] = json!(["KHR_texture_transform"]);
        file.json["materials"] = json!([{"emissiveTexture": {
            "index": 0, "texCoord": 2, "extensions": {"KHR_texture_transform": transform},
        }}]);
        let pointer = format!("/materials/0/emissiveTexture/{place}");
        let code = "TEXCOORD_SET_UNSUPPORTED";
        assert_found(&file.load(), Severity::Warning, code, &pointer);
    }
}

/// A JPEG that ends where its only scan begins: three components, `in_scan` of them in the scan.
fn jpeg(frame: u8, side: u16, in_scan: u8) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    let mut bytes = vec![0xff, 0xd8, 0xff, frame, 0, 17, 8, high, low, high, low, 3];
    bytes.extend([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    bytes.extend([0xff, 0xda, 0, 6 + 2 * in_scan, in_scan]);
    bytes.extend((1..=in_scan).flat_map(|component| [component, 0]));
    bytes.extend([0, 63, 0, 0xff, 0xd9]);
    bytes
}

/// A lossless WebP that ends after its header.
fn webp(side: u32) -> Vec<u8> {
    let mut bytes = b"RIFF\x12\0\0\0WEBPVP8L\x05\0\0\0\x2f".to_vec();
    bytes.extend(((side - 1) | (side - 1) << 14).to_le_bytes());
    bytes.push(0);
    bytes
}

#[test]
fn pays_for_what_decoders_take_while_they_work() {
    // What comes out would be allowed.
    for (encoded, is_dear) in [
        (jpeg(0xc0, 6_000, 3), false),
        (jpeg(0xc0, 6_000, 1), true),
        (jpeg(0xc2, 6_000, 3), true),
        (webp(6_000), true),
        (webp(2_000), false),
    ] {
        let mut file = File::triangle();
        file.json["images"] = json!([{"uri": data_uri(&encoded)}]);
        let import = file.load();
        let code = if is_dear {
            "MEMORY_BUDGET_EXCEEDED"
        } else {
            "IMAGE_DATA_INVALID"
        };
        assert_error(&import, code, "/images/0");
    }
}

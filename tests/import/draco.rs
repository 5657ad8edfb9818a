//! What files with Draco streams may say beside them.

use rigscope::import::Import;

use super::{
    corpus::of_corpus,
    file::{self, changed},
};

pub(super) const DRACO: &str = "draco/testdata/Box/glTF_Binary/Box_Draco.glb";

#[test]
fn attributes_of_a_draco_primitive_may_share_an_accessor() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let after = changed(&glb, |json| {
        let primitive = &mut json["meshes"][0]["primitives"][0];
        let extension = &primitive["extensions"]["KHR_draco_mesh_compression"];
        let normals = extension["attributes"]["NORMAL"].clone();
        let positions = primitive["attributes"]["POSITION"].clone();
        primitive["attributes"]["_ALSO"] = positions;
        primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"]["_ALSO"] = normals;
    });
    file::assert_sound(&after);
    let text = |import: &Import| format!("{:?}", import.model.meshes);
    assert_eq!(text(&file::load(&glb)), text(&after));
}

#[test]
fn what_a_draco_primitive_states_must_fit_though_it_is_not_needed() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let indices = "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT";
    let count = "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT";
    for (accessor, name, value, code, place) in [
        (0, "componentType", 5122, indices, "indices"),
        (1, "count", 25, count, "attributes/NORMAL"),
    ] {
        let import = changed(&glb, |json| {
            json["accessors"][accessor][name] = value.into();
        });
        file::assert_error(&import, code, &format!("/meshes/0/primitives/0/{place}"));
    }
}

#[test]
fn attributes_in_draco_are_some_of_the_primitives_own() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    let import = changed(&glb, |json| {
        let attributes = json.pointer_mut(&format!("{at}/attributes")).unwrap();
        attributes["_MORE"] = attributes["NORMAL"].clone();
    });
    let place = format!("{at}/attributes/_MORE");
    file::assert_error(&import, "COMPRESSED_ATTRIBUTE_UNUSED", &place);
    assert_eq!(import.model.triangle_count(), 12);
    let import = changed(&glb, |json| {
        json.pointer_mut(at).unwrap()["bufferView"] = 99.into();
    });
    let mut found = import.diagnostics.iter();
    assert!(found.any(|it| it.message.contains("/99, but there ")));
}

/// The specification of the extension allows triangles and triangle strips.
#[test]
fn strips_in_draco_are_their_triangles() {
    let Some(glb) = of_corpus(DRACO) else {
        return;
    };
    let in_mode = |mode: u32| {
        changed(&glb, |json| {
            json["meshes"][0]["primitives"][0]["mode"] = mode.into();
        })
    };
    let import = in_mode(5);
    file::assert_clean(&import);
    let meshes = |import: &Import| format!("{:?}", import.model.meshes);
    assert_eq!(meshes(&import), meshes(&in_mode(4)));
    let at = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    file::assert_error(&in_mode(6), "COMPRESSION_UNSUPPORTED", at);
}

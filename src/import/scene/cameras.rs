//! Cameras (glTF 2.0 §3.10).

use gltf::json::{self, camera::Type, validation::Checked};

use crate::{
    import::{
        arrays::source::Source,
        base::{
            diagnostics::{Diagnostics, Fault},
            progress::Cancelled,
        },
        json::document::Section,
    },
    model::{Camera, Projection},
};

/// What stands for a camera that cannot be read.
const FALLBACK: Projection = Projection::Perspective {
    fov_y_radians: 0.8,
    aspect: None,
    near: 0.01,
    far: None,
};

/// Reads all cameras.
pub(in crate::import) fn read(
    source: &Source<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Camera>, Cancelled> {
    let mut cameras = Vec::new();
    for index in 0..source.document.count(Section::Cameras) {
        source.progress.check()?;
        let object = source
            .document
            .object::<json::Camera>(Section::Cameras, index, diagnostics);
        let (name, projection) = match object {
            Some(object) => (object.name.clone(), read_projection(&object)),
            None => (None, Ok(FALLBACK)),
        };
        let projection = projection.unwrap_or_else(|fault| {
            let pointer = format_args!("/cameras/{index}");
            diagnostics.fault(fault, pointer, "a usual perspective stands for it");
            FALLBACK
        });
        cameras.push(Camera {
            name: name.unwrap_or_default(),
            projection,
        });
    }
    Ok(cameras)
}

fn read_projection(object: &json::Camera) -> Result<Projection, Fault> {
    let out_of_range = |what: &str| Err(Fault::new("VALUE_NOT_IN_RANGE", what));
    let positive = |number: f32| number.is_finite() && number > 0.0;
    match object.type_ {
        Checked::Valid(Type::Perspective) => {
            let Some(camera) = &object.perspective else {
                return Err(Fault::new(
                    "UNDEFINED_PROPERTY",
                    "its perspective is missing",
                ));
            };
            if !positive(camera.yfov) {
                return out_of_range("its yfov is not positive and finite");
            }
            if !positive(camera.znear) {
                return out_of_range("its znear is not positive and finite");
            }
            if camera.zfar.is_some_and(|far| far <= camera.znear) {
                return Err(Fault::new(
                    "CAMERA_ZFAR_LEQUAL_ZNEAR",
                    "its zfar is not beyond its znear",
                ));
            }
            // Only a warning, so it must not stand before the errors.
            if camera.yfov >= std::f32::consts::PI {
                let message = "its yfov is not less than pi";
                return Err(Fault::warning("CAMERA_YFOV_GEQUAL_PI", message));
            }
            Ok(Projection::Perspective {
                fov_y_radians: camera.yfov,
                aspect: camera.aspect_ratio.filter(|&aspect| positive(aspect)),
                near: camera.znear,
                far: camera.zfar.filter(|&far| positive(far)),
            })
        }
        Checked::Valid(Type::Orthographic) => {
            let Some(camera) = &object.orthographic else {
                return Err(Fault::new(
                    "UNDEFINED_PROPERTY",
                    "its orthographic is missing",
                ));
            };
            // Numbers of JSON have no limit.
            let [width, height, near, far] = [
                camera.xmag.abs(),
                camera.ymag.abs(),
                camera.znear,
                camera.zfar,
            ]
            .map(|number| number.clamp(f32::MIN, f32::MAX));
            if !positive(width) || !positive(height) {
                return Err(Fault::new(
                    "CAMERA_XMAG_YMAG_ZERO",
                    "its xmag or ymag is zero",
                ));
            }
            if near < 0.0 {
                return out_of_range("its znear is negative");
            }
            if far <= near {
                return Err(Fault::new(
                    "CAMERA_ZFAR_LEQUAL_ZNEAR",
                    "its zfar is not beyond its znear",
                ));
            }
            Ok(Projection::Orthographic {
                half_width: width,
                half_height: height,
                near,
                far,
            })
        }
        Checked::Invalid => Err(Fault::warning("VALUE_NOT_IN_LIST", "its type is unknown")),
    }
}

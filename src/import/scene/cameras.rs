//! Cameras (glTF 2.0 §3.10). A number that cannot be used costs no other.

use std::fmt;

use serde::Deserialize;

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

const USUAL_FOV: f32 = 0.8;
const USUAL_NEAR: f32 = 0.01;
/// How much farther than its near plane a camera sees at least whose near plane is not known.
const MIN_DEPTH: f32 = 1000.0;
/// How far a parallel projection reaches that does not say it, by the larger of its half sides.
const USUAL_REACH: f32 = 100.0;

/// What stands for a camera that cannot be read.
const FALLBACK: Projection = Projection::Perspective {
    fov_y_radians: USUAL_FOV,
    aspect: None,
    near: USUAL_NEAR,
    far: None,
};
const FALLBACK_USED: &str = "a usual perspective stands for it";
const USUAL_USED: &str = "a usual one is used";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileCamera {
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    perspective: Option<FilePerspective>,
    orthographic: Option<FileOrthographic>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FilePerspective {
    aspect_ratio: Option<f64>,
    yfov: Option<f64>,
    znear: Option<f64>,
    zfar: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileOrthographic {
    xmag: Option<f64>,
    ymag: Option<f64>,
    znear: Option<f64>,
    zfar: Option<f64>,
}

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
            .object::<FileCamera>(Section::Cameras, index, diagnostics);
        let (name, projection) = match object {
            Some(object) => {
                let mut mender = Mender { index, diagnostics };
                let projection = mender.projection(&object);
                (object.name, projection.unwrap_or(FALLBACK))
            }
            None => (None, FALLBACK),
        };
        cameras.push(Camera {
            name: name.unwrap_or_default(),
            projection,
        });
    }
    Ok(cameras)
}

fn positive(number: f32) -> bool {
    number.is_finite() && number > 0.0
}

/// The number in single precision. JSON has no limits: what is too large becomes the largest.
fn single(number: f64) -> f32 {
    (number as f32).clamp(f32::MIN, f32::MAX)
}

/// Mends one camera, and says what it mends.
struct Mender<'d> {
    index: usize,
    diagnostics: &'d mut Diagnostics,
}

const PERSPECTIVE: &str = "/perspective";
const ORTHOGRAPHIC: &str = "/orthographic";

impl Mender<'_> {
    /// Says something of what stands at a place in the camera, a pointer.
    fn say(&mut self, place: impl fmt::Display, fault: Fault, action: &str) {
        let pointer = format_args!("/cameras/{}{place}", self.index);
        self.diagnostics.fault(fault, pointer, action);
    }

    fn error(
        &mut self,
        place: impl fmt::Display,
        code: &'static str,
        message: impl Into<String>,
        action: &str,
    ) {
        self.say(place, Fault::new(code, message), action);
    }

    fn projection(&mut self, object: &FileCamera) -> Option<Projection> {
        let FileCamera {
            kind,
            perspective,
            orthographic,
            ..
        } = object;
        let is_perspective = match kind.as_deref() {
            Some("perspective") => true,
            Some("orthographic") => false,
            Some(_) => {
                let fault = Fault::warning("VALUE_NOT_IN_LIST", "its type is unknown");
                self.say("", fault, FALLBACK_USED);
                return None;
            }
            None => {
                let action = match (perspective, orthographic) {
                    (Some(_), _) => "it is a perspective, since it has one",
                    (None, Some(_)) => "it is orthographic, since it has that",
                    (None, None) => FALLBACK_USED,
                };
                self.error("", "UNDEFINED_PROPERTY", "it has no type", action);
                match (perspective, orthographic) {
                    (None, None) => return None,
                    (perspective, _) => perspective.is_some(),
                }
            }
        };
        let missing = "UNDEFINED_PROPERTY";
        if is_perspective {
            let Some(lens) = perspective else {
                self.error("", missing, "its perspective is missing", FALLBACK_USED);
                return None;
            };
            Some(self.perspective(lens))
        } else {
            let Some(lens) = orthographic else {
                self.error("", missing, "its orthographic is missing", FALLBACK_USED);
                return None;
            };
            Some(self.orthographic(lens))
        }
    }

    /// A number of a lens that is missing, or not positive and finite.
    fn bad(&mut self, lens: &str, name: &str, number: Option<f64>, action: &str) {
        match number {
            None => {
                let message = format!("its {name} is missing");
                self.error(lens, "UNDEFINED_PROPERTY", message, action);
            }
            Some(number) if number > 0.0 && number < 1.0 => self.tiny(lens, name, action),
            Some(_) => {
                let place = format_args!("{lens}/{name}");
                let message = "it is not positive and finite";
                self.error(place, "VALUE_NOT_IN_RANGE", message, action);
            }
        }
    }

    /// A number that is not 0, but in single precision: the file is at no fault.
    fn tiny(&mut self, lens: &str, name: &str, action: &str) {
        let place = format_args!("{lens}/{name}");
        let message = "it is too small for single precision";
        self.say(place, Fault::warning("VALUE_NOT_IN_RANGE", message), action);
    }

    fn perspective(&mut self, lens: &FilePerspective) -> Projection {
        let fov = lens.yfov.map(|it| it as f32).filter(|&fov| positive(fov));
        let near = lens
            .znear
            .map(|it| it as f32)
            .filter(|&near| positive(near));
        let far = lens.zfar.map(|it| it as f32);
        if fov.is_none() {
            self.bad(PERSPECTIVE, "yfov", lens.yfov, USUAL_USED);
        }
        if near.is_none() {
            self.bad(PERSPECTIVE, "znear", lens.znear, USUAL_USED);
        }
        let action = "it sees without end";
        let is_none = lens.zfar.is_some_and(|far| far <= 0.0);
        let is_behind = lens
            .zfar
            .is_some_and(|far| far <= lens.znear.unwrap_or(0.0));
        if is_none {
            self.bad(PERSPECTIVE, "zfar", lens.zfar, action);
        } else if is_behind {
            let message = "its zfar is not beyond its znear";
            let code = "CAMERA_ZFAR_LEQUAL_ZNEAR";
            self.error(PERSPECTIVE, code, message, action);
        }
        let fov = fov.filter(|&fov| {
            let is_wide = fov >= std::f32::consts::PI;
            if is_wide {
                let place = format_args!("{PERSPECTIVE}/yfov");
                let message = "it is not less than pi";
                let fault = Fault::warning("CAMERA_YFOV_GEQUAL_PI", message);
                self.say(place, fault, USUAL_USED);
            }
            !is_wide
        });
        // Both may be the same in single precision.
        let far = far.filter(|&far| positive(far) && far > near.unwrap_or(0.0) && !is_behind);
        let usual_near = far.map_or(USUAL_NEAR, |far| USUAL_NEAR.min(far / MIN_DEPTH));
        Projection::Perspective {
            fov_y_radians: fov.unwrap_or(USUAL_FOV),
            aspect: lens
                .aspect_ratio
                .map(|it| it as f32)
                .filter(|&aspect| positive(aspect)),
            near: near.unwrap_or(usual_near),
            far,
        }
    }

    fn orthographic(&mut self, lens: &FileOrthographic) -> Projection {
        let [width, height] = [("xmag", lens.xmag), ("ymag", lens.ymag)].map(|(name, number)| {
            if number.is_none() {
                self.bad(ORTHOGRAPHIC, name, None, "the other side's is used");
            }
            number.map(single).map_or(0.0, f32::abs)
        });
        for (name, side) in [("xmag", lens.xmag), ("ymag", lens.ymag)] {
            let action = "the other side's is used";
            match side {
                Some(0.0) => {
                    let place = format_args!("{ORTHOGRAPHIC}/{name}");
                    self.error(place, "CAMERA_XMAG_YMAG_ZERO", "it is zero", action);
                }
                Some(side) if !positive(single(side).abs()) => {
                    self.tiny(ORTHOGRAPHIC, name, action);
                }
                _ => {}
            }
        }
        let either = [width, height].into_iter().find(|&side| positive(side));
        let either = either.unwrap_or(1.0);
        let [width, height] =
            [width, height].map(|side| if positive(side) { side } else { either });
        let near = match lens.znear.map(single) {
            Some(near) if near >= 0.0 => near,
            Some(_) => {
                let place = format_args!("{ORTHOGRAPHIC}/znear");
                self.error(place, "VALUE_NOT_IN_RANGE", "it is negative", "0 is used");
                0.0
            }
            None => {
                self.bad(ORTHOGRAPHIC, "znear", None, "0 is used");
                0.0
            }
        };
        let reach = (USUAL_REACH * width.max(height)).min(f32::MAX);
        match lens.zfar.map(single) {
            Some(far) if far > near => Projection::Orthographic {
                half_width: width,
                half_height: height,
                near,
                far,
            },
            _ => {
                // Both may be the same in single precision.
                let is_behind = lens
                    .zfar
                    .is_some_and(|far| far <= lens.znear.unwrap_or(0.0).max(0.0));
                match lens.zfar {
                    Some(far) if far <= 0.0 => {
                        self.bad(ORTHOGRAPHIC, "zfar", lens.zfar, USUAL_USED);
                    }
                    None => self.bad(ORTHOGRAPHIC, "zfar", None, USUAL_USED),
                    Some(_) if !is_behind => {
                        let message = "its znear and zfar are one in single precision";
                        let fault = Fault::info("VALUE_NOT_IN_RANGE", message);
                        self.say(ORTHOGRAPHIC, fault, USUAL_USED);
                    }
                    Some(_) => {
                        let message = "its zfar is not beyond its znear";
                        let code = "CAMERA_ZFAR_LEQUAL_ZNEAR";
                        self.error(ORTHOGRAPHIC, code, message, USUAL_USED);
                    }
                }
                let far = near + reach;
                let is_beyond = far.is_finite() && far > near;
                Projection::Orthographic {
                    half_width: width,
                    half_height: height,
                    near: if is_beyond { near } else { 0.0 },
                    far: if is_beyond { far } else { reach },
                }
            }
        }
    }
}

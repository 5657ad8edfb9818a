//! Vertices that follow a joint by mistake.

use crate::{
    anim::StrayWeights,
    import::base::{diagnostics::Diagnostics, wording::counted},
    model::Model,
};

use super::{mesh_name, quoted};

/// What is to be said of the weights of a model; nothing if that did not go on to the end.
pub(in crate::import) fn examine(model: &Model, goes_on: &dyn Fn() -> bool) -> Diagnostics {
    let mut found = Diagnostics::default();
    for stray in StrayWeights::find(model, goes_on).unwrap_or_default() {
        let StrayWeights { skin, joint, .. } = stray;
        let Some(message) = message(model, &stray) else {
            continue;
        };
        found.warning(
            StrayWeights::CODE,
            format_args!("/skins/{skin}/joints/{joint}"),
            message,
            if stray.count == 1 {
                "drawn as it is"
            } else {
                "drawn as they are"
            },
        );
    }
    found
}

fn message(model: &Model, stray: &StrayWeights) -> Option<String> {
    let mesh = model.meshes.get(stray.mesh)?;
    let joint = *model.skins.get(stray.skin)?.joints.get(stray.joint)?;
    let whose = mesh_name(&mesh.name, stray.mesh);
    let (count, first) = (stray.count, stray.first_vertex);
    let of_primitive = match mesh.primitives.len() {
        1 => String::new(),
        _ => format!(" of primitive {}", stray.primitive),
    };
    let (they, follow, them) = match count {
        1 => (format!("vertex {first}{of_primitive}"), "follows", "it"),
        _ => {
            let vertices = counted(count, "vertex", "vertices");
            let first = format!("the first being vertex {first}{of_primitive}");
            (format!("{vertices}, {first},"), "follow", "them")
        }
    };
    let [joint, around] = [joint, stray.around].map(|node| quoted(&model.hierarchy, node));
    Some(format!(
        "in mesh {whose}, {they} {follow} {joint}, which is far away (weights up to {:.2}), while what is around {them} follows {around}",
        stray.weight
    ))
}

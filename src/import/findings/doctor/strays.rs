//! Vertices that follow a joint by mistake.

use std::collections::HashSet;

use crate::{
    anim::{MisplacedWeights, StrayWeights},
    import::base::{
        diagnostics::{Diagnostics, Place},
        wording::counted,
    },
    model::Model,
};

use super::{few_names, mesh_name, number_of, proportions, quoted, rest_pose};

/// Where at least so many joints, and one in the second, have vertices around others, all of them are out of order.
const SEVERAL: usize = 3;
const OUT_OF_ORDER: usize = 5;

/// What is to be said of the weights of a model; nothing if that did not go on to the end.
pub(in crate::import) fn examine(model: &Model, goes_on: &dyn Fn() -> bool) -> Diagnostics {
    let mut found = Diagnostics::default();
    let mut told = HashSet::new();
    for stray in StrayWeights::find(model, goes_on).unwrap_or_default() {
        let StrayWeights { skin, joint, .. } = stray;
        told.insert((skin, joint, stray.around));
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
    let all_misplaced = MisplacedWeights::find(model, goes_on).unwrap_or_default();
    if all_misplaced.is_empty() {
        return found;
    }
    let rest = rest_pose(&model.hierarchy);
    for mut misplaced in all_misplaced {
        let skin = misplaced.skin;
        // Where bones are said to be elsewhere altogether, nothing lies around its own.
        let is_misfit = model.skins.get(skin).is_some_and(|skin| {
            let used = vec![true; skin.joints.len()];
            proportions::misfit(model, skin, &used, &rest).is_some()
        });
        if is_misfit {
            continue;
        }
        let is_disorder = is_disorder(&misplaced);
        misplaced
            .joints
            .retain(|(joint, around)| !told.contains(&(skin, *joint, *around)));
        report_misplaced(model, &misplaced, is_disorder, &mut found);
    }
    found
}

/// Whether so many joints have vertices around others that all seem to be out of order.
fn is_disorder(misplaced: &MisplacedWeights) -> bool {
    let count = misplaced.joints.len();
    count >= SEVERAL && count.saturating_mul(OUT_OF_ORDER) >= misplaced.used
}

fn report_misplaced(
    model: &Model,
    misplaced: &MisplacedWeights,
    is_disorder: bool,
    found: &mut Diagnostics,
) {
    let MisplacedWeights { skin, joints, used } = misplaced;
    let (Some(all), Some((first, _))) = (model.skins.get(*skin), joints.first()) else {
        return;
    };
    let name = |joint: usize| {
        let joint = all.joints.get(joint).copied();
        joint.map_or_else(String::new, |joint| quoted(&model.hierarchy, joint))
    };
    let pairs = joints.iter().map(|(joint, around)| {
        let (joint, around) = (name(*joint), quoted(&model.hierarchy, *around));
        format!("what follows {joint} lies around {around}")
    });
    let pairs = few_names(pairs);
    let count = joints.len();
    let message = if count == 1 {
        format!("vertices follow a joint that is far away: {pairs}, which moves little of it")
    } else {
        let order = if is_disorder {
            ", as if the joints were in another order"
        } else {
            ""
        };
        format!(
            "vertices follow joints that are far away, by {} of {used} that were looked at{order}: {pairs}",
            number_of(count, "joint"),
        )
    };
    let pointer = |joint: usize| format!("/skins/{skin}/joints/{joint}");
    let action = "drawn as they are";
    found.warning(MisplacedWeights::CODE, pointer(*first), message, action);
    let others = joints.iter().skip(1);
    let others = others.map(|(joint, _)| (pointer(*joint), Place::default()));
    found.also_about(MisplacedWeights::CODE, others);
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

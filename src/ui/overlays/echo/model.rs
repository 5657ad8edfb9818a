//! What is said of the model: its nodes, its skeleton, its pose.

use super::{
    WindowRoom,
    words::{NAME_CHARS, on_off},
};
use crate::scene::JointChoice;
use crate::ui::{
    NodeKind, NodeRow, Sight, View,
    keys::{Action, written},
    menus::bones::CROWD_HOLDS_NONE,
    text,
};

/// Why a tool for poses does nothing.
pub(super) const NO_CROWD: &str = "A crowd is not posed by hand";

/// Nodes, scenes and materials.
pub(super) fn about_nodes(action: Action, view: &View<'_>, place: &WindowRoom) -> Option<String> {
    Some(match action {
        Action::SceneStep if view.model.scenes.len() == 1 => "The file has one scene".to_owned(),
        Action::SceneStep => {
            let name = view.model.scenes.get(view.model.scene)?;
            format!("Scene: {}", text::clean(name, NAME_CHARS))
        }
        Action::VariantStep => match view
            .model
            .variant
            .and_then(|it| view.model.variants.get(it))
        {
            Some(name) => format!("Materials: {}", text::clean(name, NAME_CHARS)),
            None => "Materials: the file's own choice".to_owned(),
        },
        // Else the list shows it.
        Action::NodeStep if !place.panels.scene => format!("Node: {}", chosen(view)?.1),
        Action::HideNode => {
            let (node, name) = chosen(view)?;
            match view.nodes.hiding.of(node) {
                Sight::Shown => format!("{name} is shown"),
                Sight::Hidden => {
                    let keys = written(Action::HideNode, 0);
                    let why = if hides_nothing(view, node) {
                        ", but joints only move a mesh, which is another node"
                    } else {
                        ""
                    };
                    format!("{name} is hidden{why}   ·   {keys}: show it")
                }
                Sight::UnderHidden => format!("{name} is under a hidden node"),
            }
        }
        Action::FigureSpace if view.shown.world_figures => {
            "Figures of the node: in the world".to_owned()
        }
        Action::FigureSpace => "Figures of the node: relative to its parent".to_owned(),
        _ => return None,
    })
}

/// Whether a joint has no mesh below it: what it moves is seen as before.
fn hides_nothing(view: &View<'_>, node: usize) -> bool {
    let Some(row) = view.nodes.rows.get(node) else {
        return false;
    };
    let mut all = view.nodes.rows.iter().skip(node).take(1 + row.descendants);
    let is_mesh = |row: &NodeRow| matches!(row.kind, NodeKind::Mesh | NodeKind::SkinnedMesh);
    row.kind == NodeKind::Joint && !all.any(is_mesh)
}

/// The chosen node and its name.
fn chosen<'v>(view: &View<'v>) -> Option<(usize, std::borrow::Cow<'v, str>)> {
    let node = view.nodes.selected?;
    let NodeRow { name, .. } = view.nodes.rows.get(node)?;
    Some((node, text::clean(name, NAME_CHARS)))
}

/// The skeleton.
pub(super) fn about_skeleton(action: Action, view: &View<'_>) -> Option<String> {
    let settings = &view.skeleton.settings;
    let is_about_bones = matches!(
        action,
        Action::JointNames | Action::JointAxes | Action::XRay | Action::EndJoints
    );
    let is_crowd = view.statistics.crowd.is_some();
    let mut words = match action {
        Action::JointNames => format!("Joint names: {}", choice(settings.names)),
        Action::JointAxes => format!("Joint axes: {}", choice(settings.axes)),
        Action::XRay => on_off("X-ray", settings.x_ray),
        Action::EndJoints => on_off("End joints", settings.end_joints),
        Action::OnionSkins => motion_drawn("Onion skins", settings.onion_skins, view),
        Action::Trail => {
            let words = motion_drawn("Motion trail", settings.trail, view);
            let lacks_node = settings.trail && view.nodes.selected.is_none();
            if lacks_node && view.unseen_motion().is_empty() {
                words + ": select a node"
            } else {
                words
            }
        }
        Action::KeepTrail => {
            let (node, name) = chosen(view)?;
            let is_kept = view.skeleton.trails.contains(&node);
            if is_kept {
                format!("The trail of {name} is kept") + view.unseen_motion()
            } else {
                format!("The trail of {name} is released")
            }
        }
        Action::HeldPose if is_crowd => CROWD_HOLDS_NONE.to_owned(),
        Action::HeldPose => match view.skeleton.held {
            Some(pose) => format!("{} pose", pose.label()),
            None => "The clip's pose".to_owned(),
        },
        Action::DualQuaternions if view.statistics.skins == 0 => "The file has no skin".to_owned(),
        Action::DualQuaternions if view.motion.dual_quaternions => {
            "Skinning: dual quaternions".to_owned()
        }
        Action::DualQuaternions => "Skinning: linear".to_owned(),
        _ => return None,
    };
    if is_about_bones && !view.shown.skeleton {
        let keys = written(Action::Skeleton, 0);
        words.push_str(&format!("   ·   {keys}: show the bones"));
    }
    Some(words)
}

/// That what draws the motion of the clip is on or off, and why it cannot be seen where it is on.
fn motion_drawn(what: &str, is_on: bool, view: &View<'_>) -> String {
    let unseen = if is_on { view.unseen_motion() } else { "" };
    on_off(what, is_on) + unseen
}

/// Poses by hand.
pub(super) fn about_posing(action: Action, view: &View<'_>) -> Option<String> {
    let posing = &view.posing;
    let is_about_tool = matches!(
        action,
        Action::PoseTool | Action::PoseHandle | Action::PoseNudge
    );
    Some(match action {
        _ if !is_about_tool && !matches!(action, Action::Undo | Action::Redo) => return None,
        _ if is_about_tool && view.statistics.crowd.is_some() => NO_CROWD.to_owned(),
        // What the tool waits for is said in its own hint.
        _ if is_about_tool && posing.lacks_joint => return None,
        Action::PoseTool => format!("Pose: {}", posing.tool.label()),
        Action::Undo => format!("Undone: {}", text::clean(view.history.redo?, NAME_CHARS)),
        Action::Redo => format!("Redone: {}", text::clean(view.history.undo?, NAME_CHARS)),
        _ => return None,
    })
}

fn choice(choice: JointChoice) -> String {
    choice.label().to_lowercase()
}

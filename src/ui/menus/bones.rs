//! The menu of the skeleton, in a corner of the picture: what stands for bones, names, axes, what is hidden.

use egui::{RichText, Ui};

use crate::scene::{BoneShape, ControlJoints, JointChoice, ReferencePose, SkeletonSettings};
use crate::ui::{
    Command, PictureCommand, SkeletonCommand, View,
    keys::{Action, written},
    text,
    theme::colors_of,
    widgets,
};

/// Why no pose is held.
pub const CROWD_HOLDS_NONE: &str = "A crowd plays clips, and holds no pose";

/// Draws the menu's button.
pub fn bones_menu_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let response = widgets::menu(ui, egui::Button::new("Bones"), 240.0, |ui| {
        contents_ui(ui, view, commands);
    });
    let keys = written(Action::Skeleton, 0);
    response.on_hover_text(format!("How the skeleton is shown ({keys}: on and off)"));
}

fn contents_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 5.0;
    let mut settings = view.skeleton.settings;
    ui.add_enabled_ui(view.shown.has_skeleton, |ui| {
        let mut is_shown = view.shown.skeleton;
        let words = if view.shown.has_skeleton {
            "Skeleton"
        } else {
            "Skeleton (the file has none)"
        };
        let box_ = ui.checkbox(&mut is_shown, words);
        if hinted(box_, "Show or hide the bones", Action::Skeleton).clicked() {
            commands.push(Command::Picture(PictureCommand::ToggleSkeleton));
        }
        let shapes = BoneShape::ALL.map(|shape| (shape, shape.label()));
        let hint = "What stands for a bone";
        choice_ui(ui, "Bones", &mut settings.shape, &shapes, (hint, None));
        let choices = JointChoice::ALL.map(|choice| (choice, choice.label()));
        let names = ("Joints whose names are shown", Some(Action::JointNames));
        choice_ui(ui, "Names", &mut settings.names, &choices, names);
        let axes = ("Joints whose axes are shown", Some(Action::JointAxes));
        choice_ui(ui, "Axes", &mut settings.axes, &choices, axes);
        let choices = ControlJoints::ALL.map(|choice| (choice, choice.label()));
        let hint = "Joints that move no vertex, nor does any below them: IK targets, pole vectors";
        let controls = (hint, None);
        choice_ui(ui, "Controls", &mut settings.controls, &choices, controls);
        ui.separator();
        let box_ = ui.checkbox(&mut settings.x_ray, "X-ray");
        hinted(box_, "Seen through the model", Action::XRay);
        let box_ = ui.checkbox(&mut settings.end_joints, "End joints");
        let hint = "Joints at the ends that move no vertex";
        hinted(box_, hint, Action::EndJoints);
    });
    ui.separator();
    let has_clip = view.clips.chosen.is_some();
    ui.add_enabled_ui(has_clip, |ui| {
        let words = match view.nodes.selected {
            Some(_) => "Motion trail",
            None => "Motion trail (select a node)",
        };
        let box_ = ui.checkbox(&mut settings.trail, words);
        let hint = "The path of the selected node: past orange, future blue, dots at its keys";
        hinted(box_, hint, Action::Trail);
        trails_ui(ui, view, commands);
        let box_ = ui.checkbox(&mut settings.onion_skins, "Onion skins");
        let hint = "The skeleton a few frames before and after";
        hinted(box_, hint, Action::OnionSkins);
    });
    ui.separator();
    pose_ui(ui, view, commands);
    if settings != view.skeleton.settings {
        commands.push(set(settings));
    }
}

/// The trails that are kept.
fn trails_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let trails = view.skeleton.trails;
    if view.nodes.selected.is_none() && trails.is_empty() {
        return;
    }
    ui.indent("trails", |ui| {
        let row = view
            .nodes
            .selected
            .and_then(|node| view.nodes.rows.get(node));
        if let (Some(node), Some(row)) = (view.nodes.selected, row) {
            let mut is_kept = trails.contains(&node);
            let words = format!("Keep that of {}", text::clean(&row.name, 24));
            let box_ = ui.checkbox(&mut is_kept, words);
            let hint = "Its trail stays when another node is selected";
            if hinted(box_, hint, Action::KeepTrail).clicked() {
                commands.push(Command::Skeleton(SkeletonCommand::KeepTrail(node)));
            }
        }
        if !trails.is_empty() {
            ui.horizontal(|ui| {
                let one = if trails.len() == 1 { "" } else { "s" };
                ui.weak(format!("{} trail{one} kept", trails.len()));
                let button = ui.small_button("Release");
                button.widget_info(|| {
                    let words = "Release all trails that are kept";
                    egui::WidgetInfo::labeled(egui::Role::Button, true, words)
                });
                let hint = "Release all trails that are kept";
                if button.on_hover_text(hint).clicked() {
                    commands.push(Command::Skeleton(SkeletonCommand::ForgetTrails));
                }
            });
        }
    });
}

/// The poses that can be held instead of the clip's.
fn pose_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    let skeleton = &view.skeleton;
    let no_bind_pose = (!skeleton.has_bind_pose).then_some("The file has no skins");
    let is_crowd = view.statistics.crowd.is_some();
    let poses = [
        (None, "Clip", None),
        (Some(ReferencePose::Rest), ReferencePose::Rest.label(), None),
        (
            Some(ReferencePose::Bind),
            ReferencePose::Bind.label(),
            no_bind_pose,
        ),
        (
            Some(ReferencePose::Tee),
            ReferencePose::Tee.label(),
            skeleton.why_no_t_pose,
        ),
    ];
    ui.horizontal(|ui| {
        caption_ui(ui, "Pose");
        for (pose, name, why_not) in poses {
            let of_crowd = (is_crowd && pose.is_some()).then_some(CROWD_HOLDS_NONE);
            let why_not = of_crowd.or(why_not);
            let is_held = skeleton.held == pose;
            let row = egui::Button::selectable(is_held, name);
            let row = ui.add_enabled(why_not.is_none(), row);
            row.widget_info(|| {
                let words = match why_not {
                    Some(why) => format!("Pose: {name} ({why})"),
                    None => format!("Pose: {name}"),
                };
                let role = egui::Role::RadioButton;
                egui::WidgetInfo::selected(role, why_not.is_none(), is_held, words)
            });
            let hint = why_not.unwrap_or("The pose that is shown: the clip's, or one of these");
            if hinted(row, hint, Action::HeldPose).clicked() && !is_held {
                commands.push(Command::Skeleton(SkeletonCommand::Hold(pose)));
            }
        }
    });
}

/// A caption, and one button for each choice.
fn choice_ui<T: Copy + PartialEq>(
    ui: &mut Ui,
    caption: &str,
    value: &mut T,
    choices: &[(T, &'static str)],
    (hint, action): (&str, Option<Action>),
) {
    ui.horizontal(|ui| {
        caption_ui(ui, caption);
        for &(choice, name) in choices {
            let row = widgets::radio(ui, *value == choice, name, &format!("{caption}: {name}"));
            let row = match action {
                Some(action) => hinted(row, hint, action),
                None => row.on_hover_text(hint),
            };
            if row.clicked() {
                *value = choice;
            }
        }
    });
}

fn caption_ui(ui: &mut Ui, caption: &str) {
    let room = egui::vec2(46.0, 20.0);
    let weak = colors_of(ui).weak;
    let words = RichText::new(caption).size(11.5).color(weak);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(room, layout, |ui| {
        ui.set_min_width(room.x);
        ui.label(words);
    });
}

/// Says what it is, and by which key the same is done.
fn hinted(response: egui::Response, words: &str, action: Action) -> egui::Response {
    let keys = written(action, 0);
    widgets::tooltip(response, words, &keys)
}

fn set(settings: SkeletonSettings) -> Command {
    Command::Skeleton(SkeletonCommand::Set(settings))
}

/// What a key asks for.
pub fn by_key(action: Action, view: &View<'_>) -> Option<Command> {
    let mut settings = view.skeleton.settings;
    match action {
        Action::Skeleton => {
            let has_skeleton = view.shown.has_skeleton;
            return has_skeleton.then_some(Command::Picture(PictureCommand::ToggleSkeleton));
        }
        Action::JointNames => settings.names = settings.names.next(),
        Action::JointAxes => settings.axes = settings.axes.next(),
        Action::XRay => settings.x_ray = !settings.x_ray,
        Action::EndJoints => settings.end_joints = !settings.end_joints,
        Action::Trail => settings.trail = !settings.trail,
        Action::OnionSkins => settings.onion_skins = !settings.onion_skins,
        Action::KeepTrail => {
            let node = view.nodes.selected?;
            return Some(Command::Skeleton(SkeletonCommand::KeepTrail(node)));
        }
        Action::HeldPose => return Some(Command::Skeleton(SkeletonCommand::ToggleHeld)),
        _ => return None,
    }
    if !settings.shows_same_skeleton(&view.skeleton.settings) && !view.shown.has_skeleton {
        return None;
    }
    Some(set(settings))
}

//! The picture's part of the window: the pointer over it moves the camera, flies and chooses, drags the gizmo of the pose, and
//! turns the gimbal.

pub mod flight;
pub mod gimbal;
mod gizmo;

use egui::{Event, PointerButton, Rect, Sense, Ui};

use super::{
    CameraCommand, Command, CompareCommand, View,
    overlays::{joint_names, root_path},
    widgets::{drag, wheel},
};
use gizmo::Gizmo;

/// How much a notch magnifies (the camera comes nearer by 12 %), so that what two fingers hold stays under them.
const PINCH_PER_NOTCH: f32 = 1.0 / 0.88;

/// How far beside a joint a click still chooses it, in points.
const PICK_REACH: f32 = 6.0;

/// Takes what the panels left over, and turns the pointer there into commands for the camera.
pub fn viewport_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) -> Rect {
    let rect = ui.available_rect_before_wrap();
    let rect = Rect::from_min_size(rect.min, rect.size().max(egui::Vec2::ZERO));
    // Panels are drawn wider and higher from both sides of their edges.
    let grip = ui.style().interaction.resize_grab_radius_side;
    // Not reached by Tab: there is nothing to press, and the camera's keys work without focus.
    let response = ui.interact(
        rect.shrink(grip.min(0.25 * rect.width().min(rect.height()))),
        ui.scope_id().with("viewport"),
        Sense::CLICK | Sense::DRAG,
    );
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Model"));
    let height = rect.height().max(1.0);
    let [first, second] = view.compare.drawn(rect);
    root_path::root_path_ui(ui, view, first);
    let drag = drag::drag(ui, &response);
    flight::fly(ui, view, &response, drag.as_ref(), commands);
    let flies = flight::is_on(ui.ctx(), view);
    let mut gizmo = Gizmo::of(ui, view, first);
    let is_gizmos = gizmo
        .as_mut()
        .is_some_and(|gizmo| gizmo.drag(ui, drag, commands));
    if let Some(drag) = drag.filter(|drag| drag.is_move && !is_gizmos) {
        let shift = ui.input(|input| input.modifiers.shift);
        let (right, down) = (drag.moved.x / height, drag.moved.y / height);
        let is_orbit = drag.button == PointerButton::Primary && !shift;
        if drag.moved != egui::Vec2::ZERO {
            commands.push(if flies {
                Command::Camera(CameraCommand::LookAround { right, down })
            } else if is_orbit {
                Command::Camera(CameraCommand::Orbit { right, down })
            } else {
                Command::Camera(CameraCommand::Pan { right, down })
            });
        }
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    }
    let is_in_second = |pointer| view.compare.is_in_second(rect, pointer);
    let toward = |pointer: egui::Pos2| {
        let drawn = if is_in_second(pointer) { second } else { first };
        let half = (drawn.size() / 2.0).max(egui::Vec2::splat(1.0));
        let from_center = pointer - drawn.center();
        [from_center.x / half.x, -from_center.y / half.y]
    };
    let is_over_gizmo = |at| gizmo.as_ref().is_some_and(|gizmo| gizmo.is_at(at));
    if response.double_clicked_by(PointerButton::Primary) {
        commands.push(Command::Camera(CameraCommand::FrameModel));
    } else if response.clicked_by(PointerButton::Primary)
        && let Some(pointer) = response.interact_pointer_pos()
        && !is_over_gizmo(pointer)
    {
        let (at, reach) = (toward(pointer), PICK_REACH / height);
        commands.push(if is_in_second(pointer) {
            Command::Compare(CompareCommand::Pick { at, reach })
        } else {
            Command::Pick { at, reach }
        });
    }
    let shows_bones = view.shown.skeleton && view.shown.has_skeleton;
    let is_wanted = shows_bones || view.surfaces.mode.is_about_joints();
    let is_over =
        |pointer: &egui::Pos2| is_wanted && !response.dragged() && !is_in_second(*pointer);
    let pointer = response.hover_pos().filter(is_over);
    commands.extend(joint_names::hover(
        ui,
        view,
        pointer.map(toward),
        PICK_REACH / height,
    ));
    if let Some(gizmo) = &gizmo {
        gizmo.paint(ui, response.hover_pos());
    }
    if response.contains_pointer()
        && let Some(pointer) = ui.input(|input| input.pointer.latest_pos())
    {
        scroll(ui, height, toward(pointer), flies, commands);
    }
    rect
}

/// Wheel and two fingers zoom toward the pointer, or make a flight faster; with Shift they move the camera sideways.
fn scroll(ui: &Ui, height: f32, toward: [f32; 2], flies: bool, commands: &mut Vec<Command>) {
    let (mut notches, mut pan) = (0.0, egui::Vec2::ZERO);
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::MouseWheel {
                    unit,
                    delta,
                    modifiers,
                    ..
                } => {
                    let delta_notches = wheel::notches(*unit, *delta);
                    if modifiers.shift && !modifiers.command {
                        pan += delta_notches * wheel::POINTS_PER_NOTCH / height;
                    } else {
                        notches += delta_notches.y;
                    }
                }
                Event::Zoom(factor) if *factor > 0.0 => notches += factor.log(PINCH_PER_NOTCH),
                _ => {}
            }
        }
    });
    if notches != 0.0 && notches.is_finite() {
        commands.push(if flies {
            Command::Camera(CameraCommand::FlyFaster(notches))
        } else {
            Command::Camera(CameraCommand::Zoom { notches, toward })
        });
    }
    if pan != egui::Vec2::ZERO && pan.is_finite() {
        commands.push(Command::Camera(CameraCommand::Pan {
            right: pan.x,
            down: pan.y,
        }));
    }
}

//! Says for a moment what a key has done where that is not seen at once, or why it did nothing.

use egui::{Rect, Ui};

use super::keys::{Action, written};
use super::view::NodeRow;
use super::{Sight, View, flight, light_menu, overlays, text, transport};
use crate::scene::{Choice, JointChoice, Quality};

/// For how long it stays.
const SECS: f64 = 1.8;
/// How long it takes to vanish at the end of that.
const VANISHING_SECS: f64 = 0.3;
/// Longer names of nodes, clips and cameras are shortened.
const NAME_CHARS: usize = 40;

/// A line of the table of keys that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pressed {
    /// What it does.
    pub action: Action,
    /// Which of its keys it was.
    pub which: usize,
    /// Whether there was something to do.
    pub is_done: bool,
}

/// What is said.
#[derive(Debug, Default)]
pub struct EchoState {
    /// And since when.
    said: Option<(Pressed, f64)>,
}

impl EchoState {
    /// Takes note of what was chosen last: it is said from the next frame on, whose view holds what came of it.
    pub fn take_note(&mut self, ui: &Ui, pressed: Option<Pressed>) {
        if let Some(pressed) = pressed {
            self.said = Some((pressed, ui.input(|input| input.time)));
            ui.request_repaint();
        }
    }
}

/// Draws what is said, in place of the hints of tools. True if there was something.
pub fn echo_ui(ui: &Ui, state: &mut EchoState, view: &View<'_>, viewport: Rect) -> bool {
    let Some((pressed, since)) = state.said else {
        return false;
    };
    let left = SECS - (ui.input(|input| input.time) - since);
    if left <= 0.0 {
        state.said = None;
        return false;
    }
    let is_small = viewport.width() < 200.0 || viewport.height() < 100.0;
    let words = words(pressed, view).filter(|_| !is_small && !flight::is_on(ui.ctx(), view));
    let Some(words) = words else {
        return false;
    };
    let strength = ((left / VANISHING_SECS) as f32).clamp(0.0, 1.0);
    overlays::hint_ui(ui, viewport, &words, strength);
    let next = if strength < 1.0 {
        0.02
    } else {
        left - VANISHING_SECS
    };
    ui.request_repaint_after(std::time::Duration::from_secs_f64(next.max(0.02)));
    true
}

/// What there is to say of it; none where the window shows it anyway.
fn words(pressed: Pressed, view: &View<'_>) -> Option<String> {
    let Pressed {
        action,
        which,
        is_done,
    } = pressed;
    if !is_done && let Some(words) = view.instead_of_model() {
        return Some(words.to_owned());
    }
    if !is_done {
        return why_not(action, which, view);
    }
    about_time(action, view)
        .or_else(|| about_nodes(action, view))
        .or_else(|| about_skeleton(action, view))
        .or_else(|| about_camera(action, view))
        .or_else(|| about_picture(action, view))
}

/// Why nothing could be done.
fn why_not(action: Action, which: usize, view: &View<'_>) -> Option<String> {
    let words = match action {
        Action::Clip | Action::MixClip | Action::ClipStep if view.clips.is_empty() => {
            "The file has no clips"
        }
        Action::Clip | Action::MixClip => return Some(format!("There is no clip {}", which + 1)),
        Action::MixMode | Action::EndMix => "No clips play together",
        Action::VariantStep => "The file has no material variants",
        Action::SceneStep => "The file has no scenes",
        Action::NodeStep => "The file has no nodes",
        Action::HideNode | Action::KeepTrail => "Select a node first",
        Action::Skeleton
        | Action::JointNames
        | Action::JointAxes
        | Action::XRay
        | Action::EndJoints => "The file has no skeleton",
        Action::PoseHandle | Action::PoseNudge => {
            return Some(format!("{}: choose a tool", written(Action::PoseTool, 0)));
        }
        Action::Undo => "Nothing to undo",
        Action::Redo => "Nothing to redo",
        Action::SwapCompared => {
            return Some(format!("{}: compare first", written(Action::Compare, 0)));
        }
        _ => return None,
    };
    Some(words.to_owned())
}

/// Clips and time.
fn about_time(action: Action, view: &View<'_>) -> Option<String> {
    let playback = &view.playback;
    let motion = &view.motion;
    Some(match action {
        Action::Play | Action::Step | Action::Leap | Action::Ends | Action::Shuttle
            if !playback.can_play =>
        {
            let words = match view.clip {
                _ if view.clips.is_empty() => "Nothing to play: the file has no clips",
                None => "Nothing to play: no clip is selected",
                Some(_) => "Nothing to play: the clip has no length",
            };
            words.to_owned()
        }
        Action::Speed | Action::Reverse => {
            format!("Speed {}×", text::fixed(playback.speed as f32, 2))
        }
        Action::Loop => transport::loop_name(playback.loop_mode).to_owned(),
        Action::Clip | Action::ClipStep | Action::OwnPose => {
            let clip = view.clip.and_then(|clip| view.clips.get(clip));
            match clip {
                Some(clip) => format!("Clip: {}", text::clean(&clip.name, NAME_CHARS)),
                None => "No clip: the file's own pose".to_owned(),
            }
        }
        Action::Fade if motion.fade_secs > 0.0 => {
            format!(
                "Fade between clips: {} s",
                text::fixed(motion.fade_secs as f32, 1)
            )
        }
        Action::Fade => "Clips change at once".to_owned(),
        Action::InPlace if motion.in_place => "In place: no root motion".to_owned(),
        Action::InPlace => "With root motion".to_owned(),
        _ => return None,
    })
}

/// Nodes, scenes and materials.
fn about_nodes(action: Action, view: &View<'_>) -> Option<String> {
    Some(match action {
        Action::SceneStep if view.scenes.len() == 1 => "The file has one scene".to_owned(),
        Action::SceneStep => {
            let name = view.scenes.get(view.scene)?;
            format!("Scene: {}", text::clean(name, NAME_CHARS))
        }
        Action::VariantStep => match view.variant.and_then(|it| view.variants.get(it)) {
            Some(name) => format!("Materials: {}", text::clean(name, NAME_CHARS)),
            None => "Materials: the file's own choice".to_owned(),
        },
        Action::HideNode => {
            let (node, name) = chosen(view)?;
            match view.hiding.of(node) {
                Sight::Shown => format!("{name} is shown"),
                Sight::Hidden => {
                    let keys = written(Action::HideNode, 0);
                    format!("{name} is hidden   ·   {keys}: show it")
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

/// The chosen node and its name.
fn chosen<'v>(view: &View<'v>) -> Option<(usize, std::borrow::Cow<'v, str>)> {
    let node = view.selected_node?;
    let NodeRow { name, .. } = view.nodes.get(node)?;
    Some((node, text::clean(name, NAME_CHARS)))
}

/// The skeleton.
fn about_skeleton(action: Action, view: &View<'_>) -> Option<String> {
    let settings = &view.skeleton.settings;
    let is_about_bones = matches!(
        action,
        Action::JointNames | Action::JointAxes | Action::XRay | Action::EndJoints
    );
    let mut words = match action {
        Action::JointNames => format!("Joint names: {}", choice(settings.names)),
        Action::JointAxes => format!("Joint axes: {}", choice(settings.axes)),
        Action::XRay => on_off("X-ray", settings.x_ray),
        Action::EndJoints => on_off("End joints", settings.end_joints),
        Action::OnionSkins => on_off("Onion skins", settings.onion_skins),
        Action::Trail if settings.trail && view.selected_node.is_none() => {
            "Motion trail on: select a node".to_owned()
        }
        Action::Trail => on_off("Motion trail", settings.trail),
        Action::KeepTrail => {
            let (node, name) = chosen(view)?;
            let is_kept = view.skeleton.trails.contains(&node);
            let what = if is_kept { "is kept" } else { "is released" };
            format!("The trail of {name} {what}")
        }
        Action::HeldPose => match view.skeleton.held {
            Some(pose) => format!("{} pose", pose.label()),
            None => "The clip's pose".to_owned(),
        },
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

/// The camera.
fn about_camera(action: Action, view: &View<'_>) -> Option<String> {
    let camera = &view.camera;
    Some(match action {
        Action::Projection if camera.is_parallel => "Orthographic".to_owned(),
        Action::Projection => "Perspective".to_owned(),
        Action::Follow => match camera.follows {
            Some(name) => format!("Following {}", text::clean(name, NAME_CHARS)),
            None => "Following nothing".to_owned(),
        },
        Action::CameraStep if camera.file_cameras.is_empty() => {
            "The file has no cameras".to_owned()
        }
        Action::CameraStep => {
            let name = camera
                .file_camera
                .and_then(|it| camera.file_cameras.get(it));
            match name {
                Some(name) => format!("Camera: {}", text::clean(name, NAME_CHARS)),
                None => "Camera: free".to_owned(),
            }
        }
        Action::FrameChosen if !camera.has_choice => "Select a node first".to_owned(),
        Action::FrameMotion if !camera.has_motion => "No clip moves the model".to_owned(),
        _ => return None,
    })
}

/// Light, and what is behind the model.
fn about_picture(action: Action, view: &View<'_>) -> Option<String> {
    let light = &view.light;
    Some(match action {
        Action::Exposure => format!("Exposure {:+.1}", light.exposure_stops),
        Action::Tone => format!("Tone mapping: {}", light.tone.name()),
        Action::KeyLight => {
            let choice = match light.key_light {
                Choice::Auto => "auto",
                Choice::On => "on",
                Choice::Off => "off",
            };
            format!("Key light: {choice}")
        }
        Action::Shadows => on_off("Shadows", light.shadows),
        Action::TurnSurroundings => {
            let degrees = light.environment_turn_radians.to_degrees();
            format!("Environment turned by {degrees:.0}°")
        }
        Action::Transparency => format!("Transparency: {}", light.transparency.name()),
        Action::Quality => match light.quality {
            Quality::Low => "Simple light".to_owned(),
            Quality::Full => "Full light".to_owned(),
        },
        Action::Backdrop => format!(
            "Background: {}",
            light_menu::backdrop_name(view.backdrop).to_lowercase()
        ),
        Action::Studio => "Environment: built-in studio".to_owned(),
        _ => return None,
    })
}

fn on_off(what: &str, is_on: bool) -> String {
    format!("{what} {}", if is_on { "on" } else { "off" })
}

fn choice(choice: JointChoice) -> String {
    choice.label().to_lowercase()
}

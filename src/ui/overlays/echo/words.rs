//! What is said of a key: of time and clips, of the camera, of light, of the window; and why a key has done nothing.

use super::{Line, WindowRoom, model};
use crate::scene::{Choice, Quality, Side};
use crate::ui::{
    MixMode, View,
    bars::transport,
    command::SPEEDS,
    keys::{Action, written},
    menus, text,
};

/// Longer names of nodes, clips and cameras are shortened.
pub(super) const NAME_CHARS: usize = 40;

/// What there is to say; none where the window shows it anyway.
pub(super) fn of_line(line: Line, view: &View<'_>, place: &WindowRoom) -> Option<String> {
    let Line {
        action,
        which,
        is_done,
    } = line;
    if !is_done {
        return why_not(action, which, view);
    }
    about_window(action, view, place)
        .or_else(|| about_time(action, which, view))
        .or_else(|| about_clips(action, which, view))
        .or_else(|| model::about_nodes(action, view, place))
        .or_else(|| model::about_skeleton(action, view))
        .or_else(|| model::about_posing(action, view))
        .or_else(|| about_camera(action, which, view))
        .or_else(|| about_picture(action, view))
}

/// Why nothing could be done.
pub(super) fn why_not(action: Action, which: usize, view: &View<'_>) -> Option<String> {
    let words = match action {
        _ if view.instead_of_model().is_some() => view.instead_of_model()?,
        Action::Clip | Action::MixClip | Action::ClipStep if view.clips.rows.is_empty() => {
            text::NO_ANIMATION
        }
        Action::Clip | Action::MixClip => {
            return Some(format!("Key {}: there are fewer clips", which + 1));
        }
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
        Action::Wires => menus::view::NO_EDGES,
        Action::Normals => menus::view::NO_NORMALS,
        Action::PoseHandle | Action::PoseNudge if view.statistics.crowd.is_some() => {
            model::NO_CROWD
        }
        Action::PoseHandle | Action::PoseNudge => {
            return Some(format!("{}: choose a tool", written(Action::PoseTool, 0)));
        }
        Action::Undo => "Nothing to undo",
        Action::Redo => "Nothing to redo",
        Action::SwapCompared => {
            return Some(format!("{}: compare first", written(Action::Compare, 0)));
        }
        Action::Accept => "No message offers anything",
        _ => return None,
    };
    Some(words.to_owned())
}

/// The window and its panels.
fn about_window(action: Action, view: &View<'_>, place: &WindowRoom) -> Option<String> {
    let words = match action {
        Action::ScenePanel | Action::Inspector | Action::SearchNodes if !place.panels.has_room => {
            "The window is too narrow for panels"
        }
        Action::Sheet | Action::OtherSheet if view.timeline.sheet.is_some() && !place.has_sheet => {
            "The window is too low for keys and curves"
        }
        // Where the menu's button has no room for it.
        Action::ViewStep if !place.names_view => {
            return Some(format!("View: {}", view.surfaces.mode.label()));
        }
        // What is read anew may look as it did; while it takes long, a banner shows it.
        Action::Reload if view.loading.files.is_empty() && view.message.is_none() => {
            return Some(
                view.instead_of_model()
                    .unwrap_or("Reading again")
                    .to_owned(),
            );
        }
        Action::Scale | Action::ScaleReset => {
            let percent = (100.0 * place.scale).round();
            return Some(format!("Interface at {percent}%"));
        }
        _ => return None,
    };
    Some(words.to_owned())
}

/// Why time cannot run, or cannot be gone through.
fn why_no_time(view: &View<'_>) -> String {
    let words = match view.timeline.clip {
        _ if view.clips.rows.is_empty() => "Nothing to play: this file has no animation",
        None => "Nothing to play: no clip is selected",
        Some(_) => "Nothing to play: the clip has no length",
    };
    words.to_owned()
}

/// Time.
fn about_time(action: Action, which: usize, view: &View<'_>) -> Option<String> {
    let playback = &view.playback;
    let speed = || format!("Speed {}×", text::fixed(playback.speed as f32, 2));
    let now = playback.time_secs;
    let (is_first, is_last) = (now <= 0.0, now >= playback.duration_secs);
    Some(match action {
        Action::Play | Action::Shuttle if !playback.can_play => why_no_time(view),
        Action::Step
        | Action::Leap
        | Action::Ends
        | Action::KeyStep
        | Action::MarkIn
        | Action::MarkOut
        | Action::ClearRange
        | Action::ZoomTime
            if playback.duration_secs <= 0.0 =>
        {
            why_no_time(view)
        }
        // Time runs, and nothing moves.
        Action::Play if playback.is_playing && playback.speed == 0.0 => {
            speed() + ": time stands still"
        }
        Action::Step | Action::Leap if which == 0 && is_first => "First frame".to_owned(),
        Action::Step | Action::Leap if which == 1 && is_last => "Last frame".to_owned(),
        Action::KeyStep => return about_key(which, view),
        Action::Speed => {
            let end = match playback.speed.abs() {
                size if size >= SPEEDS[SPEEDS.len() - 1] => ": the fastest",
                0.0 => ": time stands still",
                size if size <= SPEEDS[0] => ": the slowest",
                _ => "",
            };
            speed() + end
        }
        Action::Reverse => speed(),
        Action::Shuttle if playback.is_playing => speed(),
        Action::Shuttle => "Stopped".to_owned(),
        Action::Loop => transport::loop_name(playback.loop_mode).to_owned(),
        Action::MarkIn | Action::MarkOut | Action::ClearRange => match view.timeline.range {
            Some(range) => {
                let [from, to] = [range.from_secs, range.to_secs];
                format!("Loop from {from:.3} s to {to:.3} s")
            }
            None => "Loop: all of the clip".to_owned(),
        },
        Action::ZoomTime => {
            let span = view.timeline.span;
            let [from, to] = [span.from_secs, span.to_secs];
            if from <= 0.0 && to >= playback.duration_secs {
                "Time axis: all of the clip".to_owned()
            } else {
                format!("Time axis: {from:.2} s to {to:.2} s")
            }
        }
        _ => return None,
    })
}

/// Whether there is no further key.
fn about_key(which: usize, view: &View<'_>) -> Option<String> {
    let keys = view.timeline.key_times_secs;
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else {
        return Some("The clip has no keys".to_owned());
    };
    let now = view.playback.time_secs;
    // Key times have single precision.
    let tolerance = 1e-6 * (1.0 + now);
    let words = if which == 0 && now <= f64::from(first).max(0.0) + tolerance {
        "First key"
    } else if which == 1 && now >= f64::from(last) - tolerance {
        "Last key"
    } else {
        return None;
    };
    Some(words.to_owned())
}

/// Clips, alone and together.
fn about_clips(action: Action, which: usize, view: &View<'_>) -> Option<String> {
    let motion = &view.motion;
    let name = |clip: usize| {
        let name = view.clips.name(clip);
        name.map(|name| text::clean(name, NAME_CHARS))
    };
    Some(match action {
        Action::Clip | Action::ClipStep | Action::OwnPose => match view.clips.chosen.and_then(name)
        {
            Some(name) => format!("Clip: {name}"),
            None => "No clip: the file's own pose".to_owned(),
        },
        Action::MixClip if view.clips.chosen == Some(which) => {
            format!("{} plays already", name(which)?)
        }
        Action::MixClip => {
            let name = name(which)?;
            if !view.mix.clips.iter().any(|row| row.clip == which) {
                format!("{name} is not in the mix")
            } else if view.statistics.crowd.is_some() {
                format!("{name} is in the mix, but a crowd plays one clip each")
            } else {
                format!("{name} is in the mix")
            }
        }
        Action::MixMode => {
            let row = view.mix.clips.last()?;
            let mode = match row.mode {
                MixMode::Together => "moves what it has keys for",
                MixMode::Blend => "is blended",
                MixMode::Add => "is added",
            };
            format!("{} {mode}", name(row.clip)?)
        }
        Action::EndMix => match view.clips.chosen.and_then(name) {
            Some(name) => format!("{name} alone"),
            None => "The file's own pose alone".to_owned(),
        },
        Action::Fade if motion.fade_secs > 0.0 => {
            let secs = text::fixed(motion.fade_secs as f32, 1);
            format!("Fade between clips: {secs} s")
        }
        Action::Fade => "Clips change at once".to_owned(),
        Action::InPlace if motion.in_place => "In place: no root motion".to_owned(),
        Action::InPlace => "With root motion".to_owned(),
        _ => return None,
    })
}

/// The camera.
fn about_camera(action: Action, which: usize, view: &View<'_>) -> Option<String> {
    let camera = &view.camera;
    let is_crowd = view.statistics.crowd.is_some();
    Some(match action {
        Action::Side => format!("View: {}", Side::ALL.get(which)?.label()),
        Action::Projection if camera.is_parallel => "Orthographic".to_owned(),
        Action::Projection => "Perspective".to_owned(),
        Action::Fly => on_off("Flight", camera.flies),
        Action::Follow => match camera.follows {
            Some(name) => format!("Following {}", text::clean(name, NAME_CHARS)),
            None => "Following nothing".to_owned(),
        },
        Action::CameraStep if camera.file_cameras.is_empty() => {
            "No node of the scene has a camera".to_owned()
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
        Action::FrameChosen | Action::FrameMotion if is_crowd => "The whole crowd".to_owned(),
        Action::FrameChosen if !camera.has_choice => "Select a node first".to_owned(),
        Action::FrameMotion if !camera.has_motion => "No clip moves the model".to_owned(),
        _ => return None,
    })
}

/// Light, and what is drawn.
fn about_picture(action: Action, view: &View<'_>) -> Option<String> {
    let light = &view.light.settings;
    Some(match action {
        Action::Exposure => {
            let stops = light.exposure_stops;
            let plus = if stops > 0.0 { "+" } else { "" };
            format!("Exposure {plus}{}", text::fixed(stops, 1))
        }
        Action::Tone => format!("Tone mapping: {}", light.tone.label()),
        Action::KeyLight => {
            let choice = match light.key_light {
                Choice::Auto => "auto",
                Choice::On => "on",
                Choice::Off => "off",
            };
            format!("Key light: {choice}")
        }
        Action::Shadows => {
            let words = on_off("Shadows", light.shadows);
            match light.quality {
                _ if !light.shadows => words,
                _ if light.key_light == Choice::Off => format!("{words}, but the key light is off"),
                Quality::Low => format!("{words}, but simple light has none"),
                Quality::Full => words,
            }
        }
        Action::TurnEnvironment => {
            let degrees = light.environment_turn_radians.to_degrees();
            format!("Environment turned by {degrees:.0}°")
        }
        Action::Transparency => format!("Transparency: {}", light.transparency.label()),
        Action::Quality => match light.quality {
            Quality::Low => "Simple light".to_owned(),
            Quality::Full => "Full light".to_owned(),
        },
        Action::Backdrop => format!(
            "Background: {}",
            menus::light::backdrop_name(view.light.backdrop).to_lowercase()
        ),
        Action::Studio => "Environment: built-in studio".to_owned(),
        _ => return None,
    })
}

pub(super) fn on_off(what: &str, is_on: bool) -> String {
    format!("{what} {}", if is_on { "on" } else { "off" })
}

//! The keyboard: one table that both acts on keys and draws the list of keys, so that the two can never disagree.

use egui::Key;

use super::{Command, Panel, View};
use crate::anim::LoopMode;

/// What a line of the table does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Play or pause.
    Play,
    /// One frame.
    Step,
    /// Ten frames.
    Leap,
    /// First or last frame.
    Ends,
    /// Slower or faster.
    Speed,
    /// Backwards.
    Reverse,
    /// Next loop mode.
    Loop,
    /// A clip by its number.
    Clip,
    /// The file's own pose.
    OwnPose,
    /// Previous or next clip.
    ClipStep,
    /// Previous or next scene.
    SceneStep,
    /// Previous or next node.
    NodeStep,
    /// Fill the view.
    Frame,
    /// Turn the camera.
    Orbit,
    /// Move the camera sideways.
    Pan,
    /// Move the camera nearer or farther.
    Zoom,
    /// The skeleton.
    Skeleton,
    /// The grid.
    Grid,
    /// The left panel.
    ScenePanel,
    /// The right panel.
    Inspector,
    /// Dark or light.
    Theme,
    /// Larger or smaller interface.
    Scale,
    /// Interface at 100 %.
    ScaleReset,
    /// The list of keys.
    Keys,
    /// Open a file.
    Open,
    /// Open the file on the clipboard.
    Paste,
    /// Close or cancel.
    Close,
    /// Leave.
    Quit,
}

/// A key with its modifiers.
#[derive(Debug, Clone, Copy)]
pub struct Shortcut {
    key: Key,
    /// Ctrl, or ⌘ on a Mac.
    command: bool,
    /// Whether Shift must be down or up; none where it is part of typing the sign.
    shift: Option<bool>,
}

const fn plain(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: Some(false),
    }
}

const fn shift(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: Some(true),
    }
}

const fn sign(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: None,
    }
}

const fn ctrl(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: None,
    }
}

const fn ctrl_plain(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: Some(false),
    }
}

const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: Some(true),
    }
}

/// A line of the table.
#[derive(Debug)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// The keys; which of them it was says the direction or the number.
    pub keys: &'static [Shortcut],
    /// How many of `keys` the list shows; the rest are other ways to type the same.
    pub listed: usize,
    /// Whether holding the key down repeats it.
    pub repeats: bool,
    /// What it does, in words.
    pub description: &'static str,
}

const fn bind(
    action: Action,
    keys: &'static [Shortcut],
    listed: usize,
    description: &'static str,
) -> Binding {
    Binding {
        action,
        keys,
        listed,
        repeats: false,
        description,
    }
}

const fn held(
    action: Action,
    keys: &'static [Shortcut],
    listed: usize,
    description: &'static str,
) -> Binding {
    Binding {
        action,
        keys,
        listed,
        repeats: true,
        description,
    }
}

/// All keys, in groups.
#[rustfmt::skip] // A table is read by lines.
pub const TABLE: &[(&str, &[Binding])] = &[
    ("Time", &[
        bind(Action::Play, &[plain(Key::Space)], 1, "Play or pause"),
        held(Action::Step, &[plain(Key::ArrowLeft), plain(Key::ArrowRight)], 2, "One frame back or forward"),
        held(Action::Leap, &[shift(Key::ArrowLeft), shift(Key::ArrowRight)], 2, "Ten frames back or forward"),
        bind(Action::Ends, &[plain(Key::Home), plain(Key::End)], 2, "First or last frame"),
        held(Action::Speed, &[plain(Key::Minus), sign(Key::Equals), sign(Key::Plus)], 2, "Slower or faster"),
        bind(Action::Reverse, &[plain(Key::R)], 1, "Backwards or forwards"),
        bind(Action::Loop, &[plain(Key::L)], 1, "Next loop mode"),
    ]),
    ("Clips and nodes", &[
        bind(Action::Clip, &[
            plain(Key::Num1), plain(Key::Num2), plain(Key::Num3), plain(Key::Num4), plain(Key::Num5),
            plain(Key::Num6), plain(Key::Num7), plain(Key::Num8), plain(Key::Num9),
        ], 9, "Clip by its number"),
        bind(Action::OwnPose, &[plain(Key::Num0)], 1, "The file's own pose"),
        held(Action::ClipStep, &[
            sign(Key::OpenBracket), sign(Key::CloseBracket), plain(Key::PageUp), plain(Key::PageDown),
        ], 4, "Previous or next clip"),
        bind(Action::SceneStep, &[shift(Key::PageUp), shift(Key::PageDown)], 2, "Previous or next scene"),
        held(Action::NodeStep, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], 2, "Previous or next node"),
    ]),
    ("Camera", &[
        bind(Action::Frame, &[plain(Key::F)], 1, "Fill the view with the model"),
        held(Action::Orbit, &[
            ctrl_plain(Key::ArrowLeft), ctrl_plain(Key::ArrowRight), ctrl_plain(Key::ArrowUp), ctrl_plain(Key::ArrowDown),
        ], 4, "Turn"),
        held(Action::Pan, &[
            ctrl_shift(Key::ArrowLeft), ctrl_shift(Key::ArrowRight), ctrl_shift(Key::ArrowUp), ctrl_shift(Key::ArrowDown),
        ], 4, "Move sideways"),
        held(Action::Zoom, &[ctrl(Key::PageUp), ctrl(Key::PageDown)], 2, "Nearer or farther"),
    ]),
    ("View", &[
        bind(Action::Skeleton, &[plain(Key::B)], 1, "Bones"),
        bind(Action::Grid, &[plain(Key::G)], 1, "Ground grid"),
        bind(Action::ScenePanel, &[plain(Key::N)], 1, "Clips and nodes, on the left"),
        bind(Action::Inspector, &[plain(Key::I)], 1, "Inspector, on the right"),
        bind(Action::Theme, &[plain(Key::T)], 1, "Dark or light"),
        held(Action::Scale, &[ctrl(Key::Minus), ctrl(Key::Plus), ctrl(Key::Equals)], 2, "Smaller or larger interface"),
        bind(Action::ScaleReset, &[ctrl(Key::Num0)], 1, "Interface at 100 %"),
        bind(Action::Keys, &[sign(Key::Questionmark), plain(Key::F1), shift(Key::Slash)], 2, "This list"),
    ]),
    ("Files", &[
        bind(Action::Open, &[ctrl(Key::O)], 1, "Open a file"),
        bind(Action::Paste, &[ctrl(Key::V)], 1, "Open the path on the clipboard"),
        bind(Action::Close, &[plain(Key::Escape)], 1, "Close what is in front; cancel loading"),
        bind(Action::Quit, &[ctrl(Key::Q)], 1, "Quit"),
    ]),
];

fn bindings() -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().flat_map(|(_, bindings)| bindings.iter())
}

/// How the key that does this is written, such as `Ctrl+O`; `which` as in [`Binding::keys`].
pub fn written(action: Action, which: usize) -> String {
    bindings()
        .find(|binding| binding.action == action)
        .and_then(|binding| binding.keys.get(which))
        .map(|shortcut| shortcut.written().join("+"))
        .unwrap_or_default()
}

impl Shortcut {
    /// The key caps to press, in order.
    pub fn written(&self) -> Vec<&'static str> {
        let mut caps = Vec::new();
        if self.command {
            caps.push(if cfg!(target_os = "macos") {
                "Cmd"
            } else {
                "Ctrl"
            });
        }
        if self.shift == Some(true) {
            caps.push("Shift");
        }
        caps.push(match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::ArrowUp => "↑",
            Key::ArrowDown => "↓",
            Key::Escape => "Esc",
            Key::PageUp => "PgUp",
            Key::PageDown => "PgDn",
            Key::Minus => "−",
            Key::Plus => "+",
            Key::Equals => "=",
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            Key::Questionmark => "?",
            other => other.name(),
        });
        caps
    }

    fn matches(&self, key: Key, modifiers: egui::Modifiers) -> bool {
        self.key == key
            && !modifiers.alt
            && self.command == modifiers.command
            && self.shift.is_none_or(|shift| shift == modifiers.shift)
    }
}

/// Takes the keys that are commands out of the input, and returns the commands.
///
/// While a text field has the focus, all keys are its own. While Tab has put the focus on another control, Space and
/// Enter press that control and the arrows move the focus; all other keys are commands. Escape first gives the focus up.
pub fn key_commands(ctx: &egui::Context, view: &View<'_>) -> Vec<Command> {
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    // egui has already taken the focus away when Escape arrives here, so the last frame's answer is needed.
    let had_focus = ctx.data(|data| data.get_temp::<bool>(focus_id()).unwrap_or_default());
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    let escape_is_taken = had_focus || ctx.any_popup_open();
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Some((binding, which)) = find(event) else {
                return true;
            };
            let is_taken = match binding.action {
                Action::Play | Action::Step | Action::NodeStep => has_focus,
                Action::Close => escape_is_taken,
                _ => false,
            };
            if is_taken {
                return true;
            }
            if binding.repeats || !matches!(event, egui::Event::Key { repeat: true, .. }) {
                commands.extend(command(binding.action, which, view));
            }
            false
        });
    });
    commands
}

/// Takes note of whether a control has the focus, for [`key_commands`] of the next frame.
pub fn remember_focus(ctx: &egui::Context) {
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    ctx.data_mut(|data| data.insert_temp(focus_id(), has_focus));
}

fn focus_id() -> egui::Id {
    egui::Id::unique("rigscope_had_focus")
}

/// The line of the table that an event belongs to, and which of its keys it is.
fn find(event: &egui::Event) -> Option<(&'static Binding, usize)> {
    let (key, physical_key, modifiers) = match event {
        egui::Event::Key {
            key,
            physical_key,
            pressed: true,
            modifiers,
            ..
        } => (*key, *physical_key, *modifiers),
        // What Ctrl+V becomes when the clipboard is not empty.
        egui::Event::Paste(_) | egui::Event::PasteImage(_) => {
            (Key::V, None, egui::Modifiers::COMMAND)
        }
        _ => return None,
    };
    let by_key = |key: Key| {
        bindings().find_map(|binding| {
            let which = binding
                .keys
                .iter()
                .position(|shortcut| shortcut.matches(key, modifiers))?;
            Some((binding, which))
        })
    };
    // Where digits are typed with Shift (French), the key's place counts.
    by_key(key).or_else(|| {
        let digit = physical_key.filter(|key| (Key::Num0..=Key::Num9).contains(key))?;
        by_key(digit)
    })
}

fn command(action: Action, which: usize, view: &View<'_>) -> Option<Command> {
    /// How far one press of an arrow turns or moves the camera, in heights of the view.
    const CAMERA_STEP: f32 = 0.05;
    let sign = if which.is_multiple_of(2) { -1 } else { 1 };
    let camera_step = || match which {
        0 => (-CAMERA_STEP, 0.0),
        1 => (CAMERA_STEP, 0.0),
        2 => (0.0, -CAMERA_STEP),
        _ => (0.0, CAMERA_STEP),
    };
    Some(match action {
        Action::Play => Command::TogglePlay,
        Action::Step => Command::StepFrames(sign),
        Action::Leap => Command::StepFrames(10 * sign),
        Action::Ends if which == 0 => Command::SeekStart,
        Action::Ends => Command::SeekEnd,
        Action::Speed => Command::SetSpeed(next_speed(view.playback.speed, which > 0)),
        Action::Reverse => Command::SetSpeed(-view.playback.speed),
        Action::Loop => Command::SetLoopMode(next_loop_mode(view.playback.loop_mode)),
        Action::Clip if which >= view.clips.len() => return None,
        Action::Clip => Command::SelectClip(Some(which)),
        Action::OwnPose => Command::SelectClip(None),
        Action::ClipStep => Command::SelectClip(step(view.clip, view.clips.len(), sign)?.into()),
        Action::SceneStep => Command::SelectScene(step(Some(view.scene), view.scenes.len(), sign)?),
        Action::NodeStep => {
            Command::SelectNode(step(view.selected_node, view.nodes.len(), sign)?.into())
        }
        Action::Frame => Command::FrameModel,
        Action::Orbit => {
            let (right, down) = camera_step();
            Command::Orbit { right, down }
        }
        Action::Pan => {
            let (right, down) = camera_step();
            Command::Pan { right, down }
        }
        Action::Zoom => Command::Zoom {
            notches: -sign as f32,
            toward: [0.0; 2],
        },
        Action::Skeleton => Command::ToggleSkeleton,
        Action::Grid => Command::ToggleGrid,
        Action::ScenePanel => Command::TogglePanel(Panel::Scene),
        Action::Inspector => Command::TogglePanel(Panel::Inspector),
        Action::Theme => Command::ToggleTheme,
        Action::Scale => Command::ScaleUi(if which == 0 { -1 } else { 1 }),
        Action::ScaleReset => Command::ScaleUi(0),
        Action::Keys => Command::TogglePanel(Panel::Keys),
        Action::Open => Command::OpenDialog,
        Action::Paste => Command::PastePath,
        Action::Close if view.loading.is_some() && view.message.is_none() && !view.shown.keys => {
            Command::CancelLoading
        }
        Action::Close => Command::CloseFront,
        Action::Quit => Command::Quit,
    })
}

/// The neighbour of a place in a list, going round at its ends.
fn step(current: Option<usize>, count: usize, sign: i32) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match current {
        None if sign > 0 => 0,
        None => last,
        Some(place) if sign > 0 => {
            if place >= last {
                0
            } else {
                place + 1
            }
        }
        Some(0) => last,
        Some(place) => (place - 1).min(last),
    })
}

/// The speeds that keys go through; the sign stays as it is.
pub const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

fn next_speed(speed: f64, faster: bool) -> f64 {
    let size = speed.abs();
    let next = if faster {
        SPEEDS.into_iter().find(|preset| *preset > size + 1e-6)
    } else {
        SPEEDS
            .into_iter()
            .rev()
            .find(|preset| *preset < size - 1e-6)
    };
    next.unwrap_or(size).copysign(speed)
}

/// The loop mode that follows in the list.
pub fn next_loop_mode(mode: LoopMode) -> LoopMode {
    match mode {
        LoopMode::Loop => LoopMode::PingPong,
        LoopMode::PingPong => LoopMode::Once,
        LoopMode::Once => LoopMode::Hold,
        LoopMode::Hold => LoopMode::Loop,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_lines_want_the_same_key() {
        let all: Vec<_> = bindings().flat_map(|binding| binding.keys).collect();
        for (place, a) in all.iter().enumerate() {
            for b in &all[place + 1..] {
                let same = a.key == b.key
                    && a.command == b.command
                    && (a.shift == b.shift || a.shift.is_none() || b.shift.is_none());
                assert!(!same, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn speeds_go_through_the_presets() {
        assert_eq!(next_speed(1.0, true), 2.0);
        assert_eq!(next_speed(-1.0, false), -0.5);
        assert_eq!(next_speed(4.0, true), 4.0);
        assert_eq!(next_speed(0.3, false), 0.25);
    }

    #[test]
    fn lists_go_round() {
        assert_eq!(step(None, 3, 1), Some(0));
        assert_eq!(step(Some(2), 3, 1), Some(0));
        assert_eq!(step(Some(0), 3, -1), Some(2));
        assert_eq!(step(Some(9), 3, -1), Some(2));
        assert_eq!(step(None, 0, 1), None);
    }
}

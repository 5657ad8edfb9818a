//! What keys do: events in, commands out, by the table of [`keys`](super).

mod camera;
mod history;
mod playback;
mod timeline;
mod window;

use egui::{Key, text_edit::TextEditState};

use super::{Action, Binding, bindings, focus, front, late};
use crate::ui::{
    Command, FilesCommand, InspectCommand, MixCommand, MotionCommand, NodesCommand, Panel, Picker,
    PictureCommand, SavingCommand, View, compare,
    menus::{self, posing},
    overlays::echo::{Line, Pressed},
    saving,
    viewport::flight,
};

/// The field that nodes are searched with.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// Whether there is one.
    pub is_there: bool,
    /// Whether it is to have the focus, and has not yet.
    pub is_awaited: bool,
}

/// Takes the keys that are commands out of the input, and returns the commands, and the last of the keys.
///
/// While a text field has the focus, all keys are its own. While Tab has put the focus on another control, Space and
/// Enter press that control, the arrows move the focus, and the keys for pages scroll the inspector if it has the focus; all
/// other keys are commands. Escape first gives the focus up.
/// While a dialog is in front, only what is its own is a command. What comes after the wish to search belongs to the search.
pub fn key_commands(
    ctx: &egui::Context,
    view: &View<'_>,
    search: Search,
) -> (Vec<Command>, Option<Pressed>) {
    late::give_back(ctx);
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    // egui has already taken the focus away when Escape arrives here, so the last frame's answer is needed.
    let had_focus = focus_before(ctx);
    let mut has_picker = view.files.picker.is_some();
    let is_covered = front::is_covered(view);
    // The keys that open the box for saving are no text.
    let is_naming = view.saving.is_open && ctx.text_edit_focused();
    if search.is_awaited || ctx.text_edit_focused() && !has_picker && !is_naming {
        return (Vec::new(), None);
    }
    if let Some(command) = flight::take_keys(ctx, view) {
        return (vec![command], None);
    }
    // As of the last frame: in this one nothing has been drawn yet.
    let has_menu = egui::Popup::is_any_open(ctx);
    // In a question there is nothing to type, and where a file is named nothing that is worth a key: both go at once, as from
    // a button. A number that is typed is ended first.
    let is_in_panel = focus::is_in_panel(ctx);
    let is_number = |id| !saving::is_field(id) && TextEditState::load(ctx, id).is_some();
    let goes_at_once = view.saving.clash.is_some()
        || view.shown.keys
        || view.saving.is_open && !had_focus.is_some_and(is_number);
    let escape_is_taken = had_focus.is_some() && !goes_at_once || has_menu;
    let (mut commands, mut pressed) = (Vec::new(), None);
    // What comes after a step from what is shown is about what is shown then: the next frame knows it.
    let (mut has_stepped, mut late) = (false, Vec::new());
    // Who opens a box with a field goes on typing in it: it is there in the next frame. Who closes one is done with it.
    let mut changes_box = false;
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            if changes_box {
                let is_typed = late::is_typed(event);
                late.extend(is_typed.then(|| event.clone()));
                return !is_typed;
            }
            let Some((binding, which)) = find(event) else {
                return true;
            };
            if has_stepped {
                // A key that is held would never catch up.
                let is_repeat = matches!(event, egui::Event::Key { repeat: true, .. });
                late.extend((!is_repeat).then(|| event.clone()));
                return false;
            }
            let is_taken = match binding.action {
                Action::Close | Action::Palette | Action::Recent if has_picker => false,
                // The rest is typed.
                _ if has_picker => true,
                action if is_naming => action == Action::Close || !is_of_dialog(action, view),
                // What lies behind a dialog is not to be changed unseen.
                action if is_covered && !is_of_dialog(action, view) => true,
                Action::Play => has_focus,
                // Also of a menu that was opened by the pointer, which has no focus yet.
                Action::Step | Action::NodeStep => has_focus || has_menu,
                // Pages of the panel that has the focus; clips have other keys besides.
                Action::ClipStep if is_page(event) => is_in_panel,
                Action::Close => escape_is_taken,
                _ => false,
            };
            if is_taken {
                return true;
            }
            if binding.repeats || !matches!(event, egui::Event::Key { repeat: true, .. }) {
                let command = command(binding.action, which, view);
                pressed = Some(Pressed::Line(Line {
                    action: binding.action,
                    which,
                    is_done: command.is_some(),
                }));
                changes_box = command.is_some()
                    && match binding.action {
                        Action::Save | Action::SavePose => !view.saving.is_open,
                        Action::Palette | Action::Recent => true,
                        Action::Close => has_picker || is_covered,
                        _ => false,
                    };
                has_stepped = command.is_some() && binding.action.steps_from_shown();
                commands.extend(command);
                // Who searches goes on typing, be the next frame ever so late.
                let searches = binding.action == Action::SearchNodes;
                has_picker |= searches && search.is_there && !view.nodes.rows.is_empty();
            }
            false
        });
    });
    late::keep(ctx, late);
    (commands, pressed)
}

/// Whether it is a key for pages.
fn is_page(event: &egui::Event) -> bool {
    let egui::Event::Key { key, .. } = event else {
        return false;
    };
    matches!(key, Key::PageUp | Key::PageDown)
}

/// Whether a line of the table is for the dialog in front, or for the window as a whole.
fn is_of_dialog(action: Action, view: &View<'_>) -> bool {
    match action {
        Action::Close | Action::Quit | Action::Scale | Action::ScaleReset => true,
        Action::Keys => view.shown.keys,
        Action::Save | Action::SavePose => view.saving.is_open,
        _ => false,
    }
}

/// Takes note of which control has the focus, for [`focus_before`] in the next frame.
pub fn remember_focus(ctx: &egui::Context) {
    let focused = ctx.memory(egui::Memory::focused);
    ctx.data_mut(|data| data.insert_temp(focus_id(), focused));
}

/// The control that had the focus in the last frame, before its keys moved it.
pub fn focus_before(ctx: &egui::Context) -> Option<egui::Id> {
    ctx.data(|data| data.get_temp::<Option<egui::Id>>(focus_id()).flatten())
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
    let is_digit = |key: &Key| (Key::Num0..=Key::Num9).contains(key);
    let is_placed = |key: &Key| is_digit(key) || [Key::Comma, Key::Period].contains(key);
    // Where digits are typed with Shift (French), or Shift makes a comma another sign, the key's place counts: for digits
    // with Shift first, for the signs there (/ and =, German) have lines of their own.
    let is_shift_alone = modifiers.shift && !modifiers.command && !modifiers.alt;
    let shifted = physical_key.filter(|key| is_shift_alone && is_digit(key));
    shifted
        .and_then(by_key)
        .or_else(|| by_key(key))
        .or_else(|| by_key(physical_key.filter(is_placed)?))
}

/// What a line of the table does; `which` as in [`Binding::keys`].
pub fn command(action: Action, which: usize, view: &View<'_>) -> Option<Command> {
    let sign = sign_of(which);
    if view.instead_of_model().is_some() && action.needs_model() {
        return None;
    }
    Some(match action {
        Action::Play
        | Action::Step
        | Action::Leap
        | Action::Ends
        | Action::Speed
        | Action::Reverse
        | Action::Loop => Command::Playback(playback::by_key(action, which, view)?),
        Action::Shuttle
        | Action::KeyStep
        | Action::MarkIn
        | Action::MarkOut
        | Action::ClearRange
        | Action::ZoomTime
        | Action::Sheet
        | Action::OtherSheet => Command::Timeline(timeline::by_key(action, which, view)?),
        Action::Clip
        | Action::MixClip
        | Action::MixMode
        | Action::EndMix
        | Action::OwnPose
        | Action::ClipStep
        | Action::SceneStep
        | Action::VariantStep
        | Action::NodeStep => return choice_by_key(action, which, view),
        Action::SearchNodes => Command::Nodes(NodesCommand::FocusSearch),
        Action::HideNode => {
            view.nodes.selected?;
            Command::Nodes(NodesCommand::ToggleChosenHidden)
        }
        Action::FigureSpace => Command::Inspect(InspectCommand::SwitchSpace),
        Action::Frame
        | Action::FrameChosen
        | Action::FrameMotion
        | Action::Side
        | Action::Fly
        | Action::Follow
        | Action::CameraStep
        | Action::Projection
        | Action::Orbit
        | Action::Pan
        | Action::Zoom => Command::Camera(camera::by_key(action, which)?),
        Action::Skeleton
        | Action::JointNames
        | Action::JointAxes
        | Action::XRay
        | Action::EndJoints
        | Action::Trail
        | Action::KeepTrail
        | Action::OnionSkins
        | Action::HeldPose => menus::bones::by_key(action, view)?,
        Action::PoseTool | Action::PoseHandle | Action::PoseNudge => {
            return posing::by_key(action, which, view);
        }
        Action::Undo | Action::Redo => return history::by_key(action, view),
        Action::Compare | Action::SwapCompared => return compare::by_key(action, view),
        Action::Grid => Command::Picture(PictureCommand::ToggleGrid),
        Action::Wires | Action::Normals => return menus::view::lines_by_key(action, view),
        Action::Exposure
        | Action::Tone
        | Action::KeyLight
        | Action::Shadows
        | Action::TurnEnvironment
        | Action::Transparency
        | Action::Quality => Command::Picture(PictureCommand::SetLight(menus::light::stepped(
            view.light.settings,
            action,
            sign,
        ))),
        Action::Backdrop => Command::Picture(PictureCommand::SetBackdrop(
            menus::light::next_backdrop(view.light.backdrop),
        )),
        Action::Studio => Command::UseStudio,
        Action::ViewStep => Command::Picture(PictureCommand::StepViewMode(sign)),
        Action::DualQuaternions => Command::Motion(MotionCommand::ToggleDualQuaternions),
        Action::InPlace => Command::Motion(MotionCommand::ToggleInPlace),
        Action::Fade => Command::Motion(MotionCommand::SetFade(next_fade(view.motion.fade_secs))),
        Action::ScenePanel => Command::TogglePanel(Panel::Scene),
        Action::Inspector => Command::TogglePanel(Panel::Inspector),
        Action::Theme => Command::ToggleTheme,
        Action::Keys => Command::TogglePanel(Panel::Keys),
        Action::Save => Command::Saving(SavingCommand::Toggle),
        Action::SavePose => Command::Saving(SavingCommand::TogglePose),
        Action::Recent => Command::Files(FilesCommand::Pick(Picker::Recent)),
        Action::Palette => Command::Files(FilesCommand::Pick(Picker::Palette)),
        Action::Accept => {
            view.message?.offer?;
            Command::AcceptOffer
        }
        Action::Close => Command::CloseFront,
        Action::Open
        | Action::CompareFile
        | Action::AddClips
        | Action::OpenEnvironment
        | Action::Paste
        | Action::Reload
        | Action::FileStep
        | Action::Scale
        | Action::ScaleReset
        | Action::Quit => Command::Window(window::by_key(action, which)?),
    })
}

/// Which way a key goes of two that go both ways, the one back first.
pub fn sign_of(which: usize) -> i32 {
    if which.is_multiple_of(2) { -1 } else { 1 }
}

/// What a key selects of the model: a clip, or several together; the next scene, variant or node.
fn choice_by_key(action: Action, which: usize, view: &View<'_>) -> Option<Command> {
    let sign = sign_of(which);
    Some(match action {
        Action::Clip | Action::MixClip if which >= view.clips.rows.len() => return None,
        Action::Clip => Command::SelectClip(Some(which)),
        Action::MixClip => Command::Mix(MixCommand::ToggleMixed(which)),
        Action::MixMode | Action::EndMix if view.mix.clips.is_empty() => return None,
        Action::EndMix => Command::Mix(MixCommand::EndMix),
        Action::MixMode => Command::Mix(MixCommand::SwitchMode),
        Action::OwnPose => Command::SelectClip(None),
        Action::ClipStep => {
            Command::SelectClip(step(view.clips.chosen, view.clips.rows.len(), sign)?.into())
        }
        Action::SceneStep => {
            Command::SelectScene(step(Some(view.model.scene), view.model.scenes.len(), sign)?)
        }
        Action::VariantStep if view.model.variants.is_empty() => return None,
        // The file's own choice comes before the first one.
        Action::VariantStep => {
            let current = view.model.variant.map_or(0, |variant| variant + 1);
            let next = step(Some(current), view.model.variants.len() + 1, sign)?;
            Command::SelectVariant(next.checked_sub(1))
        }
        Action::NodeStep => {
            Command::SelectNode(step(view.nodes.selected, view.nodes.rows.len(), sign)?.into())
        }
        _ => return None,
    })
}

/// Lengths of fades that the key goes through.
const FADES_SECS: [f64; 5] = [0.0, 0.2, 0.5, 1.0, 2.0];

/// The next longer fade; none after the longest.
fn next_fade(current_secs: f64) -> f64 {
    let longer = FADES_SECS.into_iter().find(|secs| *secs > current_secs);
    longer.unwrap_or(0.0)
}

/// The neighbour of a place in a list, going round at its ends.
fn step(current: Option<usize>, count: usize, sign: i32) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match current {
        None if sign > 0 => 0,
        Some(place) if sign > 0 => {
            if place >= last {
                0
            } else {
                place + 1
            }
        }
        None | Some(0) => last,
        Some(place) => (place - 1).min(last),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_go_round() {
        assert_eq!(step(None, 3, 1), Some(0));
        assert_eq!(step(Some(2), 3, 1), Some(0));
        assert_eq!(step(Some(0), 3, -1), Some(2));
        assert_eq!(step(Some(9), 3, -1), Some(2));
        assert_eq!(step(None, 0, 1), None);
    }
}

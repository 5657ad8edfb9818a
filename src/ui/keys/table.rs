//! Which keys do what.

use egui::Key;

use super::{Action, Binding, bind, ctrl, ctrl_plain, ctrl_shift, held, plain, shift, sign};

/// All keys, in groups.
#[rustfmt::skip] // A table is read by lines.
pub const TABLE: &[(&str, &[Binding])] = &[
    ("Time", &[
        bind(Action::Play, &[plain(Key::Space)], 1, "Play or pause"),
        held(Action::Step, &[plain(Key::ArrowLeft), plain(Key::ArrowRight)], 2, "One frame back or forward"),
        held(Action::Leap, &[shift(Key::ArrowLeft), shift(Key::ArrowRight)], 2, "Ten frames back or forward"),
        bind(Action::Ends, &[plain(Key::Home), plain(Key::End)], 2, "First or last frame"),
        held(Action::Speed, &[plain(Key::Minus), sign(Key::Equals), sign(Key::Plus)], 2, "Slower or faster"),
        bind(Action::Reverse, &[plain(Key::R)], 1, "Reverse the direction of play"),
        bind(Action::Loop, &[shift(Key::L)], 1, "Next loop mode"),
        bind(Action::Shuttle, &[plain(Key::J), plain(Key::K), plain(Key::L)], 3, "Backwards, stop, forwards; again: faster")
            .named(&["Shuttle backwards; again: faster", "Stop the shuttle", "Shuttle forwards; again: faster"]),
        held(Action::KeyStep, &[plain(Key::Comma), plain(Key::Period)], 2, "Previous or next key"),
        bind(Action::MarkIn, &[plain(Key::I)], 1, "In point: loop from here on"),
        bind(Action::MarkOut, &[plain(Key::O)], 1, "Out point: loop up to here"),
        bind(Action::ClearRange, &[shift(Key::O)], 1, "Clear in and out: loop all of the clip"),
        held(Action::ZoomTime, &[plain(Key::Z), shift(Key::Z)], 2, "Zoom the time axis in or out"),
        bind(Action::Sheet, &[plain(Key::S)], 1, "Dope sheet and curves"),
        bind(Action::OtherSheet, &[shift(Key::S)], 1, "Curves instead of dope sheet, and back"),
    ]),
    ("Clips and nodes", &[
        bind(Action::Clip, &[
            plain(Key::Num1), plain(Key::Num2), plain(Key::Num3), plain(Key::Num4), plain(Key::Num5),
            plain(Key::Num6), plain(Key::Num7), plain(Key::Num8), plain(Key::Num9),
        ], 9, "Clip by its number"),
        bind(Action::MixClip, &[
            shift(Key::Num1), shift(Key::Num2), shift(Key::Num3), shift(Key::Num4), shift(Key::Num5),
            shift(Key::Num6), shift(Key::Num7), shift(Key::Num8), shift(Key::Num9),
        ], 9, "Mix a clip in by its number"),
        bind(Action::EndMix, &[shift(Key::Num0)], 1, "End the mix: back to one clip"),
        bind(Action::MixMode, &[shift(Key::D)], 1, "Blend or add the clip mixed in last"),
        bind(Action::OwnPose, &[plain(Key::Num0)], 1, "The file's own pose"),
        held(Action::ClipStep, &[
            sign(Key::OpenBracket), sign(Key::CloseBracket), plain(Key::PageUp), plain(Key::PageDown),
        ], 4, "Previous or next clip"),
        bind(Action::SceneStep, &[shift(Key::PageUp), shift(Key::PageDown)], 2, "Previous or next scene"),
        bind(Action::VariantStep, &[shift(Key::M), plain(Key::M)], 2, "Previous or next material variant"),
        held(Action::NodeStep, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], 2, "Previous or next node"),
        bind(Action::SearchNodes, &[ctrl_plain(Key::F)], 1, "Search nodes"),
        bind(Action::HideNode, &[shift(Key::H)], 1, "Hide or show the selected node"),
        bind(Action::FigureSpace, &[ctrl_plain(Key::I)], 1, "Transform of the node: local or world"),
    ]),
    ("Pose", &[
        bind(Action::PoseTool, &[shift(Key::Q)], 1, "Next tool to pose the selected joint"),
        bind(Action::PoseHandle, &[plain(Key::F2)], 1, "Next handle of the pose tool: X, Y, Z"),
        held(Action::PoseNudge, &[shift(Key::F4), plain(Key::F4)], 2, "Nudge the pose handle back or forward"),
        held(Action::Undo, &[ctrl_plain(Key::Z)], 1, "Undo the last change"),
        held(Action::Redo, &[ctrl_plain(Key::Y), ctrl_shift(Key::Z)], 1, "Redo the change"),
    ]),
    ("Camera", &[
        bind(Action::Frame, &[plain(Key::F)], 1, "Frame the model"),
        bind(Action::FrameChosen, &[shift(Key::F)], 1, "Frame the selected node"),
        bind(Action::FrameMotion, &[ctrl_shift(Key::F)], 1, "Frame the whole motion"),
        bind(Action::Side, &[
            ctrl_plain(Key::Num1), ctrl_plain(Key::Num2), ctrl_plain(Key::Num3), ctrl_plain(Key::Num4), ctrl_plain(Key::Num5),
            ctrl_plain(Key::Num6),
        ], 6, "View from one of the six sides").named(&[
            "View from the front", "View from the back", "View from the left",
            "View from the right", "View from the top", "View from the bottom",
        ]),
        bind(Action::Projection, &[plain(Key::F6)], 1, "Perspective or orthographic camera"),
        bind(Action::Fly, &[plain(Key::F7)], 1, "Fly: W A S D, Q E; Shift: faster"),
        bind(Action::Follow, &[plain(Key::F8)], 1, "Follow the selected node, or the root"),
        held(Action::CameraStep, &[ctrl_plain(Key::OpenBracket), ctrl_plain(Key::CloseBracket)], 2, "Previous or next camera of the file"),
        held(Action::Orbit, &[
            ctrl_plain(Key::ArrowLeft), ctrl_plain(Key::ArrowRight), ctrl_plain(Key::ArrowUp), ctrl_plain(Key::ArrowDown),
        ], 4, "Orbit")
            .named(&["Orbit left", "Orbit right", "Orbit up", "Orbit down"]),
        held(Action::Pan, &[
            ctrl_shift(Key::ArrowLeft), ctrl_shift(Key::ArrowRight), ctrl_shift(Key::ArrowUp), ctrl_shift(Key::ArrowDown),
        ], 4, "Pan").named(&["Pan left", "Pan right", "Pan up", "Pan down"]),
        held(Action::Zoom, &[ctrl(Key::PageUp), ctrl(Key::PageDown)], 2, "Zoom in or out"),
    ]),
    ("View", &[
        bind(Action::Skeleton, &[plain(Key::B)], 1, "Show or hide the bones"),
        bind(Action::JointNames, &[plain(Key::Y)], 1, "Joint names: none, selected, all"),
        bind(Action::JointAxes, &[shift(Key::Y)], 1, "Joint axes: none, selected, all"),
        bind(Action::XRay, &[shift(Key::B)], 1, "X-ray: bones seen through the model"),
        bind(Action::Trail, &[plain(Key::W)], 1, "Motion trail of the selected node"),
        bind(Action::KeepTrail, &[ctrl_plain(Key::W)], 1, "Keep or release the node's motion trail"),
        bind(Action::OnionSkins, &[shift(Key::W)], 1, "Onion skins: bones before and after"),
        bind(Action::HeldPose, &[shift(Key::P)], 1, "Clip, or the pose chosen under Bones"),
        bind(Action::EndJoints, &[ctrl_plain(Key::B)], 1, "End joints that move no vertex"),
        held(Action::ViewStep, &[shift(Key::V), plain(Key::V)], 2, "Previous or next view mode"),
        bind(Action::Wires, &[shift(Key::E)], 1, "Edges of triangles over the surface"),
        bind(Action::Normals, &[shift(Key::R)], 1, "Normals of vertices as lines"),
        bind(Action::DualQuaternions, &[plain(Key::D)], 1, "Skinning: linear or dual quaternion"),
        bind(Action::InPlace, &[plain(Key::P)], 1, "In place: root motion off or on"),
        bind(Action::Fade, &[plain(Key::X)], 1, "Longer cross-fade between clips, or none"),
        bind(Action::Compare, &[plain(Key::F9)], 1, "Compare: side by side, wipe, overlay, off"),
        bind(Action::SwapCompared, &[shift(Key::F9)], 1, "Compare: swap A and B"),
        bind(Action::Grid, &[plain(Key::G)], 1, "Show or hide the ground grid"),
        bind(Action::ScenePanel, &[plain(Key::N)], 1, "Left panel: clips and nodes"),
        bind(Action::Inspector, &[shift(Key::N)], 1, "Right panel: inspector"),
        bind(Action::Theme, &[plain(Key::T)], 1, "Dark or light theme"),
        held(Action::Scale, &[ctrl(Key::Minus), ctrl(Key::Plus), ctrl(Key::Equals)], 2, "Smaller or larger interface"),
        bind(Action::ScaleReset, &[ctrl(Key::Num0)], 1, "Interface at 100%"),
        bind(Action::Keys, &[sign(Key::Questionmark), plain(Key::F1), shift(Key::Slash)], 2, "List of all keys"),
    ]),
    ("Light", &[
        held(Action::Exposure, &[shift(Key::Comma), shift(Key::Period)], 2, "Lower or higher exposure"),
        bind(Action::Tone, &[plain(Key::C)], 1, "Tone mapping: next curve"),
        bind(Action::KeyLight, &[shift(Key::K)], 1, "Key light: auto, on, off"),
        bind(Action::Shadows, &[plain(Key::H)], 1, "Shadows of the key light"),
        held(Action::TurnEnvironment, &[shift(Key::U), plain(Key::U)], 2, "Turn the environment").named(&["Turn the environment clockwise", "Turn the environment anticlockwise"]),
        bind(Action::Backdrop, &[plain(Key::E)], 1, "Background: theme, environment, colour"),
        bind(Action::Transparency, &[shift(Key::T)], 1, "Transparency: sorted or weighted"),
        bind(Action::Quality, &[plain(Key::Q)], 1, "Light: full or simple"),
        bind(Action::OpenEnvironment, &[ctrl_plain(Key::E)], 1, "Open an environment map (.hdr, .exr)"),
        bind(Action::Studio, &[ctrl_shift(Key::E)], 1, "Environment: back to the studio"),
    ]),
    ("Files", &[
        bind(Action::Open, &[ctrl_plain(Key::O)], 1, "Open a file"),
        bind(Action::AddClips, &[ctrl_shift(Key::O)], 1, "Add clips from files"),
        bind(Action::CompareFile, &[ctrl_shift(Key::C)], 1, "Compare with another file"),
        bind(Action::Save, &[ctrl_plain(Key::S)], 1, "Save a picture or an animation"),
        bind(Action::SavePose, &[ctrl_shift(Key::S)], 1, "Save the pose: JSON, mesh or clip"),
        bind(Action::Paste, &[ctrl(Key::V)], 1, "Open the path on the clipboard"),
        bind(Action::Recent, &[ctrl(Key::R)], 1, "Open a recent file"),
        held(Action::FileStep, &[shift(Key::F3), plain(Key::F3)], 2, "Previous or next file in the folder"),
        bind(Action::Reload, &[plain(Key::F5)], 1, "Reload the file"),
        bind(Action::Palette, &[ctrl(Key::P)], 1, "Find a command, a clip, a node"),
        bind(Action::Accept, &[plain(Key::A)], 1, "Do what the message offers"),
        bind(Action::Close, &[plain(Key::Escape)], 1, "Close what is in front; stop saving or loading"),
        bind(Action::Quit, &[ctrl(Key::Q)], 1, "Quit"),
    ]),
];

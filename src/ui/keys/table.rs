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
        bind(Action::Reverse, &[plain(Key::R)], 1, "Backwards or forwards"),
        bind(Action::Loop, &[shift(Key::L)], 1, "Next loop mode"),
        bind(Action::Shuttle, &[plain(Key::J), plain(Key::K), plain(Key::L)], 3, "Backwards, stop, forwards; again: faster"),
        held(Action::KeyStep, &[plain(Key::Comma), plain(Key::Period)], 2, "Previous or next key"),
        bind(Action::MarkIn, &[plain(Key::I)], 1, "Loop from here on"),
        bind(Action::MarkOut, &[plain(Key::O)], 1, "Loop up to here"),
        bind(Action::ClearRange, &[shift(Key::O)], 1, "Loop all of the clip"),
        held(Action::ZoomTime, &[plain(Key::Z), shift(Key::Z)], 2, "Zoom the time axis in or out"),
        bind(Action::Sheet, &[plain(Key::S)], 1, "Sheet of keys or curves"),
        bind(Action::OtherSheet, &[shift(Key::S)], 1, "Curves instead of keys, or keys instead of curves"),
    ]),
    ("Clips and nodes", &[
        bind(Action::Clip, &[
            plain(Key::Num1), plain(Key::Num2), plain(Key::Num3), plain(Key::Num4), plain(Key::Num5),
            plain(Key::Num6), plain(Key::Num7), plain(Key::Num8), plain(Key::Num9),
        ], 9, "Clip by its number"),
        bind(Action::MixClip, &[
            shift(Key::Num1), shift(Key::Num2), shift(Key::Num3), shift(Key::Num4), shift(Key::Num5),
            shift(Key::Num6), shift(Key::Num7), shift(Key::Num8), shift(Key::Num9),
        ], 1, "Clip beside the chosen one, by its number"),
        bind(Action::EndMix, &[shift(Key::Num0)], 1, "Back to one clip"),
        bind(Action::MixMode, &[shift(Key::D)], 1, "Blend or add the clip that joined last"),
        bind(Action::OwnPose, &[plain(Key::Num0)], 1, "The file's own pose"),
        held(Action::ClipStep, &[
            sign(Key::OpenBracket), sign(Key::CloseBracket), plain(Key::PageUp), plain(Key::PageDown),
        ], 4, "Previous or next clip"),
        bind(Action::SceneStep, &[shift(Key::PageUp), shift(Key::PageDown)], 2, "Previous or next scene"),
        bind(Action::VariantStep, &[shift(Key::M), plain(Key::M)], 2, "Previous or next variant of the materials"),
        held(Action::NodeStep, &[plain(Key::ArrowUp), plain(Key::ArrowDown)], 2, "Previous or next node"),
        bind(Action::SearchNodes, &[ctrl_plain(Key::F)], 1, "Search nodes"),
        bind(Action::HideNode, &[shift(Key::H)], 1, "Hide or show the chosen node"),
    ]),
    ("Pose", &[
        bind(Action::PoseTool, &[shift(Key::Q)], 1, "Next tool to pose the chosen joint, or none"),
        held(Action::Undo, &[ctrl_plain(Key::Z)], 1, "Undo"),
        held(Action::Redo, &[ctrl_plain(Key::Y), ctrl_shift(Key::Z)], 1, "Redo"),
    ]),
    ("Camera", &[
        bind(Action::Frame, &[plain(Key::F)], 1, "Fill the view with the model"),
        bind(Action::FrameChosen, &[shift(Key::F)], 1, "Fill the view with what is chosen"),
        bind(Action::FrameMotion, &[ctrl_shift(Key::F)], 1, "Fill the view with the whole motion"),
        bind(Action::Side, &[
            ctrl_plain(Key::Num1), ctrl_plain(Key::Num2), ctrl_plain(Key::Num3), ctrl_plain(Key::Num4), ctrl_plain(Key::Num5),
            ctrl_plain(Key::Num6),
        ], 6, "From the front, back, left, right, top, bottom"),
        bind(Action::Projection, &[plain(Key::F6)], 1, "Perspective or orthographic"),
        bind(Action::Fly, &[plain(Key::F7)], 1, "Fly: W A S D, Q E; Shift: faster"),
        bind(Action::Follow, &[plain(Key::F8)], 1, "Follow the chosen node, or the root"),
        held(Action::CameraStep, &[ctrl_plain(Key::OpenBracket), ctrl_plain(Key::CloseBracket)], 2, "Previous or next camera of the file"),
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
        bind(Action::JointNames, &[plain(Key::Y)], 1, "Joint names: none, the chosen one's, all"),
        bind(Action::JointAxes, &[shift(Key::Y)], 1, "Joint axes: none, the chosen one's, all"),
        bind(Action::XRay, &[shift(Key::B)], 1, "Bones through the model, or hidden by it"),
        bind(Action::Trail, &[plain(Key::W)], 1, "Motion trail of the chosen node"),
        bind(Action::OnionSkins, &[shift(Key::W)], 1, "Onion skins: the skeleton before and after"),
        bind(Action::HeldPose, &[shift(Key::P)], 1, "Bind or rest pose, or the clip again"),
        bind(Action::EndJoints, &[ctrl_plain(Key::B)], 1, "Joints at the ends that move nothing"),
        held(Action::ViewStep, &[shift(Key::V), plain(Key::V)], 2, "Previous or next view of surfaces"),
        bind(Action::DualQuaternions, &[plain(Key::D)], 1, "Skin by matrices or dual quaternions"),
        bind(Action::InPlace, &[plain(Key::P)], 1, "Keep clips in place, or let them go"),
        bind(Action::Fade, &[plain(Key::X)], 1, "Longer fade between clips, or none"),
        bind(Action::Grid, &[plain(Key::G)], 1, "Ground grid"),
        bind(Action::ScenePanel, &[plain(Key::N)], 1, "Clips and nodes, on the left"),
        bind(Action::Inspector, &[shift(Key::N)], 1, "Inspector, on the right"),
        bind(Action::Theme, &[plain(Key::T)], 1, "Dark or light"),
        held(Action::Scale, &[ctrl(Key::Minus), ctrl(Key::Plus), ctrl(Key::Equals)], 2, "Smaller or larger interface"),
        bind(Action::ScaleReset, &[ctrl(Key::Num0)], 1, "Interface at 100 %"),
        bind(Action::Keys, &[sign(Key::Questionmark), plain(Key::F1), shift(Key::Slash)], 2, "This list"),
    ]),
    ("Light", &[
        held(Action::Exposure, &[shift(Key::Comma), shift(Key::Period)], 2, "Darker or brighter"),
        bind(Action::Tone, &[plain(Key::C)], 1, "Next tone curve"),
        bind(Action::KeyLight, &[shift(Key::K)], 1, "Key light: auto, on, off"),
        bind(Action::Shadows, &[plain(Key::H)], 1, "Shadows"),
        held(Action::TurnSurroundings, &[shift(Key::U), plain(Key::U)], 2, "Turn the surroundings"),
        bind(Action::Backdrop, &[plain(Key::E)], 1, "What is behind the model"),
        bind(Action::Quality, &[plain(Key::Q)], 1, "Full or simple light"),
        bind(Action::OpenEnvironment, &[ctrl_plain(Key::E)], 1, "Open surroundings"),
        bind(Action::Studio, &[ctrl_shift(Key::E)], 1, "Back to the studio"),
    ]),
    ("Files", &[
        bind(Action::Open, &[ctrl_plain(Key::O)], 1, "Open a file"),
        bind(Action::AddClips, &[ctrl_shift(Key::O)], 1, "Add the clips of a file to this model"),
        bind(Action::Save, &[ctrl_plain(Key::S)], 1, "Save a picture or an animation"),
        bind(Action::SavePose, &[ctrl_shift(Key::S)], 1, "Save the pose, the posed mesh, or a clip of one key"),
        bind(Action::Paste, &[ctrl(Key::V)], 1, "Open the path on the clipboard"),
        bind(Action::Recent, &[ctrl(Key::R)], 1, "Open a recent file"),
        held(Action::FileStep, &[shift(Key::F3), plain(Key::F3)], 2, "Previous or next file in the folder"),
        bind(Action::Reload, &[plain(Key::F5)], 1, "Read the file again"),
        bind(Action::Palette, &[ctrl(Key::P)], 1, "Find a command, a clip, a node"),
        bind(Action::Accept, &[plain(Key::A)], 1, "Do what the message offers"),
        bind(Action::Close, &[plain(Key::Escape)], 1, "Close what is in front; cancel loading"),
        bind(Action::Quit, &[ctrl(Key::Q)], 1, "Quit"),
    ]),
];

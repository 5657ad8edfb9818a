//! What keys can do.

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
    /// The next slower or faster speed of the list, forwards or backwards as before.
    Speed,
    /// Backwards.
    Reverse,
    /// Next loop mode.
    Loop,
    /// Backwards, stop, forwards; again is faster.
    Shuttle,
    /// Previous or next key of the chosen node, or of all.
    KeyStep,
    /// Loop from here on.
    MarkIn,
    /// Loop up to here.
    MarkOut,
    /// Loop all of the clip.
    ClearRange,
    /// Less or more of the clip on the time axis.
    ZoomTime,
    /// The dope sheet or the curves, or neither.
    Sheet,
    /// The curves instead of the dope sheet, or the other way round.
    OtherSheet,
    /// A clip by its number.
    Clip,
    /// A clip beside the chosen one, by its number.
    MixClip,
    /// Blended or added.
    MixMode,
    /// The chosen clip alone.
    EndMix,
    /// The file's own pose.
    OwnPose,
    /// Previous or next clip.
    ClipStep,
    /// Previous or next scene.
    SceneStep,
    /// Previous or next variant of the materials.
    VariantStep,
    /// Previous or next node.
    NodeStep,
    /// Search nodes.
    SearchNodes,
    /// Hide or show the chosen node.
    HideNode,
    /// Figures relative to the parent, or in the world.
    FigureSpace,
    /// Fill the view.
    Frame,
    /// Fill the view with what is chosen.
    FrameChosen,
    /// Fill the view with all of the motion.
    FrameMotion,
    /// One of the six views.
    Side,
    /// Central or parallel projection.
    Projection,
    /// Keys and pointer fly.
    Fly,
    /// Keep a node in its place.
    Follow,
    /// Previous or next camera of the file.
    CameraStep,
    /// Turn the camera.
    Orbit,
    /// Move the camera sideways.
    Pan,
    /// Move the camera nearer or farther.
    Zoom,
    /// The skeleton.
    Skeleton,
    /// Next choice of names.
    JointNames,
    /// Next choice of axes.
    JointAxes,
    /// The skeleton through the model.
    XRay,
    /// The way of the chosen node.
    Trail,
    /// The way of the chosen node, also when another is chosen.
    KeepTrail,
    /// The skeleton before and after.
    OnionSkins,
    /// The clip, or the pose that is chosen to be held instead.
    HeldPose,
    /// Joints at the ends.
    EndJoints,
    /// The next tool for poses by hand.
    PoseTool,
    /// The next handle of the tool.
    PoseHandle,
    /// That handle, a little.
    PoseNudge,
    /// Take the last change back, whatever it was about.
    Undo,
    /// Make it again.
    Redo,
    /// Next way of comparing.
    Compare,
    /// A and B change places.
    SwapCompared,
    /// Open a file to compare with.
    CompareFile,
    /// The grid.
    Grid,
    /// The edges of triangles, over surfaces.
    Wires,
    /// The normals of vertices, as lines.
    Normals,
    /// Next or previous view of surfaces.
    ViewStep,
    /// Matrices or dual quaternions.
    DualQuaternions,
    /// Root motion or none.
    InPlace,
    /// Next length of fades.
    Fade,
    /// More or less exposure.
    Exposure,
    /// The next tone curve.
    Tone,
    /// The key light.
    KeyLight,
    /// Shadows.
    Shadows,
    /// Turn the environment.
    TurnEnvironment,
    /// What is behind the model.
    Backdrop,
    /// The next kind of transparency.
    Transparency,
    /// Full or simple light.
    Quality,
    /// Open an environment.
    OpenEnvironment,
    /// Back to the studio.
    Studio,
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
    /// Add clips of a file.
    AddClips,
    /// Save a picture or an animation.
    Save,
    /// Save the pose.
    SavePose,
    /// Open the file on the clipboard.
    Paste,
    /// Choose among the files that were opened before.
    Recent,
    /// Previous or next file in the folder.
    FileStep,
    /// Read the file again.
    Reload,
    /// Find anything by its name.
    Palette,
    /// Do what the message offers.
    Accept,
    /// Close or cancel.
    Close,
    /// Leave.
    Quit,
}

impl Action {
    /// Whether it goes on from what is shown, to the next of several: pressed twice, it goes two steps.
    pub(super) fn steps_from_shown(self) -> bool {
        use Action::*;
        matches!(
            self,
            Speed
                | Reverse
                | Loop
                | ClipStep
                | SceneStep
                | VariantStep
                | NodeStep
                | ZoomTime
                | JointNames
                | JointAxes
                | XRay
                | Trail
                | OnionSkins
                | EndJoints
                | PoseTool
                | Fade
                | Exposure
                | Tone
                | KeyLight
                | Shadows
                | TurnEnvironment
                | Backdrop
                | Transparency
                | Quality
        )
    }

    /// Whether it is about the model that is shown. What is how all models are shown, and the window's own, is there without
    /// one.
    pub(super) fn needs_model(self) -> bool {
        use Action::*;
        match self {
            Play | Step | Leap | Ends | Shuttle | KeyStep | MarkIn | MarkOut | ClearRange
            | ZoomTime | Sheet | OtherSheet | Clip | MixClip | MixMode | EndMix | OwnPose
            | ClipStep | SceneStep | VariantStep | NodeStep | SearchNodes | HideNode | Frame
            | FrameChosen | FrameMotion | Follow | CameraStep | Trail | KeepTrail | OnionSkins
            | HeldPose | PoseTool | PoseHandle | PoseNudge | Compare | SwapCompared
            | CompareFile | AddClips | Save | SavePose => true,
            Speed | Reverse | Loop | FigureSpace | Side | Projection | Fly | Orbit | Pan | Zoom
            | Skeleton | JointNames | JointAxes | XRay | EndJoints | Undo | Redo | Grid | Wires
            | Normals | ViewStep | DualQuaternions | InPlace | Fade | Exposure | Tone
            | KeyLight | Shadows | TurnEnvironment | Backdrop | Transparency | Quality
            | OpenEnvironment | Studio | ScenePanel | Inspector | Theme | Scale | ScaleReset
            | Keys | Open | Paste | Recent | FileStep | Reload | Palette | Accept | Close
            | Quit => false,
        }
    }
}

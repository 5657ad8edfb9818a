//! What else people call what the palette finds.

use crate::scene::ViewMode;
use crate::ui::keys::Action;

/// Words for a line of the table of keys.
pub(super) fn of_action(action: Action) -> &'static str {
    use Action::*;
    match action {
        Scale => "settings scale zoom ui size text font dpi",
        ScaleReset => "settings scale zoom ui size text font dpi reset",
        Theme => "settings preferences appearance mode night",
        Quality => "settings preferences graphics performance",
        KeyLight => "settings preferences graphics sun lighting",
        Shadows => "graphics settings",
        Fade => "settings blend transition crossfade",
        InPlace => "walk on the spot foot locomotion",
        Keys => "settings shortcuts hotkeys keyboard help",
        Play => "start stop",
        Speed => "speed playback rate slow motion fast",
        Reverse => "speed backwards",
        Loop => "repeat cycle ping-pong once hold",
        KeyStep => "keyframes",
        MarkIn | MarkOut => "range trim section",
        ClearRange => "range reset",
        Sheet => "keyframes channels timeline graph",
        OtherSheet => "graph editor f-curves fcurves",
        OwnPose => "rest default no animation",
        EndMix => "blend layers",
        SearchNodes => "find joint bone outliner hierarchy",
        HideNode => "visibility",
        FigureSpace => "space global",
        PoseTool => "ik fk rotate turn move scale reach bend gizmo manipulate",
        PoseHandle => "axis gizmo",
        Undo => "history back revert",
        Redo => "history repeat",
        Frame => "focus fit center zoom all reset camera",
        FrameChosen | FrameMotion => "focus fit center zoom",
        Side => "camera axis",
        Projection => "ortho isometric parallel",
        Fly => "walk wasd first person",
        Follow => "track lock",
        Skeleton => "rig armature skeleton joints",
        XRay => "transparent through in front",
        Trail | KeepTrail => "path arc trajectory",
        OnionSkins => "ghosts ghosting",
        HeldPose => "rest bind t-pose tpose reference",
        DualQuaternions => "dqs volume deformation linear blend",
        Compare => "diff versus split a/b",
        CompareFile => "diff versus version",
        Grid => "floor",
        Wires => "wireframe wires overlay topology polygons mesh",
        Normals => "vertex normals overlay rays hairs",
        Inspector => {
            "properties details information statistics stats errors warnings validate diagnostics"
        }
        ScenePanel => "outliner hierarchy sidebar",
        Exposure => "brightness",
        Tone => "tonemap tone-map color agx aces",
        TurnEnvironment => "rotate hdri",
        Backdrop => "skybox sky hdri color",
        OpenEnvironment => "hdri ibl skybox sky light",
        Studio => "hdri ibl reset",
        Open => "load import",
        AddClips => {
            "retarget borrow import animations mixamo library append merge another file model"
        }
        Save => {
            "export render screenshot capture picture image record video movie film turntable gif webp apng png frames sequence"
        }
        SavePose => "export bake snapshot key glb gltf",
        FileStep => "browse",
        Reload => "refresh",
        Quit => "exit close",
        _ => "",
    }
}

/// Words for a view.
pub(super) fn of_view_mode(mode: ViewMode) -> &'static str {
    match mode {
        ViewMode::Lit => "shaded default pbr",
        ViewMode::Wireframe => "edges mesh topology polygons triangles",
        ViewMode::Faces => "backfaces winding flipped inside out",
        ViewMode::BaseColor => "albedo diffuse color texture",
        ViewMode::Alpha => "opacity transparency",
        ViewMode::VertexColor => "vertex color paint",
        ViewMode::Occlusion => "ao",
        ViewMode::Emissive => "glow emission",
        ViewMode::Clearcoat | ViewMode::ClearcoatRoughness => "coating varnish lacquer layer",
        ViewMode::Sheen | ViewMode::SheenRoughness => "color cloth velvet fabric layer",
        ViewMode::Specular => "reflectance layer",
        ViewMode::SpecularColor => "color reflectance f0 layer",
        ViewMode::Transmission => "glass refraction see through layer",
        ViewMode::DiffuseTransmission => "translucency leaves layer",
        ViewMode::DiffuseTransmissionColor => "color translucency leaves layer",
        ViewMode::Iridescence => "thin film rainbow layer",
        ViewMode::Anisotropy => "brushed metal layer",
        ViewMode::Normal | ViewMode::GeometricNormal => "normal map",
        ViewMode::Uv => "uvs texture coordinates checker",
        ViewMode::Weights | ViewMode::Influences => "skin skinning weight paint",
        ViewMode::Joints => "bones skin weights",
        ViewMode::Depth => "z-buffer",
        ViewMode::Overdraw => "performance",
        _ => "",
    }
}

//! A model on stage: the pose it is in, and everything that follows from the pose.

mod by_hand;
mod crowd;
mod framing;
mod held_pose;
mod joint_places;
mod lit;
mod mix;
mod recorded;
#[cfg(test)]
mod tests;
mod trails;
mod twin;
mod work;

use std::{
    cell::{Cell, OnceCell},
    sync::Arc,
};

pub(super) use by_hand::ByHand;
pub(super) use lit::dimming_at_first;
pub(super) use mix::HeldWeights;
pub use mix::{MAX_LAYERS, MixLayer};
pub use recorded::as_played;

use glam::{Affine3A, Vec3};

use super::picture::Hiding;
use crate::{
    anim::{
        Arms, Cursors, Palette, PaletteLayout, PlayedPose, Pose, Properties, Skinning,
        blend::{Blender, InPlace},
        bounds,
        bounds::JointBoxes,
        posing::Offsets,
        root_motion::{RootChooser, RootMotion},
        sample,
    },
    model::{Aabb, Clip, Hierarchy, Model, NodeId},
    scene::{
        CameraView, Crowd, Dimming, Draws, FormChoice, Inspection, JointPlaces, LightNodes,
        Overlay, PlacedLight, Skeleton, SkeletonLook, SkeletonSettings, SurfaceLines, Surfaces,
        ViewMode, WeightColors, collect_draws, difference_scale,
    },
};

/// How long normals are as lines, as a part of the model's size.
const NORMAL_SHARE: f32 = 0.02;

/// A model, posed. All buffers are kept, so that posing it again allocates nothing.
#[derive(Debug)]
pub struct Actor {
    /// Shared with threads that look at it.
    model: Arc<Model>,
    scene: usize,
    layout: PaletteLayout,
    skeleton: Skeleton,
    pose: PlayedPose,
    properties: Properties,
    cursors: Cursors,
    palette: Palette,
    /// How joints are blended from the next pose on: what the palette holds fits the way before.
    skinning: Skinning,
    /// Whether what both ways of skinning make is shown.
    shows_difference: bool,
    /// Of the file's own pose.
    size: f32,
    /// Made when clips are first blended.
    blender: Option<Blender>,
    /// A clip that leaves everything as the file has it.
    own_pose: Clip,
    /// For each clip where it goes, if anywhere, once that was asked.
    root_motions: Vec<OnceCell<Option<RootMotion>>>,
    /// Measured when it is first asked where a clip goes.
    root_chooser: Option<RootChooser>,
    is_in_place: bool,
    /// Of the scene that is shown; none where making them takes longer than a frame or two.
    pub(super) joint_boxes: Option<JointBoxes>,
    /// Where the matrices of a joint are in the palette: of the joint that was last asked for.
    joint_places: Cell<Option<(NodeId, JointPlaces)>>,
    /// What looking for the surface under a pointer visits.
    triangles_to_pick: usize,
    /// Many of the model instead of one.
    crowd: Option<Crowd>,
    /// The box around all that the crowd may reach at any time.
    crowd_casters: Aabb,
    form_choice: FormChoice,
    draws: Draws,
    /// Those that the scene shows at any time.
    light_nodes: LightNodes,
    lights: Vec<PlacedLight>,
    /// What keeps them from leaving all white.
    dimming: Option<Dimming>,
    overlay: Overlay,
    held_weights: HeldWeights,
    side_pose: trails::SidePose,
    pub(super) hiding: Hiding,
    /// What is added by hand.
    offsets: Offsets,
    /// Found when they are first asked for.
    arms: std::sync::OnceLock<Result<Arms, &'static str>>,
    /// The box around the pose that was last measured.
    bounds: Aabb,
    /// The exact box around the file's own pose of a scene.
    own_bounds: (usize, Aabb),
}

impl Actor {
    /// A model in the file's own pose, as its default scene shows it.
    pub fn new(model: Model) -> Self {
        let scene = model.default_scene;
        let layout = PaletteLayout::new(&model, scene);
        let joint_boxes = joint_boxes(&model, &layout);
        let mut this = Self::of(Arc::new(model), scene, layout, joint_boxes);
        this.pose_at(None, 0.0);
        this.own_bounds = (scene, this.measure());
        this.size = this.bounds.diagonal();
        this.find_dimming();
        this
    }

    fn of(
        model: Arc<Model>,
        scene: usize,
        layout: PaletteLayout,
        joint_boxes: Option<JointBoxes>,
    ) -> Self {
        Self {
            joint_boxes,
            joint_places: Cell::default(),
            triangles_to_pick: work::triangles_to_pick(&model, &layout),
            layout,
            skeleton: Skeleton::new(&model),
            scene,
            pose: PlayedPose::new(&model.hierarchy),
            properties: Properties::new(&model),
            cursors: Cursors::default(),
            palette: Palette::default(),
            skinning: Skinning::Linear,
            shows_difference: false,
            size: 0.0,
            blender: None,
            own_pose: Clip::default(),
            root_motions: vec![OnceCell::new(); model.clips.len()],
            root_chooser: None,
            is_in_place: false,
            crowd: None,
            crowd_casters: Aabb::EMPTY,
            form_choice: FormChoice::Auto,
            draws: Draws::default(),
            light_nodes: lit::light_nodes(&model, scene),
            lights: Vec::new(),
            dimming: None,
            overlay: Overlay::default(),
            held_weights: HeldWeights::default(),
            side_pose: trails::SidePose::default(),
            hiding: Hiding::default(),
            offsets: Offsets::default(),
            arms: std::sync::OnceLock::new(),
            bounds: Aabb::EMPTY,
            own_bounds: (scene, Aabb::EMPTY),
            model,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, for threads that look at it.
    pub(super) fn shared_model(&self) -> Arc<Model> {
        Arc::clone(&self.model)
    }

    /// Index of the scene that is shown.
    pub fn scene(&self) -> usize {
        self.scene
    }

    /// Shows another scene of the model.
    pub fn set_scene(&mut self, scene: usize) {
        self.scene = scene;
        self.renew_scene();
    }

    /// Finds out what may be seen, since the scene or the clips are others.
    fn renew_scene(&mut self) {
        self.layout = PaletteLayout::new(&self.model, self.scene);
        self.joint_boxes = joint_boxes(&self.model, &self.layout);
        self.joint_places = Cell::default();
        self.triangles_to_pick = work::triangles_to_pick(&self.model, &self.layout);
        self.light_nodes = lit::light_nodes(&self.model, self.scene);
        self.find_dimming();
        // Its matrices and programs are those of before.
        self.crowd = None;
    }

    /// The joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Whether a node is a joint that is shown with these settings.
    pub(in crate::app) fn shows_joint(&mut self, node: NodeId, settings: SkeletonSettings) -> bool {
        self.skeleton.find_uses(&self.model);
        let mut shown = self.skeleton.shown_joints(settings);
        shown.any(|(joint, ..)| joint == node)
    }

    /// The pose.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The materials, lights and cameras of the pose.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Where the matrices are in the palette.
    pub fn layout(&self) -> &PaletteLayout {
        &self.layout
    }

    /// Says whether clips stay where they begin, from the next pose on, and the next crowd.
    pub fn set_in_place(&mut self, is_in_place: bool) {
        self.is_in_place = is_in_place;
    }

    /// Says how joints are blended from the next pose on.
    pub fn set_skinning(&mut self, skinning: Skinning) {
        self.skinning = skinning;
    }

    /// What is added to the pose by hand.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// Says what is added by hand from the next pose on; returns what was.
    pub fn replace_offsets(&mut self, offsets: Offsets) -> Offsets {
        std::mem::replace(&mut self.offsets, offsets)
    }

    /// The matrices of the pose.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// What the renderer must know of each mesh on a node.
    pub fn draws(&self) -> &Draws {
        &self.draws
    }

    /// Its surfaces in the pose that it has, in this variant of its materials, as a view draws them.
    pub fn surfaces(&self, variant: Option<usize>, view: ViewMode) -> Surfaces<'_> {
        Surfaces {
            model: &self.model,
            layout: self.layout(),
            palette: self.palette(),
            draws: self.draws(),
            materials: &self.properties.values().materials,
            variant,
            view,
        }
    }

    /// The skeleton's shapes, as of the last [`Actor::shape_skeleton`].
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// What lies over the picture, to be filled.
    pub fn overlay_mut(&mut self) -> &mut Overlay {
        &mut self.overlay
    }

    /// The box around the pose that was last measured.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The exact box around the file's own pose; none in a crowd, and in scenes that were chosen later.
    pub fn own_bounds(&self) -> Option<Aabb> {
        let (scene, bounds) = self.own_bounds;
        (scene == self.scene && self.crowd.is_none()).then_some(bounds)
    }

    /// The diagonal of the exact box around the file's own pose, or its nodes, in its units; 1 for what is a point. What models
    /// differ in is measured by it.
    pub fn own_size(&self) -> f64 {
        let size = f64::from(self.own_bounds.1.diagonal());
        if size > 0.0 && size.is_finite() {
            size
        } else {
            1.0
        }
    }

    /// The diagonal of the box around the model at rest, in its units; 0 without a surface.
    pub fn size(&self) -> f32 {
        self.size
    }

    /// Takes the pose of `clip` (an index) at exactly `time_secs`, clamped to its keys and never looped; without a clip
    /// the file's own.
    pub fn pose_at(&mut self, clip: Option<usize>, time_secs: f64) {
        let motion = clip.map(|clip| (clip, time_secs, 1.0));
        self.properties.pose(&self.model, motion);
        let is_by_hand = !self.held_weights.is_empty() || !self.offsets.is_empty();
        if !self.is_in_place && !is_by_hand {
            self.pose
                .play(&self.model, clip, time_secs, &mut self.cursors);
            self.settle_world();
            return;
        }
        self.pose.reset(&self.model.hierarchy);
        self.find_root_motion(clip);
        if let Some((index, clip)) = clip.and_then(|clip| Some((clip, self.model.clips.get(clip)?)))
        {
            sample(clip, time_secs, &mut self.cursors, &mut self.pose);
            if let Some(way) = in_place(
                &self.model.hierarchy,
                &self.root_motions,
                self.is_in_place,
                index,
            ) {
                let root_motion = way.root_motion;
                root_motion.hold_in_place(way.hierarchy, &mut self.pose, time_secs);
            }
        }
        self.settle();
    }

    /// Takes the file's own pose with what `change` makes of it.
    pub fn pose_by(&mut self, change: impl FnOnce(&Hierarchy, &mut Pose)) {
        self.pose.reset(&self.model.hierarchy);
        change(&self.model.hierarchy, &mut self.pose);
        self.properties.pose(&self.model, None);
        self.settle();
    }

    /// Brings all that follows from local transforms up to date.
    fn settle(&mut self) {
        self.held_weights.apply(&mut self.pose);
        self.offsets.add_to(&mut self.pose);
        self.pose
            .update_world(&self.model.hierarchy, Affine3A::IDENTITY);
        self.settle_world();
    }

    /// Brings all that follows from world transforms up to date.
    fn settle_world(&mut self) {
        if self.crowd.is_none() {
            self.palette.clear(&self.layout, 1);
            self.palette.push(&self.model, &self.layout, &self.pose);
            self.palette.set_skinning(self.skinning);
            self.palette.want_rotations(self.shows_difference);
            self.palette.find_rotations();
            let matrices = self.palette.matrices();
            let (layout, palette) = (&self.layout, &self.palette);
            let meshes = &self.model.meshes;
            collect_draws(meshes, layout, palette, matrices, &mut self.draws);
        }
        if !self.hiding.is_empty() {
            self.hiding
                .apply(&self.layout, &mut self.pose, &mut self.draws);
        }
        let lights = &self.properties.values().lights;
        self.light_nodes
            .collect(lights, &self.pose, &mut self.lights);
    }

    /// A box around the pose at the price of its joints, which holds the exact one and is seldom much larger. With dual
    /// quaternions vertices may leave the box of joints where these turn; it is grown by half its diagonal for that. Where
    /// making the boxes would take longer than a frame or two it is the box that was last measured.
    pub fn estimate_bounds(&mut self) -> Aabb {
        self.bounds = match &self.crowd {
            Some(crowd) => crowd.bounds(),
            None => {
                let bounds = self.box_of_joints();
                if bounds.is_empty() {
                    bounds::node_bounds(&self.pose)
                } else {
                    bounds
                }
            }
        };
        self.bounds
    }

    /// A box around the meshes of the only instance; empty if there are none. Without boxes of joints the one that was last
    /// measured.
    fn box_of_joints(&self) -> Aabb {
        let Some(boxes) = &self.joint_boxes else {
            return self.bounds;
        };
        boxes.bounds_as_skinned(&self.palette, 0)
    }

    /// Measures the pose: visits every vertex.
    pub fn measure(&mut self) -> Aabb {
        self.bounds = match &self.crowd {
            Some(crowd) => crowd.bounds(),
            None => bounds::posed_bounds(&self.model, &self.layout, &self.palette, &self.pose, 0),
        };
        self.bounds
    }

    /// What is drawn of surfaces and over them, seen by `camera`; [`ViewMode::Weights`] is about `joint`.
    pub fn inspection(
        &self,
        (mode, lines): (ViewMode, SurfaceLines),
        joint: Option<NodeId>,
        colors: WeightColors,
        camera: &CameraView,
    ) -> Inspection {
        let joint = joint.filter(|_| mode == ViewMode::Weights);
        let places = joint.map(|joint| self.joint_places(joint));
        Inspection {
            mode,
            lines,
            joint: places.unwrap_or_default(),
            colors,
            difference_scale: difference_scale(self.size),
            normal_length: NORMAL_SHARE * self.size,
            depth_range: camera.distances(&self.bounds),
        }
    }

    /// Adds the shapes of the skeleton in this pose to the overlay; the look's size is set here.
    pub fn shape_skeleton(&mut self, look: &SkeletonLook) {
        let joints = self.skeleton.joints();
        let origins = joints.map(|node| Vec3::from(self.pose.world[node.index()].translation));
        // One joint at infinity must not take the others along.
        let reach = Aabb::of_points(origins.filter(|origin| origin.is_finite()));
        let sizes = [reach, self.bounds].map(|bounds| bounds.diagonal());
        // A point is seen from a distance of 1.
        let size = sizes.into_iter().find(|size| *size > 0.0).unwrap_or(1.0);
        self.skeleton.find_uses(&self.model);
        let look = SkeletonLook { size, ..*look };
        self.skeleton.shapes(&self.pose, &look, &mut self.overlay);
    }
}

/// What the boxes of joints may cost to make, of which some tens of millions take a second.
const MAX_COST: usize = 5_000_000;

/// The boxes of a model's joints, if they are made without anybody waiting for them.
fn joint_boxes(model: &Model, layout: &PaletteLayout) -> Option<JointBoxes> {
    let is_soon_made = JointBoxes::cost_of_new(model, layout) <= MAX_COST;
    is_soon_made.then(|| JointBoxes::new(model, layout))
}

/// The way that is taken out of a clip, if it shall stay in place and goes anywhere.
fn in_place<'a>(
    hierarchy: &'a Hierarchy,
    root_motions: &'a [OnceCell<Option<RootMotion>>],
    is_in_place: bool,
    clip: usize,
) -> Option<InPlace<'a>> {
    let root_motion = root_motions.get(clip)?.get()?.as_ref();
    let root_motion = root_motion.filter(|_| is_in_place)?;
    Some(InPlace {
        hierarchy,
        root_motion,
    })
}

//! A model on stage: the pose it is in, and everything that follows from the pose.

use glam::{Affine3A, Mat4, Vec3};

use crate::{
    anim::{
        Cursors, Palette, PaletteLayout, PaletteMatrix, Pose, Properties, bounds, sample, skinning,
    },
    model::{Aabb, Model, NodeId},
    scene::{
        Crowd, Draw, Inspection, JointPlaces, OrbitCamera, Overlay, Repertoire, Skeleton, ViewMode,
        WeightColors, collect_draws,
    },
};

/// A model, posed. All buffers are kept, so that posing it again allocates nothing.
#[derive(Debug)]
pub struct Actor {
    model: Model,
    scene: usize,
    layout: PaletteLayout,
    skeleton: Skeleton,
    pose: Pose,
    properties: Properties,
    cursors: Cursors,
    palette: Palette,
    /// Many of the model instead of one.
    crowd: Option<Crowd>,
    draws: Vec<Draw>,
    overlay: Overlay,
    /// The box around the pose that was last measured.
    bounds: Aabb,
}

impl Actor {
    /// A model in the file's own pose, as its default scene shows it.
    pub fn new(model: Model) -> Self {
        let pose = Pose::new(&model.hierarchy);
        let scene = model.default_scene;
        let mut this = Self {
            layout: PaletteLayout::new(&model, scene),
            skeleton: Skeleton::new(&model),
            scene,
            pose,
            properties: Properties::new(&model),
            cursors: Cursors::default(),
            palette: Palette::default(),
            crowd: None,
            draws: Vec::new(),
            overlay: Overlay::default(),
            bounds: Aabb::EMPTY,
            model,
        };
        this.pose_at(None, 0.0);
        this.measure();
        this
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Index of the scene that is shown.
    pub fn scene(&self) -> usize {
        self.scene
    }

    /// Shows another scene of the model.
    pub fn set_scene(&mut self, scene: usize) {
        self.scene = scene;
        self.layout = PaletteLayout::new(&self.model, scene);
        // Its matrices are those of the scene before.
        self.crowd = None;
    }

    /// Puts `count` of the model on a field; none or one is the model alone.
    ///
    /// There are no more of them than there is room for in the smallest buffers that graphics adapters bind.
    pub fn set_crowd(&mut self, repertoire: Repertoire, count: usize) {
        const MOST_MATRICES: usize = (128 << 20) / size_of::<PaletteMatrix>();
        let most = MOST_MATRICES / self.layout.matrices_per_instance().max(1);
        if count > most.max(1) {
            log::warn!("there is room for {most} of this model, not for {count}");
        }
        let count = count.min(most);
        let crowd = || Crowd::on_field(&self.model, &self.layout, repertoire, count);
        self.crowd = (count > 1).then(crowd);
    }

    /// The crowd, if the model is not alone.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_ref()
    }

    /// The joints.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
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

    /// The matrices of the pose.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// What the renderer must know of each mesh on a node.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The skeleton's shapes, as of the last [`Actor::shape_skeleton`].
    pub fn overlay(&self) -> &Overlay {
        &self.overlay
    }

    /// The box around the pose that was last measured.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Takes the pose of `clip` (an index) at exactly `time_secs`, clamped to its keys and never looped; without a clip
    /// the file's own.
    pub fn pose_at(&mut self, clip: Option<usize>, time_secs: f64) {
        self.pose.reset(&self.model.hierarchy);
        if let Some(clip) = clip.and_then(|clip| self.model.clips.get(clip)) {
            sample(clip, time_secs, &mut self.cursors, &mut self.pose);
        }
        let motion = clip.map(|clip| (clip, time_secs, 1.0));
        self.properties.pose(&self.model, motion);
        self.pose
            .update_world(&self.model.hierarchy, Affine3A::IDENTITY);
        if self.crowd.is_none() {
            self.palette.clear(&self.layout, 1);
            self.palette.push(&self.model, &self.layout, &self.pose);
            collect_draws(&self.layout, &self.palette, &mut self.draws);
        }
    }

    /// Poses the crowd, if there is one, at its own time; those outside `clip_from_world` are left out.
    pub fn pose_crowd(&mut self, time_secs: f64, clip_from_world: Option<Mat4>) {
        if let Some(crowd) = &mut self.crowd {
            crowd.pose(
                &self.model,
                &self.layout,
                time_secs,
                clip_from_world,
                &mut self.palette,
            );
            collect_draws(&self.layout, &self.palette, &mut self.draws);
        }
    }

    /// Measures the pose: visits every vertex.
    pub fn measure(&mut self) -> Aabb {
        self.bounds = match &self.crowd {
            Some(crowd) => crowd.bounds(),
            None => bounds::posed_bounds(&self.model, &self.layout, &self.palette, &self.pose, 0),
        };
        self.bounds
    }

    /// Turns a camera's distance so that the pose fills a picture of `aspect`: measures it, then visits every vertex again.
    pub fn frame_camera(&mut self, camera: &mut OrbitCamera, aspect: f32) {
        let bounds = self.measure();
        if let Some(crowd) = &self.crowd {
            return camera.frame(&bounds, crowd.corners(), aspect);
        }
        let mut points = Vec::new();
        skinning::for_each_posed_vertex(&self.model, &self.layout, &self.palette, 0, |point| {
            points.push(point);
        });
        if points.is_empty() {
            let origins = self.pose.world.iter();
            points.extend(origins.map(|world| Vec3::from(world.translation)));
        }
        camera.frame(&bounds, points.into_iter(), aspect);
    }

    /// What is drawn of surfaces, seen from `eye`; [`ViewMode::Weights`] is about `joint`.
    pub fn inspection(
        &self,
        mode: ViewMode,
        joint: Option<NodeId>,
        colors: WeightColors,
        eye: Vec3,
    ) -> Inspection {
        let Aabb { min, max } = self.bounds;
        let farthest = (eye - min).abs().max((eye - max).abs());
        let places = |joint| JointPlaces::of(&self.model, &self.layout, joint);
        Inspection {
            mode,
            joint: joint.map(places).unwrap_or_default(),
            colors,
            depth_range: [eye.distance(eye.clamp(min, max)), farthest.length()],
        }
    }

    /// Gives the skeleton the shapes of the pose.
    pub fn shape_skeleton(&mut self, selected: Option<NodeId>) {
        let joints = self.skeleton.joints();
        let origins = joints.map(|node| Vec3::from(self.pose.world[node.index()].translation));
        // One joint at infinity must not take the others along.
        let reach = Aabb::of_points(origins.filter(|origin| origin.is_finite()));
        let size = if reach.diagonal() > 0.0 {
            reach.diagonal()
        } else {
            self.bounds.diagonal()
        };
        self.skeleton
            .shapes(&self.pose, size, selected, &mut self.overlay);
    }
}

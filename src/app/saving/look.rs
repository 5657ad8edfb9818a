//! What a picture shows beside the pose: how the window looked when it was asked for.

use crate::{
    app::{Session, hiding::Hiding, motion::MotionSettings, session::Toggles},
    model::NodeId,
    scene::{Backdrop, LightSettings, ReferencePose, SkeletonSettings},
};

/// Light, what lies behind the model, what is drawn of it, of its bones and of its trails.
#[derive(Debug, Clone)]
pub(super) struct Look {
    shown: Toggles,
    pub(super) light: LightSettings,
    backdrop: Backdrop,
    bones: SkeletonSettings,
    /// The pose that is held in place of the clip's, or was last.
    reference: Option<ReferencePose>,
    is_held: bool,
    hovered: Option<NodeId>,
    selected: Option<NodeId>,
    variant: Option<usize>,
    pub(super) motion: MotionSettings,
    hiding: Hiding,
    /// Nodes whose trails are kept.
    trails: Vec<usize>,
}

impl Session {
    /// How the window looks now, but for what the pointer is over.
    pub(super) fn present_look(&self) -> Look {
        Look {
            shown: self.shown,
            light: self.light,
            backdrop: self.backdrop,
            bones: self.skeleton.settings,
            reference: self.skeleton.reference,
            is_held: self.skeleton.is_held,
            hovered: None,
            selected: self.selected,
            variant: self.variant,
            motion: self.motion,
            hiding: self.actor.hiding.clone(),
            trails: self.skeleton.trail.kept().to_vec(),
        }
    }

    /// Looks like this from now on; returns how it looked.
    pub(super) fn swap_look(&mut self, look: Look) -> Look {
        let before = Look {
            hovered: self.skeleton.hovered,
            ..self.present_look()
        };
        self.shown = look.shown;
        self.light = look.light;
        self.backdrop = look.backdrop;
        self.skeleton.settings = look.bones;
        self.skeleton.reference = look.reference;
        self.skeleton.is_held = look.is_held;
        self.skeleton.hovered = look.hovered;
        self.selected = look.selected;
        self.variant = look.variant;
        self.motion = look.motion;
        self.actor.hiding = look.hiding;
        self.skeleton.trail.keep_only(look.trails);
        self.follow_settings();
        before
    }
}

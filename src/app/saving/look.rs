//! What a picture shows at any moment: how the window looked, and what played and was posed, when it was asked for.

use crate::{
    anim::LoopMode,
    app::{
        Session,
        actor::ByHand,
        motion::{Mix, MotionSettings},
        picture::Hiding,
        session::Toggles,
    },
    model::NodeId,
    scene::{Backdrop, LightSettings, ReferencePose, SkeletonSettings},
};

/// Light, what lies behind the model, what is drawn of it, of its bones and of its trails; and all that makes its pose beside
/// the clip in force.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) shown: Toggles,
    pub(super) light: LightSettings,
    backdrop: Backdrop,
    bones: SkeletonSettings,
    /// The pose that is held in place of the clip's, or was last.
    reference: Option<ReferencePose>,
    is_held: bool,
    hovered: Option<NodeId>,
    marks_selection: bool,
    selected: Option<NodeId>,
    variant: Option<usize>,
    pub(super) motion: MotionSettings,
    hiding: Hiding,
    /// Nodes whose trails are kept.
    trails: Vec<usize>,
    mix: Mix,
    loop_mode: LoopMode,
    by_hand: ByHand,
}

impl Look {
    /// This look once all clips have come in or gone out.
    pub(super) fn settled(mut self) -> Self {
        self.mix.settle();
        self
    }
}

impl Session {
    /// How the window looks now, but for what the pointer is over and what only says where the chosen node is.
    pub(super) fn present_look(&self) -> Look {
        Look {
            shown: self.shown,
            light: self.surroundings.light,
            backdrop: self.surroundings.backdrop,
            bones: self.skeleton.settings,
            reference: self.skeleton.reference,
            is_held: self.skeleton.is_held,
            hovered: None,
            marks_selection: false,
            selected: self.selected,
            variant: self.variant.shown,
            motion: self.motion,
            hiding: self.actor.hiding.clone(),
            trails: self.skeleton.trail.kept().to_vec(),
            mix: self.mix.clone(),
            loop_mode: self.clock.loop_mode(),
            by_hand: self.actor.by_hand(),
        }
    }

    /// Looks like this from now on; returns how it looked.
    pub(super) fn swap_look(&mut self, look: Look) -> Look {
        let before = Look {
            hovered: self.skeleton.hovered,
            marks_selection: self.skeleton.marks_selection,
            ..self.present_look()
        };
        self.shown = look.shown;
        self.surroundings.light = look.light;
        self.surroundings.backdrop = look.backdrop;
        self.skeleton.settings = look.bones;
        self.skeleton.reference = look.reference;
        self.skeleton.is_held = look.is_held;
        self.skeleton.hovered = look.hovered;
        self.skeleton.marks_selection = look.marks_selection;
        self.selected = look.selected;
        self.variant.shown = look.variant;
        self.motion = look.motion;
        self.actor.hiding = look.hiding;
        self.skeleton.trail.keep_only(look.trails);
        self.mix = look.mix;
        self.clock.set_loop_mode(look.loop_mode);
        self.actor.set_by_hand(look.by_hand);
        self.follow_settings();
        before
    }
}

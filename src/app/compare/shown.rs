//! What is drawn of B, and what is chosen in it.

use crate::{
    app::{Actor, Session},
    model::Model,
    render::{Pair, Subject},
    scene::{
        CameraView, FIRST_GHOST_COLOR, Frame, GHOST_COLOR, SkeletonLook, SplitWay, dim_alike,
        linear_from_srgb, pick_bone,
    },
    ui::CompareWith,
};

/// Width in points of the lines of a ghost's skeleton.
const GHOST_LINE_WIDTH: f32 = 3.0;

impl Session {
    /// Adds the second subject's skeleton: shapes in a picture of its own, lines over the one that it shares.
    pub(in crate::app) fn shape_second_overlay(&mut self) {
        if self.split().is_none() {
            return;
        }
        let shows = self.shown.skeleton;
        let settings = self.skeleton.settings;
        let look = SkeletonLook {
            settings,
            selected: self.selected.and_then(|node| self.node_in_second(node)),
            pixels_per_point: self.skeleton.pixels_per_point,
            ..SkeletonLook::default()
        };
        if let Some(second) = self.compare.second_mut() {
            second.overlay_mut().clear();
            if shows {
                second.shape_skeleton(&look);
            }
        }
    }

    /// In one place the skeleton of the ghost is lines over that of the other.
    pub(in crate::app) fn add_ghost_lines(&mut self) {
        let Some(split) = self.split() else { return };
        if split.way != SplitWay::Overlay || !self.shown.skeleton {
            return;
        }
        let settings = self.skeleton.settings;
        let width_px = GHOST_LINE_WIDTH * self.skeleton.pixels_per_point;
        let Some(second) = self.compare.second_mut() else {
            return;
        };
        let (ghost, below, color) = if split.is_swapped {
            (&mut self.actor, second, FIRST_GHOST_COLOR)
        } else {
            (second, &mut self.actor, GHOST_COLOR)
        };
        let [red, green, blue, _] = color.map(linear_from_srgb);
        let color = [red, green, blue, 1.0];
        let first = below.overlay().lines.len();
        ghost.add_skeleton_lines(settings, width_px, color, below.overlay_mut());
        self.color_ghost_lines(first, !split.is_swapped);
    }

    /// The variant of B that is called like the chosen one of A.
    fn variant_in_second(&self, second: &Model) -> Option<usize> {
        if self.compare.with != Some(CompareWith::File) {
            return self.variant.shown;
        }
        let name = self.model().variants.get(self.variant.shown?)?;
        second.variants.iter().position(|it| it == name)
    }

    /// The frame of B as a camera sees it, if it is shown.
    fn second_frame(&self, camera: CameraView) -> Option<(&Model, Frame<'_>)> {
        let second = self.compare.second()?;
        let node = self.selected.and_then(|node| self.node_in_second(node));
        let frame = Frame {
            variant: self.variant_in_second(second.model()),
            ..self.frame_of(second, camera, node)
        };
        let overlay = self.shown.skeleton.then(|| second.overlay());
        Some((second.model(), Frame { overlay, ..frame }))
    }

    /// The factor on the lights of the file, and of the one beside it, where some would leave all white.
    pub fn dimming(&self) -> Option<f32> {
        let shown = std::iter::once(&self.actor).chain(self.compare.second());
        let factors = shown.filter_map(Actor::dimming).map(|it| it.factor);
        factors.reduce(f32::min)
    }

    /// Calls `draw` with both subjects, if two are shown. None else.
    pub fn with_pair<R>(&self, draw: impl FnOnce(&Pair<'_>) -> R) -> Option<R> {
        let cameras = [self.camera_view(), self.second_view()];
        self.with_pair_seen(cameras, |frame| frame, draw)
    }

    /// [`Session::with_pair`] by other cameras, each for the part of the picture that is its subject's, both frames changed.
    pub(in crate::app) fn with_pair_seen<R>(
        &self,
        cameras: [CameraView; 2],
        change: impl for<'f> Fn(Frame<'f>) -> Frame<'f>,
        draw: impl FnOnce(&Pair<'_>) -> R,
    ) -> Option<R> {
        let split = self.split()?;
        let (model, second) = self.second_frame(cameras[1])?;
        let (mut first, mut second) = (change(self.frame_seen(cameras[0])), change(second));
        dim_alike([&mut first.lighting, &mut second.lighting]);
        let pair = Pair {
            subjects: [
                Subject {
                    model: self.model(),
                    frame: &first,
                },
                Subject {
                    model,
                    frame: &second,
                },
            ],
            has_other_model: self.compare.with == Some(CompareWith::File),
            split,
            column_width: 1,
            ghost: if split.is_swapped {
                FIRST_GHOST_COLOR
            } else {
                GHOST_COLOR
            },
        };
        Some(draw(&pair))
    }

    /// Chooses the node of A that is the same as what lies at a point of B's picture.
    pub(super) fn pick_in_second(&mut self, at: [f32; 2], reach: f32) {
        self.update();
        let view = self.second_view();
        let ray = view.ray(at);
        let Some(second) = self.compare.second().filter(|_| self.split().is_some()) else {
            return;
        };
        let bones = self.shown.skeleton.then(|| second.overlay());
        let variant = self.variant_in_second(second.model());
        let surfaces = second.surfaces(variant, self.shown.view_mode);
        let bone = bones.and_then(|bones| pick_bone(bones, &surfaces, &ray, view.reach(reach)));
        let found = bone.or_else(|| self.node_on_surface(second, variant, &ray));
        self.selected = found.and_then(|found| self.node_in_first(found));
        self.overlay_changed();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        ui::{CameraCommand, Command, CompareCommand, PictureCommand},
    };

    /// How much of A is seen is looked up first, which poses A alone.
    #[test]
    fn b_is_posed_for_the_first_picture_of_both() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspects([1.0; 2]);
        session.clock.pause();
        session.apply(Command::Camera(CameraCommand::Zoom {
            notches: 1.0,
            toward: [0.0; 2],
        }));
        let with = CompareCommand::With(CompareWith::Clip(1));
        session.apply(Command::Compare(with));
        assert!(session.split().is_some());
        assert!(session.update());
    }

    /// The clock is elsewhere meanwhile, unsaid, as other poses would show.
    #[test]
    fn the_line_moves_and_sides_are_swapped_in_the_poses_that_are_there() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.set_aspects([1.0; 2]);
        session.clock.pause();
        for command in [
            Command::Picture(PictureCommand::ToggleSkeleton),
            Command::Compare(CompareCommand::With(CompareWith::Skinning)),
            Command::Compare(CompareCommand::Show(Some(SplitWay::Overlay))),
        ] {
            session.apply(command);
        }
        assert!(session.update());
        let both = |session: &Session| {
            let second = session.compare.second().unwrap();
            let worlds = [&session.actor, second].map(|actor| actor.pose().world.clone());
            let lines = [&session.actor, second].map(|actor| actor.overlay().lines.len());
            (worlds, lines)
        };
        let (worlds, [of_first, of_second]) = both(&session);
        assert!(of_first > 0 && of_second == 0, "{of_first} {of_second}");
        session.clock.seek(0.4);

        session.apply(Command::Compare(CompareCommand::MoveLine(0.25)));
        assert!(!session.update());
        assert_eq!(session.split().map(|split| split.at), Some(0.25));
        // The ghost's skeleton lies over the other one.
        session.apply(Command::Compare(CompareCommand::Swap));
        assert!(!session.update());
        assert_eq!(both(&session), (worlds.clone(), [0, of_first]));
        session.apply(Command::Compare(CompareCommand::Swap));
        assert!(!session.update());
        assert_eq!(both(&session), (worlds.clone(), [of_first, 0]));

        session.pose_changed();
        assert!(session.update());
        assert_ne!(both(&session).0, worlds);
    }
}

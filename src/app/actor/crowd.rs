//! Many of the model instead of one.

use super::{Actor, in_place};
use crate::{
    anim::PaletteForm,
    model::Aabb,
    scene::{Crowd, FormChoice, Repertoire, Sight},
};

impl Actor {
    /// Puts `count` of the model on a field; none or one is the model alone.
    ///
    /// There are no more of them than there is room for in the smallest buffers that graphics adapters bind.
    pub fn set_crowd(&mut self, repertoire: Repertoire, count: usize) {
        const MAX_BYTES: usize = 128 << 20;
        let an_instance = self.layout.matrices_per_instance() * PaletteForm::Full.bytes();
        let most = MAX_BYTES / an_instance.max(1);
        if count > most.max(1) {
            log::warn!("there is room for {most} of this model, not for {count}");
        }
        let count = count.min(most);
        let choice = self.form_choice;
        if count > 1 {
            for clip in repertoire.played_by(count, self.model.clips.len()) {
                self.find_root_motion(clip);
            }
        }
        let (model, layout) = (&self.model, &self.layout);
        let still = |clip: usize| {
            let hierarchy = &model.hierarchy;
            let way = in_place(hierarchy, &self.root_motions, self.is_in_place, clip)?;
            let still = way.root_motion.still_clip(model, &model.clips[clip]);
            still
                .inspect_err(|error| log::warn!("clip {clip} goes its way: {error}"))
                .ok()
        };
        let boxes = self.joint_boxes.as_ref();
        self.crowd = (count > 1).then(|| {
            let crowd = Crowd::on_field(model, layout, boxes, repertoire, count, still);
            crowd.with_form(choice)
        });
        self.crowd_casters = self.crowd.as_ref().map_or(Aabb::EMPTY, Crowd::sight_bounds);
    }

    /// Says in which form the matrices of crowds go to the graphics adapter, from the next crowd on.
    pub fn set_form_choice(&mut self, choice: FormChoice) {
        self.form_choice = choice;
    }

    /// The crowd, if the model is not alone.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_ref()
    }

    /// Poses the crowd, if there is one, at its own time; those are left out whom a `sight` shows nothing of.
    pub fn pose_crowd(&mut self, time_secs: f64, sight: Option<&Sight>) {
        if let Some(crowd) = &mut self.crowd {
            self.palette.set_skinning(self.skinning);
            self.palette.want_rotations(self.shows_difference);
            crowd.pose(
                &self.model,
                &self.layout,
                time_secs,
                sight,
                &mut self.palette,
            );
            self.palette.find_rotations();
            crowd.collect_draws(
                &self.model.meshes,
                &self.layout,
                &self.palette,
                &mut self.draws,
            );
            self.hiding.hide_draws(&self.layout, &mut self.draws);
        }
    }

    /// Bytes that the matrices take on the graphics adapter, and that they would take as three rows each.
    pub fn palette_bytes(&self) -> [u64; 2] {
        let matrices = self.palette.instance_count() * self.layout.matrices_per_instance();
        let bytes = |form: PaletteForm| (matrices * form.bytes()) as u64;
        [bytes(self.palette.form()), bytes(PaletteForm::Full)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::built_in;

    #[test]
    fn ways_are_looked_for_of_clips_that_somebody_plays() {
        let mut actor = Actor::new(built_in::load("Pip").unwrap().model);
        actor.set_in_place(true);
        for (repertoire, count, expected) in [
            (Repertoire::All, 1, vec![]),
            (Repertoire::One(None), 9, vec![]),
            (Repertoire::One(Some(2)), 9, vec![2]),
            (Repertoire::All, 2, vec![0, 1, 2]),
        ] {
            actor.set_crowd(repertoire, count);
            let ways = actor.root_motions.iter().enumerate();
            let known: Vec<_> = ways
                .filter_map(|(clip, way)| way.get().map(|_| clip))
                .collect();
            assert_eq!(known, expected, "{repertoire:?}");
        }
    }

    /// What is left for the time between frames is for finding who is in sight, and for shadows: nothing stands on it.
    #[test]
    fn a_crowd_stands_on_the_ground_of_one() {
        let mut actor = Actor::new(built_in::load("Pip").unwrap().model);
        actor.pose_at(None, 0.0);
        let alone = actor.measure();
        actor.set_crowd(Repertoire::One(None), 9);
        let together = actor.measure();
        let near = 1e-4 * alone.diagonal();
        assert!((together.min.y - alone.min.y).abs() < near, "{together:?}");
        assert!((together.max.y - alone.max.y).abs() < near, "{together:?}");
        let crowd = actor.crowd().unwrap();
        let framed = Aabb::of_points(crowd.corners());
        assert_eq!(framed, together);
        let in_sight = crowd.sight_bounds();
        assert!(in_sight.min.y < alone.min.y - 0.05 && in_sight.max.y > alone.max.y + 0.05);
        assert_eq!(actor.crowd_casters, in_sight);
    }
}

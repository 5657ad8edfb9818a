//! Left and right change places.

use super::Session;
use crate::anim::{
    Pose,
    posing::{Offset, mirror::Sides},
};

impl Session {
    pub(super) fn mirror_pose(&mut self) {
        if self.why_no_mirror().is_some() {
            return;
        }
        self.stand_still();
        self.update();
        let hierarchy = &self.actor.model().hierarchy;
        let (rest, pose) = (Pose::new(hierarchy), self.actor.pose());
        let swapped = self.sides().swapped(hierarchy, &rest, pose);
        let mut offsets = self.actor.offsets().clone();
        for (id, _) in hierarchy.iter() {
            let (now, then) = (&pose.locals[id.index()], &swapped[id.index()]);
            if now != then {
                let more = Offset::between(now, then);
                offsets.set(id, offsets.get(id).then(&more));
            }
        }
        self.set_offsets(offsets);
    }

    /// Why left and right cannot change places, in words; none where they can.
    pub(super) fn why_no_mirror(&self) -> Option<&'static str> {
        if self.actor.crowd().is_some() {
            Some("A crowd is not posed by hand")
        } else if self.actor.skeleton().is_empty() {
            Some("The model has no joints")
        } else if !self.sides().are_known() {
            Some("Neither names nor places of the joints say which side is which")
        } else {
            None
        }
    }

    fn sides(&self) -> &Sides {
        let hierarchy = &self.actor.model().hierarchy;
        let find = || Sides::find(hierarchy, &Pose::new(hierarchy));
        self.posing.sides.get_or_init(find)
    }
}

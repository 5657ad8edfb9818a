//! Clips that want the same: which of them move the same property of the same node.

use std::collections::HashSet;

use crate::{
    anim::blend::JointMask,
    model::{Clip, Model, Moved},
    ui::ConflictRow,
};

/// A clip that plays unblended, on the nodes of a mask or on all.
pub(super) struct Claimant<'a> {
    pub(super) clip: usize,
    pub(super) mask: Option<&'a JointMask>,
}

/// What is said of a conflict; the rest is counted.
const MAX_NAMED: usize = 24;

/// In words: node and path, or the pointer.
fn named(moved: Moved, model: &Model) -> String {
    let path = match moved {
        Moved::Translation(_) => "translation",
        Moved::Rotation(_) => "rotation",
        Moved::Scale(_) => "scale",
        Moved::Weights(_) => "weights",
        Moved::Property(target) => return target.pointer(&model.hierarchy),
    };
    let node = moved.node().map(|node| model.hierarchy.display_name(node));
    format!("{} {path}", node.unwrap_or_default())
}

/// All that a clip moves, node by node as they stand in the tree.
fn moved_by(clip: &Clip, mask: Option<&JointMask>) -> Vec<Moved> {
    let all = clip.heads().map(|head| head.moved);
    let mut moved: Vec<Moved> = all
        .filter(|moved| match (mask, moved.node()) {
            (Some(mask), Some(node)) => mask.weight(node) > 0.0,
            (Some(_), None) => false,
            (None, _) => true,
        })
        .collect();
    moved.sort_by_key(|moved| moved.node());
    moved
}

/// Whether nothing would be left of what one clip does if the other one played over it as it is.
pub(super) fn hides(model: &Model, clip: usize, over: usize) -> bool {
    let (Some(clip), Some(over)) = (model.clips.get(clip), model.clips.get(over)) else {
        return false;
    };
    let theirs: HashSet<_> = moved_by(clip, None).into_iter().collect();
    let below = moved_by(over, None);
    !below.is_empty() && below.iter().all(|moved| theirs.contains(moved))
}

/// Pairs of clips that move the same, the later one of each the winner; `name` is what they are called.
pub(super) fn find(
    model: &Model,
    claimants: &[Claimant<'_>],
    name: impl Fn(usize) -> String,
) -> Vec<ConflictRow> {
    let mut rows = Vec::new();
    // A clip that plays alone is another one with every choice.
    if claimants.len() < 2 {
        return rows;
    }
    let mut owners: Vec<(usize, HashSet<Moved>)> = Vec::new();
    for claimant in claimants {
        let Some(clip) = model.clips.get(claimant.clip) else {
            continue;
        };
        let moved = moved_by(clip, claimant.mask);
        for (other, theirs) in &owners {
            let both = moved.iter().filter(|moved| theirs.contains(moved));
            let count = both.clone().count();
            if count > 0 {
                rows.push(ConflictRow {
                    clip: claimant.clip,
                    names: [name(*other), name(claimant.clip)],
                    moved: both
                        .take(MAX_NAMED)
                        .map(|moved| named(*moved, model))
                        .collect(),
                    count,
                });
            }
        }
        owners.push((claimant.clip, moved.into_iter().collect()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{
        app::{Session, built_in},
        ui::{Command, MixCommand, MixMode},
    };

    /// It is dragged, and clips may be thousands.
    #[test]
    fn another_weight_is_no_other_conflict() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        session.apply(Command::SelectClip(Some(0)));
        for command in [
            MixCommand::ToggleMixed(1),
            MixCommand::SetMode(1, MixMode::Together),
        ] {
            session.apply(Command::Mix(command));
        }
        assert_eq!(session.conflicts().len(), 1);
        let place = session.conflicts().as_ptr();
        session.apply(Command::Mix(MixCommand::SetWeight(1, 0.25)));
        let mut rows = Vec::new();
        session.mix_rows(&mut rows);
        assert_eq!(rows[0].weight, 0.25);
        assert_eq!(session.conflicts().as_ptr(), place, "nobody looked again");
    }
}

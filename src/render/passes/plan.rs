//! Which passes draw a scene, and what each leaves for the next: decided from a few facts, before anything is recorded.

/// What decides about the passes of a scene.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SceneFacts {
    /// Whether colours that are shown as they are have samples of their own, beside those of light.
    pub(in crate::render) is_beside: bool,
    /// Whether any surface shows what is behind it, also one that blends.
    pub(super) has_glass: bool,
    /// Whether any of these does not blend.
    pub(super) has_solid_glass: bool,
    /// Whether anything blends.
    pub(super) has_blended: bool,
    /// Whether anything of it may be behind glass.
    pub(super) has_behind: bool,
    /// Whether it is known what lies behind the scene.
    pub(super) has_background: bool,
    /// Whether what blends is to be summed up in no order, which the adapter can.
    pub(super) sums_blended: bool,
    /// Whether what is opaque hides what lies over the scene: the skeleton.
    pub(super) hides_overlay: bool,
    /// Whether surfaces have lines over them, which it hides, too.
    pub(super) has_lines: bool,
    /// Whether a shader reads the depth afterwards: that of a ghost, or of what lies under one.
    pub(in crate::render) is_depth_read: bool,
    /// Whether the scene is a single pixel, which has no smaller levels.
    pub(super) is_one_pixel: bool,
}

/// The passes of a scene, in the order in which they are drawn.
///
/// 1. What is opaque, and the grid, from nothing.
/// 2. The copy for glass, if there is any.
/// 3. Glass, near to far, and what blends, far to near: without a copy they go on in the first pass.
/// 4. What blends, if it is summed up instead: the sums, then their mean over the scene.
/// 5. The depth of what blends, if anybody reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScenePlan {
    /// Whether passes write into samples beside those of light, too.
    pub(in crate::render) is_beside: bool,
    /// The second step.
    pub(in crate::render) copy: Option<CopyPlan>,
    /// Whether there is the fourth step.
    pub(in crate::render) is_summed: bool,
    /// Whether there is the fifth step.
    pub(super) has_blended_depth: bool,
    /// Whether the first pass leaves its depth.
    pub(super) opaque_stores_depth: bool,
    /// Whether the others do.
    pub(in crate::render) stores_depth: bool,
    /// Whether the depth of what is opaque is kept, for the skeleton, before another pass writes over it.
    pub(super) kept_depth: Option<KeptDepth>,
}

/// When the depth of what is opaque is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptDepth {
    /// Before the third step.
    BeforeGlass,
    /// Before the fifth.
    BeforeBlended,
}

/// How the copy for glass comes about: without what follows, the first pass resolves its samples into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CopyPlan {
    /// Whether what blends behind glass is drawn over other samples, which are then those that count.
    pub(super) draws_behind: bool,
    /// Whether light is made of samples and those beside them, instead of resolving them.
    pub(super) makes_light: bool,
    /// Whether the background is put behind all that.
    pub(super) has_background: bool,
    /// Whether there are smaller levels.
    pub(in crate::render) has_levels: bool,
}

/// What the copy takes, in this order; each may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyStep {
    /// See [`CopyPlan::draws_behind`].
    Behind,
    /// See [`CopyPlan::makes_light`].
    Light,
    /// See [`CopyPlan::has_background`].
    Background,
    /// See [`CopyPlan::has_levels`].
    Levels,
}

impl ScenePlan {
    pub(in crate::render) fn new(facts: SceneFacts) -> Self {
        let is_summed = facts.has_blended && facts.sums_blended;
        let has_blended_depth = facts.has_blended && facts.is_depth_read;
        let is_drawn_over = facts.hides_overlay || facts.has_lines;
        let stores_depth = is_drawn_over || facts.is_depth_read || is_summed;
        let kept_depth = if facts.has_solid_glass {
            Some(KeptDepth::BeforeGlass)
        } else if has_blended_depth {
            Some(KeptDepth::BeforeBlended)
        } else {
            None
        };
        Self {
            is_beside: facts.is_beside,
            copy: facts.has_glass.then_some(CopyPlan {
                draws_behind: facts.has_behind,
                makes_light: facts.is_beside,
                has_background: facts.has_background,
                has_levels: !facts.is_one_pixel,
            }),
            is_summed,
            has_blended_depth,
            opaque_stores_depth: stores_depth || facts.has_glass,
            stores_depth,
            kept_depth: kept_depth.filter(|_| facts.hides_overlay),
        }
    }

    /// Whether the first pass resolves its samples into the copy.
    pub(super) fn opaque_resolves(self) -> bool {
        let copy = self.copy;
        copy.is_some_and(|copy| !copy.draws_behind && !copy.makes_light)
    }
}

impl CopyPlan {
    /// Whether the pass of what blends behind glass resolves its samples into the copy.
    pub(super) fn behind_resolves(self) -> bool {
        !self.makes_light
    }

    /// Whether a step is the first that is taken, and whether it is the last.
    pub(in crate::render) fn ends(self, step: CopyStep) -> [bool; 2] {
        let taken = [
            self.draws_behind,
            self.makes_light,
            self.has_background,
            self.has_levels,
        ];
        let (before, after) = (&taken[..step as usize], &taken[step as usize + 1..]);
        [before, after].map(|others| !others.contains(&true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SceneFacts = SceneFacts {
        is_beside: false,
        has_glass: false,
        has_solid_glass: false,
        has_blended: false,
        has_behind: false,
        has_background: false,
        sums_blended: false,
        hides_overlay: false,
        has_lines: false,
        is_depth_read: false,
        is_one_pixel: false,
    };
    const GLASS: SceneFacts = SceneFacts {
        has_glass: true,
        has_solid_glass: true,
        ..PLAIN
    };
    const BLENDED: SceneFacts = SceneFacts {
        has_blended: true,
        ..PLAIN
    };

    #[test]
    fn what_is_plain_takes_one_pass_and_leaves_no_depth() {
        for facts in [PLAIN, BLENDED] {
            let plan = ScenePlan::new(facts);
            assert!(plan.copy.is_none() && !plan.is_summed && !plan.has_blended_depth);
            assert!(!plan.opaque_stores_depth && !plan.stores_depth);
            assert_eq!(plan.kept_depth, None);
        }
    }

    #[test]
    fn glass_takes_two_passes_which_share_their_depth() {
        let plan = ScenePlan::new(GLASS);
        assert!(plan.opaque_resolves() && plan.opaque_stores_depth && !plan.stores_depth);
    }

    #[test]
    fn one_step_alone_fills_the_copy() {
        for is_beside in [false, true] {
            for has_behind in [false, true] {
                let plan = ScenePlan::new(SceneFacts {
                    is_beside,
                    has_behind,
                    ..GLASS
                });
                let copy = plan.copy.unwrap();
                let by_behind = copy.draws_behind && copy.behind_resolves();
                let ways = [plan.opaque_resolves(), by_behind, copy.makes_light];
                assert_eq!(ways.iter().filter(|&&is_taken| is_taken).count(), 1);
                // Samples beside others cannot be resolved.
                assert_eq!(copy.makes_light, is_beside);
            }
        }
    }

    #[test]
    fn the_time_of_a_copy_begins_once_and_ends_once() {
        use CopyStep::{Background, Behind, Levels, Light};
        let copy = |[draws_behind, makes_light, has_background, has_levels]: [bool; 4]| CopyPlan {
            draws_behind,
            makes_light,
            has_background,
            has_levels,
        };
        let all = copy([true; 4]);
        let (only, middle) = ([true, true], [false, false]);
        let (first, last) = ([true, false], [false, true]);
        let ends = [Behind, Light, Background, Levels].map(|step| all.ends(step));
        assert_eq!(ends, [first, middle, middle, last]);
        for (taken, step, expected) in [
            ([true, false, false, false], Behind, only),
            ([false, true, false, true], Light, first),
            ([true, true, false, false], Light, last),
            ([false, false, true, true], Background, first),
            ([true, false, true, false], Background, last),
            ([false, false, false, true], Levels, only),
        ] {
            assert_eq!(copy(taken).ends(step), expected, "{taken:?} {step:?}");
        }
    }

    #[test]
    fn the_skeleton_finds_the_depth_of_what_is_opaque() {
        let over = |facts| {
            ScenePlan::new(SceneFacts {
                hides_overlay: true,
                ..facts
            })
        };
        let ghost = SceneFacts {
            is_depth_read: true,
            ..BLENDED
        };
        let solid_and_ghost = SceneFacts {
            has_glass: true,
            has_solid_glass: true,
            ..ghost
        };
        for (facts, kept) in [
            (PLAIN, None),
            (BLENDED, None),
            (GLASS, Some(KeptDepth::BeforeGlass)),
            (ghost, Some(KeptDepth::BeforeBlended)),
            (solid_and_ghost, Some(KeptDepth::BeforeGlass)),
        ] {
            let plan = over(facts);
            assert!(plan.opaque_stores_depth && plan.stores_depth);
            assert_eq!(plan.kept_depth, kept, "{facts:?}");
            assert_eq!(ScenePlan::new(facts).kept_depth, None, "{facts:?}");
        }
    }

    #[test]
    fn lines_over_surfaces_find_the_depth_of_all() {
        for facts in [PLAIN, BLENDED, GLASS] {
            let plan = ScenePlan::new(SceneFacts {
                has_lines: true,
                ..facts
            });
            assert!(plan.opaque_stores_depth && plan.stores_depth);
            assert_eq!(plan.kept_depth, None, "{facts:?}");
        }
    }

    #[test]
    fn what_blends_is_summed_and_leaves_depth_only_if_there_is_any() {
        let asked = SceneFacts {
            sums_blended: true,
            is_depth_read: true,
            ..PLAIN
        };
        let plan = ScenePlan::new(asked);
        assert!(!plan.is_summed && !plan.has_blended_depth && plan.stores_depth);
        let plan = ScenePlan::new(SceneFacts {
            has_blended: true,
            ..asked
        });
        assert!(plan.is_summed && plan.has_blended_depth);
        // The sums are tested against the depth of the passes before.
        let plan = ScenePlan::new(SceneFacts {
            sums_blended: true,
            ..BLENDED
        });
        assert!(plan.is_summed && plan.stores_depth && !plan.has_blended_depth);
    }
}

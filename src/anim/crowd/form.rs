//! The forms in which crowds write matrices: three rows, or a rotation, a translation and a scale.

use super::{
    CrowdClip, Member,
    kernel::{self, COMPACT_ROWS, Group, Motions, ROWS, Shares, Slots},
    lanes::{Lanes, V},
};
use crate::anim::{CompactMatrix, PaletteMatrix};

/// A form of matrices.
pub(super) trait Form {
    type Matrix: Copy + Sync;
    /// Rows of four that a matrix takes.
    const ROWS: usize;

    /// Poses a group and writes its shares of the palette.
    fn run<L: Lanes>(
        simd: L,
        clip: &CrowdClip,
        group: &mut Group<'_, L>,
        members: &[Member<Self::Matrix>],
        slots: &mut Slots<'_, L>,
        out: &mut [[f32; 4]],
    );
}

/// Three rows.
pub(super) struct Full;
/// A rotation, a translation and a scale.
pub(super) struct Compact;

impl Form for Full {
    type Matrix = PaletteMatrix;
    const ROWS: usize = ROWS;

    #[inline(always)]
    fn run<L: Lanes>(
        simd: L,
        clip: &CrowdClip,
        group: &mut Group<'_, L>,
        members: &[Member],
        slots: &mut Slots<'_, L>,
        out: &mut [[f32; 4]],
    ) {
        let places = [
            gather_row::<L, ROWS>(simd, members, 0),
            gather_row::<L, ROWS>(simd, members, 1),
            gather_row::<L, ROWS>(simd, members, 2),
        ];
        let mut shares = Shares::new(out, clip.stride);
        kernel::run(simd, &clip.program, group, places, slots, &mut shares);
    }
}

impl Form for Compact {
    type Matrix = CompactMatrix;
    const ROWS: usize = COMPACT_ROWS;

    #[inline(always)]
    fn run<L: Lanes>(
        simd: L,
        clip: &CrowdClip,
        group: &mut Group<'_, L>,
        members: &[Member<CompactMatrix>],
        slots: &mut Slots<'_, L>,
        out: &mut [[f32; 4]],
    ) {
        let Some(runs) = &clip.compact else { return };
        let places = Motions {
            rotation: gather_row::<L, COMPACT_ROWS>(simd, members, 0),
            place: gather_row::<L, COMPACT_ROWS>(simd, members, 1),
        };
        let mut shares = Shares::new(out, clip.stride);
        kernel::run_compact(simd, runs, group, places, slots, &mut shares);
    }
}

/// A row of where the instances of a group are.
#[inline(always)]
fn gather_row<L: Lanes, const R: usize>(
    simd: L,
    members: &[Member<[glam::Vec4; R]>],
    row: usize,
) -> [V<L>; 4] {
    simd.gather(
        #[inline(always)]
        |lane| members[lane].world_from_root[row].as_ref(),
    )
}

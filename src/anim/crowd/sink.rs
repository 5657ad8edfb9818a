//! Where crowds write their matrices: ordinary memory, or memory that is shared with a graphics adapter.

/// Memory for rows of four numbers. What is written is written once, and never read.
///
/// Memory that an adapter reads is mostly write-combined: the processor gathers what is written to a line of 64 bytes and
/// sends it off as a whole, if the line is filled in one go. A crowd writes to as many places at once as it has lanes, so
/// for such memory it fills a tile that stays in the first-level cache, and that is copied from front to back.
pub trait Sink<'s>: Send + Sized {
    /// The first `rows` rows, and the others.
    fn split(self, rows: usize) -> (Self, Self);
    /// The rows, if they are ordinary memory, which can be written in any order.
    fn rows(&mut self) -> Option<&mut [[f32; 4]]>;
    /// Writes all rows.
    fn copy_from(&mut self, rows: &[[f32; 4]]);
}

impl Sink<'_> for &mut [[f32; 4]] {
    fn split(self, rows: usize) -> (Self, Self) {
        let rows = rows.min(self.len());
        self.split_at_mut(rows)
    }

    fn rows(&mut self) -> Option<&mut [[f32; 4]]> {
        Some(self)
    }

    fn copy_from(&mut self, rows: &[[f32; 4]]) {
        for (to, from) in self.iter_mut().zip(rows) {
            *to = *from;
        }
    }
}

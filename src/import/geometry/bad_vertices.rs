//! Vertices that something is wrong with, counted and named.

/// Vertices that something is wrong with.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::import) struct BadVertices {
    pub(super) count: usize,
    /// Its number in the file.
    first: usize,
}

impl BadVertices {
    pub(in crate::import) fn add(&mut self, vertex: usize) {
        if self.count == 0 {
            self.first = vertex;
        }
        self.count = self.count.saturating_add(1);
    }

    pub(in crate::import) fn is_empty(self) -> bool {
        self.count == 0
    }

    /// `vertex 7`, or `3 vertices, the first being vertex 7,`
    pub(in crate::import) fn named(self) -> String {
        let Self { count, first } = self;
        match count {
            1 => format!("vertex {first}"),
            _ => format!("{count} vertices, the first being vertex {first},"),
        }
    }

    /// The form of a verb that goes with so many.
    pub(in crate::import) fn verb(self, one: &'static str, many: &'static str) -> &'static str {
        if self.count == 1 { one } else { many }
    }
}

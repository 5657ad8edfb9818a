//! What primitives are made of: points, lines and triangles, by indices or by the order of vertices (glTF 2.0 §3.7.2.1).

use gltf::json::{
    self, Index,
    accessor::{ComponentType, Type},
    mesh::Mode,
    validation::Checked,
};

use crate::import::{
    arrays::source::{Components, Use},
    base::{
        diagnostics::{Diagnostics, Fault},
        wording::counted,
    },
    numbers::extent::Number,
};

use super::{
    meshes::{NOT_DRAWN, PrimitiveReader},
    topology::{self, Restart, Shapes},
    used_vertices::UsedVertices,
};

impl PrimitiveReader<'_, '_> {
    /// The shapes of a primitive with so many vertices, if there are any; with `is_marked` also which vertices these leave
    /// out.
    pub(super) fn read_drawn(
        self,
        object: &json::mesh::Primitive,
        vertices: usize,
        is_marked: bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shapes> {
        let Self { mesh, place, .. } = self;
        let Checked::Valid(mode) = object.mode else {
            let pointer = format_args!("/meshes/{mesh}/primitives/{place}/mode");
            diagnostics.error(
                "VALUE_NOT_IN_RANGE",
                pointer,
                "the mode is unknown",
                NOT_DRAWN,
            );
            return None;
        };
        let made = Made {
            mode,
            vertices,
            is_marked,
        };
        let shapes = self.read_shapes(object.indices, made, diagnostics)?;
        if shapes.indices.is_empty() {
            diagnostics.warning(
                "MESH_PRIMITIVE_EMPTY",
                format_args!("/meshes/{mesh}/primitives/{place}"),
                "the primitive has no whole shape",
                NOT_DRAWN,
            );
            self.give_back(shapes.taken);
            return None;
        }
        Some(shapes)
    }

    /// The shapes of a primitive, though there be none. Indices are read as wide as they stay.
    pub(super) fn read_shapes(
        self,
        indices: Option<Index<json::Accessor>>,
        made: Made,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shapes> {
        let Self { mesh, place, .. } = self;
        let pointer = format_args!("/meshes/{mesh}/primitives/{place}/indices");
        let wanted = Use {
            pointer,
            format_code: "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
            components: Components::Index,
            loss: NOT_DRAWN,
        };
        let (index, accessor) = match indices {
            Some(indices) => self.accessor(
                (None::<&String>, indices),
                &[Type::Scalar],
                wanted,
                diagnostics,
            )?,
            None => match self.unstated_indices() {
                Some(unstated) => unstated,
                None => return self.in_order(made, wanted, diagnostics),
            },
        };
        match accessor.component {
            ComponentType::U8 => {
                self.named::<u16>(index, topology::RESTART_U8, made, wanted, diagnostics)
            }
            ComponentType::U16 => {
                self.named::<u16>(index, topology::RESTART_U16, made, wanted, diagnostics)
            }
            _ => self.named::<u32>(index, topology::RESTART_U32, made, wanted, diagnostics),
        }
    }

    /// Shapes of vertices in the order in which they stand.
    fn in_order(
        self,
        made: Made,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shapes> {
        let count = u32::try_from(made.vertices)
            .map_err(|_| Fault::new("TOO_MANY_OBJECTS", "there are too many vertices"));
        let charged = count.and_then(|count| Ok((count, self.charge(made.vertices)?)));
        let (count, taken) = match charged {
            Ok(charged) => charged,
            Err(fault) => {
                diagnostics.fault(fault, wanted.pointer, NOT_DRAWN);
                return None;
            }
        };
        let restart = Restart::None;
        // Every vertex is drawn but those of a last line or triangle that is not whole: only where there is one are there
        // marks.
        let marks = UsedVertices::default();
        let is_marked = made.is_marked
            && match made.mode {
                Mode::Lines => !made.vertices.is_multiple_of(2),
                Mode::Triangles => !made.vertices.is_multiple_of(3),
                _ => false,
            };
        let made = Made { is_marked, ..made };
        match u16::try_from(count) {
            Ok(count) => {
                let named = ((0..count).collect(), marks);
                self.list::<u16>(named, taken, restart, made, wanted, diagnostics)
            }
            Err(_) => {
                let named = ((0..count).collect(), marks);
                self.list::<u32>(named, taken, restart, made, wanted, diagnostics)
            }
        }
    }

    /// Shapes of the vertices that the accessor at `index` names; to a GPU `restart` is no vertex there.
    fn named<N: Number>(
        self,
        index: usize,
        restart: u32,
        made: Made,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shapes> {
        let source = self.source;
        // While they are read this costs next to nothing.
        let mut marks = UsedVertices::of(if made.is_marked { made.vertices } else { 0 });
        let indices = source.integers(index, wanted, diagnostics, |[it]| {
            marks.mark(it);
            N::of(it)
        })?;
        source.compare_indices(index, &indices);
        let restart = if source.may_restart {
            Restart::Allowed(restart)
        } else {
            Restart::Forbidden(restart)
        };
        let taken = size_of_val(&indices[..]);
        self.list((indices, marks), taken, restart, made, wanted, diagnostics)
    }

    /// Makes shapes of indices for which so many bytes were taken. `marks` are of what they name.
    fn list<N: Number>(
        self,
        (indices, marks): (Vec<N>, UsedVertices),
        mut taken: usize,
        restart: Restart,
        made: Made,
        wanted: Use<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Shapes> {
        let Made { mode, vertices, .. } = made;
        let is_list = matches!(mode, Mode::Points | Mode::Lines | Mode::Triangles);
        if !is_list {
            match self.charge(indices.len()) {
                Ok(more) => taken = taken.saturating_add(more),
                Err(fault) => {
                    self.give_back(taken);
                    diagnostics.fault(fault, wanted.pointer, NOT_DRAWN);
                    return None;
                }
            }
        }
        let count = indices.len();
        let mut shapes = Shapes {
            taken,
            ..topology::lists(mode, indices, vertices, restart)
        };
        if made.is_marked {
            let is_whole = is_list && shapes.indices.len() == count;
            let marks = if is_whole {
                marks
            } else {
                UsedVertices::of_named(vertices, &shapes.indices)
            };
            shapes.undrawn = marks.unmarked();
        }
        self.report_shapes(&shapes, vertices, diagnostics);
        Some(shapes)
    }

    /// Takes the memory of so many indices, and says how much that is; a strip makes up to three of one.
    fn charge(self, count: usize) -> Result<usize, Fault> {
        let each = size_of::<[u32; 3]>();
        self.source.budget.charge_data(count, each)?;
        Ok(count.saturating_mul(each))
    }

    fn report_shapes(self, shapes: &Shapes, vertices: usize, diagnostics: &mut Diagnostics) {
        let Self { mesh, place, .. } = self;
        let pointer = format_args!("/meshes/{mesh}/primitives/{place}/indices");
        let action = "the shapes that use them are not drawn";
        if shapes.out_of_range > 0 {
            let count = shapes.out_of_range;
            let indices = counted(count, "index reaches", "indices reach");
            let vertices = counted(vertices, "vertex", "vertices");
            let message = format!("{indices} beyond the {vertices}");
            diagnostics.error("ACCESSOR_INDEX_OOB", pointer, message, action);
        }
        if shapes.restarts > 0 {
            let count = shapes.restarts;
            let indices = counted(count, "index has", "indices have");
            let message = format!("{indices} the value reserved for primitive restart");
            diagnostics.error("ACCESSOR_INDEX_PRIMITIVE_RESTART", pointer, message, action);
        }
        if shapes.degenerate > 0 {
            let triangles = counted(shapes.degenerate, "triangle names", "triangles name");
            let message = format!("{triangles} a vertex twice");
            let action = "they are not drawn";
            diagnostics.info(
                "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
                pointer,
                message,
                action,
            );
        }
        if shapes.incomplete > 0 {
            let message = match shapes.incomplete {
                1 => "the last index makes no whole shape".to_owned(),
                count => format!("the last {count} indices make no whole shape"),
            };
            let action = "they are ignored";
            let pointer = format_args!("/meshes/{mesh}/primitives/{place}");
            diagnostics.warning("MESH_PRIMITIVE_INCOMPATIBLE_MODE", pointer, message, action);
        }
    }
}

/// What is made of how many vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub mode: Mode,
    pub vertices: usize,
    /// Whether it is wanted which vertices are left out.
    pub is_marked: bool,
}

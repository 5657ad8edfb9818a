//! Accessors that reach past their views are cut, or zero there if some elements are replaced, and sparse elements that lie
//! nowhere replace none: what is there is read.

use gltf::json::accessor::{ComponentType, Type};

use super::{Accessor, Accessors, TOO_LONG, checked_range};
use crate::import::{
    arrays::{
        buffers::Buffers,
        sparse::{NO_BASE, NOTHING_REPLACED},
    },
    base::{
        diagnostics::{Diagnostics, Fault},
        wording::counted,
    },
    numbers::components::{ElementSize, element_layout},
};

impl Accessors {
    /// Cuts all of them to what their views have. One of which not even one element is there stays as it is: whoever needs
    /// it says so.
    pub(in crate::import) fn fit(&mut self, buffers: &Buffers<'_>, diagnostics: &mut Diagnostics) {
        for (index, accessor) in self.accessors.iter_mut().enumerate() {
            if let Some(accessor) = accessor {
                accessor.fit_sparse(index, buffers, diagnostics);
                accessor.fit(index, buffers, diagnostics);
            }
        }
    }
}

impl Accessor {
    fn fit(&mut self, index: usize, buffers: &Buffers<'_>, diagnostics: &mut Diagnostics) {
        let pointer = format_args!("/accessors/{index}");
        let (bytes, stride) = match self.view.map(|view| buffers.view(view)) {
            Some(Ok(view)) => view,
            Some(Err(fault)) if self.sparse.is_some() => {
                diagnostics.fault(super::named(fault, index), pointer, NO_BASE);
                self.view = None;
                self.is_partial = true;
                return;
            }
            Some(Err(_)) | None => return,
        };
        let size = element_size(self.shape, self.component);
        let stride = stride.unwrap_or(size.padded);
        let Err(fault) = checked_range(bytes, self.offset, self.count, stride, size) else {
            return;
        };
        // The validator has it there.
        let place = match fault.code {
            TOO_LONG => "/byteOffset",
            _ => "",
        };
        let pointer = format_args!("{pointer}{place}");
        let there = || {
            let offset = usize::try_from(self.offset).ok()?;
            let rest = bytes.len().checked_sub(offset)?.checked_sub(size.used)?;
            (stride >= size.padded).then_some(())?;
            rest.checked_div(stride)?.checked_add(1)
        };
        let there = there();
        if self.sparse.is_some() {
            diagnostics.fault(super::named(fault, index), pointer, NO_BASE);
            self.based = there.unwrap_or(0);
            if self.based == 0 {
                self.view = None;
                self.based = self.count;
            }
            self.is_partial = true;
            return;
        }
        let Some(there) = there else {
            return;
        };
        let elements = counted(
            there,
            "element that is there is",
            "elements that are there are",
        );
        diagnostics.fault(
            super::named(fault, index),
            pointer,
            format!("the {elements} read"),
        );
        (self.count, self.based) = (there, there);
        self.is_partial = true;
    }

    fn fit_sparse(&mut self, index: usize, buffers: &Buffers<'_>, diagnostics: &mut Diagnostics) {
        let size = element_size(self.shape, self.component);
        let Some(sparse) = &self.sparse else {
            return;
        };
        let Err((part, fault)) = sparse.check(buffers, size) else {
            return;
        };
        let fault = Fault {
            message: format!("accessor {index}: its sparse {part}: {}", fault.message),
            ..fault
        };
        let pointer = format_args!("/accessors/{index}/sparse/{part}");
        diagnostics.fault(fault, pointer, NOTHING_REPLACED);
        self.sparse = None;
        self.is_partial = true;
    }
}

fn element_size(shape: Type, component: ComponentType) -> ElementSize {
    fn of<const N: usize>(shape: Type, size: usize) -> ElementSize {
        let (element, offsets) = element_layout::<N>(shape, size);
        ElementSize::new(element, &offsets, size)
    }
    let of = match shape {
        Type::Scalar => of::<1>,
        Type::Vec2 => of::<2>,
        Type::Vec3 => of::<3>,
        Type::Vec4 | Type::Mat2 => of::<4>,
        Type::Mat3 => of::<9>,
        Type::Mat4 => of::<16>,
    };
    of(shape, component.size())
}

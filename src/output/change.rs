//! What changes from one frame to the next: only that much of it need be written.

/// Part of a picture, in pixels; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Rectangle {
    /// A whole picture.
    pub(super) fn whole([width, height]: [u32; 2]) -> Self {
        Self {
            left: 0,
            top: 0,
            width,
            height,
        }
    }

    /// The smallest one of a picture `width` pixels wide that holds all pixels for which `is_in` holds, given by their
    /// indices; if there are none, the first pixel. Its left and upper edges are multiples of `grid`.
    pub(super) fn around(
        [width, height]: [u32; 2],
        grid: u32,
        is_in: impl Fn(usize) -> bool,
    ) -> Self {
        let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
        for y in 0..height {
            let row = y as usize * width as usize;
            let mut columns = 0..width;
            let Some(first) = columns.find(|&x| is_in(row + x as usize)) else {
                continue;
            };
            let last = columns.rfind(|&x| is_in(row + x as usize));
            left = left.min(first);
            right = right.max(last.unwrap_or(first) + 1);
            top = top.min(y);
            bottom = y + 1;
        }
        if right == 0 {
            return Self::whole([1, 1]);
        }
        let (left, top) = (left - left % grid, top - top % grid);
        Self {
            left,
            top,
            width: right - left,
            height: bottom - top,
        }
    }

    /// Its pixels, row by row, of `pixels` in rows of `row_pixels`.
    pub(super) fn cut<T: Copy>(&self, pixels: &[T], row_pixels: u32) -> Vec<T> {
        let mut part = Vec::with_capacity(self.width as usize * self.height as usize);
        for y in self.top..self.top + self.height {
            let start = y as usize * row_pixels as usize + self.left as usize;
            part.extend_from_slice(&pixels[start..start + self.width as usize]);
        }
        part
    }
}

/// The pixels of a picture.
pub(super) fn pixels(rgba8: &[u8]) -> &[[u8; 4]] {
    rgba8.as_chunks().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_hold_what_changes_and_no_more() {
        let changed = [7 * 2 + 3, 7 * 4 + 5];
        let around = |grid| Rectangle::around([7, 6], grid, |index| changed.contains(&index));
        let exact = Rectangle {
            left: 3,
            top: 2,
            width: 3,
            height: 3,
        };
        assert_eq!(around(1), exact);
        assert_eq!(around(2).left, 2);
        assert_eq!(around(2).width, 4);
        let indices: Vec<usize> = (0..42).collect();
        let cut = exact.cut(&indices, 7);
        assert_eq!(cut, [17, 18, 19, 24, 25, 26, 31, 32, 33]);
        let nothing = Rectangle::around([7, 6], 1, |_| false);
        assert_eq!(nothing, Rectangle::whole([1, 1]));
    }
}

//! Modes 1 and 2 of the meshopt codec: indices of triangles by shared edges, and of anything by differences
//! (`KHR_meshopt_compression`, appendix A, "Mode 1" and "Mode 2").

use super::{Budget, Fault, filled, invalid, take_byte, too_long, too_short};

/// Bytes of the table at the end of a stream of triangles.
const TABLE: usize = 16;

/// The last 16 entries that were pushed.
#[derive(Debug)]
struct Recent<T> {
    entries: [T; 16],
    pushed: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Self {
            entries: [T::default(); 16],
            pushed: 0,
        }
    }

    fn push(&mut self, entry: T) {
        if let Some(slot) = self.entries.get_mut(self.pushed & 15) {
            *slot = entry;
        }
        self.pushed = self.pushed.wrapping_add(1);
    }

    /// The entry that was pushed `age` entries before the last one.
    fn get(&self, age: u8) -> Result<T, Fault> {
        let age = usize::from(age).saturating_add(1);
        let place = self.pushed.checked_sub(age).filter(|_| age <= 16);
        let entry = place.and_then(|place| self.entries.get(place & 15));
        entry
            .copied()
            .ok_or_else(|| invalid("the compressed indices refer to what was never there"))
    }
}

/// The state of a decoder of triangles.
#[derive(Debug)]
struct Triangles<'a> {
    data: &'a [u8],
    next: u32,
    last: u32,
    edges: Recent<(u32, u32)>,
    vertices: Recent<u32>,
}

impl Triangles<'_> {
    fn read(&mut self, code: u8, table: &[u8; TABLE]) -> Result<[u32; 3], Fault> {
        let (high, low) = (code >> 4, code & 15);
        if high < 15 {
            return self.read_on_edge(high, low);
        }
        if low < 14 {
            let packed = table.get(usize::from(low)).copied().unwrap_or_default();
            let a = self.take_next();
            return self.read_fan(a, packed >> 4, packed & 15);
        }
        let packed = take_byte(&mut self.data)?;
        if packed == 0 {
            self.next = 0;
        }
        let a = if low == 14 {
            self.take_next()
        } else {
            self.read_index()?
        };
        self.read_fan(a, packed >> 4, packed & 15)
    }

    /// A triangle with an edge of one of the last triangles.
    fn read_on_edge(&mut self, edge: u8, vertex: u8) -> Result<[u32; 3], Fault> {
        let (a, b) = self.edges.get(edge)?;
        let c = match vertex {
            0 => self.take_next(),
            1..=12 => self.vertices.get(vertex)?,
            13 => {
                self.last = self.last.wrapping_sub(1);
                self.last
            }
            14 => {
                self.last = self.last.wrapping_add(1);
                self.last
            }
            _ => self.read_index()?,
        };
        self.edges.push((c, b));
        self.edges.push((a, c));
        if !(1..=12).contains(&vertex) {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// A triangle with no such edge.
    fn read_fan(&mut self, a: u32, second: u8, third: u8) -> Result<[u32; 3], Fault> {
        let b = self.read_vertex(second)?;
        let c = self.read_vertex(third)?;
        self.edges.push((b, a));
        self.edges.push((c, b));
        self.edges.push((a, c));
        self.vertices.push(a);
        for (index, code) in [(b, second), (c, third)] {
            if code == 0 || code == 15 {
                self.vertices.push(index);
            }
        }
        Ok([a, b, c])
    }

    fn read_vertex(&mut self, code: u8) -> Result<u32, Fault> {
        match code {
            0 => Ok(self.take_next()),
            15 => self.read_index(),
            _ => self.vertices.get(code.wrapping_sub(1)),
        }
    }

    fn take_next(&mut self) -> u32 {
        let next = self.next;
        self.next = next.wrapping_add(1);
        next
    }

    fn read_index(&mut self) -> Result<u32, Fault> {
        let delta = zigzag(read_number(&mut self.data)?);
        self.last = self.last.wrapping_add(delta);
        Ok(self.last)
    }
}

/// Decodes `count` indices, three for each triangle, to `stride` bytes each.
pub(super) fn decode_triangles(
    bytes: &[u8],
    count: usize,
    stride: usize,
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    if !count.is_multiple_of(3) {
        let message = format!("{count} indices make no whole number of triangles");
        return Err(invalid(message));
    }
    let bytes = after_header(bytes, 0xe1)?;
    let (bytes, table) = bytes.split_last_chunk::<TABLE>().ok_or_else(too_short)?;
    let is_valid = |byte: &u8| byte >> 4 != 15 && byte & 15 != 15;
    if !table.iter().all(is_valid) || !table.ends_with(&[0, 0]) {
        return Err(invalid("the table at the end is not one of triangles"));
    }
    // There is a byte for each triangle, so that the count is sound before memory is taken.
    let (codes, data) = bytes
        .split_at_checked(count.div_euclid(3))
        .ok_or_else(too_short)?;
    filled(count.saturating_mul(stride), budget, |decoded| {
        let mut triangles = Triangles {
            data,
            next: 0,
            last: 0,
            edges: Recent::new(),
            vertices: Recent::new(),
        };
        for &code in codes {
            for index in triangles.read(code, table)? {
                push(decoded, index, stride);
            }
        }
        if triangles.data.is_empty() {
            Ok(())
        } else {
            Err(too_long())
        }
    })
}

/// Decodes `count` indices to `stride` bytes each.
pub(super) fn decode_sequence(
    bytes: &[u8],
    count: usize,
    stride: usize,
    budget: &Budget,
) -> Result<Vec<u8>, Fault> {
    let bytes = after_header(bytes, 0xd1)?;
    let (mut data, _) = bytes.split_last_chunk::<4>().ok_or_else(too_short)?;
    if count > data.len() {
        return Err(too_short());
    }
    filled(count.saturating_mul(stride), budget, |decoded| {
        let (mut even, mut odd) = (0_u32, 0_u32);
        for _ in 0..count {
            let number = read_number(&mut data)?;
            let last = if number & 1 == 0 { &mut even } else { &mut odd };
            *last = last.wrapping_add(zigzag(number >> 1));
            push(decoded, *last, stride);
        }
        if data.is_empty() {
            Ok(())
        } else {
            Err(too_long())
        }
    })
}

fn after_header(bytes: &[u8], expected: u8) -> Result<&[u8], Fault> {
    match bytes.split_first() {
        Some((&header, rest)) if header == expected => Ok(rest),
        Some((header, _)) => Err(invalid(format!("the first byte {header:#04x} is unknown"))),
        None => Err(too_short()),
    }
}

/// Reads a number of up to five bytes, seven bits in each.
fn read_number(data: &mut &[u8]) -> Result<u32, Fault> {
    let mut number = 0_u32;
    for shift in [0_u32, 7, 14, 21, 28] {
        let byte = take_byte(data)?;
        number |= u32::from(byte & 127).wrapping_shl(shift);
        if byte < 128 {
            return Ok(number);
        }
    }
    Err(invalid("a number has more than five bytes"))
}

fn zigzag(number: u32) -> u32 {
    (number >> 1) ^ 0_u32.wrapping_sub(number & 1)
}

fn push(decoded: &mut Vec<u8>, index: u32, stride: usize) {
    let [a, b, c, d] = index.to_le_bytes();
    if stride == 2 {
        decoded.extend_from_slice(&[a, b]);
    } else {
        decoded.extend_from_slice(&[a, b, c, d]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers() {
        // The specification's third example states 0x1fd005; its own rule gives what stands here.
        let examples: [(&[u8], u32); 3] = [
            (&[0x7f], 0x7f),
            (&[0x81, 0x04], 0x201),
            (&[0xff, 0xa0, 0x05], 0x1_507f),
        ];
        for (mut bytes, expected) in examples {
            assert_eq!(read_number(&mut bytes).unwrap(), expected);
        }
        assert!(read_number(&mut &[0xff; 8][..]).is_err());
    }
}

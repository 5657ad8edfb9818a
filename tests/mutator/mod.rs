//! Damages files in every way that files get damaged: bits, the end, numbers, the structure of the JSON text, and the
//! headers of a GLB. The same seed damages a file the same way.

#[allow(dead_code, reason = "they are for whole processes")]
pub mod bombs;
mod long_bombs;
mod picture_bombs;
mod repeated_bombs;
#[allow(dead_code, reason = "other tests use the rest of it")]
#[path = "../reference/rng.rs"]
mod rng;
mod vain_bombs;

use serde_json::{Value, json};

pub use rng::Rng;

/// Damages a file in one to three places.
pub fn damage(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.index(3) {
        if bytes.is_empty() {
            break;
        }
        match rng.index(16) {
            0 => bytes.truncate(1 + rng.index(bytes.len())),
            1..4 => flip(&mut bytes, rng),
            4..8 => edit_text(&mut bytes, rng, |text, rng| replace_number(&text, rng)),
            8..13 => edit_text(&mut bytes, rng, edit_structure),
            _ => damage_header(&mut bytes, rng),
        }
    }
    bytes
}

/// Changes bits, or a run of bytes, anywhere.
fn flip(bytes: &mut [u8], rng: &mut Rng) {
    for _ in 0..1 + rng.index(8) {
        let place = rng.index(bytes.len());
        match rng.index(4) {
            0 => bytes[place] = rng.bits() as u8,
            1 => {
                let end = bytes.len().min(place + 1 + rng.index(16));
                bytes[place..end].fill([0, 0xff, 0x7f, 0x80][rng.index(4)]);
            }
            _ => bytes[place] ^= 1 << rng.index(8),
        }
    }
}

/// A GLB in parts: whatever its headers say, the text and what comes after it.
struct Glb {
    text: Vec<u8>,
    rest: Vec<u8>,
}

impl Glb {
    fn of(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"glTF")?.get(8..)?;
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let rest = rest.strip_prefix(b"JSON")?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some(Self {
            text: text.to_vec(),
            rest: rest.to_vec(),
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let text = self.text.len().next_multiple_of(4);
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend(((20 + text + self.rest.len()) as u32).to_le_bytes());
        bytes.extend((text as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(&self.text);
        bytes.resize(20 + text, b' ');
        bytes.extend(&self.rest);
        bytes
    }
}

/// Changes the JSON text, and keeps the container around it whole, so that the change is reached.
fn edit_text(bytes: &mut Vec<u8>, rng: &mut Rng, edit: impl FnOnce(Vec<u8>, &mut Rng) -> Vec<u8>) {
    if let Some(mut glb) = Glb::of(bytes) {
        glb.text = edit(glb.text, rng);
        *bytes = glb.to_bytes();
    } else {
        *bytes = edit(std::mem::take(bytes), rng);
    }
}

/// Texts that stand for numbers nobody expects.
const ODD: [&str; 18] = [
    "-1",
    "0",
    "1",
    "3",
    "99",
    "255",
    "65536",
    "1e39",
    "1.5",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1e999",
    "null",
    "\"x\"",
    "[]",
    "{}",
];

/// The next number after any place becomes an odd one.
fn replace_number(text: &[u8], rng: &mut Rng) -> Vec<u8> {
    let place = rng.index(text.len().max(1));
    let rest = text.get(place..).unwrap_or_default();
    let Some(start) = rest.iter().position(u8::is_ascii_digit) else {
        return text.to_vec();
    };
    let start = place + start;
    let digits = text[start..].iter().take_while(|c| c.is_ascii_digit());
    let end = start + digits.count();
    let odd = ODD[rng.index(ODD.len())].as_bytes();
    [&text[..start], odd, &text[end..]].concat()
}

/// What has a meaning somewhere, and is put anywhere.
fn odd_property(rng: &mut Rng) -> (&'static str, Value) {
    let any = |rng: &mut Rng| rng.index(12);
    match rng.index(18) {
        0 => ("children", json!([any(rng), any(rng)])),
        1 => ("mesh", any(rng).into()),
        2 => ("skin", any(rng).into()),
        3 => (
            "matrix",
            json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ),
        4 => ("scale", json!([1e38, 0, -1])),
        5 => ("byteStride", json!(any(rng) * 4)),
        6 => ("byteOffset", json!(any(rng))),
        7 => ("count", json!(1_u64 << (rng.index(42) + 8))),
        8 => {
            let view = any(rng);
            let indices = json!({"bufferView": view, "componentType": 5123});
            let sparse =
                json!({"count": any(rng), "indices": indices, "values": {"bufferView": view}});
            ("sparse", sparse)
        }
        9 => (
            "type",
            json!(["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"][rng.index(5)]),
        ),
        10 => ("componentType", json!(5120 + rng.index(7))),
        11 => ("mode", json!(rng.index(8))),
        12 => (
            "uri",
            json!(["", "%ff", "/dev/zero", "a\0b", "data:,", "x.bin"][rng.index(6)]),
        ),
        13 => ("extensionsRequired", json!(["KHR_unheard_of"])),
        14 => ("weights", json!([1, 1e38, 0.5])),
        15 => (
            "interpolation",
            json!(["STEP", "LINEAR", "CUBICSPLINE", "?"][rng.index(4)]),
        ),
        16 => (
            "path",
            json!(["translation", "rotation", "scale", "weights", "pointer"][rng.index(5)]),
        ),
        _ => (
            "targets",
            json!([{"POSITION": any(rng)}, {"NORMAL": any(rng)}]),
        ),
    }
}

/// Parts in the text that are looked at for a place to change: enough for any real file of this size.
const MAX_PLACES: usize = 20_000;

/// Removes, repeats, exchanges or replaces parts of the JSON text.
fn edit_structure(text: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let Ok(mut root) = serde_json::from_slice::<Value>(&text) else {
        return text;
    };
    let mut places = Vec::new();
    list_places(&root, &mut String::new(), &mut places);
    if places.is_empty() {
        return text;
    }
    let place = places[rng.index(places.len())].clone();
    let other = &places[rng.index(places.len())];
    let copy = root.pointer(other).cloned().unwrap_or_default();
    if rng.index(16) == 0 {
        // Deeper than a parser may recurse.
        let depth = 1 << (4 + rng.index(14));
        let deep = "[".repeat(depth) + &"]".repeat(depth);
        let mark = "a mark that stands for it";
        set(&mut root, &place, mark.into());
        return root
            .to_string()
            .replace(&format!("\"{mark}\""), &deep)
            .into_bytes();
    }
    match rng.index(7) {
        0 => remove(&mut root, &place),
        1 => set(&mut root, &place, copy),
        2 => {
            let odd: Value = serde_json::from_str(ODD[rng.index(ODD.len())]).unwrap_or_default();
            set(&mut root, &place, odd);
        }
        3 => repeat(&mut root, &place, rng),
        4 => {
            let here = root.pointer(&place).cloned().unwrap_or_default();
            set(&mut root, other, here);
            set(&mut root, &place, copy);
        }
        _ => {
            let (name, value) = odd_property(rng);
            if let Some(Value::Object(object)) = root.pointer_mut(&place) {
                object.insert(name.to_owned(), value);
            } else {
                set(&mut root, &place, value);
            }
        }
    }
    root.to_string().into_bytes()
}

/// The JSON pointers of all parts.
fn list_places(value: &Value, pointer: &mut String, places: &mut Vec<String>) {
    let items: Vec<(String, &Value)> = match value {
        Value::Array(items) => (0..).map(|i: usize| i.to_string()).zip(items).collect(),
        Value::Object(object) => {
            let escape = |key: &String| key.replace('~', "~0").replace('/', "~1");
            object
                .iter()
                .map(|(key, value)| (escape(key), value))
                .collect()
        }
        _ => return,
    };
    for (key, item) in items {
        if places.len() >= MAX_PLACES {
            return;
        }
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&key);
        places.push(pointer.clone());
        list_places(item, pointer, places);
        pointer.truncate(length);
    }
}

fn set(root: &mut Value, place: &str, value: Value) {
    if let Some(target) = root.pointer_mut(place) {
        *target = value;
    }
}

fn remove(root: &mut Value, place: &str) {
    let (parent, key) = place.rsplit_once('/').unwrap_or_default();
    match root.pointer_mut(parent) {
        Some(Value::Object(object)) => {
            object.remove(key);
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = key.parse::<usize>() {
                items.remove(index);
            }
        }
        _ => {}
    }
}

/// An item of an array becomes many.
fn repeat(root: &mut Value, place: &str, rng: &mut Rng) {
    let (parent, key) = place.rsplit_once('/').unwrap_or_default();
    if let (Some(Value::Array(items)), Ok(index)) = (root.pointer_mut(parent), key.parse::<usize>())
        && let Some(item) = items.get(index).cloned()
    {
        // Not more than a few megabytes of text in all.
        let most = (4 << 20) / item.to_string().len().max(1);
        let count = (1 << rng.index(17)).min(most);
        items.extend(std::iter::repeat_n(item, count));
    }
}

/// Changes the magic, a version, a length or a kind, or the order of chunks. Other files get a few odd bytes in front.
fn damage_header(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let Some(glb) = Glb::of(bytes) else {
        let front: [&[u8]; 4] = [b"\xef\xbb\xbf", b"\0", b"glTF", b" \n"];
        bytes.splice(..0, front[rng.index(4)].iter().copied());
        return;
    };
    let text = glb.text.len();
    let fields = [0, 4, 8, 12, 16, 20 + text, 24 + text];
    match rng.index(6) {
        0 => {
            // The binary chunk twice.
            let rest = glb.rest.clone();
            bytes.extend(rest);
        }
        1 => {
            let unknown = *b"\x08\0\0\0WHAT12345678";
            bytes.splice(12..12, unknown);
        }
        2 => bytes.truncate(20 + text),
        _ => {
            let field = fields[rng.index(fields.len())];
            let odd: [u32; 10] = [
                0,
                1,
                2,
                3,
                11,
                12,
                u32::from_le_bytes(*b"BIN\0"),
                0x7fff_ffff,
                0x8000_0000,
                0xffff_ffff,
            ];
            let odd = odd[rng.index(odd.len())];
            if let Some(slot) = bytes.get_mut(field..field + 4) {
                let near = u32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]]);
                let near = near.wrapping_add(rng.index(9) as u32).wrapping_sub(4);
                let number = if rng.index(2) == 0 { odd } else { near };
                slot.copy_from_slice(&number.to_le_bytes());
            }
        }
    }
}

//! What an entry of a `.zip` archive is called (APPNOTE.TXT 6.3.10, 4.4.4 bit 11, 4.6.9 and appendix D).

use flate2::Crc;
use rawzip::{ZipFileHeaderRecord, extra_fields::ExtraFieldId};

/// The upper half of code page 437, in which names are that do not say otherwise.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The name of an entry, with slashes between its parts and none in front.
pub(super) fn name_of(entry: &ZipFileHeaderRecord<'_>) -> String {
    let path = entry.file_path();
    let stated = path.as_bytes();
    let name = unicode_path(entry, stated).unwrap_or_else(|| match std::str::from_utf8(stated) {
        // Many write UTF-8 and do not say so.
        Ok(name) => name.to_owned(),
        Err(_) if entry.flags().is_utf8() => String::from_utf8_lossy(stated).into_owned(),
        Err(_) => from_cp437(stated),
    });
    // Some archivers of Windows write backslashes, and some name the root.
    name.replace('\\', "/").trim_start_matches('/').to_owned()
}

/// The name in UTF-8 that stands beside one in another encoding, as long as it is of that one.
fn unicode_path(entry: &ZipFileHeaderRecord<'_>, stated: &[u8]) -> Option<String> {
    let mut fields = entry.extra_fields();
    let (_, field) = fields.find(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)?;
    let (version, rest) = field.split_first()?;
    let (checksum, name) = rest.split_first_chunk()?;
    let mut crc = Crc::new();
    crc.update(stated);
    let is_of_it = *version == 1 && crc.sum() == u32::from_le_bytes(*checksum);
    std::str::from_utf8(name)
        .ok()
        .filter(|_| is_of_it)
        .map(str::to_owned)
}

fn from_cp437(name: &[u8]) -> String {
    let upper: Vec<char> = CP437.chars().collect();
    let letters = name.iter().map(|&byte| match byte.checked_sub(0x80) {
        None => char::from(byte),
        Some(place) => *upper
            .get(usize::from(place))
            .unwrap_or(&char::REPLACEMENT_CHARACTER),
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_has_all_letters() {
        assert_eq!(CP437.chars().count(), 128);
        assert_eq!(from_cp437(b"caf\x82 \x81\xe1.bin\xff"), "café üß.bin\u{a0}");
    }
}

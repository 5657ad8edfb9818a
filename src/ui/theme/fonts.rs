//! Fonts of the system, for names in scripts that egui's own fonts lack, such as Japanese bones.
//!
//! Nothing is read before such a name is to be shown. Where no font of the list is installed, names show boxes.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use egui::FontData;
use egui::epaint::text::{
    FallbackRequest, FontInsert, FontPriority, FontProvider, InsertFontFamily,
};

/// Larger files are left alone; the largest of the list have 20 MiB.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Chinese, Japanese and Korean, in the order in which they are tried.
const EAST_ASIAN: &[&str] = &[
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "/System/Library/Fonts/PingFang.ttc",
    "C:\\Windows\\Fonts\\msyh.ttc",
    "C:\\Windows\\Fonts\\YuGothR.ttc",
    "C:\\Windows\\Fonts\\msgothic.ttc",
];
/// Korean syllables, which fonts for Chinese and Japanese often lack.
const KOREAN: &[&str] = &[
    "/System/Library/Fonts/AppleSDGothicNeo.ttc",
    "C:\\Windows\\Fonts\\malgun.ttf",
];
/// Everything else.
const OTHER: &[&str] = &[
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
    "C:\\Windows\\Fonts\\segoeui.ttf",
];

/// Lets egui ask the system for what its fonts lack.
pub fn use_system_fonts(ctx: &egui::Context) {
    ctx.add_font_provider(Arc::new(SystemFonts::default()));
}

#[derive(Default)]
struct SystemFonts {
    /// Files that were read already; none for those that cannot be.
    read: Mutex<HashMap<&'static str, Option<FontData>>>,
}

impl SystemFonts {
    fn read(&self, path: &'static str) -> Option<FontData> {
        let mut read = self.read.lock().ok()?;
        let font = read.entry(path).or_insert_with(|| {
            let path = Path::new(path);
            let size = path
                .metadata()
                .ok()
                .filter(std::fs::Metadata::is_file)?
                .len();
            if size > MAX_FILE_BYTES {
                return None;
            }
            std::fs::read(path).ok().map(FontData::from_owned)
        });
        font.clone()
    }
}

impl FontProvider for SystemFonts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let c = request.cluster.chars().next()?;
        let lists: &[&[&'static str]] = match c {
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7ff}' => {
                &[KOREAN, EAST_ASIAN]
            }
            '\u{2e80}'..='\u{a4cf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{3ffff}' => &[EAST_ASIAN],
            _ => &[OTHER],
        };
        let (path, data) = lists
            .iter()
            .flat_map(|list| list.iter())
            .find_map(|path| Some((*path, self.read(path)?)))?;
        let family = InsertFontFamily {
            family: request.family.clone(),
            priority: FontPriority::Lowest,
        };
        Some(FontInsert::new(path, data, vec![family]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_egui_lacks_is_found_where_the_system_has_it() {
        // Armenian is in neither of egui's fonts, and in each of the fonts for everything else.
        let font = egui::FontId::proportional(13.0);
        let has_letter = |ctx: &egui::Context| {
            let mut has_letter = false;
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                ui.label("Ա");
                has_letter = ui.fonts_mut(|fonts| fonts.has_glyph(&font, 'Ա'));
            });
            output.drop_without_applying_deltas();
            has_letter
        };
        assert!(!has_letter(&egui::Context::default()));
        let ctx = egui::Context::default();
        use_system_fonts(&ctx);
        if OTHER.iter().any(|path| Path::new(path).is_file()) {
            assert!(has_letter(&ctx));
        } else {
            // scripts/test installs one where it can.
            assert!(std::env::var_os("CI").is_none(), "no font of the list");
            println!("skipped: no font");
        }
    }
}

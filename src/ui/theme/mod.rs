//! Colours, sizes and distances of the interface, dark and light.

pub mod fonts;

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2};

/// The colours that panels paint with. One accent says "chosen" and "now"; red, amber and blue belong to messages alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colors {
    /// Behind the panels.
    pub panel: Color32,
    /// What lies on a panel: buttons, banners.
    pub raised: Color32,
    /// What lies on a panel, under the pointer.
    pub hovered: Color32,
    /// What is sunk into a panel: text fields, the timeline.
    pub sunken: Color32,
    /// Hairlines between parts.
    pub line: Color32,
    /// Names and figures.
    pub strong: Color32,
    /// Running text.
    pub text: Color32,
    /// Captions and units.
    pub weak: Color32,
    /// What cannot be used now.
    pub disabled: Color32,
    /// What is chosen, and where time is.
    pub accent: Color32,
    /// Behind what is chosen.
    pub accent_soft: Color32,
    /// On the accent.
    pub on_accent: Color32,
    /// Something is lost.
    pub error: Color32,
    /// Something is odd.
    pub warning: Color32,
    /// Good to know.
    pub info: Color32,
    /// Letters of the axes x, y, z.
    pub axes: [Color32; 3],
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The dark theme.
pub const DARK: Colors = Colors {
    panel: rgb(0x1b_1d22),
    raised: rgb(0x28_2b32),
    hovered: rgb(0x33_3740),
    sunken: rgb(0x13_1518),
    line: rgb(0x2f_333b),
    strong: rgb(0xf2_f4f7),
    text: rgb(0xcf_d3db),
    weak: rgb(0x9a_a1ae),
    disabled: rgb(0x5a_606b),
    accent: rgb(0x4f_d6be),
    accent_soft: rgb(0x1d_3d3b),
    on_accent: rgb(0x08_211d),
    error: rgb(0xff_7b72),
    warning: rgb(0xe9_b44c),
    info: rgb(0x7d_b4f0),
    axes: [rgb(0xf0_8a86), rgb(0x9b_d07a), rgb(0x86_b2f2)],
};

/// The light theme.
pub const LIGHT: Colors = Colors {
    panel: rgb(0xf6_f7f9),
    raised: rgb(0xe7_eaee),
    hovered: rgb(0xdf_e3e9),
    sunken: rgb(0xff_ffff),
    line: rgb(0xd5_d9e0),
    strong: rgb(0x13_161b),
    text: rgb(0x2f_353e),
    weak: rgb(0x5c_6470),
    disabled: rgb(0xa3_aab5),
    accent: rgb(0x00_6f5f),
    accent_soft: rgb(0xd3_efe8),
    on_accent: rgb(0xff_ffff),
    error: rgb(0xb9_2626),
    warning: rgb(0x85_5400),
    info: rgb(0x1b_62ad),
    axes: [rgb(0xb0_3532), rgb(0x38_6f1a), rgb(0x2b_62b4)],
};

/// The colours in force.
pub fn colors_of(ui: &egui::Ui) -> &'static Colors {
    if ui.visuals().dark_mode {
        &DARK
    } else {
        &LIGHT
    }
}

/// Side of a square button.
pub const BUTTON_SIDE: f32 = 28.0;
/// For how long the pointer rests before a tooltip comes, and for how long after one the next comes at once; in seconds.
pub const TOOLTIP_DELAY: f32 = 0.35;
/// See [`TOOLTIP_DELAY`].
pub const TOOLTIP_GRACE: f32 = 0.2;
/// Height of a row of a list.
pub const ROW_HEIGHT: f32 = 22.0;
/// Roundness of buttons and rows.
pub const RADIUS: u8 = 5;

/// Makes everything look like the dark or the light theme.
pub fn apply_theme(ctx: &egui::Context, dark: bool) {
    let (theme, colors) = if dark {
        (egui::Theme::Dark, &DARK)
    } else {
        (egui::Theme::Light, &LIGHT)
    };
    ctx.set_theme(theme);
    ctx.set_style_of(theme, style(theme, colors));
    ctx.options_mut(|options| {
        // The table of keys does this, so that it is listed and can be remembered.
        options.zoom_with_keyboard = false;
        // A press anywhere else ends typing, so that the next key is a command again.
        options.input_options.surrender_focus_on = egui::SurrenderFocusOn::Presses;
    });
}

fn style(theme: egui::Theme, colors: &Colors) -> egui::Style {
    let mut style = theme.default_style();
    let font = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, font(11.5)),
        (TextStyle::Body, font(13.5)),
        (TextStyle::Button, font(13.5)),
        (TextStyle::Heading, font(16.0)),
        (TextStyle::Monospace, FontId::monospace(12.0)),
    ]
    .into();
    style.drag_value_text_style = TextStyle::Button;
    style.animation_time = 0.1;

    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(6.0, 4.0);
    spacing.button_padding = Vec2::new(9.0, 4.0);
    spacing.interact_size = Vec2::new(32.0, 24.0);
    spacing.window_margin = Margin::same(14);
    spacing.menu_margin = Margin::same(6);
    spacing.combo_width = 60.0;
    spacing.tooltip_width = 360.0;
    spacing.icon_width = 14.0;
    spacing.icon_spacing = 6.0;
    spacing.scroll = egui::style::ScrollStyle::thin();

    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = TOOLTIP_DELAY;
    style.interaction.tooltip_grace_time = TOOLTIP_GRACE;
    // Of the edges of panels.
    style.interaction.resize_grab_radius_side = 5.0;

    style.visuals = visuals(style.visuals.clone(), colors);
    #[cfg(debug_assertions)]
    {
        // Rows of a list that scrolls change their place by design.
        style.debug.warn_if_rect_changes_id = false;
        style.debug.show_unaligned = false;
    }
    style
}

fn visuals(mut visuals: egui::Visuals, colors: &Colors) -> egui::Visuals {
    let radius = CornerRadius::same(RADIUS);
    let hairline = Stroke::new(1.0, colors.line);
    visuals.weak_text_color = Some(colors.weak);
    visuals.hyperlink_color = colors.accent;
    visuals.faint_bg_color = colors.raised;
    visuals.extreme_bg_color = colors.sunken;
    visuals.text_edit_bg_color = Some(colors.sunken);
    visuals.code_bg_color = colors.raised;
    visuals.warn_fg_color = colors.warning;
    visuals.error_fg_color = colors.error;
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.panel;
    visuals.window_stroke = hairline;
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.selection.bg_fill = colors.accent_soft;
    visuals.selection.stroke = Stroke::new(1.0, colors.accent);
    visuals.text_cursor.stroke.color = colors.accent;
    visuals.slider_trailing_fill = true;
    visuals.interact_cursor = None;

    let widgets = &mut visuals.widgets;
    let looks = [
        (
            &mut widgets.noninteractive,
            colors.panel,
            colors.line,
            colors.text,
        ),
        (
            &mut widgets.inactive,
            colors.raised,
            Color32::TRANSPARENT,
            colors.text,
        ),
        (
            &mut widgets.hovered,
            colors.hovered,
            Color32::TRANSPARENT,
            colors.strong,
        ),
        (
            &mut widgets.active,
            colors.hovered,
            colors.accent,
            colors.strong,
        ),
        (
            &mut widgets.open,
            colors.hovered,
            Color32::TRANSPARENT,
            colors.strong,
        ),
    ];
    for (look, fill, line, text) in looks {
        look.bg_fill = fill;
        look.weak_bg_fill = fill;
        look.bg_stroke = Stroke::new(1.0, line);
        look.fg_stroke = Stroke::new(1.0, text);
        look.corner_radius = radius;
        look.expansion = 0.0;
    }
    visuals
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Contrast of two colours as WCAG 2.1 defines it: 1 (none) to 21 (black on white).
    pub(in crate::ui) fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |color: Color32| {
            let linear = egui::Rgba::from(color);
            0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_whatever_it_lies_on() {
        for colors in [DARK, LIGHT] {
            // Chips and badges are raised, and what the pointer is on, or what is chosen, has its own ground.
            let grounds = [colors.panel, colors.sunken, colors.raised];
            for ground in grounds
                .into_iter()
                .chain([colors.hovered, colors.accent_soft])
            {
                for text in [colors.strong, colors.text, colors.weak, colors.error]
                    .into_iter()
                    .chain([colors.warning, colors.info, colors.accent])
                    .chain(colors.axes)
                {
                    let ratio = contrast(text, ground);
                    assert!(ratio >= 4.5, "{text:?} on {ground:?}: {ratio}");
                }
            }
            assert!(contrast(colors.on_accent, colors.accent) >= 4.5);
        }
    }
}

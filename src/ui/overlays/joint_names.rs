//! Names of joints in the picture: as many as have room, the nearest and most important first, steady from frame to frame.

use std::time::Duration;

use egui::{CornerRadius, FontId, Pos2, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use crate::ui::{Command, JointLabel, SkeletonCommand, View, menus, text, theme::colors_of};

/// Names that are painted at most, and those that are looked at for it.
const MAX_PAINTED: usize = 150;
const MAX_TRIED: usize = 600;
/// Widest name in points; the middle of wider ones is left out.
const MAX_WIDTH: f32 = 150.0;
const FONT_SIZE: f32 = 11.5;
/// For how long the pointer must not have moved to be at rest.
const REST_SECS: f32 = 0.1;
/// Room between a joint and its name, and around the name.
const FROM_JOINT: f32 = 9.0;
const PADDING: Vec2 = vec2(4.0, 1.0);
/// Room that a name needs around it to come; once there it stays until another one touches it.
const ROOM_TO_COME: f32 = 5.0;
/// What it counts to be there already, as ranks do.
const STAYING_COUNTS: f32 = 0.08;

/// Where a name stands beside its joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Right,
    Left,
    Above,
    Below,
}

/// Remembers which names were shown, and where.
#[derive(Debug, Default)]
pub struct NameKeeper {
    /// Sorted by node.
    kept: Vec<(usize, Side)>,
    placed: Vec<PlacedName>,
    order: Vec<(f32, usize)>,
}

/// A name with its place on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PlacedName {
    /// Its place in the list of labels.
    label: usize,
    node: usize,
    side: Side,
    rect: Rect,
}

/// Where the pointer is over the picture, for the joint under it; nothing if there is nothing new.
pub fn hover(ui: &Ui, view: &View<'_>, at: Option<[f32; 2]>, reach: f32) -> Option<Command> {
    let (since, frame) = ui.input(|input| {
        let since = input.pointer.time_since_last_movement();
        (since, input.predicted_dt)
    });
    let left = REST_SECS - since;
    if at.is_some() && left > 0.0 && view.skeleton.waits_for_rest {
        // egui takes off how long a frame lasts.
        let pause = Duration::from_secs_f32(left + frame);
        ui.request_repaint_after(pause);
    }
    let was_over = view.skeleton.hovered.is_some() || view.skeleton.influences.is_some();
    (at.is_some() || was_over).then_some(Command::Skeleton(SkeletonCommand::Hover {
        at,
        reach,
        is_resting: left <= 0.0,
    }))
}

/// Paints the names.
pub fn joint_names_ui(ui: &Ui, keeper: &mut NameKeeper, view: &View<'_>, viewport: Rect) {
    let labels = view.skeleton.labels;
    let font = FontId::proportional(FONT_SIZE);
    let colors = colors_of(ui);
    let layout = |node: usize, color| {
        let name = view.nodes.rows.get(node).map_or("", |row| short(&row.name));
        let clean = text::clean_name(name);
        let shown = ui.fonts_mut(|fonts| {
            text::elide_middle(&clean, MAX_WIDTH, |c| fonts.glyph_width(&font, c)).into_owned()
        });
        ui.painter().layout_no_wrap(shown, font.clone(), color)
    };
    let menus = menus::view::corner_rects(ui);
    let placed = keeper.place(labels, (viewport, &menus), |node| {
        layout(node, colors.strong).size() + 2.0 * PADDING
    });
    let painter = ui.painter().with_clip_rect(viewport);
    // Those that matter most are painted last, over the others.
    for name in placed.iter().rev() {
        let label = labels[name.label];
        let (ground, color, edge) = if label.is_chosen {
            (colors.accent, colors.on_accent, colors.accent)
        } else if label.is_hovered {
            (colors.raised, colors.strong, colors.accent)
        } else {
            let ground = colors.panel.gamma_multiply(0.82);
            (ground, colors.strong, colors.line.gamma_multiply(0.8))
        };
        let stroke = Stroke::new(1.0, edge);
        let radius = CornerRadius::same(4);
        painter.rect(name.rect, radius, ground, stroke, StrokeKind::Inside);
        painter.galley(name.rect.min + PADDING, layout(label.node, color), color);
    }
}

/// A name without the name space that all joints of a rig share: `mixamorig:Hips` is `Hips`.
fn short(name: &str) -> &str {
    let rest = name.rsplit([':', '|']).next().unwrap_or(name);
    if rest.trim().is_empty() { name } else { rest }
}

impl NameKeeper {
    /// Finds places for as many labels as have room in `viewport`, none over another nor below `menus`, in the order in which
    /// they matter.
    fn place(
        &mut self,
        labels: &[JointLabel],
        (viewport, menus): (Rect, &[Rect]),
        mut size_of: impl FnMut(usize) -> Vec2,
    ) -> &[PlacedName] {
        let Self {
            kept,
            placed,
            order,
        } = self;
        let kept_side = |node: usize| {
            let found = kept.binary_search_by_key(&node, |(node, _)| *node).ok()?;
            Some(kept[found].1)
        };
        order.clear();
        order.extend(labels.iter().enumerate().map(|(place, label)| {
            let rank = if label.is_chosen {
                f32::NEG_INFINITY
            } else if label.is_hovered {
                f32::MIN
            } else if kept_side(label.node).is_some() {
                label.rank - STAYING_COUNTS
            } else {
                label.rank
            };
            (rank, place)
        }));
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        placed.clear();
        for &(_, place) in order.iter().take(MAX_TRIED) {
            if placed.len() == MAX_PAINTED {
                break;
            }
            let label = labels[place];
            let joint = to_screen(label.at, viewport);
            let is_wanted = label.is_chosen || label.is_hovered;
            if !viewport.contains(joint) {
                continue;
            }
            let size = size_of(label.node);
            let kept = kept_side(label.node);
            let room = match kept {
                Some(_) => 0.0,
                None if is_wanted => 0.0,
                None => ROOM_TO_COME,
            };
            let fits = |side: Side| {
                let rect = beside(joint, size, side);
                let rect = if is_wanted {
                    into(rect, viewport)
                } else {
                    rect
                };
                let around = rect.expand(room);
                let taken = placed.iter().map(|other| &other.rect).chain(menus);
                let is_free = taken.into_iter().all(|other| !other.intersects(around));
                (viewport.contains_rect(rect) && is_free).then_some((side, rect))
            };
            let sides = [Side::Right, Side::Left, Side::Above, Side::Below];
            // Of a joint behind a menu the name stands above that.
            let above = |side: Side| {
                let rect = into(beside(joint, size, side), viewport);
                let menu = menus.iter().find(|menu| menu.intersects(rect))?;
                let rect = rect.translate(vec2(0.0, menu.top() - rect.bottom() - 1.0));
                viewport.contains_rect(rect).then_some((side, rect))
            };
            let found = kept.into_iter().chain(sides).find_map(fits);
            let found = found.or_else(|| above(Side::Above).filter(|_| is_wanted));
            if let Some((side, rect)) = found {
                placed.push(PlacedName {
                    label: place,
                    node: label.node,
                    side,
                    rect,
                });
            }
        }
        kept.clear();
        kept.extend(placed.iter().map(|name| (name.node, name.side)));
        kept.sort_unstable_by_key(|(node, _)| *node);
        placed
    }
}

fn to_screen([right, up]: [f32; 2], viewport: Rect) -> Pos2 {
    let half = viewport.size() / 2.0;
    viewport.center() + vec2(right * half.x, -up * half.y)
}

fn beside(joint: Pos2, size: Vec2, side: Side) -> Rect {
    let half = size / 2.0;
    let center = match side {
        Side::Right => joint + vec2(FROM_JOINT + half.x, 0.0),
        Side::Left => joint - vec2(FROM_JOINT + half.x, 0.0),
        Side::Above => joint - vec2(0.0, FROM_JOINT + half.y),
        Side::Below => joint + vec2(0.0, FROM_JOINT + half.y),
    };
    Rect::from_center_size(center, size)
}

/// Moves a rectangle into another one, where it fits.
fn into(rect: Rect, around: Rect) -> Rect {
    let most = pos2(
        (around.right() - rect.width()).max(around.left()),
        (around.bottom() - rect.height()).max(around.top()),
    );
    Rect::from_min_size(rect.min.clamp(around.min, most), rect.size())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWPORT: Rect = Rect {
        min: pos2(0.0, 0.0),
        max: pos2(800.0, 500.0),
    };

    /// Pseudo-random numbers in 0..1 (G. Marsaglia, "Xorshift RNGs", 2003).
    fn random(state: &mut u32) -> f32 {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        *state as f32 / u32::MAX as f32
    }

    fn crowd_of_labels(count: usize) -> Vec<JointLabel> {
        let mut state = 7;
        let label = |node| JointLabel {
            node,
            at: [0, 1].map(|_| 1.6 * random(&mut state) - 0.8),
            rank: random(&mut state),
            is_chosen: false,
            is_hovered: false,
        };
        (0..count).map(label).collect()
    }

    fn size_of(node: usize) -> Vec2 {
        vec2(30.0 + (node * 37 % 90) as f32, 16.0)
    }

    fn nodes(placed: &[PlacedName]) -> Vec<usize> {
        placed.iter().map(|name| name.node).collect()
    }

    #[test]
    fn no_name_lies_over_another_or_outside() {
        for count in [1, 20, 200, 2000] {
            let labels = crowd_of_labels(count);
            let mut keeper = NameKeeper::default();
            let placed = keeper.place(&labels, (VIEWPORT, &[]), size_of);
            assert!(placed.len() >= count.min(20) / 2, "{count}");
            for (place, name) in placed.iter().enumerate() {
                assert!(VIEWPORT.contains_rect(name.rect), "{name:?}");
                for other in &placed[place + 1..] {
                    assert!(!name.rect.intersects(other.rect), "{name:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn names_stay_while_nothing_moves_and_few_change_when_little_does() {
        let mut labels = crowd_of_labels(200);
        let mut keeper = NameKeeper::default();
        let first = keeper.place(&labels, (VIEWPORT, &[]), size_of).to_vec();
        assert!(first.len() > 20 && first.len() < 200, "{}", first.len());
        let mut before = nodes(keeper.place(&labels, (VIEWPORT, &[]), size_of));
        before.sort_unstable();
        let mut as_first = nodes(&first);
        as_first.sort_unstable();
        assert_eq!(before, as_first);
        // A slow turn: a point of the screen a frame, and ranks that change places.
        let mut changes = 0;
        for frame in 0..60 {
            for label in &mut labels {
                label.at[0] += 0.0025;
                label.rank += if (label.node + frame) % 2 == 0 {
                    0.02
                } else {
                    -0.02
                };
            }
            let mut now = nodes(keeper.place(&labels, (VIEWPORT, &[]), size_of));
            now.sort_unstable();
            changes += now
                .iter()
                .filter(|node| before.binary_search(node).is_err())
                .count();
            before = now;
        }
        // None but those that make room or find some at the edges of the picture.
        assert!(changes <= 12, "{changes} names came in 60 frames");
    }

    #[test]
    fn chosen_and_hovered_joints_always_have_their_names() {
        let mut labels = crowd_of_labels(400);
        labels[310].is_chosen = true;
        labels[311].is_hovered = true;
        labels[310].at = [0.995, 0.0];
        labels[311].at = [-0.995, 0.99];
        let mut keeper = NameKeeper::default();
        let placed = keeper.place(&labels, (VIEWPORT, &[]), size_of);
        assert_eq!(nodes(&placed[..2]), [310, 311]);
    }

    #[test]
    fn no_name_lies_below_a_menu() {
        let menu = Rect::from_min_max(pos2(0.0, 450.0), pos2(260.0, 500.0));
        let mut labels = crowd_of_labels(400);
        labels[310].is_chosen = true;
        labels[310].at = [-0.8, -0.95];
        let mut keeper = NameKeeper::default();
        let placed = keeper.place(&labels, (VIEWPORT, &[menu]), size_of);
        assert_eq!(placed[0].node, 310, "the chosen one has its name");
        for name in placed {
            assert!(!name.rect.intersects(menu), "{name:?}");
            assert!(VIEWPORT.contains_rect(name.rect), "{name:?}");
        }
    }

    #[test]
    fn near_joints_come_first() {
        let mut labels = crowd_of_labels(2);
        (labels[0].at, labels[1].at) = ([-0.9, 0.0], [-0.9, 0.001]);
        (labels[0].rank, labels[1].rank) = (1.2, 0.9);
        // There is room for one, to the right of its joint.
        let low = Rect::from_min_size(VIEWPORT.min, vec2(130.0, 20.0));
        let mut keeper = NameKeeper::default();
        let placed = keeper.place(&labels, (low, &[]), |_| vec2(40.0, 16.0));
        assert_eq!(nodes(placed), [1]);
    }

    #[test]
    fn name_spaces_are_left_out() {
        assert_eq!(short("mixamorig:LeftHand"), "LeftHand");
        assert_eq!(short("Armature|Bone"), "Bone");
        assert_eq!(short("odd:"), "odd:");
        assert_eq!(short("Hips"), "Hips");
    }
}

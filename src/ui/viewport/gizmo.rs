//! The gizmo: rings, arrows or handles at the chosen joint, to be dragged.
//!
//! What a drag means is told from how the handle would move in the picture: along the projected tangent of a ring where it
//! was taken, or along a projected axis. So it follows the hand under any camera.

use egui::{
    Color32, CursorIcon, Painter, PointerButton, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2,
    epaint::RectShape, pos2, vec2,
};

use crate::ui::{
    Command, DragCommand, GizmoView, PoseTool, PosingCommand, View,
    theme::{Colors, colors_of},
    widgets::drag::Drag,
};

/// How near to a handle a press takes it, in points.
const REACH: f32 = 8.0;
/// Into how many straight pieces a ring is painted.
const PIECES: usize = 64;
/// Half the side of square handles, and the radius of the round one.
const HANDLE: f32 = 5.0;
/// Width of what is around the handle that is lit.
const EDGE: f32 = 1.5;
/// All axes at once.
const ALL_AXES: usize = 3;
/// The middle of a limb that reaches.
const POLE: usize = 4;

/// What was taken, and what dragging it means.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Grip {
    axis: usize,
    /// In points: how the handle moves in the picture when the change grows by 1.
    per_unit: Vec2,
    /// How far the pointer has moved since.
    moved: Vec2,
}

/// The press that goes on over the picture: the gizmo's, or the camera's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Press {
    #[default]
    None,
    Camera,
    Gizmo(Grip),
}

/// The gizmo in the picture, if there is one.
pub(super) struct Gizmo {
    shape: Projected,
    tool: PoseTool,
    /// The handle that keys act on.
    handle: Option<usize>,
    origin: Pos2,
    press: Press,
    id: egui::Id,
}

impl Gizmo {
    /// The gizmo of a view, as it lies in the picture.
    pub(super) fn of(ui: &Ui, view: &View<'_>, viewport: Rect) -> Option<Self> {
        let id = ui.scope_id().with("gizmo");
        let shape = Projected {
            gizmo: view.posing.gizmo?,
            pole: view.posing.pole,
            viewport,
        };
        Some(Self {
            tool: view.posing.tool,
            handle: view.posing.handle.map(|handle| match view.posing.tool {
                PoseTool::Reach if handle == 2 => POLE,
                PoseTool::Reach => ALL_AXES,
                _ => handle,
            }),
            origin: shape.point([0.0; 3])?,
            press: ui.data(|data| data.get_temp(id)).unwrap_or_default(),
            shape,
            id,
        })
    }

    /// Whether a press there would take it.
    pub(super) fn is_at(&self, at: Pos2) -> bool {
        self.shape.nearest(self.tool, at).is_some()
    }

    /// Turns a drag over the picture into commands. False if it began beside the gizmo, and so is the camera's.
    pub(super) fn drag(
        &mut self,
        ui: &Ui,
        drag: Option<Drag>,
        commands: &mut Vec<Command>,
    ) -> bool {
        let mut ask = |command| commands.push(Command::Posing(command));
        if let Some(drag) = drag {
            if self.press == Press::None {
                let is_primary = drag.button == PointerButton::Primary;
                let grip = self
                    .shape
                    .nearest(self.tool, drag.origin)
                    .filter(|_| is_primary);
                self.press = grip.map_or(Press::Camera, Press::Gizmo);
                if grip.is_some() {
                    ask(PosingCommand::BeginDrag);
                }
            }
            if let Press::Gizmo(grip) = &mut self.press
                && drag.is_move
                && drag.moved != Vec2::ZERO
            {
                grip.moved += drag.moved;
                ask(self.shape.change(self.tool, grip, drag.pos));
            }
        }
        let is_ours = matches!(self.press, Press::Gizmo(_));
        if !ui.input(|input| input.pointer.any_down()) {
            if is_ours {
                ask(PosingCommand::EndDrag);
            }
            self.press = Press::None;
        }
        ui.data_mut(|data| data.insert_temp(self.id, self.press));
        is_ours
    }

    /// Paints it, and lights up what is under the pointer.
    pub(super) fn paint(&self, ui: &Ui, pointer: Option<Pos2>) {
        let lit = match self.press {
            Press::Gizmo(grip) => Some(grip.axis),
            Press::Camera => None,
            Press::None => pointer
                .and_then(|at| self.shape.nearest(self.tool, at))
                .map(|grip| grip.axis),
        };
        if lit.is_some() {
            ui.set_cursor_icon(CursorIcon::Grab);
        }
        let lit = lit.or(self.handle);
        self.shape.paint(ui, self.tool, self.origin, lit);
    }
}

/// The gizmo as it lies in the picture.
struct Projected {
    gizmo: GizmoView,
    pole: Option<[f32; 2]>,
    viewport: Rect,
}

impl Projected {
    /// A point of the gizmo's space in the window; none behind the camera.
    fn point(&self, at: [f32; 3]) -> Option<Pos2> {
        let [x, y, z, origin] = self.gizmo.clip_from_gizmo;
        let part = |row: usize| at[0] * x[row] + at[1] * y[row] + at[2] * z[row] + origin[row];
        let (clip, w) = ([part(0), part(1)], part(3));
        if w <= 0.0 || !w.is_finite() {
            return None;
        }
        let half = 0.5 * self.viewport.size();
        let center = self.viewport.center();
        let point = pos2(
            center.x + clip[0] / w * half.x,
            center.y - clip[1] / w * half.y,
        );
        (point.x.is_finite() && point.y.is_finite()).then_some(point)
    }

    /// The handle at the middle of a limb, in the window.
    fn pole(&self) -> Option<Pos2> {
        let [right, up] = self.pole?;
        let half = 0.5 * self.viewport.size();
        Some(self.viewport.center() + vec2(right * half.x, -up * half.y))
    }

    /// How far a point is from the eye, for telling front from back.
    fn depth(&self, at: [f32; 3]) -> f32 {
        let [x, y, z, origin] = self.gizmo.clip_from_gizmo;
        let row = |row: usize| at[0] * x[row] + at[1] * y[row] + at[2] * z[row] + origin[row];
        // Depth is reversed.
        -row(2) / row(3)
    }

    fn radius(&self, origin: Pos2) -> f32 {
        let ends = (0..3).filter_map(|axis| self.point(unit(axis)));
        ends.map(|end| end.distance(origin)).fold(0.0, f32::max)
    }

    /// The handle that lies nearest to a point, if one is near enough.
    fn nearest(&self, tool: PoseTool, at: Pos2) -> Option<Grip> {
        let origin = self.point([0.0; 3])?;
        let near_origin = origin.distance(at) <= REACH + HANDLE;
        let all = Grip {
            axis: ALL_AXES,
            per_unit: Vec2::ZERO,
            moved: Vec2::ZERO,
        };
        match tool {
            PoseTool::Off => None,
            PoseTool::Turn => (0..3)
                .filter_map(|axis| self.nearest_on_ring(axis, at))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, grip)| grip),
            PoseTool::Reach if near_origin => Some(all),
            PoseTool::Reach => {
                let pole = self.pole()?;
                let is_near = pole.distance(at) <= REACH + HANDLE;
                is_near.then_some(Grip { axis: POLE, ..all })
            }
            PoseTool::Scale if near_origin => Some(Grip {
                per_unit: vec2(self.radius(origin), 0.0),
                ..all
            }),
            PoseTool::Move | PoseTool::Scale => (0..3)
                .filter_map(|axis| {
                    let per_unit = self.point(unit(axis))? - origin;
                    let along = (at - origin).dot(per_unit) / per_unit.length_sq().max(1.0);
                    let nearest = origin + per_unit * along.clamp(0.15, 1.0);
                    let grip = Grip {
                        axis,
                        per_unit,
                        moved: Vec2::ZERO,
                    };
                    Some((nearest.distance(at), grip))
                })
                .filter(|(distance, grip)| *distance <= REACH && grip.per_unit.length() > 4.0)
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, grip)| grip),
        }
    }

    /// How far a point is from a ring's nearer half, and the grip there.
    fn nearest_on_ring(&self, axis: usize, at: Pos2) -> Option<(f32, Grip)> {
        let middle = self.depth([0.0; 3]);
        let pieces = (0..PIECES).map(|piece| std::f32::consts::TAU * piece as f32 / PIECES as f32);
        let near = pieces.filter(|angle| self.depth(on_ring(axis, *angle)) <= middle + 1e-6);
        let found =
            near.filter_map(|angle| Some((self.point(on_ring(axis, angle))?.distance(at), angle)));
        let (distance, angle) = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
        const STEP: f32 = 0.02;
        let after = self.point(on_ring(axis, angle + STEP))?;
        let before = self.point(on_ring(axis, angle - STEP))?;
        let grip = Grip {
            axis,
            per_unit: (after - before) / (2.0 * STEP),
            moved: Vec2::ZERO,
        };
        (distance <= REACH).then_some((distance, grip))
    }

    /// What a drag asks for.
    fn change(&self, tool: PoseTool, grip: &Grip, pointer: Pos2) -> PosingCommand {
        let amount = grip.moved.dot(grip.per_unit) / grip.per_unit.length_sq().max(1.0);
        match tool {
            PoseTool::Turn => PosingCommand::Drag(DragCommand::Turn(grip.axis, amount)),
            PoseTool::Move => PosingCommand::Drag(DragCommand::Move(grip.axis, amount)),
            PoseTool::Scale => PosingCommand::Drag(DragCommand::Scale(
                grip.axis,
                amount.clamp(-4.0, 4.0).exp2(),
            )),
            PoseTool::Reach | PoseTool::Off => {
                let half = (0.5 * self.viewport.size()).max(Vec2::splat(1.0));
                let from_center = pointer - self.viewport.center();
                let at = [from_center.x / half.x, -from_center.y / half.y];
                if grip.axis == POLE {
                    PosingCommand::Drag(DragCommand::Pole(at))
                } else {
                    PosingCommand::Drag(DragCommand::Reach(at))
                }
            }
        }
    }

    fn paint(&self, ui: &Ui, tool: PoseTool, origin: Pos2, lit: Option<usize>) {
        let colors = colors_of(ui);
        let painter = ui.painter().with_clip_rect(self.viewport);
        let brush = Brush {
            painter,
            colors,
            lit,
        };
        match tool {
            PoseTool::Off => {}
            PoseTool::Turn => self.paint_rings(&brush),
            PoseTool::Move => self.paint_axes(&brush, origin, |end, fill, edge| {
                arrow_head(origin, end, fill, edge)
            }),
            PoseTool::Scale => {
                self.paint_axes(&brush, origin, square);
                let fill = brush.color(ALL_AXES, colors.text);
                let middle = square(origin, fill, brush.edge(ALL_AXES));
                brush.painter.add(middle);
            }
            PoseTool::Reach => self.paint_reach(&brush, origin),
        }
    }

    fn paint_rings(&self, brush: &Brush<'_>) {
        let middle = self.depth([0.0; 3]);
        let angle = |piece: usize| std::f32::consts::TAU * piece as f32 / PIECES as f32;
        for axis in 0..3 {
            for piece in 0..PIECES {
                let ends = [on_ring(axis, angle(piece)), on_ring(axis, angle(piece + 1))];
                let [Some(from), Some(to)] = ends.map(|end| self.point(end)) else {
                    continue;
                };
                // What lies behind is only hinted at.
                let is_behind = self.depth(ends[0]) > middle + 1e-6;
                if is_behind {
                    let faint = brush.axis_color(axis).gamma_multiply(0.3);
                    let faint = Stroke::new(1.0, faint);
                    brush.painter.line_segment([from, to], faint);
                } else {
                    brush.line([from, to], brush.axis_stroke(axis), axis);
                }
            }
        }
    }

    /// Lines along the axes, with what `head` makes of an end, a colour, and what is around it.
    fn paint_axes(
        &self,
        brush: &Brush<'_>,
        origin: Pos2,
        head: impl Fn(Pos2, Color32, Stroke) -> Shape,
    ) {
        for axis in 0..3 {
            let Some(end) = self.point(unit(axis)) else {
                continue;
            };
            brush.line([origin, end], brush.axis_stroke(axis), axis);
            let head = head(end, brush.axis_color(axis), brush.edge(axis));
            brush.painter.add(head);
        }
    }

    /// What is at the end of a limb, and at its middle.
    fn paint_reach(&self, brush: &Brush<'_>, origin: Pos2) {
        if let Some(pole) = self.pole() {
            let fill = brush.color(POLE, brush.colors.accent);
            brush.line([origin, pole], Stroke::new(1.0, fill), POLE);
            let edge = brush.edge(POLE);
            let around = diamond(pole, HANDLE + 4.5, Color32::TRANSPARENT, edge);
            let stroke = Stroke::new(2.0, fill);
            let inside = diamond(pole, HANDLE + 2.0, fill.gamma_multiply(0.35), stroke);
            brush.painter.extend([around, inside]);
        }
        let fill = brush.color(ALL_AXES, brush.colors.accent);
        let painter = &brush.painter;
        painter.circle_stroke(origin, HANDLE + 5.0, brush.edge(ALL_AXES));
        painter.circle(
            origin,
            HANDLE + 3.0,
            fill.gamma_multiply(0.35),
            Stroke::new(2.5, fill),
        );
    }
}

/// What handles are painted with.
struct Brush<'a> {
    painter: Painter,
    colors: &'a Colors,
    /// The handle that is lit.
    lit: Option<usize>,
}

impl Brush<'_> {
    fn is_lit(&self, handle: usize) -> bool {
        self.lit == Some(handle)
    }

    /// The colour of a handle, which is `usual` unless it is lit.
    fn color(&self, handle: usize, usual: Color32) -> Color32 {
        if self.is_lit(handle) {
            self.colors.strong
        } else {
            usual
        }
    }

    fn axis_color(&self, axis: usize) -> Color32 {
        self.color(axis, self.colors.axes[axis])
    }

    fn axis_stroke(&self, axis: usize) -> Stroke {
        let width = if self.is_lit(axis) { 4.0 } else { 2.5 };
        Stroke::new(width, self.axis_color(axis))
    }

    /// What is lit is as dark as some models: around it is the opposite colour.
    fn edge(&self, handle: usize) -> Stroke {
        let width = if self.is_lit(handle) { EDGE } else { 0.0 };
        Stroke::new(width, self.colors.panel)
    }

    /// A line of a handle, with what is around it.
    fn line(&self, ends: [Pos2; 2], stroke: Stroke, handle: usize) {
        let edge = self.edge(handle);
        if edge.width > 0.0 {
            let width = stroke.width + 2.0 * edge.width;
            let around = Stroke::new(width, edge.color);
            self.painter.line_segment(ends, around);
        }
        self.painter.line_segment(ends, stroke);
    }
}

fn unit(axis: usize) -> [f32; 3] {
    std::array::from_fn(|place| if place == axis { 1.0 } else { 0.0 })
}

/// A point of the unit circle round an axis; a growing angle turns right-handed.
fn on_ring(axis: usize, angle: f32) -> [f32; 3] {
    let mut at = [0.0; 3];
    at[(axis + 1) % 3] = angle.cos();
    at[(axis + 2) % 3] = angle.sin();
    at
}

fn diamond(at: Pos2, radius: f32, fill: Color32, stroke: Stroke) -> Shape {
    let corners = [Vec2::UP, Vec2::RIGHT, Vec2::DOWN, Vec2::LEFT];
    let corners = corners.map(|corner| at + radius * corner).to_vec();
    Shape::convex_polygon(corners, fill, stroke)
}

fn square(at: Pos2, fill: Color32, edge: Stroke) -> Shape {
    let rect = Rect::from_center_size(at, Vec2::splat(2.0 * HANDLE));
    Shape::Rect(RectShape::new(rect, 1.0, fill, edge, StrokeKind::Outside))
}

fn arrow_head(from: Pos2, to: Pos2, fill: Color32, edge: Stroke) -> Shape {
    let along = (to - from).normalized();
    let side = along.rot90() * HANDLE;
    let tip = to + along * (2.5 * HANDLE);
    Shape::convex_polygon(vec![tip, to + side, to - side], fill, edge)
}

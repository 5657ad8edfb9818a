//! Icons, painted as lines and shapes on a 16 × 16 grid, so that they are sharp at every scale and need no font.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Play,
    Pause,
    First,
    Last,
    Previous,
    Next,
    Reverse,
    Loop,
    PingPong,
    Once,
    Hold,
    Bone,
    Grid,
    Frame,
    PanelLeft,
    PanelRight,
    Theme,
    Help,
    Folder,
    Search,
    Cross,
    ChevronRight,
    ChevronDown,
    Copy,
    Group,
    Joint,
    Mesh,
    SkinnedMesh,
    Camera,
    Light,
    Error,
    Warning,
    Info,
    Check,
    Key,
    Eye,
    EyeOff,
    Sheet,
    /// Something odd in motion, as a pulse that jumps.
    Pulse,
}

/// Paints an icon into the middle of `rect`, 16 points wide.
pub fn paint(painter: &Painter, rect: Rect, icon: Icon, color: Color32) {
    paint_sized(painter, rect.center(), 16.0, icon, color);
}

/// Paints an icon about `center`, `side` points wide.
pub fn paint_sized(painter: &Painter, center: Pos2, side: f32, icon: Icon, color: Color32) {
    let pen = Pen {
        painter,
        origin: center - vec2(side, side) / 2.0,
        unit: side / 16.0,
        stroke: Stroke::new((side / 16.0 * 1.4).max(1.0), color),
        color,
    };
    pen.draw(icon);
}

struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    unit: f32,
    stroke: Stroke,
    color: Color32,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> Pos2 {
        self.origin + vec2(x, y) * self.unit
    }

    fn points(&self, points: &[(f32, f32)]) -> Vec<Pos2> {
        points.iter().map(|&(x, y)| self.at(x, y)).collect()
    }

    fn line(&self, points: &[(f32, f32)]) {
        self.painter
            .add(Shape::line(self.points(points), self.stroke));
    }

    fn outline(&self, points: &[(f32, f32)]) {
        self.painter
            .add(Shape::closed_line(self.points(points), self.stroke));
    }

    fn fill(&self, points: &[(f32, f32)]) {
        self.painter.add(Shape::convex_polygon(
            self.points(points),
            self.color,
            Stroke::NONE,
        ));
    }

    fn bar(&self, x: f32, y: f32, width: f32, height: f32) {
        let rect = Rect::from_min_max(self.at(x, y), self.at(x + width, y + height));
        self.painter.rect_filled(rect, self.unit, self.color);
    }

    fn frame(&self, x: f32, y: f32, width: f32, height: f32, radius: f32) {
        let rect = Rect::from_min_max(self.at(x, y), self.at(x + width, y + height));
        self.painter.rect_stroke(
            rect,
            radius * self.unit,
            self.stroke,
            egui::StrokeKind::Middle,
        );
    }

    fn ring(&self, x: f32, y: f32, radius: f32) {
        self.painter
            .circle_stroke(self.at(x, y), radius * self.unit, self.stroke);
    }

    fn disc(&self, x: f32, y: f32, radius: f32) {
        self.painter
            .circle_filled(self.at(x, y), radius * self.unit, self.color);
    }

    /// An arc about (x, y); angles in degrees, clockwise from the right.
    fn arc(&self, x: f32, y: f32, radius: f32, from: f32, to: f32) {
        let steps = 20;
        let points: Vec<_> = (0..=steps)
            .map(|step| {
                let angle = (from + (to - from) * step as f32 / steps as f32).to_radians();
                (x + radius * angle.cos(), y + radius * angle.sin())
            })
            .collect();
        self.line(&points);
    }

    fn eye(&self) {
        self.arc(8.0, 12.0, 7.5, 212.0, 328.0);
        self.arc(8.0, 4.0, 7.5, 32.0, 148.0);
    }

    fn draw(&self, icon: Icon) {
        match icon {
            Icon::Play => self.fill(&[(4.5, 2.5), (13.5, 8.0), (4.5, 13.5)]),
            Icon::Pause => {
                self.bar(3.8, 3.0, 3.0, 10.0);
                self.bar(9.2, 3.0, 3.0, 10.0);
            }
            Icon::First => {
                self.bar(3.0, 3.5, 1.6, 9.0);
                self.fill(&[(12.8, 3.5), (12.8, 12.5), (5.8, 8.0)]);
            }
            Icon::Last => {
                self.bar(11.4, 3.5, 1.6, 9.0);
                self.fill(&[(3.2, 3.5), (10.2, 8.0), (3.2, 12.5)]);
            }
            Icon::Previous => self.line(&[(10.0, 3.8), (5.6, 8.0), (10.0, 12.2)]),
            Icon::Next => self.line(&[(6.0, 3.8), (10.4, 8.0), (6.0, 12.2)]),
            Icon::Reverse => self.fill(&[(11.5, 3.5), (11.5, 12.5), (4.0, 8.0)]),
            Icon::Loop => {
                self.arc(8.0, 8.0, 5.0, -40.0, 250.0);
                self.fill(&[(8.4, 0.9), (8.4, 6.0), (4.6, 3.6)].map(|(x, y)| (16.0 - x, y)));
            }
            Icon::PingPong => {
                self.line(&[(2.5, 8.0), (13.5, 8.0)]);
                self.line(&[(5.2, 5.0), (2.2, 8.0), (5.2, 11.0)]);
                self.line(&[(10.8, 5.0), (13.8, 8.0), (10.8, 11.0)]);
            }
            Icon::Once => {
                self.line(&[(13.0, 11.5), (13.0, 4.5), (3.4, 4.5)]);
                self.line(&[(6.2, 1.7), (3.2, 4.5), (6.2, 7.3)]);
                self.line(&[(3.0, 11.5), (10.2, 11.5)]);
            }
            Icon::Hold => {
                self.line(&[(2.0, 8.0), (10.6, 8.0)]);
                self.line(&[(7.6, 4.8), (10.8, 8.0), (7.6, 11.2)]);
                self.line(&[(13.4, 3.2), (13.4, 12.8)]);
            }
            Icon::Bone => {
                self.outline(&[(3.4, 12.6), (4.2, 7.6), (12.6, 3.4), (8.4, 11.8)]);
                self.line(&[(4.2, 7.6), (8.4, 11.8)]);
            }
            Icon::Grid => {
                for place in [4.0, 8.0, 12.0] {
                    self.line(&[(place, 2.0), (place, 14.0)]);
                    self.line(&[(2.0, place), (14.0, place)]);
                }
            }
            Icon::Frame => {
                for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                    self.line(&[
                        (8.0 - 2.6 * x, 8.0 - 5.6 * y),
                        (8.0 - 5.6 * x, 8.0 - 5.6 * y),
                        (8.0 - 5.6 * x, 8.0 - 2.6 * y),
                    ]);
                }
                self.disc(8.0, 8.0, 2.0);
            }
            Icon::PanelLeft => {
                self.frame(2.2, 3.0, 11.6, 10.0, 2.0);
                self.bar(3.4, 4.3, 3.0, 7.4);
            }
            Icon::PanelRight => {
                self.frame(2.2, 3.0, 11.6, 10.0, 2.0);
                self.bar(9.6, 4.3, 3.0, 7.4);
            }
            Icon::Theme => {
                self.ring(8.0, 8.0, 5.4);
                let half: Vec<_> = (0..=16)
                    .map(|step| {
                        let angle = (90.0 + 180.0 * step as f32 / 16.0).to_radians();
                        (8.0 + 5.2 * angle.cos(), 8.0 + 5.2 * angle.sin())
                    })
                    .collect();
                self.fill(&half);
            }
            Icon::Help => {
                self.arc(8.0, 5.9, 2.9, 180.0, 395.0);
                self.line(&[(10.4, 7.6), (8.0, 9.2), (8.0, 10.4)]);
                self.disc(8.0, 12.9, 1.0);
            }
            Icon::Folder => self.outline(&[
                (2.0, 4.0),
                (6.2, 4.0),
                (7.8, 5.8),
                (14.0, 5.8),
                (14.0, 12.6),
                (2.0, 12.6),
            ]),
            Icon::Search => {
                self.ring(7.0, 7.0, 3.8);
                self.line(&[(9.8, 9.8), (13.2, 13.2)]);
            }
            Icon::Cross => {
                self.line(&[(4.2, 4.2), (11.8, 11.8)]);
                self.line(&[(11.8, 4.2), (4.2, 11.8)]);
            }
            Icon::ChevronRight => self.line(&[(6.2, 4.6), (9.8, 8.0), (6.2, 11.4)]),
            Icon::ChevronDown => self.line(&[(4.6, 6.2), (8.0, 9.8), (11.4, 6.2)]),
            Icon::Copy => {
                self.frame(5.4, 5.4, 7.6, 7.6, 1.4);
                self.line(&[(3.0, 10.4), (3.0, 3.0), (10.4, 3.0)]);
            }
            Icon::Group => {
                self.line(&[(8.0, 2.6), (8.0, 13.4)]);
                self.line(&[(2.6, 8.0), (13.4, 8.0)]);
            }
            Icon::Joint => {
                self.outline(&[(3.0, 13.0), (4.0, 8.4), (12.8, 3.2), (7.6, 12.0)]);
            }
            Icon::Mesh => {
                self.outline(&[
                    (8.0, 2.2),
                    (13.4, 5.2),
                    (13.4, 11.0),
                    (8.0, 14.0),
                    (2.6, 11.0),
                    (2.6, 5.2),
                ]);
                self.line(&[(2.6, 5.2), (8.0, 8.2), (13.4, 5.2)]);
                self.line(&[(8.0, 8.2), (8.0, 14.0)]);
            }
            Icon::SkinnedMesh => {
                self.ring(8.0, 3.8, 2.0);
                self.line(&[(8.0, 5.8), (8.0, 10.0)]);
                self.line(&[(3.0, 7.6), (13.0, 7.6)]);
                self.line(&[(4.4, 14.2), (8.0, 10.0), (11.6, 14.2)]);
            }
            Icon::Camera => {
                self.frame(1.8, 4.6, 8.4, 6.8, 1.4);
                self.outline(&[(10.2, 8.0), (14.2, 5.2), (14.2, 10.8)]);
            }
            Icon::Light => {
                self.ring(8.0, 8.0, 2.8);
                for step in 0..8 {
                    let angle = (45.0 * step as f32).to_radians();
                    let (x, y) = (angle.cos(), angle.sin());
                    self.line(&[
                        (8.0 + 4.6 * x, 8.0 + 4.6 * y),
                        (8.0 + 6.4 * x, 8.0 + 6.4 * y),
                    ]);
                }
            }
            Icon::Error => {
                self.ring(8.0, 8.0, 5.8);
                self.line(&[(5.8, 5.8), (10.2, 10.2)]);
                self.line(&[(10.2, 5.8), (5.8, 10.2)]);
            }
            Icon::Warning => {
                self.outline(&[(8.0, 2.4), (14.2, 13.2), (1.8, 13.2)]);
                self.line(&[(8.0, 6.4), (8.0, 9.4)]);
                self.disc(8.0, 11.3, 0.9);
            }
            Icon::Info => {
                self.ring(8.0, 8.0, 5.8);
                self.line(&[(8.0, 7.4), (8.0, 11.2)]);
                self.disc(8.0, 5.2, 0.9);
            }
            Icon::Check => self.line(&[(3.4, 8.4), (6.6, 11.6), (12.8, 4.8)]),
            Icon::Key => self.fill(&[(8.0, 3.6), (12.4, 8.0), (8.0, 12.4), (3.6, 8.0)]),
            Icon::Eye => {
                self.eye();
                self.disc(8.0, 8.0, 2.0);
            }
            Icon::EyeOff => {
                self.eye();
                self.line(&[(3.0, 13.0), (13.0, 3.0)]);
            }
            Icon::Pulse => self.line(&[
                (1.4, 9.2),
                (4.8, 9.2),
                (7.0, 3.2),
                (9.6, 13.0),
                (11.2, 9.2),
                (14.6, 9.2),
            ]),
            Icon::Sheet => {
                self.line(&[(2.0, 4.4), (14.0, 4.4)]);
                self.line(&[(2.0, 11.6), (14.0, 11.6)]);
                for (x, y) in [(4.6, 4.4), (10.8, 4.4), (7.8, 11.6)] {
                    let half = 2.3;
                    self.fill(&[(x, y - half), (x + half, y), (x, y + half), (x - half, y)]);
                }
            }
        }
    }
}

//! An egui context that is fed with clicks and keys.

use rigscope::ui::{Command, PanelLayout, SkeletonCommand, UiState, interface_ui};

use crate::fixture::Fixture;

/// A window without a window.
pub struct Window {
    pub ctx: egui::Context,
    pub state: UiState,
    pub size: egui::Vec2,
    pub modifiers: egui::Modifiers,
    pub time_secs: f64,
    /// Whether a file is held over the window.
    pub file_is_held: bool,
    pub layout: Option<PanelLayout>,
    /// Where over the picture the pointer was said to be by the last frame: every frame says that, so it is kept apart.
    pub hovers: Vec<Option<[f32; 2]>>,
    /// Changes that nobody has drawn yet.
    pub textures: egui::TexturesDelta,
    events: Vec<egui::Event>,
}

impl Window {
    pub fn new(width: f32, height: f32) -> Self {
        Self {
            ctx: egui::Context::default(),
            state: UiState::default(),
            size: egui::vec2(width, height),
            modifiers: egui::Modifiers::NONE,
            time_secs: 0.0,
            file_is_held: false,
            layout: None,
            hovers: Vec::new(),
            textures: egui::TexturesDelta::default(),
            events: Vec::new(),
        }
    }

    /// Runs a frame, and returns what it looks like too.
    pub fn draw(&mut self, fixture: &Fixture) -> (Vec<Command>, egui::FullOutput) {
        self.time_secs += 1.0 / 60.0;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, self.size)),
            time: Some(self.time_secs),
            events: std::mem::take(&mut self.events),
            hovered_files: vec![egui::HoveredFile::default(); usize::from(self.file_is_held)],
            ..egui::RawInput::default()
        };
        let mut commands = Vec::new();
        self.hovers.clear();
        let mut output = self.ctx.clone().run_ui(input, |ui| {
            let (wanted, layout) = interface_ui(ui, &mut self.state, &fixture.view());
            for command in wanted {
                match command {
                    Command::Skeleton(SkeletonCommand::Hover { at, .. }) => self.hovers.push(at),
                    other => commands.push(other),
                }
            }
            self.layout = Some(layout);
        });
        self.textures
            .append(std::mem::take(&mut output.textures_delta));
        (commands, output)
    }

    /// Runs a frame.
    pub fn frame(&mut self, fixture: &Fixture) -> Vec<Command> {
        self.draw(fixture).0
    }

    /// Runs frames until everything is where it will stay.
    pub fn settle(&mut self, fixture: &Fixture) {
        for _ in 0..4 {
            let commands = self.frame(fixture);
            assert!(commands.is_empty(), "nobody asked for {commands:?}");
        }
    }

    pub fn part(&self, name: &str) -> egui::Rect {
        let layout = self.layout.as_ref().expect("a frame was drawn");
        let part = layout.named.iter().find(|(part, _)| *part == name);
        part.unwrap_or_else(|| panic!("{name} in {layout:?}")).1
    }

    pub fn event(&mut self, event: egui::Event) {
        self.events.push(event);
    }

    /// Presses a key in the next frame, and does not let it go.
    pub fn press(&mut self, key: egui::Key, modifiers: egui::Modifiers) {
        self.event(egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        });
    }

    pub fn move_to(&mut self, pos: egui::Pos2) {
        self.event(egui::Event::PointerMoved(pos));
    }

    pub fn button(&mut self, pos: egui::Pos2, button: egui::PointerButton, pressed: bool) {
        self.event(egui::Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: self.modifiers,
        });
    }

    /// Presses and releases the left button there, and returns what came of it.
    pub fn click(&mut self, fixture: &Fixture, pos: egui::Pos2) -> Vec<Command> {
        self.move_to(pos);
        let mut commands = self.frame(fixture);
        self.button(pos, egui::PointerButton::Primary, true);
        commands.extend(self.frame(fixture));
        self.button(pos, egui::PointerButton::Primary, false);
        commands.extend(self.frame(fixture));
        commands.extend(self.frame(fixture));
        commands
    }

    /// Presses and releases a key, and returns what came of it.
    pub fn key(&mut self, fixture: &Fixture, key: egui::Key) -> Vec<Command> {
        let modifiers = self.modifiers;
        self.event(egui::Event::ModifiersChanged(modifiers));
        for pressed in [true, false] {
            self.event(egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers,
            });
        }
        self.frame(fixture)
    }

    /// Where a text is painted, and how it is labelled for screen readers.
    pub fn find_text(&mut self, fixture: &Fixture, words: &str) -> Option<egui::Rect> {
        let (_, output) = self.draw(fixture);
        let mut found = None;
        for clipped in &output.shapes {
            visit(&clipped.shape, &mut |shape| {
                if let egui::Shape::Text(text) = shape
                    && text.galley.text() == words
                    && found.is_none()
                {
                    found = Some(text.visual_bounding_rect());
                }
            });
        }
        found
    }

    /// All that is painted, from back to front.
    pub fn shapes(&mut self, fixture: &Fixture) -> Vec<egui::Shape> {
        let (_, output) = self.draw(fixture);
        let mut shapes = Vec::new();
        for clipped in &output.shapes {
            visit(&clipped.shape, &mut |shape| shapes.push(shape.clone()));
        }
        shapes
    }

    /// The colour of the outline of what has the focus.
    pub fn focus_color(&self) -> egui::Color32 {
        let style = self.ctx.style_of(self.ctx.theme());
        style.visuals.widgets.active.bg_stroke.color
    }

    /// The texts that are painted in a part of the window, and where.
    pub fn texts_in(&mut self, fixture: &Fixture, part: egui::Rect) -> Vec<(String, egui::Rect)> {
        let (_, output) = self.draw(fixture);
        let mut found = Vec::new();
        for clipped in &output.shapes {
            visit(&clipped.shape, &mut |shape| {
                if let egui::Shape::Text(text) = shape {
                    let rect = text.visual_bounding_rect();
                    if part.contains_rect(rect) {
                        found.push((text.galley.text().to_owned(), rect));
                    }
                }
            });
        }
        found
    }

    /// Clicks on a text.
    pub fn click_text(&mut self, fixture: &Fixture, words: &str) -> Vec<Command> {
        let rect = self.find_text(fixture, words);
        let rect = rect.unwrap_or_else(|| panic!("no text \"{words}\""));
        self.click(fixture, rect.center())
    }
}

/// A window in which everything has found its place.
pub fn settled(fixture: &Fixture) -> Window {
    let mut window = Window::new(1280.0, 800.0);
    window.settle(fixture);
    window
}

impl Drop for Window {
    fn drop(&mut self) {
        // egui panics about changes that were never drawn.
        self.textures.clear();
    }
}

/// Goes through a shape, and all that it is made of.
pub fn visit(shape: &egui::Shape, see: &mut impl FnMut(&egui::Shape)) {
    match shape {
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| visit(shape, see)),
        shape => see(shape),
    }
}

//! Which sign each key of the keyboard made when it was pressed.
//!
//! What a key is called may change while it is held: who presses `?` and lets Shift go first releases `/`. egui then takes `?`
//! for held for ever, and every further press of it for one that repeats itself.

use std::collections::HashMap;

use egui::{Event, Key};

/// Keys that are held, and as what they were pressed.
#[derive(Debug, Default)]
pub(super) struct HeldKeys(HashMap<Key, Key>);

impl HeldKeys {
    /// Lets keys go as what they were pressed.
    pub(super) fn follow(&mut self, events: &mut [Event]) {
        for event in events {
            match event {
                Event::Key {
                    key,
                    physical_key: Some(place),
                    pressed,
                    ..
                } => {
                    if *pressed {
                        self.0.insert(*place, *key);
                    } else if let Some(sign) = self.0.remove(place) {
                        *key = sign;
                    }
                }
                // Elsewhere they are let go without a word, and egui lets all of them go.
                Event::WindowFocused(false) => self.0.clear(),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{Modifiers, RawInput};

    use super::*;

    /// Presses `?` so often, letting Shift go first or last, and says how often that was no repetition.
    fn first_presses(times: usize, shift_goes_first: bool, follows: bool) -> usize {
        let (ctx, mut held) = (egui::Context::default(), HeldKeys::default());
        let key = |key, pressed| Event::Key {
            key,
            physical_key: Some(Key::Slash),
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let released = if shift_goes_first {
            Key::Slash
        } else {
            Key::Questionmark
        };
        let mut count = 0;
        for _ in 0..times {
            for (sign, pressed) in [(Key::Questionmark, true), (released, false)] {
                let mut events = vec![key(sign, pressed)];
                if follows {
                    held.follow(&mut events);
                }
                let input = RawInput {
                    events,
                    ..RawInput::default()
                };
                let mut output = ctx.run_ui(input, |ui| {
                    let events = ui.input(|input| input.events.clone());
                    count += usize::from(events.iter().any(|event| {
                        matches!(
                            event,
                            Event::Key {
                                key: Key::Questionmark,
                                pressed: true,
                                repeat: false,
                                ..
                            }
                        )
                    }));
                });
                output.textures_delta.clear();
            }
        }
        count
    }

    #[test]
    fn a_sign_is_let_go_whichever_key_goes_first() {
        assert_eq!(first_presses(3, false, true), 3);
        assert_eq!(first_presses(3, true, true), 3);
        assert_eq!(first_presses(3, true, false), 1, "what egui does by itself");
    }

    #[test]
    fn what_is_held_while_the_window_loses_the_focus_is_forgotten() {
        let mut held = HeldKeys::default();
        let key = |key, pressed| Event::Key {
            key,
            physical_key: Some(Key::Slash),
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut events = [
            key(Key::Questionmark, true),
            Event::WindowFocused(false),
            key(Key::Slash, false),
        ];
        held.follow(&mut events);
        assert_eq!(events[2], key(Key::Slash, false));
    }
}

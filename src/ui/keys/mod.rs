//! The keyboard: one table, which [`commands`] acts by and the list of keys is drawn from, so that the two can
//! never disagree.

mod action;
pub mod commands;
pub mod focus;
pub mod front;
pub mod late;
pub mod list;
mod table;

use egui::Key;

pub use self::{action::Action, table::TABLE};

/// A key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    key: Key,
    /// Ctrl, or ⌘ on a Mac.
    command: bool,
    /// Whether Shift must be down or up; none where it is part of typing the sign.
    shift: Option<bool>,
}

const fn plain(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: Some(false),
    }
}

const fn shift(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: Some(true),
    }
}

const fn sign(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: false,
        shift: None,
    }
}

const fn ctrl(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: None,
    }
}

const fn ctrl_plain(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: Some(false),
    }
}

const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut {
        key,
        command: true,
        shift: Some(true),
    }
}

/// A line of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// The keys; which of them it was says the direction or the number.
    pub keys: &'static [Shortcut],
    /// How many of `keys` the list shows; the rest are other ways to type the same.
    pub listed: usize,
    /// Whether holding the key down repeats it.
    pub repeats: bool,
    /// What it does, in words.
    pub description: &'static str,
    /// What each of the keys does, in words; none where the description says it: `Previous or next clip`.
    pub names: &'static [&'static str],
}

impl Binding {
    /// With a name for what each of its keys does.
    const fn named(mut self, names: &'static [&'static str]) -> Self {
        self.names = names;
        self
    }
}

const fn bind(
    action: Action,
    keys: &'static [Shortcut],
    listed: usize,
    description: &'static str,
) -> Binding {
    Binding {
        action,
        keys,
        listed,
        repeats: false,
        description,
        names: &[],
    }
}

const fn held(
    action: Action,
    keys: &'static [Shortcut],
    listed: usize,
    description: &'static str,
) -> Binding {
    Binding {
        action,
        keys,
        listed,
        repeats: true,
        description,
        names: &[],
    }
}

/// All lines of the table.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().flat_map(|(_, bindings)| bindings.iter())
}

/// How the key that does this is written, such as `Ctrl+O`; `which` of several counts from 0, the usual one.
pub fn written(action: Action, which: usize) -> String {
    bindings()
        .find(|binding| binding.action == action)
        .and_then(|binding| binding.keys.get(which))
        .map(|shortcut| shortcut.written().join("+"))
        .unwrap_or_default()
}

/// What is written on the key that makes commands.
pub const COMMAND: &str = if cfg!(target_os = "macos") {
    "Cmd"
} else {
    "Ctrl"
};

impl Shortcut {
    /// The key caps to press, in order.
    pub fn written(&self) -> Vec<&'static str> {
        let mut caps = Vec::new();
        if self.command {
            caps.push(COMMAND);
        }
        if self.shift == Some(true) {
            caps.push("Shift");
        }
        caps.push(match self.key {
            Key::ArrowLeft => "←",
            Key::ArrowRight => "→",
            Key::ArrowUp => "↑",
            Key::ArrowDown => "↓",
            Key::Escape => "Esc",
            Key::PageUp => "PgUp",
            Key::PageDown => "PgDn",
            Key::Minus => "−",
            Key::Comma => ",",
            Key::Period => ".",
            Key::Plus => "+",
            Key::Equals => "=",
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            Key::Questionmark => "?",
            other => other.name(),
        });
        caps
    }

    /// Whether a key that was pressed with these modifiers is this one.
    pub fn matches(&self, key: Key, modifiers: egui::Modifiers) -> bool {
        self.key == key
            && !modifiers.alt
            && self.command == modifiers.command
            // On a Mac Control is no Command, nor is it nothing.
            && modifiers.ctrl <= modifiers.command
            && self.shift.is_none_or(|shift| shift == modifiers.shift)
    }
}

#[cfg(test)]
mod tests {
    use egui::Modifiers;

    use super::*;

    #[test]
    fn keys_mean_what_is_held_with_them() {
        let plain = Shortcut {
            key: Key::A,
            command: false,
            shift: None,
        };
        let with_command = Shortcut {
            command: true,
            ..plain
        };
        let control = Modifiers {
            ctrl: true,
            ..Modifiers::NONE
        };
        // Elsewhere than on a Mac they come together.
        let both = Modifiers {
            command: true,
            ..control
        };
        let mac_command = Modifiers {
            mac_cmd: true,
            command: true,
            ..Modifiers::NONE
        };
        for (held, expected) in [
            (Modifiers::NONE, [true, false]),
            (Modifiers::SHIFT, [true, false]),
            (control, [false, false]),
            (both, [false, true]),
            (mac_command, [false, true]),
            (Modifiers::ALT, [false, false]),
        ] {
            let found = [plain, with_command].map(|key| key.matches(Key::A, held));
            assert_eq!(found, expected, "{held:?}");
        }
    }

    #[test]
    fn no_two_lines_want_the_same_key() {
        let all: Vec<_> = bindings().flat_map(|binding| binding.keys).collect();
        for (place, a) in all.iter().enumerate() {
            for b in &all[place + 1..] {
                let same = a.key == b.key
                    && a.command == b.command
                    && (a.shift == b.shift || a.shift.is_none() || b.shift.is_none());
                assert!(!same, "{a:?} and {b:?}");
            }
        }
    }
}

//! The event loop, on the window system that serves best.

use anyhow::anyhow;
use winit::event_loop::EventLoop;

use super::UserEvent;

/// The event loop. Where both window systems of Linux are there, X11 is taken unless `wayland` is asked for: on Wayland
/// winit 0.30 does not deliver dropped files.
pub(super) fn event_loop(wayland: bool) -> anyhow::Result<EventLoop<UserEvent>> {
    let mut builder = EventLoop::<UserEvent>::with_user_event();
    #[cfg(target_os = "linux")]
    if !wayland && std::env::var_os("DISPLAY").is_some_and(|display| !display.is_empty()) {
        winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = wayland;
    builder
        .build()
        .map_err(|error| anyhow!(no_display(&error.to_string())))
}

/// What is said where winit finds no display, for this reason.
fn no_display(text: &str) -> String {
    // winit names the line of its own source first, which tells a user nothing.
    let reason = text
        .strip_prefix("os error at ")
        .and_then(|text| text.split_once(": "));
    let reason = reason.map_or(text, |(_, reason)| reason);
    let reason = reason.trim_end_matches('.');
    format!(
        "there is no display to open a window on ({reason}); `rigscope render MODEL -o OUT.png` needs none"
    )
}

/// Whether this window system can drop files on the window.
pub(super) fn can_drop(event_loop: &EventLoop<UserEvent>) -> bool {
    #[cfg(target_os = "linux")]
    {
        !winit::platform::wayland::EventLoopExtWayland::is_wayland(event_loop)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = event_loop;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_said_before_the_way_out() {
        let told = no_display("os error at /src/linux/mod.rs:764: neither A nor B is set.");
        assert_eq!(
            told,
            "there is no display to open a window on (neither A nor B is set); `rigscope render MODEL -o OUT.png` needs none"
        );
    }
}

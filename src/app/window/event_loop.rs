//! The event loop, on the window system that serves best.

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
    builder.build().map_err(|error| {
        // winit names the line of its own source first, which tells a user nothing.
        let text = error.to_string();
        let reason = text
            .strip_prefix("os error at ")
            .and_then(|text| text.split_once(": "));
        anyhow::anyhow!("{}", reason.map_or(text.as_str(), |(_, reason)| reason))
    })
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

//! The graphics processor: adapter, device and queue, and clear words when there is none that will do.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::model::BlockFormats;

/// Compressed textures that are used where the adapter has them.
const BLOCKS: wgpu::Features = wgpu::Features::TEXTURE_COMPRESSION_BC
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC);

/// A device to draw with.
#[derive(Debug)]
pub struct Gpu {
    /// Makes surfaces.
    pub instance: wgpu::Instance,
    /// What the device was made from.
    pub adapter: wgpu::Adapter,
    /// Makes resources.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    /// What is asked of the adapter for every picture: it answers with texts that it makes anew each time.
    is_software: bool,
    downlevel_flags: wgpu::DownlevelFlags,
    is_lost: Arc<AtomicBool>,
    first_error: Arc<Mutex<Option<wgpu::Error>>>,
}

/// Why there is nothing to draw with.
#[derive(Debug)]
pub enum GpuError {
    /// No adapter at all, or none that can show pictures on the surface.
    NoAdapter(String),
    /// The adapter lacks something that the viewer cannot do without.
    Missing {
        /// The adapter's name.
        adapter: String,
        /// What it lacks.
        what: &'static str,
    },
    /// The adapter refuses to make a device.
    NoDevice(String),
}

/// Who does the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GpuKind {
    /// A graphics processor, or else the processor.
    Hardware,
    /// The processor.
    Software,
}

impl GpuKind {
    fn other(self) -> Self {
        match self {
            Self::Hardware => Self::Software,
            Self::Software => Self::Hardware,
        }
    }

    /// What is made with this kind, or where that fails with the other one; the first error if both fail.
    fn first<T>(self, attempt: impl Fn(Self) -> Result<T, GpuError>) -> Result<T, GpuError> {
        attempt(self).or_else(|error| {
            let Ok(made) = attempt(self.other()) else {
                return Err(error);
            };
            log::warn!("{error}; another one draws instead");
            Ok(made)
        })
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAdapter(reason) => write!(
                f,
                "no graphics adapter was found ({reason}); install a Vulkan driver: on Debian or Ubuntu the package \
                 mesa-vulkan-drivers has drivers for most hardware and one that needs none"
            ),
            Self::Missing { adapter, what } => {
                write!(f, "the graphics adapter \"{adapter}\" has no {what}")
            }
            Self::NoDevice(reason) => write!(f, "the graphics adapter refuses to work: {reason}"),
        }
    }
}

impl std::error::Error for GpuError {}

impl Gpu {
    /// A device without a window.
    pub fn headless() -> Result<Self, GpuError> {
        Self::first_of(|backends| {
            let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
            Self::new(&instance(descriptor, backends), None, GpuKind::Hardware)
        })
    }

    /// A device; without one a test is skipped, or fails if `REQUIRE_GPU` is set.
    #[cfg(test)]
    pub(crate) fn for_test() -> Option<Self> {
        match Self::headless() {
            Ok(gpu) => Some(gpu),
            Err(error) => {
                let is_required = std::env::var_os("REQUIRE_GPU").is_some();
                assert!(!is_required, "REQUIRE_GPU is set, and {error}");
                println!("skipped: no adapter ({error})");
                None
            }
        }
    }

    /// A device that can show pictures on a surface, and the surface. `display` and `target` are the window's; they are
    /// asked again if one family of drivers fails.
    pub fn with_surface(
        display: impl Fn() -> Box<dyn wgpu::wgt::WgpuHasDisplayHandle>,
        target: impl Fn() -> wgpu::SurfaceTarget<'static>,
        preferred: GpuKind,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        Self::first_of(|backends| {
            let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(display());
            let instance = instance(descriptor, backends);
            let surface = instance
                .create_surface(target())
                .map_err(|error| GpuError::NoAdapter(error.to_string()))?;
            Ok((Self::new(&instance, Some(&surface), preferred)?, surface))
        })
    }

    /// Tries modern drivers alone first: merely asking for the others makes some of them complain aloud.
    fn first_of<T>(attempt: impl Fn(wgpu::Backends) -> Result<T, GpuError>) -> Result<T, GpuError> {
        attempt(wgpu::Backends::PRIMARY).or_else(|_| attempt(wgpu::Backends::all()))
    }

    /// A device of `instance` that can show pictures on `surface`, of the preferred kind if one does.
    fn new(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        preferred: GpuKind,
    ) -> Result<Self, GpuError> {
        preferred.first(|kind| Self::of_kind(instance, surface, kind))
    }

    /// A device of the best adapter of a kind.
    fn of_kind(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        kind: GpuKind,
    ) -> Result<Self, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: kind == GpuKind::Software,
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| GpuError::NoAdapter(error.to_string()))?;
        let info = adapter.get_info();
        let missing = |what| {
            Err(GpuError::Missing {
                adapter: info.name.clone(),
                what,
            })
        };
        if info.backend == wgpu::Backend::Gl {
            return missing(
                "driver but OpenGL's, with which pictures stay empty; install a Vulkan driver: on Debian or Ubuntu the \
                 package mesa-vulkan-drivers has drivers for most hardware and one that needs none",
            );
        }
        let flags = adapter.get_downlevel_capabilities().flags;
        if !flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE) {
            return missing(
                "storage buffers in vertex shaders, which hold the matrices of the joints",
            );
        }
        if adapter.limits().max_storage_buffers_per_shader_stage < 4 {
            return missing("room for four storage buffers in a shader");
        }
        // All that the adapter can do: large models need large buffers.
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("Gpu::device"),
            required_limits: adapter.limits(),
            required_features: adapter.features() & (BLOCKS | wgpu::Features::TIMESTAMP_QUERY),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::NoDevice(error.to_string()))?;
        log::info!(
            "drawing with {} ({:?}, {})",
            info.name,
            info.backend,
            info.driver_info
        );
        let is_lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_lost);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("the graphics device was lost: {message}");
                flag.store(true, Ordering::Relaxed);
            }
        });
        // wgpu's own handler panics; a wrong picture with a line in the log is better. Only the first one counts: the others
        // mostly follow from it. Without a window whoever reads a picture back is told.
        let first_error = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&first_error);
        let is_told = surface.is_none();
        device.on_uncaptured_error(Arc::new(move |error| {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let level = match *slot {
                None if !is_told => log::Level::Error,
                _ => log::Level::Debug,
            };
            log::log!(level, "graphics: {error}");
            slot.get_or_insert(error);
        }));
        Ok(Self {
            instance: instance.clone(),
            adapter,
            device,
            queue,
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            downlevel_flags: flags,
            is_lost,
            first_error,
        })
    }

    /// What the device refused to do first, if anything: what was made since may be wrong.
    pub fn first_error(&self) -> Option<String> {
        let slot = self.first_error.lock();
        let slot = slot.unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().map(ToString::to_string)
    }

    /// Forgets what it refused to do: from now on everything is made anew.
    pub fn forget_errors(&self) {
        let slot = self.first_error.lock();
        slot.unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether the device has gone (driver reset, sleep): everything made with it must be made anew.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Which compressed textures it samples.
    pub fn block_formats(&self) -> BlockFormats {
        let features = self.device.features();
        BlockFormats {
            bc7: features.contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
            etc2: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ETC2),
            astc: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ASTC),
        }
    }

    /// Whether the processor does the drawing.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Who does the drawing.
    pub fn kind(&self) -> GpuKind {
        if self.is_software {
            GpuKind::Software
        } else {
            GpuKind::Hardware
        }
    }

    /// Which of the abilities it has that not every adapter has.
    pub fn downlevel_flags(&self) -> wgpu::DownlevelFlags {
        self.downlevel_flags
    }

    /// The adapter's name.
    pub fn name(&self) -> String {
        self.adapter.get_info().name
    }
}

/// An instance of those backends that both `allowed` and the environment (`WGPU_BACKEND`) name.
fn instance(mut descriptor: wgpu::InstanceDescriptor, allowed: wgpu::Backends) -> wgpu::Instance {
    descriptor.backends &= allowed;
    wgpu::Instance::new(descriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn software_draws_where_hardware_refuses() {
        let refused = |kind| GpuError::NoDevice(format!("{kind:?}"));
        for preferred in [GpuKind::Hardware, GpuKind::Software] {
            assert_eq!(preferred.first(Ok).unwrap(), preferred);
            let other = preferred.other();
            let only_other = |kind| {
                if kind == other {
                    Ok(kind)
                } else {
                    Err(refused(kind))
                }
            };
            assert_eq!(preferred.first(only_other).unwrap(), other);
            // Of two refusals the first says more.
            let none = |kind| Err::<(), _>(refused(kind));
            let said = preferred.first(none).unwrap_err().to_string();
            assert_eq!(said, refused(preferred).to_string());
        }
    }
}

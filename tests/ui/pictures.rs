//! Draws the interface to pictures, for looking at: `cargo test --test ui -- --ignored`, then open `target/ui-pictures`.

use rigscope::ui::{LoadKind, Loading};

use crate::fixture::{Fixture, Window, loading};

#[path = "desk_pictures.rs"]
mod desk;

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

fn gpu() -> Option<Gpu> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).ok()?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).ok()?;
    Some(Gpu { device, queue })
}

/// Runs the window for a second and keeps its last frame.
fn picture(gpu: &Gpu, name: &str, window: &mut Window, fixture: &Fixture, scale: f32) {
    window.ctx.set_pixels_per_point(scale);
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut renderer =
        egui_wgpu::Renderer::new(&gpu.device, format, egui_wgpu::RendererOptions::PREDICTABLE);
    let size = [window.size.x * scale, window.size.y * scale].map(|side| side.round() as u32);
    let screen = egui_wgpu::ScreenDescriptor {
        size_in_pixels: size,
        pixels_per_point: scale,
    };
    let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d {
            width: size[0],
            height: size[1],
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = target.create_view(&Default::default());
    let mut last = None;
    for _ in 0..60 {
        let (_, mut output) = window.draw(fixture);
        for (id, changes) in window.textures.set.drain() {
            for change in &changes {
                renderer.update_texture(&gpu.device, &gpu.queue, id, change);
            }
        }
        window.textures.clear();
        last = Some((std::mem::take(&mut output.shapes), output.pixels_per_point));
    }
    let (shapes, pixels_per_point) = last.expect("frames were drawn");
    let triangles = window.ctx.tessellate(shapes, pixels_per_point);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &triangles, &screen);
    let ground = if fixture.dark { 0.21 } else { 0.82 };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("picture"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color {
                    r: ground,
                    g: ground,
                    b: ground + 0.02,
                    a: 1.0,
                }),
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    });
    renderer.render(&mut pass.forget_lifetime(), &triangles, &screen);
    let stride = (size[0] * 4).next_multiple_of(256);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(stride * size[1]),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        target.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(stride),
                rows_per_image: None,
            },
        },
        target.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .expect("the device works");
    let bytes = buffer.slice(..).get_mapped_range().expect("mapped");
    let pixels: Vec<u8> = bytes
        .chunks(stride as usize)
        .flat_map(|row| &row[..size[0] as usize * 4])
        .copied()
        .collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/ui-pictures");
    std::fs::create_dir_all(folder).expect("a folder");
    image::RgbaImage::from_raw(size[0], size[1], pixels)
        .expect("the size fits")
        .save(format!("{folder}/{name}.png"))
        .expect("saved");
}

#[test]
#[ignore = "for looking at, not for judging by machine"]
fn pictures() {
    let Some(gpu) = gpu() else {
        println!("skipped: no adapter");
        return;
    };
    let show = |name: &str, [width, height]: [f32; 2], scale: f32, fixture: Fixture| {
        let mut window = Window::new(width, height);
        picture(&gpu, name, &mut window, &fixture, scale);
    };
    let new = Fixture::default;
    let selected = || {
        let mut fixture = new();
        fixture.selected_node = Some(14);
        fixture
    };
    let light = |mut fixture: Fixture| {
        fixture.dark = false;
        fixture
    };
    show("dark_1280", [1280.0, 800.0], 1.0, selected());
    show("light_1280", [1280.0, 800.0], 1.0, light(selected()));
    show(
        "dark_1920",
        [1920.0, 1080.0],
        1.0,
        selected().with_diagnostics(),
    );
    show("dark_640", [640.0, 480.0], 1.0, new());
    show("dark_400", [400.0, 300.0], 1.0, new());
    show(
        "dark_scale_2",
        [1280.0, 800.0],
        2.0,
        selected().with_diagnostics(),
    );
    let mix = crate::clips::everything;
    show("mix", [1280.0, 1000.0], 1.0, mix());
    show("mix_light_800", [800.0, 500.0], 1.0, light(mix()));
    show("no_clip", [1280.0, 800.0], 1.0, new().without_clip());
    show(
        "message",
        [1280.0, 800.0],
        1.0,
        new().with_message().with_diagnostics(),
    );
    show(
        "message_light_640",
        [640.0, 480.0],
        1.0,
        light(new().with_message()),
    );
    let mut offer = new().with_message();
    let message = offer.message.as_mut().unwrap();
    message.title = "house.gltf names files outside its own folder".to_owned();
    message.detail =
        "These were not opened:\n/models/textures/wall.png\n/models/textures/roof.png".to_owned();
    message.offer = Some(rigscope::ui::Offer::AllowOnce);
    show("offer", [1280.0, 800.0], 1.0, offer);
    show("icons", [760.0, 300.0], 2.0, selected());
    for (name, size) in [
        ("loading", [1280.0, 800.0]),
        ("loading_800", [800.0, 500.0]),
    ] {
        let mut on_its_way = new();
        on_its_way.loading = loading(0.4);
        let beside = [
            (LoadKind::Clips, "walks.glb", "reading animations"),
            (LoadKind::Compared, "old.glb", ""),
        ];
        let beside = beside.map(|(kind, name, stage)| Loading {
            kind,
            name,
            stage,
            fraction: 0.7,
        });
        on_its_way.loading.extend(beside);
        on_its_way.playback.is_playing = true;
        on_its_way.playback.speed = -0.5;
        show(name, size, 1.0, on_its_way);
    }
    for (name, size, dark) in [
        ("keys", [1280.0, 800.0], true),
        ("keys_light_640", [640.0, 480.0], false),
    ] {
        let mut keys = new();
        keys.shown.keys = true;
        keys.dark = dark;
        show(name, size, 1.0, keys);
    }
    let mut many = new();
    many.clips = (0..40)
        .map(|index| rigscope::ui::ClipRow {
            name: format!("Armature|mixamo.com|Layer{index:03}"),
            ..many.clips[0].clone()
        })
        .collect();
    many.clip = Some(20);
    many.scenes = vec!["Indoors".to_owned(), "Outdoors".to_owned()];
    many.variants = vec!["Street".to_owned(), "Beach".to_owned()];
    many.variant = Some(1);
    many.clips[1].name = "\u{202e}evil\u{0}name 日本語 é".to_owned();
    show("many", [1280.0, 800.0], 1.0, many);

    for (name, part, place) in [
        ("hover_timeline", "timeline", [0.62, 0.7]),
        ("hover_play", "play", [0.5, 0.5]),
    ] {
        let mut hovered = Window::new(1280.0, 800.0);
        hovered.settle(&new());
        hovered.move_to(hovered.part(part).lerp_inside(place));
        picture(&gpu, name, &mut hovered, &new(), 1.0);
    }
    show("scale_250", [512.0, 320.0], 2.5, selected());

    let mut menu = Window::new(1280.0, 800.0);
    menu.settle(&new());
    menu.click_text(&new(), "Examples");
    menu.move_to(egui::pos2(110.0, 56.0));
    picture(&gpu, "menu", &mut menu, &new(), 1.0);

    let mut row = Window::new(1280.0, 800.0);
    row.settle(&new());
    row.move_to(egui::pos2(130.0, 194.0));
    picture(&gpu, "row_tooltip", &mut row, &light(new()), 1.0);

    let mut node = Window::new(1280.0, 800.0);
    node.settle(&new());
    node.click_text(&new(), "Search nodes");
    node.event(egui::Event::Text("hand".to_owned()));
    node.settle(&new());
    node.move_to(egui::pos2(130.0, 400.0));
    picture(&gpu, "search", &mut node, &new(), 1.0);

    let mut drop = Window::new(1280.0, 800.0);
    drop.file_is_held = true;
    picture(&gpu, "drop", &mut drop, &new(), 1.0);
}

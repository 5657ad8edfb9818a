//! The command line that draws what the window shows: `rigscope render` with all that is not as it is by itself.

use std::path::Path;

use super::{RenderCommand, ShownFiles, command_line::can_be_typed, words::fit_for_file};
use crate::{
    anim::Skinning,
    app::{Session, camera::camera_name, compare::KeptPair, window::Viewer},
    import::Outside,
    model::{Clip, Keyed as _, NodeId, Topology},
    scene::{
        Background, Choice, FormChoice, JointChoice, LightSettings, Quality, ReferencePose,
        SkeletonSettings, SplitWay, ViewMode, WeightColors,
    },
    ui::{CompareWith, Message, PictureKind, SavingKind},
};

/// What is asked for by name or by index: the name, unless the first of these that is called so, by which it would be found,
/// is another one; else the index, unless it would be taken for a name.
fn wanted<'n>(
    mut named: impl Iterator<Item = (usize, &'n str)> + Clone,
    index: usize,
) -> Option<String> {
    let own = named.clone().find(|(other, _)| *other == index);
    let name = own.map_or("", |(_, name)| name);
    let is_typed = !name.is_empty() && can_be_typed(name);
    let first = named.clone().find(|(_, other)| *other == name);
    if is_typed && first.is_some_and(|(first, _)| first == index) {
        return Some(name.to_owned());
    }
    let index = index.to_string();
    let is_name = named.any(|(_, name)| name == index);
    (!is_name).then_some(index)
}

impl Session {
    /// The command that draws what is shown now, in a picture of this size.
    pub fn render_command(&self, files: &ShownFiles, size: [u32; 2]) -> RenderCommand {
        let mut command = RenderCommand {
            words: vec!["rigscope".to_owned(), "render".to_owned()],
            left_out: files.left_out.clone(),
            allows_more: matches!(files.outside, Outside::These(_)),
        };
        for path in &files.model {
            let path = command.written(path);
            command.words.push(path);
        }
        command.option("-o", self.rendered_name());
        command.flag("--open-anyway", files.open_anyway);
        command.flag("--allow-outside", files.outside != Outside::Refused);
        let clip = self.say_moment(&mut command);
        self.say_pose(&mut command);
        self.say_compared(&mut command, files.second_file.as_deref(), clip);
        if size != [1280, 720] {
            let [width, height] = size;
            command.option("--size", format!("{width}x{height}"));
        }
        self.say_surfaces(&mut command);
        self.say_light(&mut command);
        self.say_background(&mut command);
        self.say_camera(&mut command);
        command
    }

    /// What the picture would be called.
    fn rendered_name(&self) -> String {
        let model = Path::new(&self.model().name);
        let stem = model.file_stem().unwrap_or_default().to_string_lossy();
        let what = self.words_of_saved(SavingKind::Picture(PictureKind::Still));
        format!("{}.png", fit_for_file(&stem, &[&*what.in_name]))
    }

    /// Scene, clip, and when in it. Gives the clip, if it can be said.
    fn say_moment(&self, command: &mut RenderCommand) -> Option<usize> {
        let model = self.model();
        let scene = self.actor.scene();
        if scene != model.default_scene {
            let scenes = model.scenes.iter().map(|scene| &*scene.name).enumerate();
            command.wanted("--scene", wanted(scenes, scene), "which scene it is");
        }
        let is_crowd = self.actor.crowd().is_some();
        let plays_all = self.is_crowd_of_all();
        let clip = self.clip.filter(|_| !plays_all);
        let last = plays_all.then(|| model.clips.len().saturating_sub(1));
        let compared = self.kept_pair().and_then(|pair| match pair.with {
            CompareWith::Clip(clip) => Some(clip),
            _ => None,
        });
        if let Some(last) = last.or(clip).max(compared) {
            self.say_borrowed(command, last);
        }
        let clip = clip.filter(|clip| {
            let name = self.wanted_clip(*clip);
            command.wanted("--clip", name, "which clip it is")
        });
        let time_secs = if is_crowd {
            self.crowd.time_secs
        } else {
            self.clock.time_secs()
        };
        // As exact as it is shown, and more.
        let time_secs = (time_secs * 1e6).round() / 1e6;
        let counts = clip.is_some() || is_crowd && !model.clips.is_empty();
        if counts && time_secs != 0.0 {
            command.option("--time", time_secs.to_string());
        }
        if is_crowd {
            command.option("--crowd", self.crowd_size().to_string());
            command.key("--palette", self.motion.form, FormChoice::Auto);
        }
        clip
    }

    /// The files with the clips up to this one, if it is not the model's own.
    fn say_borrowed(&self, command: &mut RenderCommand, clip: usize) {
        if clip < self.own_clip_count() {
            return;
        }
        let rows = self.document.borrowed.rows().iter();
        let files = self.document.borrowed.files().zip(rows);
        let mut retargeted = Vec::new();
        for (file, row) in files.take_while(|(_, row)| row.first <= clip) {
            let path = command.written(&file.path);
            command.option("--clips-from", path);
            command.leave_out("files that those of clips name", !file.parts.is_empty());
            retargeted.push(row.is_retargeted);
        }
        let is_own = retargeted.last().copied().unwrap_or_default();
        command.flag("--retarget", is_own);
        let are_mixed = retargeted.contains(&!is_own);
        command.leave_out("which clips are retargeted", are_mixed);
    }

    fn wanted_clip(&self, clip: usize) -> Option<String> {
        wanted(self.named_clips(), clip)
    }

    /// Clips in the order in which names are looked for: those of other files come first.
    fn named_clips(&self) -> impl Iterator<Item = (usize, &str)> + Clone {
        let clips = self.model().clips.iter().map(Clip::name).enumerate();
        let own = self.own_clip_count();
        clips.clone().skip(own).chain(clips.take(own))
    }

    /// Of what makes the pose beside the clip nothing can be said.
    fn say_pose(&self, command: &mut RenderCommand) {
        let held = self.held_pose().map(|pose| match pose {
            ReferencePose::Rest => "the rest pose",
            ReferencePose::Bind => "the bind pose",
            ReferencePose::Tee => "the T pose",
        });
        command.left_out.extend(held);
        let is_free = held.is_none();
        let has_mix = self.mix.clip_indices().next().is_some();
        command.leave_out("clips that play beside it", has_mix && is_free);
        let is_turned = !self.actor.offsets().is_empty();
        command.leave_out("the pose by hand", is_turned && is_free);
        let are_held = !self.actor.held_weights().is_empty();
        command.leave_out("morph targets that are held", are_held);
        command.leave_out(
            "that clips stay in place",
            self.motion.is_in_place && is_free,
        );
        command.leave_out("hidden nodes", self.actor.hiding().count > 0);
        let usual = Skinning::Linear;
        command.key("--skinning", self.motion.skinning, usual);
    }

    /// What is compared with, where the shown model is in this clip.
    fn say_compared(
        &self,
        command: &mut RenderCommand,
        other: Option<&Path>,
        own_clip: Option<usize>,
    ) {
        let Some(pair) = self.kept_pair() else {
            return;
        };
        let what = match (pair.with, other) {
            (CompareWith::Clip(clip), _) => {
                // What is called like a way of skinning would be taken for that.
                let clips =
                    self.named_clips()
                        .map(|(index, name)| match Skinning::from_key(name) {
                            Some(_) => (index, ""),
                            None => (index, name),
                        });
                wanted(clips, clip)
            }
            (CompareWith::Skinning, _) => Some(self.motion.skinning.other().key().to_owned()),
            (CompareWith::File, Some(other)) => Some(command.written(other)),
            (CompareWith::File, None) => None,
        };
        if !command.wanted("--compare", what, "what it is compared with") {
            return;
        }
        let split = pair.split;
        command.key("--split", split.way, SplitWay::default());
        if split.way != SplitWay::Overlay {
            command.number("--split-at", split.line(), 0.5);
        }
        let is_by_phase = pair.by_phase && self.has_two_lengths(&pair, own_clip);
        command.flag("--by-phase", is_by_phase);
        command.leave_out("that A and B have changed places", split.is_swapped);
    }

    /// Whether both sides are in clips that have a length, where the shown model is in this clip.
    fn has_two_lengths(&self, pair: &KeptPair, own_clip: Option<usize>) -> bool {
        let own = self.model();
        let (other, other_clip) = match pair.with {
            CompareWith::Clip(clip) => (Some(own), Some(clip)),
            CompareWith::Skinning => (None, None),
            CompareWith::File => {
                let clip = own_clip.and_then(|clip| self.clip_in_file(clip));
                (self.model_of_kept(Some(pair)), clip)
            }
        };
        let other_secs = other.map_or(0.0, |other| other.clip_secs(other_clip));
        own.clip_secs(own_clip) > 0.0 && other_secs > 0.0
    }

    /// What is drawn of the model and its bones.
    fn say_surfaces(&self, command: &mut RenderCommand) {
        let model = self.model();
        if let Some(variant) = self.variant.shown {
            let variants = model.variants.iter().map(String::as_str).enumerate();
            let variant = wanted(variants, variant);
            command.wanted("--variant", variant, "which variant it is");
        }
        match (self.shown.view_mode, self.selected) {
            (ViewMode::Weights, None) => {
                command.leave_out("weights of a joint, of which none is selected", true);
            }
            (ViewMode::Weights, Some(joint)) => {
                let joint = self.wanted_node(joint);
                // Without a joint there is no such view.
                if command.wanted("--joint", joint, "weights of this joint") {
                    command.key("--view", ViewMode::Weights, ViewMode::Lit);
                    let colors = self.shown.weight_colors;
                    command.key("--weight-colors", colors, WeightColors::default());
                }
            }
            (view, _) => command.key("--view", view, ViewMode::Lit),
        }
        command.flag("--wires", self.shown.lines.wires);
        command.flag("--normals", self.shown.lines.normals);
        command.flag("--skeleton", self.shown.skeleton);
        command.flag("--grid", self.shown.grid);
        let bones = self.skeleton.settings;
        let is_usual = SkeletonSettings {
            names: JointChoice::None,
            ..bones
        }
        .shows_same_skeleton(&SkeletonSettings {
            names: JointChoice::None,
            ..SkeletonSettings::default()
        });
        let shows = self.shown.skeleton;
        command.leave_out("how bones are drawn", shows && !is_usual);
        let is_scaled = self.skeleton.pixels_per_point != 1.0;
        command.leave_out("the width of bones", shows && is_scaled);
        command.leave_out("the width of lines", is_scaled && self.shows_lines());
        let has_nodes = self.selected.is_some() || !self.skeleton.trail.kept().is_empty();
        command.leave_out("motion trails", bones.trail && has_nodes);
        command.leave_out("onion skins", bones.onion_skins && self.clip.is_some());
    }

    /// Whether anything is shown that is as wide as a point of the screen, besides the skeleton.
    fn shows_lines(&self) -> bool {
        let shown = &self.shown;
        let are_asked_for = shown.grid || shown.lines.wires || shown.lines.normals;
        let mut primitives = self.model().primitives();
        are_asked_for
            || shown.view_mode == ViewMode::Wireframe
            || primitives.any(|it| it.topology != Topology::Triangles)
    }

    fn wanted_node(&self, node: NodeId) -> Option<String> {
        let hierarchy = &self.model().hierarchy;
        let nodes = hierarchy.nodes().iter();
        let named = nodes.map(|node| (node.file_index, &*node.name));
        wanted(named, hierarchy.node(node).file_index)
    }

    /// What shines, where anything does.
    fn say_light(&self, command: &mut RenderCommand) {
        if self.shown.view_mode != ViewMode::Lit {
            return;
        }
        let (light, usual) = (&self.surroundings.light, LightSettings::default());
        if let Some(path) = self.surroundings.environment_path() {
            let path = command.written(path);
            command.option("--environment", path);
        }
        let turn_degrees = light.environment_turn_radians.to_degrees();
        command.number("--environment-turn", turn_degrees, 0.0);
        let strength = light.environment_strength;
        command.number(
            "--environment-strength",
            strength,
            usual.environment_strength,
        );
        command.key("--key-light", light.key_light, Choice::Auto);
        command.flag("--no-shadows", !light.shadows);
        command.flag("--lights-as-stated", !light.dims_lights);
        command.number("--exposure", light.exposure_stops, usual.exposure_stops);
        command.key("--tone", light.tone, usual.tone);
        command.key("--transparency", light.transparency, usual.transparency);
        command.key("--quality", light.quality, Quality::Full);
        // In the window it always falls there.
        command.flag("--ground", light.has_shadows());
    }

    fn say_background(&self, command: &mut RenderCommand) {
        match self.background() {
            Background::Environment { blur } => {
                command.option("--background", "environment");
                command.number("--blur", blur, 0.0);
            }
            Background::Plain(color) => {
                let [red, green, blue] = color.map(|part| (255.0 * part).round() as u8);
                command.option("--background", format!("{red:02x}{green:02x}{blue:02x}"));
            }
            Background::Transparent => command.flag("--transparent", true),
            gradient @ Background::Gradient { .. } => {
                command.leave_out("the light background", gradient != Background::DARK);
            }
        }
    }

    fn say_camera(&self, command: &mut RenderCommand) {
        if let Some(node) = self.camera.file_camera() {
            let camera = self.wanted_camera(node);
            if command.wanted("--camera", camera, "which of the camera's nodes") {
                return;
            }
            // From where the free camera is, which keeps up with it.
        }
        let camera = self.camera();
        let [azimuth, polar, fov] = [
            camera.azimuth_radians,
            camera.polar_radians,
            camera.fov_y_radians,
        ]
        .map(f32::to_degrees);
        command.numbers("--target", &camera.target.to_array());
        command.numbers("--orbit", &[azimuth, polar, camera.radius]);
        command.numbers("--fov", &[fov]);
        command.leave_out("the parallel projection", camera.is_parallel());
        command.leave_out("the camera's roll", camera.roll_radians != 0.0);
    }

    /// A camera of the file: by its name, its node's, or its index, whichever is the first that leads to this node and means
    /// no place around the model.
    fn wanted_camera(&self, node: NodeId) -> Option<String> {
        let hierarchy = &self.model().hierarchy;
        let index = hierarchy.node(node).camera?.to_string();
        let names = [
            camera_name(self.model(), node),
            hierarchy.display_name(node),
            index,
        ];
        let is_typed = |name: &str| !name.contains(',') && can_be_typed(name);
        let mut names = names.into_iter().filter(|name| is_typed(name));
        names.find(|name| {
            self.actor
                .find_camera(name)
                .is_ok_and(|found| found == node)
        })
    }
}

impl Viewer {
    /// Puts the command that draws the picture on the clipboard, and says what it leaves out.
    pub(in crate::app) fn copy_render_command(&mut self) {
        let Some(stage) = &self.stage else {
            return;
        };
        let size = stage.target.size();
        let command = self.session.render_command(&self.shown_files(), size);
        stage.painter.context().copy_text(command.line());
        let title = "The render command is on the clipboard";
        self.session
            .tell(Message::info(title, command.detail()).passing());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_found_by_its_name_is_asked_for_by_its_index() {
        let names = ["Walk", "", "Walk", "a\nb", "Run"];
        let found = [0, 1, 2, 3, 4].map(|index| wanted(names.into_iter().enumerate(), index));
        let expected = ["Walk", "1", "2", "3", "Run"].map(|it| Some(it.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn an_index_that_another_one_is_called_by_leads_nowhere() {
        let names = ["1", "1", "Walk", "Walk", "2"];
        let found = [0, 1, 2, 3, 4].map(|index| wanted(names.into_iter().enumerate(), index));
        let expected = [Some("1"), None, Some("Walk"), Some("3"), Some("2")];
        assert_eq!(found, expected.map(|it| it.map(str::to_owned)));
    }
}

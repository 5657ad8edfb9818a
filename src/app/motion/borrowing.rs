//! Clips from other files: bound to the model by the names of its nodes, and what is said about those that were not.

use std::path::{Path, PathBuf};

use super::file_names::distinct_names;
use crate::{
    anim::retarget::{Bound, ClipSource},
    app::Session,
    import::{Diagnostic, Severity},
    model::{Clip, Model, shared_names},
    ui::{BorrowedRow, Command, Message, Offer},
};

/// Files whose clips play on the model.
#[derive(Debug, Default)]
pub(in crate::app) struct Borrowings {
    files: Vec<BorrowedFile>,
    rows: Vec<BorrowedRow>,
    /// Counts changes, so that lists are made anew.
    pub(in crate::app) generation: u64,
}

#[derive(Debug)]
struct BorrowedFile {
    path: PathBuf,
    source: ClipSource,
    /// Index of its first clip.
    first: usize,
}

/// Names that a message quotes.
const QUOTED: usize = 6;
/// Nodes that the list of diagnostics names for a file.
const LISTED: usize = 100;
/// Codes of what did not match.
const MISSING: &str = "CLIP_NODE_MISSING";
const UNMOVED: &str = "CLIP_JOINT_UNMOVED";

impl Borrowings {
    /// The files, for the panel.
    pub(in crate::app) fn rows(&self) -> &[BorrowedRow] {
        &self.rows
    }

    /// These clips, bound to a model that is to be shown instead, and added to it; and what did not match.
    pub(in crate::app) fn carried_to(mut self, model: &mut Model) -> (Self, Vec<Diagnostic>) {
        let mut unmatched = Vec::new();
        for (file, row) in self.files.iter_mut().zip(&mut self.rows) {
            let bound = file.source.bind(model, row.is_retargeted);
            file.first = model.clips.len();
            row.first = file.first;
            row.missing = bound.missing;
            row.unmoved = bound.unmoved;
            row.rest_degrees = bound.rest_angle_radians.to_degrees();
            unmatched.extend(listed(row));
            model.append_clips(bound.clips);
        }
        self.generation += 1;
        (self, unmatched)
    }

    /// What the files and one more at `path` are called, which tells those of one name apart, and from the `model`'s own.
    fn names_beside(&self, path: &Path, model: Option<&Path>) -> (Vec<String>, String) {
        let files = self.files.iter().map(|file| &*file.path);
        let paths: Vec<_> = files.chain([path]).chain(model).collect();
        let mut names = distinct_names(&paths).into_iter();
        let known = names.by_ref().take(self.files.len()).collect();
        (known, names.next().unwrap_or_default())
    }

    /// Forgets them: another model is shown.
    pub(in crate::app) fn clear(&mut self) {
        self.files.clear();
        self.rows.clear();
        self.generation += 1;
    }
}

impl Session {
    /// Adds the clips of another model to this one, under the name of their file, and plays the first of them. Says what did
    /// not match.
    pub fn add_clips(&mut self, path: impl AsRef<Path>, from: Model) {
        let path = path.as_ref();
        let (names, file) = self.borrowed.names_beside(path, self.path.as_deref());
        let source = ClipSource::of(from);
        let bound = source.bind(self.model(), false);
        let reason = match bound.matched {
            _ if source.is_empty() => Some("There is no animation in it.".to_owned()),
            0 => Some(format!(
                "None of the {} nodes that its clips move has a counterpart of that name here: {}.",
                bound.missing.len(),
                quoted(&bound.missing)
            )),
            _ => None,
        };
        if let Some(detail) = reason {
            return self.tell(Message::error(
                format!("The clips of {file} do not fit this model"),
                detail,
            ));
        }
        let first = self.model().clips.len();
        let count = bound.clips.len();
        let fits = bound.misfits().is_empty();
        let offer = (!fits).then_some(Offer::Retarget(self.borrowed.files.len()));
        self.tell(told(&file, &bound).offering(offer).passing());
        let rows = &mut self.borrowed.rows;
        for (row, name) in rows.iter_mut().zip(names) {
            row.name = name;
        }
        rows.push(BorrowedRow {
            name: file,
            first,
            count,
            is_retargeted: false,
            rest_degrees: bound.rest_angle_radians.to_degrees(),
            missing: bound.missing,
            unmoved: bound.unmoved,
        });
        self.borrowed.files.push(BorrowedFile {
            path: path.to_owned(),
            source,
            first,
        });
        // Those before may have another name now.
        self.diagnostics.change(|all| {
            all.retain(|it| ![MISSING, UNMOVED].contains(&it.code));
            all.extend(self.borrowed.rows.iter().flat_map(listed));
        });
        self.replace_clips(first, bound.clips);
        // Who has paused looks at it paused; where nothing could be played before, it plays.
        let could_play = self.clock.duration_secs() > 0.0;
        self.apply(Command::SelectClip(Some(first)));
        if count > 0 && !could_play {
            self.play();
        }
    }

    /// What clips are called. Those of other files say theirs where they have no name or another is called so, too.
    pub(in crate::app) fn clip_names(&self) -> Vec<String> {
        let model = self.model();
        let mut names = model.clip_names();
        let own = model
            .clips
            .iter()
            .map(Clip::name)
            .take(self.own_clip_count());
        let shared = shared_names(own.clone());
        for (name, own) in names.iter_mut().zip(own) {
            if !own.is_empty() && !shared.contains(own) {
                own.clone_into(name);
            }
        }
        for row in &self.borrowed.rows {
            let clips = model.clips.iter().skip(row.first).take(row.count);
            let shared = shared_names(clips.clone().map(Clip::name));
            let shown = names.iter_mut().skip(row.first);
            for (place, (name, clip)) in shown.zip(clips).enumerate() {
                match clip.name() {
                    "" => *name = format!("clip {place} ({})", row.name),
                    own if own != name && !shared.contains(own) => {
                        *name = format!("{own} ({})", row.name);
                    }
                    _ => {}
                }
            }
        }
        names
    }

    /// How many clips the model's own file has; those of other files come after them.
    pub(in crate::app) fn own_clip_count(&self) -> usize {
        let first = self.borrowed.files.first();
        first.map_or(self.model().clips.len(), |file| file.first)
    }

    /// Turns the clips of a file into the rest pose of this model, or leaves them as they are.
    pub(super) fn set_retarget(&mut self, file: usize, retarget: bool) {
        let borrowed = &mut self.borrowed;
        let (Some(file), Some(row)) = (borrowed.files.get(file), borrowed.rows.get_mut(file))
        else {
            return;
        };
        row.is_retargeted = retarget;
        let model = self.actor.model();
        let mut clips = file.source.bind(model, retarget).clips;
        let first = file.first;
        let later = model.clips.get(first + clips.len()..).unwrap_or_default();
        clips.extend_from_slice(later);
        self.replace_clips(first, clips);
    }

    fn replace_clips(&mut self, first: usize, clips: Vec<Clip>) {
        self.actor.replace_clips(first, clips);
        self.borrowed.generation += 1;
        self.gather_crowd();
        self.refresh_mix();
        self.is_stale = true;
    }
}

fn told(file: &str, bound: &Bound) -> Message {
    let moved = bound.matched + bound.missing.len();
    let mut lines = vec![match bound.similar.len() {
        0 => format!("{} of {moved} moved nodes found here.", bound.matched),
        similar => format!(
            "{} of {moved} moved nodes found here, {similar} of them by a similar name.",
            bound.matched
        ),
    }];
    if !bound.missing.is_empty() {
        lines.push(format!("Not found here: {}.", quoted(&bound.missing)));
    }
    if !bound.unmoved.is_empty() {
        lines.push(format!(
            "Joints that stay still: {}.",
            quoted(&bound.unmoved)
        ));
    }
    if bound.dropped_properties > 0 {
        lines.push(format!(
            "{} tracks of materials, lights, cameras or morph targets were left out.",
            bound.dropped_properties
        ));
    }
    let misfits = bound.misfits().join(", and ");
    let mut letters = misfits.chars();
    if let Some(first) = letters.next() {
        let (first, rest) = (first.to_uppercase(), letters.as_str());
        lines.push(format!(
            "{first}{rest}: where limbs look wrong, retarget. The list of clips has a switch for it, too."
        ));
    }
    let is_whole = bound.missing.is_empty() && bound.unmoved.is_empty();
    let clips = match bound.clips.len() {
        1 => "1 clip".to_owned(),
        count => format!("{count} clips"),
    };
    let title = format!("{clips} of {file} added");
    let detail = lines.join("\n");
    if is_whole {
        Message::info(title, detail)
    } else {
        Message::warning(title, detail)
    }
}

/// The first names, and how many more there are.
fn quoted(names: &[String]) -> String {
    let shown = names[..names.len().min(QUOTED)].join(", ");
    match names.len().saturating_sub(QUOTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// All of a file that did not match, for the list of diagnostics.
fn listed(row: &BorrowedRow) -> impl Iterator<Item = Diagnostic> + '_ {
    let file = &row.name;
    let missing = row.missing.iter().take(LISTED).map(move |name| {
        let message = format!("{file} moves \"{name}\", which is not here");
        note(MISSING, message, "its tracks were left out")
    });
    let unmoved = row.unmoved.iter().take(LISTED).map(move |name| {
        let message = format!("no clip of {file} moves the joint \"{name}\"");
        note(UNMOVED, message, "it keeps its rest pose")
    });
    missing.chain(unmoved)
}

fn note(code: &'static str, message: String, action: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Info,
        code,
        pointer: String::new(),
        message,
        action: action.to_owned(),
        others: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        app::built_in,
        import::{self, Import, Progress},
        model::{ClipBuilder, Hierarchy, Node},
        ui::{ClipsCommand, CompareCommand, CompareWith, MixMode},
    };

    #[test]
    fn clips_of_another_file_say_which() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let own = session.clip_names();
        let mut other = built_in::load("Pip").unwrap().model;
        let unnamed = || ClipBuilder::new("").finish();
        let lent = [other.clips[0].clone(), unnamed(), unnamed()];
        other.clips = lent.into();
        session.add_clips("library.glb", other);
        let names = session.clip_names();
        assert_eq!(names[..own.len()], own, "its own are called as before");
        let lent = [
            "Idle (library.glb)",
            "clip 1 (library.glb)",
            "clip 2 (library.glb)",
        ];
        assert_eq!(names[own.len()..], lent);
    }

    /// In the list, where they conflict, and where they are compared.
    #[test]
    fn clips_of_two_files_of_one_name_say_which_everywhere() {
        let mut session = Session::new(built_in::load("Pip").unwrap(), None, Duration::ZERO);
        let own = session.clip_names().len();
        let mut lent = built_in::load("Pip").unwrap().model;
        lent.clips = [lent.clips[0].clone()].into();
        session.add_clips("/x/a/anim.glb", lent.clone());
        assert_eq!(session.clip_names()[own], "Idle (anim.glb)");
        session.add_clips("/x/b/anim.glb", lent);
        let names = session.clip_names();
        assert_eq!(names[own..], ["Idle (a/anim.glb)", "Idle (b/anim.glb)"]);
        let rows = session.borrowed.rows().iter().map(|row| &*row.name);
        assert!(rows.eq(["a/anim.glb", "b/anim.glb"]));

        session.apply(Command::SelectClip(Some(own)));
        for command in [
            ClipsCommand::ToggleMixed(own + 1),
            ClipsCommand::SetMode(own + 1, MixMode::Together),
        ] {
            session.apply(Command::Clips(command));
        }
        assert_eq!(session.conflicts()[0].names, names[own..]);

        for (clip, with) in [(0, own), (own, 0), (own, own + 1)] {
            session.apply(Command::SelectClip(Some(clip)));
            let with_clip = CompareCommand::With(CompareWith::Clip(with));
            session.apply(Command::Compare(with_clip));
            session.update();
            session.name_compared();
            assert_eq!(session.compare_view().names, [&*names[clip], &names[with]]);
        }
    }

    #[test]
    fn what_is_said_of_two_files_of_one_name_says_which() {
        let path = Some("/x/Pip.glb".into());
        let mut session = Session::new(built_in::load("Pip").unwrap(), path, Duration::ZERO);
        let mut lent = built_in::load("Pip").unwrap().model;
        lent.clips = [lent.clips[1].clone()].into();
        let mut stranger = lent.clone();
        stranger.hierarchy = Hierarchy::new(
            vec![Node::default(); lent.hierarchy.len()],
            &vec![None; lent.hierarchy.len()],
            &vec![Vec::new(); lent.hierarchy.len()],
        )
        .unwrap();
        let titles = |session: &Session| session.message().unwrap().title.clone();
        for (path, title) in [
            ("/x/a/anim.glb", "1 clip of anim.glb added"),
            ("/x/b/anim.glb", "1 clip of b/anim.glb added"),
            // The model's own file counts.
            ("/x/b/Pip.glb", "1 clip of b/Pip.glb added"),
        ] {
            session.add_clips(path, lent.clone());
            assert_eq!(titles(&session), title);
        }
        let notes = session.diagnostics.iter();
        let notes = notes.filter(|it| it.code == UNMOVED).map(|it| &*it.message);
        let notes: Vec<_> = notes.collect();
        for file in ["a/anim.glb", "b/anim.glb", "b/Pip.glb"] {
            let start = format!("no clip of {file} moves");
            let mut of_file = notes.iter().filter(|it| it.starts_with(&start));
            assert!(of_file.next().is_some(), "{notes:?}");
        }
        assert!(!notes.iter().any(|it| it.contains(" of anim.glb")));
        session.add_clips("/x/c/anim.glb", stranger);
        let refused = "The clips of c/anim.glb do not fit this model";
        assert_eq!(titles(&session), refused);
    }

    /// A triangle that is hidden, with what `more` has to say of animations.
    fn hidden_triangle(more: &str) -> Import {
        let data = "AAAAvwAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8BAQAA";
        let text = format!(
            r#"{{
                "asset": {{ "version": "2.0" }},
                "extensionsUsed": ["KHR_node_visibility", "KHR_animation_pointer"],
                "scenes": [{{ "nodes": [0] }}],
                "nodes": [{{
                    "name": "blade", "mesh": 0, "extensions": {{ "KHR_node_visibility": {{ "visible": false }} }}
                }}],
                "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }} }}] }}],
                "accessors": [
                    {{
                        "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                        "min": [-0.5, 0, 0], "max": [0.5, 1, 0]
                    }},
                    {{ "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] }},
                    {{ "bufferView": 2, "componentType": 5121, "count": 2, "type": "SCALAR" }}
                ],
                "bufferViews": [
                    {{ "buffer": 0, "byteLength": 36 }},
                    {{ "buffer": 0, "byteOffset": 36, "byteLength": 8 }},
                    {{ "buffer": 0, "byteOffset": 44, "byteLength": 2 }}
                ],
                "buffers": [{{ "byteLength": 48, "uri": "data:application/octet-stream;base64,{data}" }}]
                {more}
            }}"#
        );
        import::load_bytes("blade.gltf", text.as_bytes(), &Progress::default()).unwrap()
    }

    #[test]
    fn a_clip_of_another_file_shows_what_is_hidden() {
        let mut session = Session::new(hidden_triangle(""), None, Duration::ZERO);
        assert!(session.actor().layout().placements().is_empty());
        let clip = r#", "animations": [{
            "samplers": [{ "input": 1, "output": 2, "interpolation": "STEP" }],
            "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": {
                "KHR_animation_pointer": { "pointer": "/nodes/0/extensions/KHR_node_visibility/visible" }
            } } }]
        }]"#;
        session.add_clips("shows.gltf", hidden_triangle(clip).model);
        session.update();
        let actor = session.actor();
        assert_eq!(actor.layout().placements().len(), 1);
        assert!(!actor.draws()[0].is_hidden);
    }
}

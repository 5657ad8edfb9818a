//! Morph weights and clips together, as the panels read them; and what commands about them do.

use crate::{
    app::Session,
    ui::{ClipsCommand, MixRow, MixView, MorphRow, MorphsView},
};

impl Session {
    /// Does what a command about clips or morph weights asks.
    pub(in crate::app) fn apply_clips(&mut self, command: ClipsCommand) {
        match command {
            ClipsCommand::HoldMorph(place, value) if value.is_finite() => {
                self.actor.hold_weight(place, Some(value));
                self.is_stale = true;
            }
            ClipsCommand::ReleaseMorph(place) => {
                self.actor.hold_weight(place, None);
                self.is_stale = true;
            }
            ClipsCommand::ReleaseMorphs => {
                self.actor.release_weights();
                self.is_stale = true;
            }
            ClipsCommand::SetRetarget(file, retarget) => self.set_retarget(file, retarget),
            command => self.apply_mix(&command),
        }
    }
}

/// The clips of the mix, for the panel.
#[derive(Debug, Default)]
pub(in crate::app) struct MixRows(Vec<MixRow>);

impl MixRows {
    /// Brings the list up to date: clips of the mix move in every frame.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        session.mix_rows(&mut self.0);
    }

    pub(in crate::app) fn view<'a>(&'a self, session: &'a Session) -> MixView<'a> {
        let (in_step, round_secs) = session.mix_step();
        MixView {
            clips: &self.0,
            in_step,
            round_secs,
            conflicts: session.conflicts(),
            borrowed: session.borrowed.rows(),
        }
    }
}

/// The morph weights, for the panel.
#[derive(Debug, Default)]
pub(in crate::app) struct MorphRows {
    rows: Vec<MorphRow>,
    model: Option<u64>,
}

impl MorphRows {
    /// Lists the morph weights of a new model.
    pub(in crate::app) fn update(&mut self, session: &Session) {
        let generation = session.model_generation();
        if self.model.replace(generation) == Some(generation) {
            return;
        }
        self.rows.clear();
        let model = session.model();
        for (id, node) in model.hierarchy.iter() {
            let mesh = node.mesh.and_then(|mesh| model.meshes.get(mesh));
            for (target, weight) in node.weights.clone().enumerate() {
                self.rows.push(MorphRow {
                    name: mesh.map_or_else(
                        || format!("target {target}"),
                        |mesh| mesh.target_name(target),
                    ),
                    node: model.hierarchy.display_name(id),
                    weight,
                });
            }
        }
    }

    pub(in crate::app) fn view<'a>(&'a self, session: &'a Session) -> MorphsView<'a> {
        let actor = session.actor();
        MorphsView {
            rows: &self.rows,
            values: &actor.pose().weights,
            held: actor.held_weights(),
        }
    }
}

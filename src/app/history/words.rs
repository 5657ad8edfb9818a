//! What steps are called.

use crate::{
    app::Session,
    model::NodeId,
    ui::{ClipsCommand, Sight},
};

impl Session {
    /// What hiding a node, or showing it again, is called.
    pub(super) fn toggled(&self, node: usize) -> String {
        let what = match self.actor.hiding().of(node) {
            Sight::Hidden => "show",
            Sight::Shown | Sight::UnderHidden => "hide",
        };
        format!("{what} {}", self.node_words(NodeId(node as u32)))
    }

    /// What a node is called.
    pub(in crate::app) fn node_words(&self, node: NodeId) -> String {
        let hierarchy = &self.model().hierarchy;
        if node.index() < hierarchy.len() {
            hierarchy.display_name(node)
        } else {
            "node".to_owned()
        }
    }

    /// What a morph weight is called.
    pub(super) fn morph(&self, place: usize) -> String {
        let model = self.model();
        let mut nodes = model.hierarchy.iter().map(|(_, node)| node);
        let node = nodes.find(|node| node.weights.contains(&place));
        let name = node.and_then(|node| {
            let mesh = model.meshes.get(node.mesh?)?;
            Some(mesh.target_name(place - node.weights.start))
        });
        name.unwrap_or_else(|| "morph".to_owned())
    }

    /// Which clip is in force, as a part of a sentence.
    pub(super) fn of_clip(&self) -> String {
        let words = self.clip.map(|clip| self.short_clip_name(clip));
        words.map_or_else(String::new, |words| format!(" of {words}"))
    }

    /// What a command about the mix does; none if that is no step.
    pub(super) fn mixed(&self, command: &ClipsCommand) -> Option<String> {
        let name = |clip: &usize| self.short_clip_name(*clip);
        Some(match command {
            ClipsCommand::ToggleMixed(clip) if self.mix.choice().has(*clip) => {
                format!("{} out of the mix", name(clip))
            }
            ClipsCommand::ToggleMixed(clip) => format!("{} into the mix", name(clip)),
            ClipsCommand::SetMode(clip, _) => format!("how {} is mixed", name(clip)),
            ClipsCommand::SetWeight(clip, _) => format!("weight of {}", name(clip)),
            ClipsCommand::SetBelow(clip, _) => format!("part of the body for {}", name(clip)),
            ClipsCommand::SetReference(clip, _) => format!("reference of {}", name(clip)),
            ClipsCommand::SwitchMode => "how the last clip is mixed".to_owned(),
            ClipsCommand::SetInStep(_) => "clips in step".to_owned(),
            ClipsCommand::PlayAll => "play all clips".to_owned(),
            ClipsCommand::EndMix => "end the mix".to_owned(),
            ClipsCommand::SetRetarget(..) | ClipsCommand::TakeOut(_) => return None,
        })
    }
}

//! What a save of the file has taken away of what the user chose and made, in words.

use crate::{
    app::{Session, messages::Topic},
    model::NodeId,
    ui::{Action, Message, Offer, written},
};

/// What a save has taken away, and what is there again.
pub(super) struct Losses {
    /// Nodes that were posed by hand.
    pub(super) nodes: Vec<String>,
    /// What the chosen clip is called.
    pub(super) clip: Option<String>,
    /// Whether that was one of the model's own file: those of other files may be taken out by the user.
    pub(super) is_own: bool,
    /// Which clip was gone and is there again.
    pub(super) returned: Option<usize>,
    /// Whether all nodes that were posed by hand and gone are there again.
    pub(super) have_nodes_returned: bool,
    /// Whether a pose made by hand was seen and is left.
    pub(super) has_left_pose: bool,
}

impl Session {
    /// What is posed by hand of nodes for which there is no such node.
    pub(super) fn nodes_posed_without(
        &self,
        node_of: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Vec<String> {
        let posed = self.actor.offsets().nodes();
        let lost = posed.filter(|node| node_of(*node).is_none());
        lost.map(|node| self.node_words(node)).collect()
    }

    /// Says what is gone: what the user has made before what the user has chosen.
    pub(super) fn tell_losses(&mut self, losses: &Losses) {
        if let Some(clip) = losses.returned {
            self.tell_of_return(clip, losses.have_nodes_returned);
        }
        let own_clip = losses.clip.as_deref().filter(|_| losses.is_own);
        let bring_back = Offer::UndoPose.label();
        match own_clip {
            Some(name) if losses.has_left_pose => self.tell_dropped(Message::info(
                gone_title(name),
                format!(
                    "The pose made by hand is gone with the clip. \"{bring_back}\" puts it on what is shown."
                ),
            )),
            None if losses.has_left_pose => self.say_dropped(),
            _ => {}
        }
        self.tell_lost(&losses.nodes, own_clip);
        if let Some(name) = &losses.clip
            && losses.nodes.is_empty()
        {
            self.tell_gone(name, losses.is_own);
        }
    }

    /// Says that the chosen clip is gone, and what is shown instead.
    fn tell_gone(&mut self, name: &str, is_own: bool) {
        self.messages.take_info();
        let detail = "The file's own pose is shown.";
        if is_own {
            self.messages
                .tell_if_quiet(Topic::GoneClip, || Message::info(gone_title(name), detail));
        } else {
            self.messages.tell_if_quiet(Topic::Model, || {
                let title = format!("The clip \"{name}\" is not there any more");
                Message::info(title, detail).passing()
            });
        }
    }

    /// Says no more that this clip is gone; a pose that went with it, or with nodes that are there again as well, is still to
    /// be brought back.
    fn tell_of_return(&mut self, clip: usize, have_nodes_returned: bool) {
        self.messages.take_back(Topic::GoneClip);
        if self.undoes_pose_of(clip)
            && (self.messages.take_back(Topic::DroppedPose) || have_nodes_returned)
        {
            let bring_back = Offer::UndoPose.label();
            let name = self.short_clip_name(clip);
            self.tell_dropped(Message::info(
                format!("The clip \"{name}\" is in the file again"),
                format!("\"{bring_back}\" puts the pose made by hand on it again."),
            ));
        }
    }

    /// Says of which nodes a pose made by hand is gone with them, and with which clip.
    fn tell_lost(&mut self, nodes: &[String], clip: Option<&str>) {
        let [first, more @ ..] = nodes else {
            return;
        };
        let (what, they_are, them) = match more {
            [] => (first.clone(), "It is", "it"),
            more => (
                format!("{first} and {} more", more.len()),
                "They are",
                "them",
            ),
        };
        // What went with its moment is in a step to undo.
        let way_back = if self.hand_pose().lost.is_empty() {
            format!(
                "Undo ({}) leads back to the pose once all of that is there again.",
                written(Action::Undo, 0)
            )
        } else {
            format!("The pose comes back with {them}.")
        };
        let nor = clip.map_or_else(String::new, |name| format!(", nor is the clip \"{name}\""));
        self.messages.take_info();
        self.messages.tell_if_quiet(Topic::LostPose, || {
            let title = format!("The pose made by hand of {what} is gone");
            let detail = format!("{they_are} not in the file any more{nor}. {way_back}");
            Message::info(title, detail)
        });
    }
}

fn gone_title(name: &str) -> String {
    format!("The clip \"{name}\" is not in the file any more")
}

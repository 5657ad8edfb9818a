//! What the adapter has no room for, among the findings about the file.

use super::session::Session;
use crate::{
    import::{Diagnostic, Place, Severity},
    render::LeftOut,
};

const CODE: &str = "MATERIAL_TEXTURES_LEFT_OUT";
const MESHES_CODE: &str = "MESHES_LEFT_OUT";

impl Session {
    /// Lists the materials (indices) that are drawn without some of their textures, and what those are for; once, however
    /// often the model is uploaded. True if that changes what is listed.
    pub(super) fn list_textures_left_out(
        &mut self,
        left_out: impl Iterator<Item = (usize, Vec<&'static str>)>,
    ) -> bool {
        let message = "the material has more textures than this graphics adapter has room for";
        let left_out = left_out.map(|(material, names)| Diagnostic {
            severity: Severity::Warning,
            code: CODE,
            pointer: format!("/materials/{material}"),
            message: message.to_owned(),
            action: format!("it is drawn without those of {}", names.join(", ")),
            place: Place::default(),
            others: Vec::new(),
        });
        let left_out: Vec<_> = left_out.collect();
        let listed = self.document.findings.iter().filter(|it| it.code == CODE);
        if listed.eq(&left_out) {
            return false;
        }
        self.document.findings.change(|listed| {
            listed.retain(|it| it.code != CODE);
            listed.extend(left_out);
        });
        true
    }

    /// Lists the first primitive that pictures have no room for, once a model. True if that changes what is listed.
    pub(super) fn list_meshes_left_out(&mut self, left_out: Option<LeftOut>) -> bool {
        let findings = &self.document.findings;
        let is_listed = || findings.iter().any(|it| it.code == MESHES_CODE);
        let Some(left_out) = left_out.filter(|_| !is_listed()) else {
            return false;
        };
        self.document.findings.extend([Diagnostic {
            severity: Severity::Warning,
            code: MESHES_CODE,
            pointer: left_out.to_string(),
            message: format!("the model {}", left_out.why.reason()),
            action: "this primitive is left out, or some of its copies, and perhaps others"
                .to_owned(),
            place: Place::default(),
            others: Vec::new(),
        }]);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{app::built_in, render::NoRoom};

    #[test]
    fn what_is_left_out_is_listed_once() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        let before = session.document.findings.len();
        let generation = session.document.findings.generation();
        assert!(!session.list_textures_left_out(std::iter::empty()));
        assert_eq!(
            session.document.findings.generation(),
            generation,
            "the same"
        );
        for is_first in [true, false] {
            let left_out = [(0, vec!["clear coat", "sheen's colour"])];
            let has_changed = session.list_textures_left_out(left_out.into_iter());
            assert_eq!(has_changed, is_first);
        }
        assert_eq!(session.document.findings.generation(), generation + 1);
        let listed = &session.document.findings[before..];
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].pointer, "/materials/0");
        assert!(listed[0].action.contains("clear coat, sheen's colour"));
        assert!(session.list_textures_left_out(std::iter::empty()));
        assert_eq!(
            session.document.findings.len(),
            before,
            "nothing is any more"
        );
    }

    #[test]
    fn what_has_no_room_is_listed_once() {
        let import = built_in::load("Pip").unwrap();
        let mut session = Session::new(import, None, Duration::ZERO);
        let before = session.document.findings.len();
        assert!(!session.list_meshes_left_out(None));
        assert_eq!(session.document.findings.len(), before);
        for (primitive, is_first) in [(812, true), (7, false)] {
            let left_out = Some(LeftOut {
                mesh: 3,
                primitive,
                why: NoRoom::Shapes,
            });
            assert_eq!(session.list_meshes_left_out(left_out), is_first);
        }
        let listed = &session.document.findings[before..];
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0].pointer, "/meshes/3/primitives/812");
    }
}

//! What becomes of a load: a model that is shown, a message, or a message with an offer.

use std::{path::PathBuf, time::Duration};

use super::{
    Fault,
    loading::{Loaded, Source, nothing_left},
    window::Viewer,
};
use crate::{
    import::{self, Import, Outside},
    ui::Offer,
};

impl Viewer {
    pub(super) fn on_loaded(&mut self, loaded: Loaded) {
        if !self.loader.finish(&loaded) {
            return;
        }
        let Loaded {
            source,
            result,
            time,
            ..
        } = loaded;
        let name = source.name();
        self.offered = None;
        match result {
            Ok(import) => {
                let outside = import.outside.clone();
                match nothing_left(&import) {
                    Some(reason) => self.refuse(&name, reason, &source, &outside),
                    None => {
                        self.show(import, &source, time);
                        self.offer_outside(&name, &source, outside);
                    }
                }
            }
            Err(error) if import::is_cancelled(&error) => {}
            Err(error) => {
                let is_unknown = import::is_unsupported(&error);
                self.offered = is_unknown
                    .then(|| source.agreeing(|consent| consent.unknown_features = true))
                    .flatten();
                let offer = self.offered.as_ref().map(|_| Offer::OpenAnyway);
                self.report_unopened(&name, format!("{error:#}"), offer);
            }
        }
        self.request_redraw();
    }

    fn show(&mut self, import: Import, source: &Source, time: Duration) {
        let name = source.name();
        self.session.replace_model(import, source.path(), time);
        log::info!("opened {name}");
        if let Some(stage) = &self.stage {
            stage.set_title(&name);
        }
    }

    /// Says that nothing is left of a file, and offers to open what lies outside if that may be why.
    fn refuse(&mut self, name: &str, reason: String, source: &Source, outside: &[PathBuf]) {
        let offer = self.offer(source, outside);
        let named = named_outside(outside);
        let reason = match offer {
            Some(_) => format!("{reason}\n{named}"),
            None => reason,
        };
        self.report_unopened(name, reason, offer);
    }

    fn report_unopened(&mut self, name: &str, reason: String, offer: Option<Offer>) {
        log::error!("could not open {name}: {reason}");
        self.session.report(Fault {
            title: format!("{name} could not be opened"),
            detail: reason,
            offer,
        });
    }

    /// Offers to open what the model that is shown names outside of its folder.
    fn offer_outside(&mut self, name: &str, source: &Source, outside: Vec<PathBuf>) {
        if let Some(offer) = self.offer(source, &outside) {
            let detail = named_outside(&outside);
            log::warn!("not all of {name} was opened: {detail}");
            self.session.report(Fault {
                title: format!("{name} names files outside its own folder"),
                detail,
                offer: Some(offer),
            });
        }
    }

    fn offer(&mut self, source: &Source, outside: &[PathBuf]) -> Option<Offer> {
        if outside.is_empty() {
            return None;
        }
        self.offered = source.agreeing(|consent| {
            let mut allowed = outside.to_vec();
            if let Outside::These(before) = &consent.outside {
                allowed.extend_from_slice(before);
            }
            consent.outside = Outside::These(allowed);
        });
        self.offered.as_ref().map(|_| Offer::AllowOnce)
    }
}

/// What a user must know to allow files outside of a model's folder: all of them, since all are opened then.
fn named_outside(outside: &[PathBuf]) -> String {
    let mut text = "These were not opened:".to_owned();
    for path in outside {
        text.push('\n');
        text += &path.display().to_string();
    }
    text
}

//! What is saved: what was asked for, and what it was to show.

use anyhow::ensure;

use super::{film::Film, look::Look, moment::Moment};
use crate::{
    app::{Session, camera::HeldCamera, compare::KeptPair, motion::CrowdKey, time::ClipKey},
    scene::{Background, Frame},
    ui::{PictureKind, SavingKind, SavingSettings},
};

/// The most frames that are saved: half an hour of 55 a second.
const MAX_FRAMES: f64 = 100_000.0;

impl Session {
    /// Once through the clip, or the part of it that plays, as it plays.
    pub(in crate::app) fn frames_to_save(&self, settings: &SavingSettings) -> u32 {
        self.frames_wanted(settings).min(MAX_FRAMES) as u32
    }

    fn frames_wanted(&self, settings: &SavingSettings) -> f64 {
        match settings.kind {
            SavingKind::Picture(PictureKind::Still)
            | SavingKind::Pose(_)
            | SavingKind::Animation => 1.0,
            _ => self.film().frames(settings.fps, settings.turntable),
        }
    }

    /// Why there are too many frames to save, which would end somewhere in the clip; none if there are not.
    pub(super) fn too_many_frames(&self) -> Option<String> {
        let wanted = self.frames_wanted(&self.saving.settings);
        (wanted > MAX_FRAMES).then(|| {
            format!(
                "Of {wanted} frames {MAX_FRAMES} are saved at most: save fewer a second, or mark a part of the clip."
            )
        })
    }

    /// What would be saved now.
    pub(in crate::app) fn plan_saving(&self, settings: SavingSettings) -> SavingPlan {
        SavingPlan {
            settings,
            what: self.words_of_saved(settings.kind).said,
            frames: self.frames_to_save(&settings),
            film: self.film(),
            now: self.present_moment(),
            camera: self.camera.held(),
            look: self.present_look().settled(),
            whose: self.clip_key(),
            crowd: self.crowd_key(),
            pair: self.kept_pair(),
            scene: self.actor.scene(),
            environment: self.environment_generation,
        }
    }
}

/// What is to be saved: as it was when it was asked for, since files were then asked about.
#[derive(Debug, Clone)]
pub(in crate::app) struct SavingPlan {
    pub(in crate::app) settings: SavingSettings,
    pub(in crate::app) frames: u32,
    /// In words.
    pub(super) what: String,
    /// When they are.
    pub(super) film: Film,
    /// When a single picture is, and by what all are seen.
    pub(super) now: Moment,
    pub(super) camera: HeldCamera,
    pub(super) look: Look,
    /// Another clip would be another animation.
    whose: ClipKey,
    /// So would another crowd.
    crowd: Option<CrowdKey>,
    /// What is compared, if anything is.
    pub(super) pair: Option<KeptPair>,
    /// Which scene of the model is shown.
    scene: usize,
    /// In which environment.
    environment: u64,
}

impl SavingPlan {
    /// A frame before what was asked for.
    pub(super) fn before<'f>(&self, frame: Frame<'f>) -> Frame<'f> {
        if self.settings.transparent {
            Frame {
                background: Background::Transparent,
                grid: None,
                ..frame
            }
        } else {
            frame
        }
    }

    /// Fails if what was asked for is not there any more.
    pub(super) fn check(&self, session: &Session) -> anyhow::Result<()> {
        ensure!(
            self.whose == session.clip_key(),
            "another model or clip is shown now"
        );
        ensure!(
            self.crowd == session.crowd_key(),
            "another crowd is shown now"
        );
        ensure!(
            self.scene == session.actor.scene(),
            "another scene of the model is shown now"
        );
        ensure!(
            self.environment == session.environment_generation,
            "the model is in another environment now"
        );
        ensure!(
            session.has_kept(self.pair.as_ref()),
            "what it was compared with is not there any more"
        );
        Ok(())
    }
}

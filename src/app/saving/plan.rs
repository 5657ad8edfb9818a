//! What is saved: what was asked for, and what it was to show.

use anyhow::ensure;

use super::{film::Film, look::Look, moment::Moment, words::Words};
use crate::{
    app::{Session, camera::HeldCamera, compare::KeptPair, motion::CrowdKey, time::ClipKey},
    export::{MAX_MOMENTS, moments_taken},
    scene::{Background, Frame},
    ui::{PictureKind, SavingKind, SavingSettings},
};

/// The most frames that are saved: half an hour of 55 a second.
const MAX_FRAMES: f64 = 100_000.0;

impl Session {
    /// Once through the clip, or the part of it that plays, as it plays.
    pub(super) fn frames_to_save(&self, settings: &SavingSettings) -> u32 {
        self.frames_wanted(settings).min(MAX_FRAMES) as u32
    }

    /// Moments of what plays, where it is saved by moments.
    pub(super) fn moments_to_save(&self) -> u32 {
        self.moments_wanted() as u32
    }

    fn moments_wanted(&self) -> f64 {
        let film = self.film();
        let rate = film.rate_with_turn(self.saving.settings.fps);
        moments_taken(film.play_secs().unwrap_or_default(), rate)
    }

    fn frames_wanted(&self, settings: &SavingSettings) -> f64 {
        match settings.kind {
            SavingKind::Picture(PictureKind::Still)
            | SavingKind::Pose(_)
            | SavingKind::Animation => 1.0,
            _ => self.film().frames(settings.fps, settings.turntable),
        }
    }

    /// Why there are too many frames or moments to save, which would end somewhere in the clip; none if there are not.
    pub(super) fn too_many_frames(&self) -> Option<String> {
        let settings = &self.saving.settings;
        let (wanted, most, what) = if settings.kind != SavingKind::Animation {
            (self.frames_wanted(settings), MAX_FRAMES, "frames")
        } else if self.clip_alone().is_none() {
            (self.moments_wanted(), MAX_MOMENTS as f64, "moments")
        } else {
            return None;
        };
        (wanted > most).then(|| {
            format!(
                "Of {wanted} {what} {most} are saved at most: save fewer a second, or mark a part of the clip."
            )
        })
    }

    /// What would be saved now.
    pub(super) fn plan_saving(&self, settings: SavingSettings) -> SavingPlan {
        SavingPlan {
            settings,
            what: self.words_of_saved(settings.kind),
            frames: self.frames_to_save(&settings),
            film: self.film(),
            now: self.present_moment(),
            camera: self.camera.held(),
            look: self.present_look().settled(),
            whose: self.clip_key(),
            crowd: self.crowd_key(),
            pair: self.kept_pair(),
            scene: self.actor.scene(),
            environment: self.surroundings.environment_generation(),
        }
    }
}

/// What is to be saved: as it was when it was asked for, since files were then asked about.
#[derive(Debug, Clone)]
pub(in crate::app) struct SavingPlan {
    pub(in crate::app) settings: SavingSettings,
    pub(in crate::app) frames: u32,
    /// In words.
    pub(super) what: Words,
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
            self.environment == session.surroundings.environment_generation(),
            "the model is in another environment now"
        );
        ensure!(
            session.has_kept(self.pair.as_ref()),
            "what it was compared with is not there any more"
        );
        Ok(())
    }
}

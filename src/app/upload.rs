//! What the renderer gets before it draws: the model, that of the second subject, the environment.

use crate::{
    anim::Skinning,
    app::{Session, window::Stage},
    scene::studio,
};

/// Gives the renderer what it has not got yet: the model, that of the second subject, the environment. Returns whether the panels
/// have something to say of it that they have not said.
pub(super) fn upload(session: &mut Session, stage: &mut Stage) -> bool {
    let mut is_asked = false;
    if stage.uploaded != Some(session.model_generation()) {
        let is_dual = session.motion.skinning == Skinning::DualQuaternion;
        let view = session.shown.view_mode;
        stage
            .renderer
            .prepare_for(session.surroundings.light.quality, is_dual, view);
        stage.renderer.set_model(&stage.gpu, session.model());
        let left_out = stage.renderer.textures_left_out();
        is_asked = session.list_textures_left_out(left_out);
        stage.uploaded = Some(session.model_generation());
    }
    let second = session.second_file_model();
    let number = second.map(|(number, _)| number);
    if stage.uploaded_second_file != number {
        let model = second.map(|(_, model)| model);
        stage.renderer.set_other_model(&stage.gpu, model);
        stage.uploaded_second_file = number;
    }
    if stage.environment != session.surroundings.environment_generation() {
        let built_in;
        let panorama = match session.surroundings.environment() {
            Some(panorama) => panorama,
            None => {
                built_in = studio();
                &built_in
            }
        };
        stage.renderer.set_environment(&stage.gpu, panorama);
        stage.environment = session.surroundings.environment_generation();
    }
    is_asked
}

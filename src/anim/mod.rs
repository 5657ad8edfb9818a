//! Plain mathematics: from a clip and a time to the matrices that the GPU skins with.
//!
//! [`Clock`] says what time it is, [`sample()`] writes the clip's values at that time into a [`Pose`],
//! [`Pose::update_world`] concatenates matrices parent first, and a [`Palette`] holds, for every instance of a model,
//! the matrices that take vertices from their mesh's space into the world. [`blend`] makes one pose out of several clips.
//! [`Properties`] are what clips move besides nodes.
//! [`skinning`] does with them on the CPU what
//! the vertex shader does on the GPU, and [`dual_quaternion`] another way of it.
//!
//! Nothing here fails and nothing allocates once its buffers have grown: [`crate::model`] guarantees what it reads.

pub mod analysis;
mod bind_pose;
pub mod blend;
pub mod bounds;
mod chain;
mod channel;
mod clock;
mod compact;
pub mod crowd;
pub mod difference;
pub mod dual_quaternion;
pub mod evenness;
mod frame_rate;
mod human;
mod key_place;
mod movers;
mod name_words;
mod orientation;
mod palette;
mod played;
mod pose;
pub mod posing;
mod properties;
pub mod retarget;
pub mod root_motion;
mod sample;
pub mod skinning;
mod stray_weights;
mod t_pose;
mod trail;

pub use analysis::LoopSeam;
pub use bind_pose::bind_pose;
pub use channel::{Channel, ChannelKey, Numbers};
pub use clock::{Clock, LoopMode, MAX_SPEED};
pub use compact::{CompactMatrix, affine_from_compact, from_compact, to_compact};
pub use dual_quaternion::Skinning;
pub use frame_rate::{USUAL_FRAME_RATE, guess_frame_rate, natural_steps, sampling_rate};
pub use key_place::{key_after, key_before, last_key};
pub use movers::Movers;
pub use palette::{
    ActiveMorph, InstanceRecord, Palette, PaletteForm, PaletteLayout, PaletteMatrix, Placement,
    SkinSlot, joint_matrices, to_affine, to_palette_matrix,
};
pub use played::PlayedPose;
pub use pose::Pose;
pub use posing::{PosingPart, PosingSpace};
pub use properties::{Properties, PropertyLayer};
pub use sample::{Cursors, sample};
pub use stray_weights::{MisplacedWeights, StrayWeights};
pub use t_pose::{Arms, t_pose};
pub use trail::Trail;

//! A rig of 64 joints that is no corpus file: LINEAR tracks on three timelines that share hardly a key, bind matrices that
//! turn and shift.

use glam::{Affine3A, EulerRot, Quat, Vec3};
use rigscope::model::{
    ClipBuilder, Hierarchy, Interpolation, Mesh, Model, Node, Skin, Timeline, Transform,
};

/// Its name among the files.
pub const NAME: &str = "made:64";
const JOINTS: usize = 64;
/// Steps of the timelines, all two seconds long.
const STEPS: [usize; 3] = [30, 31, 20];

/// Makes it.
pub fn make() -> Model {
    let joint = |index: usize| Node {
        rest: Transform {
            translation: Vec3::new(0.0, 0.1, 0.02 * (index % 3) as f32),
            ..Transform::default()
        },
        ..Node::default()
    };
    let mut nodes: Vec<_> = (0..JOINTS).map(joint).collect();
    nodes.push(Node {
        mesh: Some(0),
        skin: Some(0),
        ..Node::default()
    });
    let parent = |index: usize| index.checked_sub(1).map(|before| before / 2);
    let parents: Vec<_> = (0..JOINTS).map(parent).chain([None]).collect();
    let hierarchy = Hierarchy::new(nodes, &parents, &vec![Vec::new(); JOINTS + 1]).unwrap();
    let joints: Vec<_> = (0..JOINTS)
        .map(|index| hierarchy.by_file_index(index).unwrap())
        .collect();
    let mut clip = ClipBuilder::new("mixed");
    let timelines = STEPS.map(|steps| {
        let time = |key: usize| 2.0 * key as f32 / steps as f32;
        clip.timeline(Timeline::new((0..=steps).map(time).collect()).unwrap())
    });
    for (index, &joint) in joints.iter().enumerate() {
        let (steps, timeline) = (STEPS[index % 3], timelines[index % 3]);
        let keys = (0..=steps).map(|key| (key as f32, index as f32));
        let turn = |(key, index): (f32, f32)| {
            let x = 0.3 * (0.7 * key + index).sin();
            Quat::from_euler(EulerRot::XYZ, x, 0.2 * (0.5 * key).cos(), 0.1)
        };
        let linear = Interpolation::Linear;
        clip.rotation(
            joint,
            timeline,
            linear,
            keys.clone().map(turn).collect::<Vec<_>>(),
        )
        .unwrap();
        if index % 16 == 0 {
            let shift = |(key, _): (f32, f32)| Vec3::new(0.0, 0.1 + 0.01 * key.sin(), 0.0);
            clip.translation(joint, timeline, linear, keys.map(shift).collect::<Vec<_>>())
                .unwrap();
        }
    }
    let bind = |index: usize| {
        let seed = 0.1 * index as f32;
        Affine3A::from_rotation_translation(Quat::from_rotation_z(seed), Vec3::new(0.1, -seed, 0.0))
    };
    let skin = Skin {
        joints,
        joint_from_mesh: (0..JOINTS).map(bind).collect(),
        ..Skin::default()
    };
    Model {
        hierarchy,
        skins: vec![skin],
        meshes: vec![Mesh::default()].into(),
        clips: vec![clip.finish()],
        ..Model::default()
    }
}

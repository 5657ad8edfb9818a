// Dual quaternion skinning: the twin of src/anim/dual_quaternion.rs, same names, same order. There is why.

// The rotation of each matrix of the palette.
@group(1) @binding(2) var<storage, read> rotations: array<vec4<f32>>;

// A compact matrix brings its own.
fn load_rotation(index: u32) -> vec4<f32> {
    if (index & COMPACT) != 0u {
        return palette[2u * (index & ~COMPACT)];
    }
    return rotations[index];
}

// A weighted sum of motions, taken apart.
struct MotionSum {
    real: vec4<f32>,
    dual: vec4<f32>,
    // Rows of what scales, shears and mirrors.
    stretch: array<vec3<f32>, 3>,
}

// The joint that moves a vertex most.
struct Heaviest {
    joint: u32,
    weight: f32,
}

fn heavier(than: Heaviest, joints: vec4<u32>, weights: vec4<f32>) -> Heaviest {
    var heaviest = than;
    for (var lane = 0u; lane < 4u; lane++) {
        if weights[lane] > heaviest.weight {
            heaviest = Heaviest(joints[lane], weights[lane]);
        }
    }
    return heaviest;
}

fn zero_motion() -> MotionSum {
    return MotionSum(vec4(0.0), vec4(0.0), array(vec3(0.0), vec3(0.0), vec3(0.0)));
}

// The product of quaternions that need not be unit ones.
fn multiply(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Where a rotation takes the axes.
fn columns_of(q: vec4<f32>) -> mat3x3<f32> {
    return mat3x3(
        vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)),
        vec3(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)),
        vec3(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
    );
}

// What the joints of a vertex are blended with: its heaviest one.
struct Side {
    rotation: vec4<f32>,
    hand: f32,
}

fn load_side(joint: u32) -> Side {
    return Side(load_rotation(joint), hand_of(load_matrix(joint)));
}

// 1, or -1 if the matrix mirrors, or 0 if it is flat.
fn hand_of(matrix: Matrix3x4) -> f32 {
    return sign(dot(matrix.rows[0].xyz, cross(matrix.rows[1].xyz, matrix.rows[2].xyz)));
}

// Adds four weighted joints.
fn add_motions(
    sum: MotionSum,
    first_joint: u32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    side: Side,
) -> MotionSum {
    var added = sum;
    for (var lane = 0u; lane < 4u; lane++) {
        let matrix = load_matrix(first_joint + joints[lane]);
        let own_rotation = load_rotation(first_joint + joints[lane]);
        let rotation = select(side.rotation, own_rotation, hand_of(matrix) * side.hand > 0.0);
        let weight = weights[lane];
        let signed = select(weight, -weight, dot(side.rotation, rotation) < 0.0);
        let translation = vec4(matrix.rows[0].w, matrix.rows[1].w, matrix.rows[2].w, 0.0);
        added.real += signed * rotation;
        added.dual += 0.5 * signed * multiply(translation, rotation);
        let columns = columns_of(rotation);
        for (var row = 0u; row < 3u; row++) {
            let column = columns[row];
            added.stretch[row] += weight
                * (column.x * matrix.rows[0].xyz + column.y * matrix.rows[1].xyz + column.z * matrix.rows[2].xyz);
        }
    }
    return added;
}

fn motion_of(sum: MotionSum) -> Matrix3x4 {
    let scale = 1.0 / length(sum.real);
    let rotation = sum.real * scale;
    // The real part of the product is what a normalised dual quaternion does not have.
    let translation = 2.0 * multiply(sum.dual * scale, vec4(-rotation.xyz, rotation.w)).xyz;
    let columns = columns_of(rotation);
    var matrix = zero_matrix();
    for (var row = 0u; row < 3u; row++) {
        let linear = columns[0][row] * sum.stretch[0] + columns[1][row] * sum.stretch[1] + columns[2][row] * sum.stretch[2];
        matrix.rows[row] = vec4(linear, translation[row]);
    }
    return matrix;
}

// The blend of a vertex's four joints.
fn blend_dual_quaternions_4(first_joint: u32, joints: vec4<u32>, weights: vec4<f32>) -> Matrix3x4 {
    let heaviest = heavier(Heaviest(joints.x, weights.x), joints, weights);
    let side = load_side(first_joint + heaviest.joint);
    return motion_of(add_motions(zero_motion(), first_joint, joints, weights, side));
}

// The blend of a vertex's eight joints.
fn blend_dual_quaternions_8(
    first_joint: u32,
    joints: vec4<u32>,
    weights: vec4<f32>,
    more_joints: vec4<u32>,
    more_weights: vec4<f32>,
) -> Matrix3x4 {
    let half = heavier(Heaviest(joints.x, weights.x), joints, weights);
    let heaviest = heavier(half, more_joints, more_weights);
    let side = load_side(first_joint + heaviest.joint);
    let sum = add_motions(zero_motion(), first_joint, joints, weights, side);
    return motion_of(add_motions(sum, first_joint, more_joints, more_weights, side));
}

// What tests/shaders/directions.rs adds to the shader of meshes.

// A matrix of three rows, a normal and a tangent a case.
@group(0) @binding(20) var<storage, read> direction_cases: array<vec4<f32>>;
// The normal, and 1 if the matrix mirrors; the tangent.
@group(0) @binding(21) var<storage, read_write> direction_results: array<vec4<f32>>;

// All cases are vertices of one primitive, which two of three targets move.
@compute @workgroup_size(1)
fn cs_directions(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = 5u * id.x;
    let matrix = Matrix3x4(array(direction_cases[at], direction_cases[at + 1u], direction_cases[at + 2u]));
    let rest = Surface(vec3(0.0), direction_cases[at + 3u].xyz, direction_cases[at + 4u].xyz);
    let surface = morph_surface(rest, id.x, InstanceRecord(0u, 0u, 0u, 3u));
    let normal = unit_or_zero(transform_normal(matrix, surface.normal));
    let mirrors = select(0.0, 1.0, is_mirroring(matrix));
    direction_results[2u * id.x] = vec4(normal, mirrors);
    direction_results[2u * id.x + 1u] = vec4(unit_or_zero(transform_vector(matrix, surface.tangent)), 0.0);
}

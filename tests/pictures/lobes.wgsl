// What tests/pictures/lobes.rs adds to the shader of meshes.

// Twelve numbers a case.
@group(0) @binding(20) var<storage, read> lobe_cases: array<array<vec4<f32>, 3>>;
@group(0) @binding(21) var<storage, read_write> lobe_results: array<vec4<f32>>;
// Over n·v along rows and roughness down: scale, bias, sheen.
@group(0) @binding(22) var<storage, read> exact_shares: array<vec4<f32>>;

const SHARES_SIDE: u32 = 33u;

fn environment_specular(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    return vec3(1.0);
}

fn environment_diffuse(normal: vec3<f32>) -> vec3<f32> {
    return vec3(1.0);
}

fn exact_share(n_v: f32, roughness: f32) -> vec3<f32> {
    let at = clamp(vec2(n_v, roughness), vec2(0.0), vec2(1.0)) * f32(SHARES_SIDE - 1u);
    let low = min(vec2<u32>(at), vec2(SHARES_SIDE - 2u));
    let t = at - vec2<f32>(low);
    let first = low.y * SHARES_SIDE + low.x;
    let upper = mix(exact_shares[first], exact_shares[first + 1u], t.x);
    let lower = mix(exact_shares[first + SHARES_SIDE], exact_shares[first + SHARES_SIDE + 1u], t.x);
    return mix(upper, lower, t.y).xyz;
}

fn specular_share(n_v: f32, roughness: f32) -> vec2<f32> {
    return exact_share(n_v, roughness).xy;
}

fn sheen_share(n_v: f32, roughness: f32) -> f32 {
    return exact_share(n_v, roughness).z;
}

fn lobe_surface(given: array<vec4<f32>, 3>) -> MaterialSurface {
    var surface: MaterialSurface;
    let up = vec3(0.0, 0.0, 1.0);
    surface.normal = up;
    surface.geometric_normal = up;
    surface.coat_normal = up;
    surface.occlusion = 1.0;
    surface.roughness = given[0].y;
    surface.clearcoat_roughness = given[0].y;
    surface.sheen_roughness = given[0].y;
    surface.diffuse = vec3(given[1].x);
    surface.dielectric = vec3(given[1].y);
    surface.dielectric_grazing = select(0.0, 1.0, given[1].y > 0.0);
    // Of white metal.
    surface.metallic = given[2].y;
    surface.base_color = vec3(1.0);
    surface.sheen_color = vec3(given[1].z);
    surface.clearcoat = given[1].w;
    surface.anisotropy = given[2].x;
    surface.anisotropy_along = vec3(1.0, 0.0, 0.0);
    surface.anisotropy_across = vec3(0.0, 1.0, 0.0);
    return surface;
}

fn weighed_light(surface: MaterialSurface, answer: Answer, direction: vec3<f32>, a2: f32) -> f32 {
    if direction.z <= 0.0 {
        return 0.0;
    }
    let halfway = normalize(direction + answer.to_eye);
    let spread = halfway.z * halfway.z * (a2 - 1.0) + 1.0;
    let followed = a2 * halfway.z / (PI * spread * spread * 4.0 * dot(answer.to_eye, halfway));
    let light = answer_light(surface, answer, LightSample(direction, vec3(1.0))).x;
    return light / (followed + 0.5 / PI);
}

// The light of lamps of radiance 1 all around, and that of such an environment.
@compute @workgroup_size(1)
fn cs_albedo(@builtin(workgroup_id) id: vec3<u32>) {
    const STEPS: u32 = 160u;
    let given = lobe_cases[id.x];
    let surface = lobe_surface(given);
    let n_v = given[0].x;
    let sine = sqrt(1.0 - n_v * n_v);
    let to_eye = vec3(sine * cos(given[0].z), sine * sin(given[0].z), n_v);
    let answer = prepare_answer(surface, to_eye);
    let a2 = pow(surface.roughness, 4.0);
    var sum = 0.0;
    for (var ring = 0u; ring < STEPS; ring += 1u) {
        let u = (f32(ring) + 0.5) / f32(STEPS);
        for (var spoke = 0u; spoke < STEPS; spoke += 1u) {
            let angle = 2.0 * PI * (f32(spoke) + 0.5) / f32(STEPS);
            let around = vec2(cos(angle), sin(angle));
            // Directions spread evenly, and others as GGX has them: each counts by how often both ways find it
            // (E. Veach's balance heuristic, 1997).
            sum += weighed_light(surface, answer, vec3(sqrt(1.0 - u * u) * around, u), a2);
            let n_h = sqrt((1.0 - u) / (1.0 + (a2 - 1.0) * u));
            let halfway = vec3(sqrt(1.0 - n_h * n_h) * around, n_h);
            sum += weighed_light(surface, answer, reflect(-to_eye, halfway), a2);
        }
    }
    let around = answer_environment(surface, answer).x;
    lobe_results[id.x] = vec4(sum / f32(STEPS * STEPS), around, 0.0, 0.0);
}

@compute @workgroup_size(1)
fn cs_film(@builtin(workgroup_id) id: vec3<u32>) {
    let given = lobe_cases[id.x][0];
    lobe_results[id.x] = vec4(film_reflectance(given.x, given.y, given.z, vec3(given.w)), 0.0);
}

@compute @workgroup_size(1)
fn cs_grooves(@builtin(workgroup_id) id: vec3<u32>) {
    let given = lobe_cases[id.x][0];
    var surface: MaterialSurface;
    surface.roughness = given.z;
    surface.anisotropy = given.w;
    let sine = sqrt(1.0 - given.x * given.x);
    let view = vec3(sine * cos(given.y), sine * sin(given.y), given.x);
    let share = anisotropic_share(alphas_along_and_across(surface), view);
    lobe_results[id.x] = vec4(share.x + share.y, share, 0.0);
}

// A place on a surface: what vertices, material and textures say about it, before any light is looked at.

struct MaterialSurface {
    // As the file has it: of metals what they reflect, of others what they scatter.
    base_color: vec3<f32>,
    // Of base colour, texture and vertex colour together, whatever the alpha mode.
    alpha: f32,
    emissive: vec3<f32>,
    // 0 dark … 1 open to the environment.
    occlusion: f32,
    metallic: f32,
    roughness: f32,
    // Unit vectors in the world, all on the side that is seen: of the vertices, bent by the normal map, of the clear coat.
    geometric_normal: vec3<f32>,
    normal: vec3<f32>,
    coat_normal: vec3<f32>,
    // The colour that is scattered, or let through; what the part that is no metal reflects at normal incidence and at
    // grazing angles. The part that is metal reflects the base colour.
    diffuse: vec3<f32>,
    dielectric: vec3<f32>,
    dielectric_grazing: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    sheen_color: vec3<f32>,
    sheen_roughness: f32,
    transmission: f32,
    // In the world.
    thickness: f32,
    iridescence: f32,
    iridescence_thickness_nm: f32,
    anisotropy: f32,
    // Along which highlights are drawn out, and across; unit vectors that stand on the normal.
    anisotropy_along: vec3<f32>,
    anisotropy_across: vec3<f32>,
    diffuse_transmission: f32,
    diffuse_transmission_color: vec3<f32>,
}

fn gather_surface(in: VertexOut, is_front: bool) -> MaterialSurface {
    var surface: MaterialSurface;
    let base = material.base_color * in.color * texel(in, BASE_COLOR_MAP, BASE_COLOR_SLOT);
    surface.base_color = base.rgb;
    surface.alpha = base.a;
    surface.emissive = material.emissive.rgb * texel(in, EMISSIVE_MAP, EMISSIVE_SLOT).rgb;
    surface.occlusion = 1.0 + material.occlusion_strength * (texel(in, OCCLUSION_MAP, OCCLUSION_SLOT).r - 1.0);
    gather_normals(in, is_front, &surface);
    gather_reflectance(in, &surface);
    gather_layers(in, &surface);
    return surface;
}

fn gather_normals(in: VertexOut, is_front: bool, surface: ptr<function, MaterialSurface>) {
    // Back faces have their normals reversed before they are lit (glTF 2.0 §3.9.5), so that what the normal map raises
    // on one side is a hollow on the other.
    let side = select(-1.0, 1.0, is_front);
    let front = front_normal(in, is_front);
    (*surface).geometric_normal = front * side;
    (*surface).normal = front * side;
    (*surface).coat_normal = front * side;
    let has_coat_map = has(HAS_CLEARCOAT) && CLEARCOAT_NORMAL_SLOT != NO_SLOT;
    if NORMAL_SLOT == NO_SLOT && !has_coat_map && !has(HAS_ANISOTROPY) {
        return;
    }
    let along = tangent_frame(in, front);
    if NORMAL_SLOT != NO_SLOT {
        let bent = texel(in, NORMAL_MAP, NORMAL_SLOT).xyz;
        (*surface).normal = mapped_normal(front, along, bent, material.normal_scale) * side;
    }
    if has_coat_map {
        let bent = texel(in, CLEARCOAT_NORMAL_MAP, CLEARCOAT_NORMAL_SLOT).xyz;
        (*surface).coat_normal = mapped_normal(front, along, bent, material.clearcoat.z) * side;
    }
    if has(HAS_ANISOTROPY) {
        gather_anisotropy(in, along, surface);
    }
}

// Strength and directions (KHR_materials_anisotropy, "Anisotropy").
fn gather_anisotropy(in: VertexOut, frame: TangentFrame, surface: ptr<function, MaterialSurface>) {
    let sampled = texel(in, ANISOTROPY_MAP, ANISOTROPY_SLOT).xyz;
    var direction = vec2(1.0, 0.0);
    if ANISOTROPY_SLOT != NO_SLOT {
        direction = sampled.xy * 2.0 - 1.0;
    }
    let rotation = material.anisotropy.yz;
    direction = vec2(
        rotation.x * direction.x - rotation.y * direction.y,
        rotation.y * direction.x + rotation.x * direction.y,
    );
    let along = direction.x * frame.tangent + direction.y * frame.bitangent;
    // Onto the plane of the bent normal.
    let normal = (*surface).normal;
    let flat = along - dot(along, normal) * normal;
    let length_squared = dot(flat, flat);
    let has_direction = length_squared > 1e-12;
    let any = normalize(cross(normal, select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(normal.x) > 0.5)));
    (*surface).anisotropy_along = select(any, flat * inverseSqrt(max(length_squared, 1e-12)), has_direction);
    (*surface).anisotropy_across = cross(normal, (*surface).anisotropy_along);
    (*surface).anisotropy = select(0.0, clamp(material.anisotropy.x * sampled.z, 0.0, 1.0), has_direction);
}

fn max_component(color: vec3<f32>) -> f32 {
    return max(max(color.r, color.g), color.b);
}

// The factor on what dielectrics reflect at normal incidence (KHR_materials_specular, "Specular Color").
fn specular_tint(in: VertexOut) -> vec3<f32> {
    if !has(HAS_SPECULAR) {
        return vec3(1.0);
    }
    return material.specular.rgb * texel(in, SPECULAR_COLOR_MAP, SPECULAR_COLOR_SLOT).rgb;
}

// What is scattered and what is reflected, in one of the two ways of saying it.
fn gather_reflectance(in: VertexOut, surface: ptr<function, MaterialSurface>) {
    let base = (*surface).base_color;
    let sampled = texel(in, METALLIC_ROUGHNESS_MAP, METALLIC_ROUGHNESS_SLOT);
    if has(HAS_SPECULAR_GLOSSINESS) {
        // KHR_materials_pbrSpecularGlossiness, "Specular - Glossiness".
        let specular = material.specular_glossiness * sampled;
        (*surface).dielectric = specular.rgb;
        (*surface).dielectric_grazing = 1.0;
        (*surface).diffuse = base * (1.0 - max_component(specular.rgb));
        (*surface).roughness = clamp(1.0 - specular.a, 0.0, 1.0);
        return;
    }
    // glTF 2.0 §B.2 and §B.3.5.
    let metallic = clamp(material.metallic * sampled.b, 0.0, 1.0);
    (*surface).metallic = metallic;
    (*surface).roughness = clamp(material.roughness * sampled.g, 0.0, 1.0);
    (*surface).diffuse = base * (1.0 - metallic);
    // KHR_materials_ior and KHR_materials_specular, "Implementation".
    let ratio = (material.ior - 1.0) / (material.ior + 1.0);
    var dielectric = vec3(ratio * ratio);
    var strength = 1.0;
    if has(HAS_SPECULAR) {
        strength = material.specular.a * texel(in, SPECULAR_MAP, SPECULAR_SLOT).a;
        dielectric = min(dielectric * specular_tint(in), vec3(1.0)) * strength;
    }
    (*surface).dielectric = dielectric;
    (*surface).dielectric_grazing = strength;
}

// How much of the surface a thin film covers, as the file has it.
fn iridescence_factor(in: VertexOut) -> f32 {
    if !has(HAS_IRIDESCENCE) {
        return 0.0;
    }
    return material.iridescence.x * texel(in, IRIDESCENCE_MAP, IRIDESCENCE_SLOT).r;
}

// What extensions lay over the surface or let through it.
fn gather_layers(in: VertexOut, surface: ptr<function, MaterialSurface>) {
    if has(HAS_CLEARCOAT) {
        (*surface).clearcoat = material.clearcoat.x * texel(in, CLEARCOAT_MAP, CLEARCOAT_SLOT).r;
        let roughness = material.clearcoat.y * texel(in, CLEARCOAT_ROUGHNESS_MAP, CLEARCOAT_ROUGHNESS_SLOT).g;
        (*surface).clearcoat_roughness = clamp(roughness, 0.0, 1.0);
    }
    if has(HAS_SHEEN) {
        (*surface).sheen_color = material.sheen.rgb * texel(in, SHEEN_COLOR_MAP, SHEEN_COLOR_SLOT).rgb;
        let roughness = material.sheen.a * texel(in, SHEEN_ROUGHNESS_MAP, SHEEN_ROUGHNESS_SLOT).a;
        (*surface).sheen_roughness = clamp(roughness, 0.0, 1.0);
    }
    if has(HAS_TRANSMISSION) {
        (*surface).transmission = material.transmission * texel(in, TRANSMISSION_MAP, TRANSMISSION_SLOT).r;
    }
    if has(HAS_VOLUME) {
        let thickness = material.volume.w * texel(in, THICKNESS_MAP, THICKNESS_SLOT).g;
        (*surface).thickness = thickness * in.scale;
    }
    if has(HAS_IRIDESCENCE) {
        let share = texel(in, IRIDESCENCE_THICKNESS_MAP, IRIDESCENCE_THICKNESS_SLOT).g;
        let thickness_nm = mix(material.iridescence.z, material.iridescence.w, share);
        (*surface).iridescence_thickness_nm = thickness_nm;
        // A film that thins out ends in no film: its own Fresnel reflectance would not. By eye: at 0.03 nm a film
        // has no colour yet.
        (*surface).iridescence = iridescence_factor(in) * smoothstep(0.0, 0.03, thickness_nm);
    }
    if has(HAS_DIFFUSE_TRANSMISSION) {
        let factor = texel(in, DIFFUSE_TRANSMISSION_MAP, DIFFUSE_TRANSMISSION_SLOT).a;
        (*surface).diffuse_transmission = material.diffuse_transmission.a * factor;
        let color = texel(in, DIFFUSE_TRANSMISSION_COLOR_MAP, DIFFUSE_TRANSMISSION_COLOR_SLOT).rgb;
        (*surface).diffuse_transmission_color = material.diffuse_transmission.rgb * color;
    }
}

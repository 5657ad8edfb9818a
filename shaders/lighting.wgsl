// How a surface answers light: its lobes and layers, by lights and by the environment.
//
// Layers take from what lies below what they themselves give back, so that nothing returns more than it got: the share
// is the lobe's directional albedo, that is all that it returns of a uniform environment (C. Kulla and A. Conty, "Revisiting
// Physically Based Shading at Imageworks", 2017).

// What is the same for all light that a place on a surface sends to the eye.
struct Answer {
    to_eye: vec3<f32>,
    n_v: f32,
    // Reflected at normal incidence and at grazing angles, with the colours of a thin film and with what one bounce between
    // microfacets loses given back.
    specular: vec3<f32>,
    grazing: vec3<f32>,
    // Directional albedo of the specular lobe.
    albedo: vec3<f32>,
    // The share that gets below the surface.
    below: f32,
    // The share that sheen lets through.
    below_sheen: f32,
    // The share that the clear coat reflects.
    coat: f32,
}

// The reflectance of a clear coat at normal incidence (KHR_materials_clearcoat, "Implementation": index 1.5).
const COAT_REFLECTANCE: f32 = 0.04;

// By how much more comes back than after one bounce between microfacets. If all the rest came back after two it were
// 1 + F (1 / E - 1) (E. Turquin, "Practical multiple scattering compensation for microfacet models", 2019), with as many as
// it takes, of which each loses the same, 1 / (1 - F (1 - E)). Random walks on the microsurface (E. Heitz and others,
// "Multiple-Scattering Microfacet BSDFs with the Smith Model", 2016) lie between: by the first alone a rough metal that
// reflects a half would be up to 15 % too bright. The shares 0.6 and 0.4 are fitted to such walks, for roughness from 0.5
// on, and off by 7 % at most (tests/pictures/lobes.rs `coloured_metals_return_what_random_walks_do`).
fn compensation(at_normal: vec3<f32>, share: vec2<f32>) -> vec3<f32> {
    let once = max(share.x + share.y, 1e-3);
    let lost = 1.0 / once - 1.0;
    if QUALITY == 0u {
        return 1.0 + at_normal * lost;
    }
    let series = once / (1.0 - at_normal * (1.0 - once));
    return 1.0 + at_normal * lost * (0.6 + 0.4 * series);
}

// What a lobe reflects at normal incidence and at grazing angles, as in `Answer`, and its directional albedo.
struct Lobe {
    specular: vec3<f32>,
    grazing: vec3<f32>,
    albedo: vec3<f32>,
}

fn lobe_of(at_normal: vec3<f32>, grazing: vec3<f32>, share: vec2<f32>) -> Lobe {
    let factor = compensation(at_normal, share);
    let albedo = (at_normal * share.x + grazing * share.y) * factor;
    return Lobe(at_normal * factor, grazing * factor, min(albedo, vec3(1.0)));
}

// The same of one of the two that a surface is mixed of, metal and no metal, below its film.
fn lobe_below_film(
    surface: MaterialSurface,
    n_v: f32,
    at_normal: vec3<f32>,
    at_grazing: f32,
    share: vec2<f32>,
) -> Lobe {
    if !has(HAS_IRIDESCENCE) {
        return lobe_of(at_normal, vec3(at_grazing), share);
    }
    let film = film_reflectance(n_v, material.iridescence.y, surface.iridescence_thickness_nm, at_normal);
    // The reflectance at normal incidence from which Schlick's Fresnel makes the film's at this angle. A film that takes
    // more from grazing light than there is without it asks for less than nothing: then the curve ends lower. 0.95 is chosen
    // to stay clear of a division by zero.
    let mixed = min(schlick(n_v), 0.95);
    let solved = (film - at_grazing * mixed) / (1.0 - mixed);
    let lower = select(vec3(at_grazing), film / max(mixed, 1e-6), solved < vec3(0.0));
    return lobe_of(
        mix(at_normal, clamp(solved, vec3(0.0), vec3(1.0)), surface.iridescence),
        mix(vec3(at_grazing), lower, surface.iridescence),
        share,
    );
}

// Squared roughness along the direction in which highlights are drawn out, and across (KHR_materials_anisotropy,
// "Individual lobes").
fn alphas_along_and_across(surface: MaterialSurface) -> vec2<f32> {
    let alpha = surface.roughness * surface.roughness;
    return vec2(mix(alpha, 1.0, surface.anisotropy * surface.anisotropy), alpha);
}

fn prepare_answer(surface: MaterialSurface, to_eye: vec3<f32>) -> Answer {
    var answer: Answer;
    answer.to_eye = to_eye;
    answer.n_v = clamp(dot(surface.normal, to_eye), 1e-4, 1.0);
    var share = specular_share(answer.n_v, surface.roughness);
    if has(HAS_ANISOTROPY) && QUALITY > 0u {
        let along = dot(surface.anisotropy_along, to_eye);
        let across = dot(surface.anisotropy_across, to_eye);
        share = anisotropic_share(alphas_along_and_across(surface), vec3(along, across, answer.n_v));
    }
    // glTF 2.0 §B.2: as much of either as the surface is of it. A half of both is brighter than what reflects a half.
    let metal = lobe_below_film(surface, answer.n_v, surface.base_color, 1.0, share);
    let dielectric = lobe_below_film(surface, answer.n_v, surface.dielectric, surface.dielectric_grazing, share);
    answer.specular = mix(dielectric.specular, metal.specular, surface.metallic);
    answer.grazing = mix(dielectric.grazing, metal.grazing, surface.metallic);
    answer.albedo = mix(dielectric.albedo, metal.albedo, surface.metallic);
    answer.below = 1.0 - max_component(dielectric.albedo);
    answer.below_sheen = 1.0;
    if has(HAS_SHEEN) {
        // KHR_materials_sheen, "Albedo-scaling technique".
        let strongest = max_component(surface.sheen_color);
        answer.below_sheen = 1.0 - strongest * sheen_share(answer.n_v, surface.sheen_roughness);
    }
    if has(HAS_CLEARCOAT) {
        let coat_n_v = clamp(dot(surface.coat_normal, to_eye), 1e-4, 1.0);
        let coat_share = specular_share(coat_n_v, surface.clearcoat_roughness);
        answer.coat = surface.clearcoat * lobe_of(vec3(COAT_REFLECTANCE), vec3(1.0), coat_share).albedo.x;
    }
    return answer;
}

// What a surface sends to the eye of the light that a lamp sends to it.
fn answer_light(surface: MaterialSurface, answer: Answer, light: LightSample) -> vec3<f32> {
    let sum = answer.to_eye + light.to_light;
    let halfway = sum * inverseSqrt(max(dot(sum, sum), 1e-12));
    let cosine = dot(surface.normal, light.to_light);
    let n_l = clamp(cosine, 0.0, 1.0);
    let n_h = clamp(dot(surface.normal, halfway), 0.0, 1.0);
    let grazing = schlick(dot(answer.to_eye, halfway));
    var lobe: f32;
    if has(HAS_ANISOTROPY) {
        let along = surface.anisotropy_along;
        let across = surface.anisotropy_across;
        lobe = ggx_anisotropic(
            alphas_along_and_across(surface),
            vec3(dot(along, halfway), dot(across, halfway), n_h),
            vec3(dot(along, light.to_light), dot(across, light.to_light), n_l),
            vec3(dot(along, answer.to_eye), dot(across, answer.to_eye), answer.n_v),
        );
    } else {
        lobe = ggx(surface.roughness * surface.roughness, n_l, answer.n_v, n_h);
    }
    let fresnel = mix(answer.specular, answer.grazing, grazing);
    var scattered = surface.diffuse * n_l;
    if has(HAS_DIFFUSE_TRANSMISSION) {
        let through = surface.diffuse_transmission_color * (1.0 - surface.metallic) * clamp(-cosine, 0.0, 1.0);
        scattered = mix(scattered, through * volume_share(surface.thickness), surface.diffuse_transmission);
    }
    if has(HAS_TRANSMISSION) {
        scattered *= 1.0 - surface.transmission;
    }
    var result = fresnel * (lobe * n_l) + scattered * (answer.below / PI);
    if has(HAS_TRANSMISSION) {
        let through = surface.diffuse * volume_share(surface.thickness);
        result += through * (answer.below * surface.transmission * transmitted_lobe(surface, answer, light.to_light));
    }
    if has(HAS_SHEEN) {
        // The light on its way in is dimmed, too: whichever of the two ways is worse counts.
        let strongest = max_component(surface.sheen_color);
        let inwards = 1.0 - strongest * sheen_share(max(n_l, 1e-4), surface.sheen_roughness);
        result *= min(answer.below_sheen, inwards);
        result += surface.sheen_color * (charlie(surface.sheen_roughness, n_l, answer.n_v, n_h) * n_l);
    }
    if has(HAS_CLEARCOAT) {
        let coat_n_l = clamp(dot(surface.coat_normal, light.to_light), 0.0, 1.0);
        let coat_n_v = clamp(dot(surface.coat_normal, answer.to_eye), 1e-4, 1.0);
        let coat_n_h = clamp(dot(surface.coat_normal, halfway), 0.0, 1.0);
        let coat_alpha = surface.clearcoat_roughness * surface.clearcoat_roughness;
        let coat_fresnel = COAT_REFLECTANCE + (1.0 - COAT_REFLECTANCE) * grazing;
        let coat = ggx(coat_alpha, coat_n_l, coat_n_v, coat_n_h) * coat_n_l * coat_fresnel;
        result = result * (1.0 - answer.coat) + vec3(surface.clearcoat * coat);
    }
    return result * light.radiance;
}

// The normal by which the environment is mirrored: that of the surface, or one that stands between it and the eye's side of
// the fibres along which highlights are drawn out (KHR_materials_anisotropy, "Image-based lighting").
fn mirror_normal(surface: MaterialSurface, to_eye: vec3<f32>) -> vec3<f32> {
    if !has(HAS_ANISOTROPY) {
        return surface.normal;
    }
    // Highlights drawn out along a direction are those of grooves across it.
    let grooves = surface.anisotropy_across;
    let towards_eye = cross(cross(grooves, to_eye), grooves);
    let straightness = 1.0 - surface.anisotropy * (1.0 - surface.roughness);
    let kept = straightness * straightness * straightness * straightness;
    return normalize(mix(normalize(towards_eye + surface.normal * 1e-4), surface.normal, kept));
}

// A normal, or where it faces away from the eye the nearest one that does not. At outlines those of vertices face away, and so
// do bent ones; they would mirror what lies on the other side of the outline.
fn towards_eye_side(normal: vec3<f32>, to_eye: vec3<f32>) -> vec3<f32> {
    let bent = normal - min(dot(normal, to_eye), 0.0) * to_eye;
    return bent * inverseSqrt(max(dot(bent, bent), 1e-12));
}

// The middle of what a lobe sees. The rougher it is, the more of what lies around the mirrored direction is below the
// surface or grazes it, so the middle is nearer to the normal (S. Lagarde and C. de Rousiers, "Moving Frostbite to
// Physically Based Rendering", 2014, "dominant direction"). The exponent is fitted to the integrals of GGX lobes in
// photographed environments, indoors and outdoors: on average it is off by 10 %, the mirrored direction by 25 %.
fn lobe_middle(mirrored: vec3<f32>, normal: vec3<f32>, n_v: f32, roughness: f32) -> vec3<f32> {
    if QUALITY == 0u {
        // Near the middle of the exponent, and without `pow`.
        return normalize(mix(mirrored, normal, roughness * roughness));
    }
    return normalize(mix(mirrored, normal, pow(roughness, 1.5 + 1.5 * n_v)));
}

// What a surface sends to the eye of the light that comes from all around.
fn answer_environment(surface: MaterialSurface, answer: Answer) -> vec3<f32> {
    let normal = towards_eye_side(mirror_normal(surface, answer.to_eye), answer.to_eye);
    let mirrored = reflect(-answer.to_eye, normal);
    let middle = lobe_middle(mirrored, surface.normal, answer.n_v, surface.roughness);
    var scattered = surface.diffuse * environment_diffuse(surface.normal);
    if has(HAS_DIFFUSE_TRANSMISSION) {
        let through = surface.diffuse_transmission_color * (1.0 - surface.metallic);
        let behind = environment_diffuse(-surface.normal) * volume_share(surface.thickness);
        scattered = mix(scattered, through * behind, surface.diffuse_transmission);
    }
    if has(HAS_TRANSMISSION) {
        scattered *= 1.0 - surface.transmission;
    }
    var result = environment_specular(middle, surface.roughness) * answer.albedo + scattered * answer.below;
    if has(HAS_SHEEN) {
        // Fibres are no mirror. What they see is spread like what a matt surface sees that leans towards the eye: they send
        // light back, the more so the smoother they are. The 1.2 is fitted to integrals of the lobe, as above: off by 10 %.
        let aside = answer.to_eye - answer.n_v * surface.normal;
        let fibres = environment_diffuse(normalize(surface.normal + (1.2 - surface.sheen_roughness) * aside));
        let sheen = surface.sheen_color * sheen_share(answer.n_v, surface.sheen_roughness);
        result = result * answer.below_sheen + fibres * sheen;
    }
    if has(HAS_CLEARCOAT) {
        let coat_n_v = clamp(dot(surface.coat_normal, answer.to_eye), 1e-4, 1.0);
        let coat_mirrored = reflect(-answer.to_eye, towards_eye_side(surface.coat_normal, answer.to_eye));
        let coat_middle = lobe_middle(coat_mirrored, surface.coat_normal, coat_n_v, surface.clearcoat_roughness);
        let coat = environment_specular(coat_middle, surface.clearcoat_roughness);
        result = result * (1.0 - answer.coat) + coat * answer.coat;
    }
    return result * surface.occlusion;
}

// What comes to the eye from a surface, and how much it hides of what lies behind: 1 unless light passes through it.
fn shade(gathered: MaterialSurface, position_from_eye: vec3<f32>) -> vec4<f32> {
    var surface = gathered;
    surface.roughness = max(surface.roughness, MIN_ROUGHNESS);
    surface.clearcoat_roughness = max(surface.clearcoat_roughness, MIN_ROUGHNESS);
    surface.sheen_roughness = max(surface.sheen_roughness, MIN_SHEEN_ROUGHNESS);
    let answer = prepare_answer(surface, towards_viewer(position_from_eye));
    var light = answer_environment(surface, answer);
    // Asked for its end after each light, not before: a software driver goes once more through a loop that it is to leave.
    let count = light_count();
    if count > 0u {
        var index = 0u;
        loop {
            let arriving = light_from(index, position_from_eye, surface.geometric_normal);
            light += answer_light(surface, answer, arriving);
            index += 1u;
            if index >= count {
                break;
            }
        }
    }
    var hidden = 1.0;
    // Layers on top dim what is let through from below, of what is given off the coat alone.
    let above = answer.below_sheen * (1.0 - answer.coat);
    if has(HAS_TRANSMISSION) {
        let share = surface.diffuse * (answer.below * surface.transmission * above);
        // As rough as the file says: lobes alone must not be too narrow.
        let behind = light_behind(gathered, answer.to_eye, position_from_eye);
        light += behind.light * share;
        hidden = hidden_by(behind, share);
    }
    return vec4(dimmed_to(light + surface.emissive * (1.0 - answer.coat), BRIGHTEST), hidden);
}

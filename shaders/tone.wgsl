// Tone curves: from light in the scene to light on the screen, both linear, white at 1. Twin of the numbers:
// render/frame/uniform.rs `tone_number`.

const TONE_NEUTRAL: u32 = 1u;
const TONE_ACES: u32 = 2u;
const TONE_AGX: u32 = 3u;

// Khronos PBR Neutral ("Khronos PBR Neutral Tone Mapper Specification", 2024): takes away what dielectrics reflect in even
// light, so that base colours come out as they are, and bends what is bright towards white.
const NEUTRAL_START: f32 = 0.76;
const NEUTRAL_DESATURATION: f32 = 0.15;

fn tone_neutral(light: vec3<f32>) -> vec3<f32> {
    let least = min(light.r, min(light.g, light.b));
    // Below 0 there is nothing to take away: what `untoned` makes of saturated colours.
    let toe = select(0.04, max(least - 6.25 * least * least, 0.0) * step(0.0, least), least < 0.08);
    let color = light - toe;
    let peak = max(color.r, max(color.g, color.b));
    if peak < NEUTRAL_START {
        return color;
    }
    let room = 1.0 - NEUTRAL_START;
    let new_peak = 1.0 - room * room / (peak + room - NEUTRAL_START);
    let kept = 1.0 / (NEUTRAL_DESATURATION * (peak - new_peak) + 1.0);
    return mix(vec3(new_peak), color * (new_peak / peak), kept);
}

// The Academy's reference and output transforms as S. Hill fitted them (BakingLab, 2015), with the exposure of 1/0.6 that
// viewers of models give it, so that its middle grey is that of other curves.
fn tone_aces(light: vec3<f32>) -> vec3<f32> {
    let into = mat3x3(
        vec3(0.59719, 0.07600, 0.02840),
        vec3(0.35458, 0.90834, 0.13383),
        vec3(0.04823, 0.01566, 0.83777),
    );
    let back = mat3x3(
        vec3(1.60475, -0.10208, -0.00327),
        vec3(-0.53108, 1.10813, -0.07276),
        vec3(-0.07367, -0.00605, 1.07602),
    );
    let v = into * (light / 0.6);
    let fitted = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return clamp(back * fitted, vec3(0.0), vec3(1.0));
}

fn agx_curve(x: vec3<f32>) -> vec3<f32> {
    let x2 = x * x;
    let x4 = x2 * x2;
    return 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
}

// AgX by T. Sobotka, with the curve as B. Wrensch fitted it ("Minimal AgX Implementation", 2023).
fn tone_agx(light: vec3<f32>) -> vec3<f32> {
    let into = mat3x3(
        vec3(0.842479062253094, 0.0423282422610123, 0.0423756549057051),
        vec3(0.0784335999999992, 0.878468636469772, 0.0784336),
        vec3(0.0792237451477643, 0.0791661274605434, 0.879142973793104),
    );
    let back = mat3x3(
        vec3(1.19687900512017, -0.0528968517574562, -0.0529716355144438),
        vec3(-0.0980208811401368, 1.15190312990417, -0.0980434501171241),
        vec3(-0.0990297440797205, -0.0989611768448433, 1.15107367264116),
    );
    let stops = log2(max(into * light, vec3(1e-10)));
    let x = clamp((stops + 12.47393) / 16.5, vec3(0.0), vec3(1.0));
    // It is made for a screen whose brightness is the power 2.2 of the signal.
    return pow(clamp(back * agx_curve(x), vec3(0.0), vec3(1.0)), vec3(2.2));
}

fn tone(light: vec3<f32>, curve: u32) -> vec3<f32> {
    switch curve {
        case TONE_NEUTRAL: { return tone_neutral(light); }
        case TONE_ACES: { return tone_aces(light); }
        case TONE_AGX: { return tone_agx(light); }
        default: { return min(light, vec3(1.0)); }
    }
}

// The light that `tone_neutral` turns into a colour: colours that no light falls on stay exact. Those whose greatest part is
// above 0.98 come out with 0.98: white itself would need endless light.
fn untoned_neutral(any_color: vec3<f32>) -> vec3<f32> {
    let given_peak = max(any_color.r, max(any_color.g, any_color.b));
    let new_peak = min(given_peak, 0.98);
    var color = any_color * (new_peak / max(given_peak, 1e-6));
    if new_peak >= NEUTRAL_START {
        let room = 1.0 - NEUTRAL_START;
        let peak = room * room / (1.0 - new_peak) - room + NEUTRAL_START;
        let kept = 1.0 / (NEUTRAL_DESATURATION * (peak - new_peak) + 1.0);
        color = (color - (1.0 - kept) * new_peak) * (peak / (new_peak * kept));
    }
    let least = min(color.r, min(color.g, color.b));
    let toe = select(0.04, sqrt(max(least, 0.0) / 6.25) - least, least < 0.04);
    return color + select(toe, 0.0, least <= 0.0);
}

// The light that `tone_aces` turns into a colour. The matrix behind its curve only mixes colours, so what stands before it
// is within the curve's reach; parts of saturated colours come out below 0, which the curve takes back.
fn untoned_aces(color: vec3<f32>) -> vec3<f32> {
    let before = mat3x3(
        vec3(0.64303825, 0.05926869, 0.00596190),
        vec3(0.31118675, 0.93143649, 0.06392902),
        vec3(0.04577546, 0.00929492, 0.93011838),
    );
    let back = mat3x3(
        vec3(1.76474097, -0.14702785, -0.03633683),
        vec3(-0.67577768, 1.16025151, -0.16243644),
        vec3(-0.08896329, -0.01322366, 1.19877327),
    );
    let y = clamp(before * color, vec3(0.0), vec3(1.0));
    // The positive root of the curve's quadratic.
    let a = 1.0 - 0.983729 * y;
    let b = 0.0245786 - 0.4329510 * y;
    let c = -0.000090537 - 0.238081 * y;
    let v = (sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a);
    return 0.6 * (back * v);
}

// The light that `tone_agx` turns into a colour. The curve ends at 0.9986, which white comes out as.
fn untoned_agx(color: vec3<f32>) -> vec3<f32> {
    let before = mat3x3(
        vec3(0.84247906, 0.04232824, 0.04237565),
        vec3(0.07843360, 0.87846864, 0.07843360),
        vec3(0.07922375, 0.07916613, 0.87914297),
    );
    let back = mat3x3(
        vec3(1.19687901, -0.05289685, -0.05297164),
        vec3(-0.09802088, 1.15190313, -0.09804345),
        vec3(-0.09902974, -0.09896118, 1.15107367),
    );
    let wanted = before * pow(clamp(color, vec3(0.0), vec3(1.0)), vec3(1.0 / 2.2));
    // The curve rises all the way: the place is found by halving.
    var x = vec3(0.5);
    var half_step = 0.25;
    for (var step = 0; step < 14; step += 1) {
        x += select(vec3(half_step), vec3(-half_step), agx_curve(x) > wanted);
        half_step *= 0.5;
    }
    return back * exp2(x * 16.5 - 12.47393);
}

// The light that comes out as a colour, by a curve and after an exposure; no brighter than what can be stored.
fn light_shown_as(color: vec3<f32>, curve: u32, exposure: f32) -> vec3<f32> {
    var light = color;
    switch curve {
        case TONE_NEUTRAL: { light = untoned_neutral(color); }
        case TONE_ACES: { light = untoned_aces(color); }
        case TONE_AGX: { light = untoned_agx(color); }
        default: {}
    }
    return dimmed_to(max(light / exposure, vec3(-BRIGHTEST)), BRIGHTEST);
}

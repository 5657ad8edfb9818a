//! A crowd: many instances of one model, each with a clip, a phase, a speed and a place of its own.
//!
//! All of them go into one palette, so that each primitive is one draw call. Those whom the camera cannot see are neither
//! posed nor drawn.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use glam::{Affine3A, Mat4, Vec3, Vec4};

use crate::{
    anim::{
        CompactMatrix, Cursors, Palette, PaletteForm, PaletteLayout, PaletteMatrix, Pose, bounds,
        crowd::{CrowdClip, Member, Sink},
        sample, to_compact, to_palette_matrix,
    },
    model::{Aabb, Model},
};

/// One of a crowd.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Individual {
    /// Index of its clip; without one it is at rest.
    pub clip: Option<usize>,
    /// Where in the clip it is at time 0.
    pub phase_secs: f64,
    /// Factor on the passing of time.
    pub speed: f64,
    /// Where it is.
    pub world_from_root: Affine3A,
}

/// What a crowd plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repertoire {
    /// All clips in turn, one each.
    All,
    /// All the same clip (an index); without one they are at rest.
    One(Option<usize>),
}

/// In which form a crowd's matrices go to the graphics adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FormChoice {
    /// Compact where that changes nothing.
    #[default]
    Auto,
    /// Three rows each.
    Full,
    /// Compact, also where that changes the last visible digit.
    Compact,
}

impl FormChoice {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Full, Self::Compact];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Compact => "compact",
        }
    }
}

/// Many instances of one model.
#[derive(Debug)]
pub struct Crowd {
    /// Ordered by clip.
    individuals: Vec<Individual>,
    troupes: Vec<Troupe>,
    /// Where the individuals are, in compact form, if the crowd is posed in that.
    places: Vec<CompactMatrix>,
    form: PaletteForm,
    /// The form that the palette of the last [`Crowd::pose`] asked for.
    posed_form: PaletteForm,
    /// Those in sight, as of the last [`Crowd::pose`]; kept, so that a frame allocates nothing.
    members: Vec<Member>,
    /// The same in compact form.
    compact_members: Vec<Member<CompactMatrix>>,
    /// The matrices of the first of them.
    first: Vec<PaletteMatrix>,
}

/// Those who play the same clip.
#[derive(Debug)]
struct Troupe {
    baked: CrowdClip,
    duration_secs: f64,
    individuals: Range<usize>,
    /// Those in sight, among the members.
    members: Range<usize>,
    /// What the clip reaches, around one who stands at the origin.
    reach: Aabb,
}

/// Moments of a clip at which its reach is measured.
const REACH_SAMPLES: usize = 24;
/// What is added to the reach for the time between, in parts of its size.
const REACH_MARGIN: f32 = 0.15;

impl Crowd {
    /// A crowd of these individuals.
    pub fn new(model: &Model, layout: &PaletteLayout, individuals: Vec<Individual>) -> Self {
        Self::with_reach(model, layout, individuals, |clip| {
            reach(model, layout, clip)
        })
    }

    /// The same where it is known what each clip reaches.
    fn with_reach(
        model: &Model,
        layout: &PaletteLayout,
        mut individuals: Vec<Individual>,
        reach: impl Fn(Option<usize>) -> Aabb,
    ) -> Self {
        individuals.sort_by_key(|individual| individual.clip);
        let mut troupes = Vec::new();
        let mut first = 0;
        for same_clip in individuals.chunk_by(|a, b| a.clip == b.clip) {
            let end = first + same_clip.len();
            let clip = same_clip[0].clip;
            troupes.push(Troupe {
                baked: CrowdClip::new(model, layout, clip),
                duration_secs: duration_secs(model, clip),
                individuals: first..end,
                members: 0..0,
                reach: reach(clip),
            });
            first = end;
        }
        Self {
            individuals,
            troupes,
            places: Vec::new(),
            form: PaletteForm::Full,
            posed_form: PaletteForm::Full,
            members: Vec::new(),
            compact_members: Vec::new(),
            first: Vec::new(),
        }
        .with_form(FormChoice::Auto)
    }

    /// The same with matrices in another form, where that says the same.
    pub fn with_form(mut self, choice: FormChoice) -> Self {
        let is_asked_for = choice == FormChoice::Compact;
        let is_compact = |troupe: &Troupe| troupe.baked.is_compact(is_asked_for);
        let places = self.individuals.iter();
        let places: Option<Vec<_>> = places
            .map(|individual| to_compact(&individual.world_from_root))
            .collect();
        (self.form, self.places) = match places {
            Some(places) if choice != FormChoice::Full && self.troupes.iter().all(is_compact) => {
                (PaletteForm::Compact, places)
            }
            _ => (PaletteForm::Full, Vec::new()),
        };
        self.posed_form = self.form;
        self
    }

    /// The form of its matrices.
    pub fn form(&self) -> PaletteForm {
        self.form
    }

    /// A crowd on a square field around the origin, looking ahead. Each is somewhere else in its clip and up to a tenth
    /// faster or slower; the one in the middle is as the model would be alone.
    pub fn on_field(
        model: &Model,
        layout: &PaletteLayout,
        repertoire: Repertoire,
        count: usize,
    ) -> Self {
        let clips = model.clips.len();
        let clip_of = |index: usize| match repertoire {
            Repertoire::All => (clips > 0).then(|| index % clips),
            Repertoire::One(clip) => clip,
        };
        // What is played is measured once: it visits every vertex many times.
        let played: BTreeSet<_> = (0..count.min(clips.max(1))).map(clip_of).collect();
        let measured = played
            .into_iter()
            .map(|clip| (clip, reach(model, layout, clip)));
        let reaches: BTreeMap<_, _> = measured.collect();
        let spacing = reaches
            .values()
            .filter(|reach| !reach.is_empty())
            .map(|reach| (reach.max - reach.min).with_y(0.0).max_element())
            .fold(0.0, f32::max);
        let spacing = if spacing > 0.0 { spacing } else { 1.0 };
        let individual = |index: usize| {
            // The golden ratio and the root of two spread evenly, however many there are.
            let (phase, haste) = match index {
                0 => (0.0, 0.5),
                _ => (
                    (index as f64 * 0.618_033_988_75).fract(),
                    (index as f64 * 0.414_213_562_37).fract(),
                ),
            };
            let clip = clip_of(index);
            let (column, row) = spiral(index);
            let place = Vec3::new(column as f32, 0.0, row as f32) * spacing;
            Individual {
                clip,
                phase_secs: phase * duration_secs(model, clip),
                speed: 0.9 + 0.2 * haste,
                world_from_root: Affine3A::from_translation(place),
            }
        };
        let individuals = (0..count).map(individual).collect();
        Self::with_reach(model, layout, individuals, |clip| reaches[&clip])
    }

    /// Finds who is in sight at a time (of the crowd, not of a clip) and says in the palette where their matrices will be.
    /// Those are written by [`Crowd::write`], to wherever they are read.
    ///
    /// With `clip_from_world` those outside its volume are left out; without it nobody is. A palette that wants rotations
    /// gets full matrices, with which they are found: the difference of both ways of skinning is not to be that of the form.
    pub fn pose(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        time_secs: f64,
        clip_from_world: Option<Mat4>,
        palette: &mut Palette,
    ) {
        self.members.clear();
        self.compact_members.clear();
        self.posed_form = if palette.wants_rotations() {
            PaletteForm::Full
        } else {
            self.form
        };
        for troupe in &mut self.troupes {
            let first = self.members.len();
            for index in troupe.individuals.clone() {
                let individual = &self.individuals[index];
                if clip_from_world.is_some_and(|clip_from_world| {
                    is_out_of_sight(&troupe.reach, clip_from_world * individual.world_from_root)
                }) {
                    continue;
                }
                let time_secs = looped(individual, troupe.duration_secs, time_secs);
                self.members.push(Member {
                    time_secs,
                    world_from_root: to_palette_matrix(&individual.world_from_root),
                });
                if let Some(&world_from_root) = self.places.get(index) {
                    self.compact_members.push(Member {
                        time_secs,
                        world_from_root,
                    });
                }
            }
            troupe.members = first..self.members.len();
        }
        self.first
            .resize(layout.matrices_per_instance(), PaletteMatrix::default());
        let (members, troupes) = (&self.members, &self.troupes);
        let troupe_of =
            |member: usize| troupes.partition_point(|troupe| troupe.members.end <= member);
        if let Some(first) = members.get(..1) {
            let troupe = &troupes[troupe_of(0)];
            troupe.baked.pose(model, first, &mut self.first);
        }
        palette.fill(
            layout,
            members.len(),
            self.posed_form,
            |placement, member, morphs| {
                let baked = &troupes[troupe_of(member)].baked;
                baked.describe(model, placement, members[member].time_secs, morphs)
            },
        );
        let has_rotations = palette.is_dual() || palette.wants_rotations();
        if has_rotations && self.posed_form == PaletteForm::Full {
            // Rotations are found from them.
            self.write(model, layout, palette.make_matrices(layout));
        }
    }

    /// Poses all who were found by [`Crowd::pose`], and writes their matrices: on all threads, each once and in order.
    pub fn write<'s, S: Sink<'s>>(&self, model: &Model, layout: &PaletteLayout, out: S) {
        let stride = layout.matrices_per_instance() * self.posed_form.bytes() / size_of::<Vec4>();
        let mut rest = out;
        for troupe in &self.troupes {
            let (own, others) = rest.split(troupe.members.len() * stride);
            match self.posed_form {
                PaletteForm::Full => {
                    let members = &self.members[troupe.members.clone()];
                    troupe.baked.write(model, members, own);
                }
                PaletteForm::Compact => {
                    let members = &self.compact_members[troupe.members.clone()];
                    troupe.baked.write_compact(model, members, own);
                }
            }
            rest = others;
        }
    }

    /// The matrices of the first who is in sight.
    pub fn first(&self) -> &[PaletteMatrix] {
        &self.first
    }

    /// All individuals, ordered by clip.
    pub fn individuals(&self) -> &[Individual] {
        &self.individuals
    }

    /// Number of individuals.
    pub fn len(&self) -> usize {
        self.individuals.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.individuals.is_empty()
    }

    /// Number of those in sight, as of the last [`Crowd::pose`].
    pub fn in_sight(&self) -> usize {
        self.members.len()
    }

    /// The box around all that the crowd can reach.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.corners())
    }

    /// The corners of the boxes that the individuals can reach.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.troupes
            .iter()
            .filter(|troupe| !troupe.reach.is_empty())
            .flat_map(|troupe| {
                let individuals = &self.individuals[troupe.individuals.clone()];
                individuals.iter().flat_map(|individual| {
                    corners(&troupe.reach)
                        .map(|corner| individual.world_from_root.transform_point3(corner))
                })
            })
    }
}

/// The individual's time in its clip.
fn looped(individual: &Individual, duration_secs: f64, time_secs: f64) -> f64 {
    if duration_secs <= 0.0 {
        return 0.0;
    }
    let time = individual.phase_secs + individual.speed * time_secs;
    (time - (time / duration_secs).floor() * duration_secs).clamp(0.0, duration_secs)
}

fn duration_secs(model: &Model, clip: Option<usize>) -> f64 {
    let clip = clip.and_then(|clip| model.clips.get(clip));
    clip.map_or(0.0, |clip| f64::from(clip.duration_secs()))
}

/// The box around the poses of a clip.
fn reach(model: &Model, layout: &PaletteLayout, clip: Option<usize>) -> Aabb {
    let (mut pose, mut cursors, mut palette) = (
        Pose::new(&model.hierarchy),
        Cursors::default(),
        Palette::default(),
    );
    let mut reach = Aabb::EMPTY;
    let samples = if clip.is_some() { REACH_SAMPLES } else { 1 };
    for index in 0..samples {
        pose.reset(&model.hierarchy);
        if let Some(clip) = clip.and_then(|clip| model.clips.get(clip)) {
            let time = f64::from(clip.duration_secs()) * index as f64 / samples as f64;
            sample(clip, time, &mut cursors, &mut pose);
            // What is hidden for a while comes back, and what is hidden throughout takes the room that it has at rest.
            for (hidden, node) in pose.hidden.iter_mut().zip(model.hierarchy.nodes()) {
                *hidden &= node.is_hidden;
            }
        }
        pose.update_world(&model.hierarchy, Affine3A::IDENTITY);
        palette.clear(layout, 1);
        palette.push(model, layout, &pose);
        let posed = bounds::posed_bounds(model, layout, &palette, &pose, 0);
        reach = corners(&posed)
            .into_iter()
            .filter(|_| !posed.is_empty())
            .fold(reach, Aabb::with);
    }
    if reach.is_empty() {
        return reach;
    }
    let margin = Vec3::splat(reach.diagonal() * REACH_MARGIN);
    reach.with(reach.min - margin).with(reach.max + margin)
}

fn corners(bounds: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let side = |axis: usize| corner >> axis & 1 == 1;
        Vec3::select(
            glam::BVec3::new(side(0), side(1), side(2)),
            bounds.max,
            bounds.min,
        )
    })
}

/// Whether a box lies wholly beyond one of the planes of the view volume. Depth is reversed: 1 near, 0 infinitely far, so
/// there is no far plane (G. Gribb and K. Hartmann 2001, "Fast extraction of viewing frustum planes").
fn is_out_of_sight(bounds: &Aabb, clip_from_local: Mat4) -> bool {
    if bounds.is_empty() {
        return false;
    }
    let rows = clip_from_local.transpose();
    let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
    let is_beyond = |plane: Vec4| {
        // The corner that lies farthest along the plane's normal.
        let farthest = Vec3::select(plane.truncate().cmpge(Vec3::ZERO), bounds.max, bounds.min);
        plane.dot(farthest.extend(1.0)) < 0.0
    };
    [w + x, w - x, w + y, w - y, w - z]
        .into_iter()
        .any(is_beyond)
}

/// The `index`-th place of a square spiral around the origin.
fn spiral(index: usize) -> (i32, i32) {
    if index == 0 {
        return (0, 0);
    }
    // Ring `r` has 8 r places, and (2 r − 1)² lie within it.
    let index = index as i64;
    let mut ring = (((index as f64).sqrt() + 1.0) / 2.0) as i64;
    while (2 * ring - 1).pow(2) > index {
        ring -= 1;
    }
    while (2 * ring + 1).pow(2) <= index {
        ring += 1;
    }
    let along = index - (2 * ring - 1).pow(2);
    let (side, step) = (along / (2 * ring), along % (2 * ring));
    let (column, row) = match side {
        0 => (ring, step - ring + 1),
        1 => (ring - step - 1, ring),
        2 => (-ring, ring - step - 1),
        _ => (step - ring + 1, -ring),
    };
    (column as i32, row as i32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_spiral_fills_squares_without_a_gap() {
        for ring in 0..20_i32 {
            let count = (2 * ring + 1).pow(2) as usize;
            let places: HashSet<_> = (0..count).map(spiral).collect();
            assert_eq!(places.len(), count);
            assert!(
                places
                    .iter()
                    .all(|(x, y)| x.abs() <= ring && y.abs() <= ring)
            );
        }
    }

    #[test]
    fn boxes_are_culled_only_when_wholly_outside() {
        let camera = crate::scene::OrbitCamera {
            radius: 10.0,
            ..Default::default()
        };
        let clip_from_world = camera.view(1.0).clip_from_world();
        let unit = Aabb::EMPTY.with(Vec3::NEG_ONE).with(Vec3::ONE);
        let at = |place: Vec3| {
            is_out_of_sight(&unit, clip_from_world * Affine3A::from_translation(place))
        };
        assert!(
            !at(Vec3::ZERO) && !at(camera.eye()),
            "in front, and around the eye"
        );
        assert!(at(camera.eye() * 2.0), "behind the eye");
        let right = (camera.eye()).cross(Vec3::Y).normalize();
        assert!(at(right * 20.0) && at(right * -20.0) && at(Vec3::Y * 20.0));
        assert!(!at(right * 3.5), "one edge is in sight");
        assert!(!at(camera.eye() * -1000.0), "there is no far plane");
    }
}

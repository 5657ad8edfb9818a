//! A crowd: many instances of one model, each with a clip, a phase, a speed and a place of its own.
//!
//! All of them go into one palette, so that each primitive is one draw call. Those whom the camera cannot see are neither
//! posed nor drawn.

mod camps;
mod field;
mod reach;

use std::{collections::BTreeSet, ops::Range};

use glam::{Affine3A, Vec3, Vec4};

use crate::{
    anim::{
        CompactMatrix, Palette, PaletteForm, PaletteLayout, PaletteMatrix,
        crowd::{CrowdClip, Member, Sink},
        to_compact, to_palette_matrix,
    },
    model::{Aabb, Clip, Keyed, Mesh, Model, is_mirroring},
    scene::{Draws, collect_draws},
};
use camps::{Camps, Players, RoleSides};
pub use reach::Sight;
pub(crate) use reach::is_out_of_sight;
use reach::{Reach, Reaches};

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

impl Repertoire {
    /// Which of so many clips an individual plays.
    pub fn clip_of(self, individual: usize, clips: usize) -> Option<usize> {
        match self {
            Self::All => (clips > 0).then(|| individual % clips),
            Self::One(clip) => clip,
        }
    }

    /// Which of so many clips `count` individuals play together; none among them is the pose at rest.
    pub fn played_by(self, count: usize, clips: usize) -> BTreeSet<Option<usize>> {
        let individuals = 0..count.min(clips.max(1));
        individuals.map(|it| self.clip_of(it, clips)).collect()
    }
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

impl Keyed for FormChoice {
    const ALL: &'static [Self] = &[Self::Auto, Self::Full, Self::Compact];

    fn key(self) -> &'static str {
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
    /// [`Self::members`] in compact form.
    compact_members: Vec<Member<CompactMatrix>>,
    /// The matrices of the first of them.
    first: Vec<PaletteMatrix>,
    /// None where all are mirrored alike.
    camps: Option<Camps>,
    /// From the lowest that anybody may reach to the highest.
    height: f32,
}

/// Those who play the same clip.
#[derive(Debug)]
struct Troupe {
    role: Role,
    individuals: Range<usize>,
    /// Those in sight, among the members.
    members: Range<usize>,
}

/// What all who play the same clip do.
#[derive(Debug)]
struct Role {
    baked: CrowdClip,
    duration_secs: f64,
    /// What the clip reaches, around one who stands at the origin. It is measured once.
    reach: Reach,
    sides: RoleSides,
}

impl Role {
    /// A clip of the model (an index); without one the model at rest.
    fn new(reaches: &Reaches<'_>, clip: Option<usize>) -> Self {
        let (model, layout) = (reaches.model, reaches.layout);
        let of_model = clip.and_then(|clip| model.clips.get(clip));
        let reach = reaches.of(of_model);
        let baked = CrowdClip::new(model, layout, clip);
        Self {
            sides: RoleSides::new(model, layout, &baked),
            baked,
            duration_secs: model.clip_secs(clip),
            reach,
        }
    }

    /// A clip that is not the model's own, but of its nodes.
    fn of_clip(reaches: &Reaches<'_>, clip: Clip) -> Self {
        let (model, layout) = (reaches.model, reaches.layout);
        let duration_secs = f64::from(clip.duration_secs());
        let reach = reaches.of(Some(&clip));
        let baked = CrowdClip::of_clip(model, layout, clip);
        Self {
            sides: RoleSides::new(model, layout, &baked),
            baked,
            duration_secs,
            reach,
        }
    }
}

impl Crowd {
    /// A crowd of these individuals.
    pub fn new(model: &Model, layout: &PaletteLayout, individuals: Vec<Individual>) -> Self {
        let reaches = Reaches::new(model, layout, None, model.clips.len());
        Self::with_roles(individuals, |clip| Role::new(&reaches, clip))
    }

    /// A crowd of these individuals, where it is known what those who play each clip do.
    fn with_roles(
        mut individuals: Vec<Individual>,
        mut role_of: impl FnMut(Option<usize>) -> Role,
    ) -> Self {
        individuals.sort_by_key(|individual| individual.clip);
        let mut troupes = Vec::new();
        let mut first = 0;
        for same_clip in individuals.chunk_by(|a, b| a.clip == b.clip) {
            let end = first + same_clip.len();
            troupes.push(Troupe {
                role: role_of(same_clip[0].clip),
                individuals: first..end,
                members: 0..0,
            });
            first = end;
        }
        let mut places = individuals.iter().map(|it| &it.world_from_root);
        let does_place_mirror = places.any(|place| is_mirroring(&place.matrix3));
        let sides = troupes.iter().map(|troupe: &Troupe| &troupe.role.sides);
        let mut this = Self {
            camps: Camps::new(sides, does_place_mirror),
            individuals,
            troupes,
            places: Vec::new(),
            form: PaletteForm::Full,
            posed_form: PaletteForm::Full,
            members: Vec::new(),
            compact_members: Vec::new(),
            first: Vec::new(),
            height: 0.0,
        };
        let bounds = this.sight_bounds();
        if !bounds.is_empty() {
            this.height = bounds.max.y - bounds.min.y;
        }
        this.with_form(FormChoice::Auto)
    }

    /// This crowd with matrices in another form, where that says the same.
    pub fn with_form(mut self, choice: FormChoice) -> Self {
        let is_asked_for = choice == FormChoice::Compact;
        let is_compact = |troupe: &Troupe| troupe.role.baked.is_compact(is_asked_for);
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

    /// Finds who is in sight at a time (of the crowd, not of a clip) and says in the palette where their matrices will be.
    /// Those are written by [`Crowd::write`], to wherever they are read.
    ///
    /// With a `sight` those are left out whom it shows nothing of; without it nobody is. A palette that wants rotations
    /// gets full matrices, with which they are found: the difference of both ways of skinning is not to be that of the form.
    pub fn pose(
        &mut self,
        model: &Model,
        layout: &PaletteLayout,
        time_secs: f64,
        sight: Option<&Sight>,
        palette: &mut Palette,
    ) {
        self.members.clear();
        self.compact_members.clear();
        self.posed_form = if palette.wants_rotations() {
            PaletteForm::Full
        } else {
            self.form
        };
        let seen = sight.map(|sight| (&sight.view, sight.shadow_in_clip(self.height)));
        for troupe in &mut self.troupes {
            let first = self.members.len();
            for index in troupe.individuals.clone() {
                let individual = &self.individuals[index];
                let world_from_root = individual.world_from_root.into();
                if seen.is_some_and(|(view, shadow)| {
                    let clip_from_root = view.clip_from(world_from_root);
                    is_out_of_sight(&troupe.role.reach.sight_box, clip_from_root, shadow)
                }) {
                    continue;
                }
                let time_secs = looped(individual, troupe.role.duration_secs, time_secs);
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
            troupe.role.baked.pose(model, first, &mut self.first);
        }
        if let Some(camps) = &mut self.camps {
            let players = troupes.iter().map(|troupe| Players {
                members: &members[troupe.members.clone()],
                baked: &troupe.role.baked,
                sides: &troupe.role.sides,
            });
            camps.divide(model, layout, players);
        }
        let camps = self.camps.as_ref();
        palette.fill(
            layout,
            members.len(),
            self.posed_form,
            |placement, nth| camps.map_or(nth, |camps| camps.member(placement, nth)),
            |placement, member, morphs| {
                let baked = &troupes[troupe_of(member)].role.baked;
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
                    troupe.role.baked.write(model, members, own);
                }
                PaletteForm::Compact => {
                    let members = &self.compact_members[troupe.members.clone()];
                    troupe.role.baked.write_compact(model, members, own);
                }
            }
            rest = others;
        }
    }

    /// The matrices of the first who is in sight.
    pub fn first(&self) -> &[PaletteMatrix] {
        &self.first
    }

    /// Fills `draws` with an entry for each placement, after [`Crowd::pose`] with this palette: as the first who is in sight
    /// stands, but each on their own side.
    pub fn collect_draws(
        &self,
        meshes: &[Mesh],
        layout: &PaletteLayout,
        palette: &Palette,
        draws: &mut Draws,
    ) {
        collect_draws(meshes, layout, palette, &self.first, draws);
        if let Some(camps) = &self.camps {
            draws.set_camps(camps.of_placements());
        }
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

    /// The box around all that the crowd reaches at the frames of its clips.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(self.corners())
    }

    /// A larger box, which nobody leaves between frames either.
    pub fn sight_bounds(&self) -> Aabb {
        Aabb::of_points(self.corners_of(|role| role.reach.sight_box))
    }

    /// The corners of the boxes that the individuals reach at the frames of their clips.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.corners_of(|role| role.reach.bounds)
    }

    /// The corners of a box of each individual.
    fn corners_of(&self, box_of: impl Fn(&Role) -> Aabb) -> impl Iterator<Item = Vec3> {
        let boxes = self
            .troupes
            .iter()
            .map(move |troupe| (troupe, box_of(&troupe.role)));
        boxes
            .filter(|(_, of_role)| !of_role.is_empty())
            .flat_map(|(troupe, of_role)| {
                let individuals = &self.individuals[troupe.individuals.clone()];
                individuals.iter().flat_map(move |individual| {
                    let place = individual.world_from_root;
                    let corners = of_role.corners().into_iter();
                    corners.map(move |corner| place.transform_point3(corner))
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

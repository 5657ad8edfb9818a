//! A picture in rows of units, each of which all scans are decoded of before the next, so that few coefficients are kept:
//! each scan goes on where it was. Several threads may take turns, each at another scan or another row.

use std::{
    collections::VecDeque,
    hint,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use fearless_simd::Level;

use super::{
    Odd,
    frame::{Component, Frame, Kind},
    picture::{Coefficients, Picture},
    scans::{self, Block, Others, ScanState},
    units,
};

/// How many rows are in work at once, at most: of many scans, and of one.
const MAX_ROWS: usize = 8;
const MAX_WHOLE_ROWS: usize = 4;
/// What is kept of a block in them.
const EACH_BLOCK: usize = size_of::<Block>() + size_of::<u64>() + size_of::<i16>();

/// How often a thread looks for a turn before it sleeps, for a row is often done sooner than a thread is woken; and how long
/// it spins between.
const MAX_LOOKS: usize = 32;
const EACH_LOOK: usize = 64;

/// A picture that is being decoded.
pub(super) struct Work<'f, 'p> {
    level: Level,
    frame: &'f Frame,
    schedule: Mutex<Schedule>,
    changed: Condvar,
    /// How far all scans are.
    places: Vec<Mutex<ScanState<'f>>>,
    /// Rooms for the rows that are in work.
    rooms: Vec<Room>,
    picture: Mutex<Picture<'f, 'p>>,
}

/// The coefficients of a row of units, by component.
type Room = Vec<(Mutex<Others>, Mutex<Vec<i16>>)>;

/// Who does what.
struct Schedule {
    /// How many rows are done of each scan, and last of the picture.
    done: Vec<usize>,
    /// Whether somebody does the row, for each.
    is_taken: Vec<bool>,
    /// The rooms of the rows that are in work, from the upmost row.
    open: VecDeque<usize>,
    free: Vec<usize>,
    /// Whether there was no free room: until half of them are, none is taken, so that nobody is woken for each.
    is_full: bool,
    /// How many threads wait for a turn.
    waiting: usize,
    is_broken: bool,
}

/// A row of a scan, or of the picture.
#[derive(Clone, Copy)]
struct Turn {
    stage: usize,
    row: usize,
    room: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'f, 'p> Work<'f, 'p> {
    pub(super) fn new(level: Level, frame: &'f Frame, pixels: &'p mut [u8]) -> Self {
        let stages = frame.scans.len().saturating_add(1);
        let rooms = rooms(frame);
        let room = |_| {
            frame
                .components
                .iter()
                .map(|_| Default::default())
                .collect()
        };
        Self {
            level,
            frame,
            schedule: Mutex::new(Schedule {
                done: vec![0; stages],
                is_taken: vec![false; stages],
                open: VecDeque::new(),
                free: (0..rooms).rev().collect(),
                is_full: false,
                waiting: 0,
                is_broken: false,
            }),
            changed: Condvar::new(),
            places: frame.scans.iter().map(|_| Mutex::default()).collect(),
            rooms: (0..rooms).map(room).collect(),
            picture: Mutex::new(Picture::new(level, frame, pixels)),
        }
    }

    /// How much memory it takes.
    pub(super) fn memory(frame: &Frame) -> usize {
        let room = |component: &Component| blocks(component).saturating_mul(EACH_BLOCK);
        let room = frame.components.iter().map(room);
        let room = room.fold(0_usize, usize::saturating_add);
        room.saturating_mul(rooms(frame))
            .saturating_add(Picture::memory(frame))
    }

    /// Takes turns until all is done, and calls `between` before each with how many rows are left.
    pub(super) fn run(&self, mut between: impl FnMut(usize)) {
        loop {
            let mut schedule = lock(&self.schedule);
            let mut looks = 0..MAX_LOOKS;
            let (turn, left) = loop {
                let left = self.left(&schedule);
                if schedule.is_broken || left == 0 {
                    return;
                }
                if let Some(turn) = self.next(&mut schedule) {
                    break (turn, left);
                }
                if looks.next().is_some() {
                    drop(schedule);
                    (0..EACH_LOOK).for_each(|_| hint::spin_loop());
                    schedule = lock(&self.schedule);
                    continue;
                }
                schedule.waiting = schedule.waiting.saturating_add(1);
                let waited = self.changed.wait(schedule);
                schedule = waited.unwrap_or_else(PoisonError::into_inner);
                schedule.waiting = schedule.waiting.saturating_sub(1);
            };
            drop(schedule);
            let mut taken = Taken {
                work: self,
                turn,
                is_done: false,
            };
            between(left);
            taken.is_done = self.take(turn).is_some();
        }
    }

    /// Whether all was right, to its end.
    pub(super) fn finish(self) -> Result<(), Odd> {
        let schedule = lock(&self.schedule);
        if schedule.is_broken || self.left(&schedule) > 0 {
            return Err(Odd::Broken);
        }
        let mut places = self.places.iter().zip(&self.frame.scans);
        places.try_for_each(|(place, scan)| lock(place).finish(scan))
    }

    fn left(&self, schedule: &Schedule) -> usize {
        let done = schedule.done.last().copied().unwrap_or_default();
        self.frame.rows.saturating_sub(done)
    }

    /// The stages and rows that could be next.
    fn ready<'s>(&'s self, schedule: &'s Schedule) -> impl Iterator<Item = (usize, usize)> + 's {
        let last = self.frame.scans.len();
        let upmost = schedule.done.last().copied().unwrap_or_default();
        let open = upmost.saturating_add(schedule.open.len());
        let below = if schedule.is_full {
            open
        } else {
            self.frame.rows
        };
        let is_ready = move |&(stage, row): &(usize, usize)| {
            let is_done = |before: usize| schedule.done.get(before).is_some_and(|it| *it > row);
            row < below
                && schedule.is_taken.get(stage) == Some(&false)
                && match self.frame.scans.get(stage) {
                    Some(scan) => scan.after.iter().all(|before| is_done(*before)),
                    None => (0..last).all(is_done),
                }
        };
        let all = schedule.done.iter().copied().enumerate();
        all.filter(is_ready)
    }

    /// The next turn: of the rows that are nearest to the top, so that few are in work.
    fn next(&self, schedule: &mut Schedule) -> Option<Turn> {
        let (stage, row) = self.ready(schedule).min_by_key(|(_, row)| *row)?;
        let place = row.checked_sub(*schedule.done.last()?)?;
        let room = match schedule.open.get(place) {
            Some(room) => *room,
            None => {
                let room = schedule.free.pop()?;
                schedule.open.push_back(room);
                schedule.is_full = schedule.free.is_empty();
                room
            }
        };
        *schedule.is_taken.get_mut(stage)? = true;
        Some(Turn { stage, row, room })
    }

    fn take(&self, Turn { stage, row, room }: Turn) -> Option<()> {
        let room = self.rooms.get(room)?;
        let Some(scan) = self.frame.scans.get(stage) else {
            return self.add(row, room);
        };
        let mut place = lock(self.places.get(stage)?);
        let place = &mut *place;
        match &scan.kind {
            Kind::Others(component, _) => {
                let mut others = lock(&room.get(*component)?.0);
                make_room(&mut others, self.frame.components.get(*component)?);
                scans::others(self.level, self.frame, scan, row, place, &mut others)
            }
            Kind::Means(members) => {
                let mut all = Vec::new();
                for (component, _) in members {
                    let mut means = lock(&room.get(*component)?.1);
                    means.resize(blocks(self.frame.components.get(*component)?), 0);
                    all.push(means);
                }
                let mut all: Vec<_> = all.iter_mut().map(|it| it.as_mut_slice()).collect();
                units::means(self.level, self.frame, scan, row, place, &mut all)
            }
            Kind::All(members) => {
                let mut all = Vec::new();
                for (component, ..) in members {
                    let (others, means) = room.get(*component)?;
                    let (mut others, mut means) = (lock(others), lock(means));
                    let component = self.frame.components.get(*component)?;
                    make_room(&mut others, component);
                    means.resize(blocks(component), 0);
                    all.push((others, means));
                }
                let all = all.iter_mut();
                let all = all.map(|(others, means)| (&mut **others, means.as_mut_slice()));
                let mut all: Vec<_> = all.collect();
                units::all(self.level, self.frame, scan, row, place, &mut all)
            }
        }
    }

    /// Makes pixels of a row of units.
    fn add(&self, row: usize, room: &Room) -> Option<()> {
        let mut all = Vec::new();
        for ((others, means), component) in room.iter().zip(&self.frame.components) {
            let (mut others, means) = (lock(others), lock(means));
            make_room(&mut others, component);
            all.push((others, means));
        }
        let mut all: Vec<_> = all
            .iter_mut()
            .map(|(others, means)| Coefficients { means, others })
            .collect();
        lock(&self.picture).add(row, &mut all)
    }
}

/// How many rows are in work at once, at most.
fn rooms(frame: &Frame) -> usize {
    let most = if frame.is_sequential {
        MAX_WHOLE_ROWS
    } else {
        MAX_ROWS
    };
    most.min(frame.rows)
}

/// How many blocks of a component there are in a row of units.
fn blocks(component: &Component) -> usize {
    component.stride.saturating_mul(component.down)
}

/// The first time there is none.
fn make_room(others: &mut Others, component: &Component) {
    let count = blocks(component);
    others.blocks.resize(count, [0; 64]);
    others.masks.resize(count, 0);
}

/// A turn that somebody takes. If it does not come to its end, the whole picture is broken, and nobody waits for it.
struct Taken<'w, 'f, 'p> {
    work: &'w Work<'f, 'p>,
    turn: Turn,
    is_done: bool,
}

impl Drop for Taken<'_, '_, '_> {
    fn drop(&mut self) {
        let mut schedule = lock(&self.work.schedule);
        let stage = self.turn.stage;
        if let Some(done) = schedule.done.get_mut(stage) {
            *done = done.saturating_add(1);
        }
        if let Some(is_taken) = schedule.is_taken.get_mut(stage) {
            *is_taken = false;
        }
        if stage == self.work.frame.scans.len()
            && let Some(room) = schedule.open.pop_front()
        {
            schedule.free.push(room);
            schedule.is_full &= schedule.free.len() < schedule.open.len();
        }
        schedule.is_broken |= !self.is_done;
        // One of what is ready is for this thread.
        let is_awaited = schedule.waiting > 0
            && (schedule.is_broken
                || self.work.left(&schedule) == 0
                || self.work.ready(&schedule).nth(1).is_some());
        drop(schedule);
        if is_awaited {
            self.work.changed.notify_all();
        }
    }
}

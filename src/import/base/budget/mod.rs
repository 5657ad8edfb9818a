//! How much memory a load may take: a small file must not cost gigabytes.

mod account;
#[cfg(test)]
mod tests;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{diagnostics::Fault, wording::counted};

use account::Account;
pub(in crate::import) use account::Held;

/// The code of what is said where memory does not suffice.
pub(in crate::import) const EXCEEDED: &str = "MEMORY_BUDGET_EXCEEDED";

/// What a file may cost in any case.
const BASE: u64 = 192 << 20;
/// What it may cost more for each byte that is read: compressed images of real surfaces grow less. Flat ones grow a
/// thousandfold; what of them does not fit is read smaller than it is.
const PER_BYTE: u64 = 64;
/// How much beyond the base flat pictures may bring a file, which take hundreds of bytes for each of theirs.
const FLAT: u64 = 32 << 20;
/// How much of them is there for them alone, so that they need not wait for what else is read.
const FEW_FLAT: u64 = 16 << 20;
/// What arrays of numbers may cost more for each byte that is read or decompressed. A byte for a component of a position
/// becomes four; to cost more, a file must have its numbers read again and again, or have none.
const DATA_PER_BYTE: u64 = 8;
/// Beyond so many bytes they may cost as much as all else: nobody makes a file large to do harm, and in real ones many
/// primitives may share their vertices.
const SMALL_DATA: u64 = 8 << 20;
/// How many bytes of images may be loaded in any case.
const IMAGE_LOADS: u64 = BASE;
/// How many bytes of arrays of numbers may be loaded in any case.
const DATA_LOADS: u64 = BASE / 2;
/// How often each byte that is read may be loaded from its file: often enough for parts that are shared, not for thousands
/// of images that are the same part.
const LOADS_PER_BYTE: u64 = 4;
/// How many bytes of vertices and of what morph targets do to them may be read for some to be taken of them, and let go: more
/// than most meshes have, and no work of seconds. And as many zeros sparse targets may leave out, which adapters have.
const PASSING: u64 = 256 << 20;
/// How many more for each byte that is read: what is shared by a primitive for each material is read a few times.
const PASSING_PER_BYTE: u64 = 32;
/// And for each byte that they are made of, decompressed or not.
const PASSING_PER_DATA: u64 = 1;
/// How many bytes of arrays of numbers may be made and then turn out to be of no use, and how many more for each byte that is
/// read: a second's work. Files may state arrays of zeros, of any length, that take no bytes.
const UNDONE: u64 = 512 << 20;
const UNDONE_PER_BYTE: u64 = 8;
/// What the objects of the JSON text may cost by their number, and how much more for each byte of the file: in an archive
/// text takes next to nothing, and an object may be two bytes of it.
const OBJECTS: u64 = 176 << 20;
const OBJECTS_PER_BYTE: u64 = 8;
/// What the values of an object may cost that has to be repaired, and how much more for each byte of the file.
const REPAIR: u64 = 128 << 20;
const REPAIR_PER_BYTE: u64 = 8;
/// What values cost at most for each byte of their text.
const VALUES_PER_BYTE: u64 = 18;

/// Counts the bytes of decoded data. It is charged before the memory is allocated.
///
/// Images are decoded while all else is read, and what is left of one must not depend on who was first: numbers keep within
/// their part, images that are not flat take what their bytes allow, and flat ones wait for both unless they are few.
#[derive(Debug)]
pub(in crate::import) struct Budget {
    accounts: Arc<Accounts>,
    /// Bytes that are loaded for a moment, again and again.
    loads: Arc<Account>,
    /// Whether it is known that flat pictures have room.
    has_room_for_flat: bool,
}

/// What images and all else share.
#[derive(Debug)]
struct Accounts {
    all: Account,
    /// The part of it that arrays of numbers take.
    data: Account,
    /// Bytes that were read from files.
    file_read: AtomicU64,
    /// Bytes of which such arrays are made: those and what was decompressed.
    data_read: AtomicU64,
    /// Bytes of vertices that were read and let go.
    passing: AtomicU64,
    /// Bytes of zeros that sparse targets leave out.
    zeros: Account,
    /// How often more of either was wanted than there may be.
    refusals: AtomicU64,
    /// Bytes of arrays that were made in vain.
    undone: AtomicU64,
    /// What objects cost by their number.
    objects: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        let accounts = Accounts {
            all: Account::new(BASE.saturating_add(FEW_FLAT)),
            data: Account::new(BASE),
            file_read: AtomicU64::new(0),
            data_read: AtomicU64::new(0),
            passing: AtomicU64::new(0),
            zeros: Account::new(PASSING),
            refusals: AtomicU64::new(0),
            undone: AtomicU64::new(0),
            objects: AtomicU64::new(0),
        };
        Self {
            accounts: Arc::new(accounts),
            loads: Arc::new(Account::new(DATA_LOADS)),
            has_room_for_flat: false,
        }
    }
}

impl Budget {
    /// This budget for images that are not flat or [few](Self::are_few_flat), whose loads are counted apart.
    pub(in crate::import) fn of_images(&self) -> Self {
        let loads = Account::new(IMAGE_LOADS);
        let read = self.accounts.file_read.load(Ordering::Relaxed);
        loads.allow(read, LOADS_PER_BYTE);
        Self {
            accounts: Arc::clone(&self.accounts),
            loads: Arc::new(loads),
            has_room_for_flat: true,
        }
    }

    /// This budget for other flat pictures, of so many bytes in all, and whether all of them have room.
    pub(in crate::import) fn of_flat(&self, bytes: usize) -> (Self, bool) {
        let mut budget = Self {
            accounts: Arc::clone(&self.accounts),
            loads: Arc::clone(&self.loads),
            has_room_for_flat: false,
        };
        budget.has_room_for_flat = bytes <= budget.left_for_flat();
        let has_room = budget.has_room_for_flat;
        (budget, has_room)
    }

    /// Whether flat pictures of so many bytes need not wait for what else is read.
    pub(in crate::import) fn are_few_flat(bytes: usize) -> bool {
        bytes_of(bytes, 1) <= FEW_FLAT
    }

    /// Allows more, since `bytes` more have been read.
    pub(in crate::import) fn allow_for(&self, bytes: usize) {
        let more = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.accounts
            .all
            .allow(more, PER_BYTE.saturating_add(DATA_PER_BYTE));
        self.loads.allow(more, LOADS_PER_BYTE);
        self.accounts.zeros.allow(more, PASSING_PER_BYTE);
        self.accounts.file_read.fetch_add(more, Ordering::Relaxed);
        self.allow_data_for(bytes);
    }

    /// Allows more arrays of numbers, since `bytes` that they are made of were decompressed.
    pub(in crate::import) fn allow_data_for(&self, bytes: usize) {
        let more = u64::try_from(bytes).unwrap_or(u64::MAX);
        let before = self.accounts.data_read.load(Ordering::Relaxed);
        self.accounts
            .data_read
            .store(before.saturating_add(more), Ordering::Relaxed);
        self.accounts.zeros.allow(more, PASSING_PER_DATA);
        let small = SMALL_DATA.saturating_sub(before).min(more);
        self.accounts.data.allow(small, DATA_PER_BYTE);
        self.accounts
            .data
            .allow(more.saturating_sub(small), PER_BYTE);
    }

    /// How many bytes were read from files.
    pub(in crate::import) fn file_read(&self) -> usize {
        usize::try_from(self.accounts.file_read.load(Ordering::Relaxed)).unwrap_or(usize::MAX)
    }

    /// How many bytes arrays of numbers were made of.
    pub(in crate::import) fn data_read(&self) -> usize {
        usize::try_from(self.accounts.data_read.load(Ordering::Relaxed)).unwrap_or(usize::MAX)
    }

    /// A limit that grows with the bytes that were read from files: what is decompressed may be a hundred times as much, and
    /// nothing in it.
    fn beyond(&self, base: u64, per_byte: u64) -> u64 {
        let read = self.accounts.file_read.load(Ordering::Relaxed);
        base.saturating_add(read.saturating_mul(per_byte))
    }

    /// Takes memory for objects of the file, as many of `count` as may be there. The result is how many.
    pub(in crate::import) fn take_objects(&self, count: usize, size: usize) -> usize {
        let limit = self.beyond(OBJECTS, OBJECTS_PER_BYTE);
        let left = limit.saturating_sub(self.accounts.objects.load(Ordering::Relaxed));
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let taken = count.min(left.checked_div(size).unwrap_or(count));
        self.accounts
            .objects
            .fetch_add(bytes_of(taken, size), Ordering::Relaxed);
        taken
    }

    /// How long the text of an object may be that has to be repaired.
    pub(in crate::import) fn longest_repaired(&self) -> usize {
        let length = self
            .beyond(REPAIR, REPAIR_PER_BYTE)
            .div_euclid(VALUES_PER_BYTE);
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// How much memory may be taken yet, and how many bytes may be loaded.
    pub(in crate::import) fn left(&self) -> [usize; 2] {
        [&self.accounts.all, &self.loads].map(|it| usize::try_from(it.left()).unwrap_or(usize::MAX))
    }

    /// Whether a picture of so many bytes is flat: it would take more for each byte of its file than that allows.
    pub(in crate::import) fn is_flat(bytes: usize, length: usize) -> bool {
        bytes_of(bytes, 1) > bytes_of(length, 1).saturating_mul(PER_BYTE)
    }

    /// How much a flat picture may take, or one that is read smaller than it is: what is left of the memory that a file
    /// should cost. Some is always left to those that follow.
    pub(in crate::import) fn left_for_flat(&self) -> usize {
        if self.has_room_for_flat {
            return usize::MAX;
        }
        let spent = self.accounts.all.spent();
        let read = self.accounts.data_read.load(Ordering::Relaxed);
        let usual = BASE.saturating_add(FLAT);
        let usual = usual.saturating_add(read.saturating_mul(DATA_PER_BYTE));
        let left = self.accounts.all.left();
        let most = usual.saturating_sub(spent).min(left).max(left / 8);
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    /// Checks that so much memory could be taken, for work that gives it back at once.
    pub(in crate::import) fn check(&self, bytes: usize) -> Result<(), Fault> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if bytes <= self.accounts.all.left() {
            Ok(())
        } else {
            Err(exceeded(bytes))
        }
    }

    /// Room for `count` values, charged before it is taken.
    pub(in crate::import) fn reserve<T>(&self, count: usize) -> Result<Vec<T>, Fault> {
        self.charge(count, size_of::<T>())?;
        room(count)
    }

    /// Room for `count` values of an array of numbers.
    pub(in crate::import) fn reserve_data<T>(&self, count: usize) -> Result<Vec<T>, Fault> {
        self.charge_data(count, size_of::<T>())?;
        room(count)
    }

    /// Takes memory for `count` items of `size` bytes.
    pub(in crate::import) fn charge(&self, count: usize, size: usize) -> Result<(), Fault> {
        self.accounts.all.charge(count, size)
    }

    /// Takes back memory of what is made once more.
    pub(in crate::import) fn give_back(&self, bytes: usize) {
        self.accounts.all.give_back(bytes_of(bytes, 1));
    }

    /// Takes memory until the result is dropped.
    pub(in crate::import) fn hold(&self, bytes: usize) -> Result<Held<'_>, Fault> {
        self.accounts.all.charge(bytes, 1)?;
        Ok(Held::new(
            [Some(&self.accounts.all), None],
            u64::try_from(bytes).unwrap_or(u64::MAX),
        ))
    }

    /// Room for so many bytes that numbers are to be made of, which is given back when the second is dropped.
    pub(in crate::import) fn borrow(&self, bytes: usize) -> Result<(Vec<u8>, Held<'_>), Fault> {
        self.check_undone()?;
        let held = self.hold(bytes)?;
        Ok((room(bytes)?, held))
    }

    /// Room for `count` values of an array of numbers, which is given back when the second is dropped.
    pub(in crate::import) fn borrow_data<T>(
        &self,
        count: usize,
    ) -> Result<(Vec<T>, Held<'_>), Fault> {
        let held = self.hold_data(count, size_of::<T>())?;
        Ok((room(count)?, held))
    }

    /// Takes memory for `count` items of an array of numbers until the result is dropped.
    pub(in crate::import) fn hold_data(
        &self,
        count: usize,
        size: usize,
    ) -> Result<Held<'_>, Fault> {
        self.charge_data(count, size)?;
        Ok(self.held_data(count, size))
    }

    /// What was taken already for `count` items of an array of numbers, to be given back when the result is dropped.
    pub(in crate::import) fn held_data(&self, count: usize, size: usize) -> Held<'_> {
        Held::new(
            [Some(&self.accounts.all), Some(&self.accounts.data)],
            bytes_of(count, size),
        )
    }

    /// Takes back what was taken for so many bytes of arrays of numbers that have served.
    pub(in crate::import) fn let_data_go(&self, bytes: usize) {
        self.accounts.data.give_back(bytes_of(bytes, 1));
        self.accounts.all.give_back(bytes_of(bytes, 1));
    }

    /// [`Self::let_data_go`] of `count` items that are not there after all. They were work, and when there was too much of it,
    /// no more arrays are made.
    pub(in crate::import) fn give_data_back(&self, count: usize, size: usize) {
        let bytes = count.saturating_mul(size);
        self.let_data_go(bytes);
        self.count_vain(bytes);
    }

    /// Counts so many bytes of arrays of numbers that were made in vain.
    pub(in crate::import) fn count_vain(&self, bytes: usize) {
        let undone = &self.accounts.undone;
        undone.fetch_add(bytes_of(bytes, 1), Ordering::Relaxed);
    }

    fn is_undone_used_up(&self) -> bool {
        let undone = self.accounts.undone.load(Ordering::Relaxed);
        undone > self.beyond(UNDONE, UNDONE_PER_BYTE)
    }

    fn check_undone(&self) -> Result<(), Fault> {
        if self.is_undone_used_up() {
            let message = "too much was read before it that came to nothing";
            return Err(Fault::new(EXCEEDED, message));
        }
        Ok(())
    }

    /// Counts bytes that are gone through once more, though they are in memory.
    pub(in crate::import) fn charge_loaded(&self, bytes: usize) -> Result<(), Fault> {
        self.loads.charge(bytes, 1).map_err(|_| {
            let message = "it is part of what would be read from the file too many times";
            Fault::new(EXCEEDED, message)
        })
    }

    /// Counts work that is beyond what comes out of it, as if it were bytes that are loaded; too much of it leaves none.
    pub(in crate::import) fn charge_work(&self, bytes: usize) -> Result<(), Fault> {
        self.loads.overcharge(bytes).map_err(|_| {
            let message = "to decode it would be more work than a file of this size may cause";
            Fault::new(EXCEEDED, message)
        })
    }

    /// Takes memory for bytes of a file until the result is dropped, of which so many may be loaded in all.
    pub(in crate::import) fn hold_loaded(&self, bytes: usize) -> Result<Held<'_>, Fault> {
        self.charge_loaded(bytes)?;
        self.hold(bytes)
    }

    /// Takes memory for `count` items of an array of numbers.
    pub(in crate::import) fn charge_data(&self, count: usize, size: usize) -> Result<(), Fault> {
        self.check_undone()?;
        self.accounts.data.charge(count, size)?;
        self.accounts
            .all
            .charge(count, size)
            .inspect_err(|_| self.accounts.data.give_back(bytes_of(count, size)))
    }

    /// Allows that so many bytes of vertices are read that are let go again.
    pub(in crate::import) fn charge_passing(&self, bytes: usize) -> Result<(), Fault> {
        let (more, most) = (bytes_of(bytes, 1), self.most_passing());
        let add = |before: u64| before.checked_add(more).filter(|&sum| sum <= most);
        let passing = &self.accounts.passing;
        let charged = passing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        charged.map(drop).map_err(|_| self.refused(exceeded(more)))
    }

    /// Allows that a sparse target leaves out so many bytes of zeros, until the result is dropped.
    pub(in crate::import) fn hold_zeros(&self, bytes: usize) -> Result<Held<'_>, Fault> {
        let zeros = &self.accounts.zeros;
        zeros
            .charge(bytes, 1)
            .map_err(|fault| self.refused(fault))?;
        Ok(Held::new([Some(zeros), None], bytes_of(bytes, 1)))
    }

    /// Counts that there was no room for something that is then read in another way.
    fn refused(&self, fault: Fault) -> Fault {
        self.accounts.refusals.fetch_add(1, Ordering::Relaxed);
        fault
    }

    fn most_passing(&self) -> u64 {
        let decompressed = self.accounts.data_read.load(Ordering::Relaxed);
        self.beyond(PASSING, PASSING_PER_BYTE)
            .saturating_add(decompressed.saturating_mul(PASSING_PER_DATA))
    }

    /// How often there was too little left to read something as it should be, and whether too much was made in vain. While
    /// both stay as they are, nothing depends on what is read first.
    pub(in crate::import) fn shortages(&self) -> (u64, bool) {
        let refusals = self.accounts.refusals.load(Ordering::Relaxed);
        (refusals, self.is_undone_used_up())
    }

    /// How many bytes arrays of numbers may take in all.
    pub(in crate::import) fn most_data(&self) -> usize {
        usize::try_from(self.accounts.data.limit()).unwrap_or(usize::MAX)
    }

    /// How much arrays of numbers take so far, how much was loaded, how many zeros were left out, how much was read and let
    /// go, and how much in vain.
    pub(in crate::import) fn spent(&self) -> [u64; 5] {
        let passing = self.accounts.passing.load(Ordering::Relaxed);
        let undone = self.accounts.undone.load(Ordering::Relaxed);
        [
            self.accounts.data.spent(),
            self.loads.spent(),
            self.accounts.zeros.spent(),
            passing,
            undone,
        ]
    }

    /// Takes back what arrays of numbers took since they took so much, and what was loaded, for they are made once more.
    pub(in crate::import) fn give_back_to(&self, spent: [u64; 5]) {
        let [data, loaded, zeros, passing, undone] = spent;
        let [data_now, loaded_now, zeros_now, ..] = self.spent();
        self.accounts.passing.store(passing, Ordering::Relaxed);
        self.accounts.undone.store(undone, Ordering::Relaxed);
        let more = data_now.saturating_sub(data);
        self.accounts.data.give_back(more);
        self.accounts.all.give_back(more);
        self.loads.give_back(loaded_now.saturating_sub(loaded));
        let zeros = zeros_now.saturating_sub(zeros);
        self.accounts.zeros.give_back(zeros);
    }
}

fn bytes_of(count: usize, size: usize) -> u64 {
    u64::try_from(count.saturating_mul(size)).unwrap_or(u64::MAX)
}

fn room<T>(count: usize) -> Result<Vec<T>, Fault> {
    let mut values = Vec::new();
    values
        .try_reserve_exact(count)
        .map_err(|_| Fault::new(EXCEEDED, "there is not enough memory"))?;
    Ok(values)
}

fn exceeded(bytes: u64) -> Fault {
    Fault::new(
        EXCEEDED,
        format!(
            "with {} more, the file would cost more memory than one of its size may",
            counted(bytes, "byte", "bytes")
        ),
    )
}

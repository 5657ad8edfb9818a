//! What a small file may cost, and what is given back.

use super::*;

#[test]
fn gives_back_what_is_held() {
    let budget = Budget::default();
    let most = usize::try_from(BASE + FEW_FLAT).unwrap();
    let held = budget.hold(most).unwrap();
    assert!(budget.charge(1, 1).is_err());
    drop(held);
    assert!(budget.charge(1, most).is_ok());
}

#[test]
fn what_is_loaded_is_given_back_but_not_without_end() {
    let numbers = Budget::default();
    let part = 48 << 20;
    numbers.allow_for(part);
    for (budget, base) in [(numbers.of_images(), IMAGE_LOADS), (numbers, DATA_LOADS)] {
        what_is_loaded_is_given_back(&budget, usize::try_from(base).unwrap(), part);
    }
}

fn what_is_loaded_is_given_back(budget: &Budget, base: usize, part: usize) {
    let times = (base + 4 * part) / part;
    for _ in 0..times {
        drop(budget.hold_loaded(part).unwrap());
    }
    assert!(budget.hold_loaded(part).is_err());
    assert!(budget.hold(base + 64 * part).is_ok(), "all is given back");
}

/// Whatever else takes all that it may, few flat pictures have their room, and more have what is left.
#[test]
fn flat_pictures_wait_unless_they_are_few() {
    let numbers = Budget::default();
    let images = numbers.of_images();
    let few = usize::try_from(FEW_FLAT).unwrap();
    assert!(Budget::are_few_flat(few) && !Budget::are_few_flat(few + 1));
    assert!(images.of_flat(few + 1).1);
    numbers
        .charge_data(1, usize::try_from(BASE).unwrap())
        .unwrap();
    assert!(images.hold(few).is_ok());
    assert!(!images.of_flat(few + 1).1);
}

#[test]
fn objects_cost_what_the_file_allows() {
    let budget = Budget::default();
    budget.allow_for(1 << 20);
    assert_eq!(budget.take_objects(100 << 10, 1 << 10), 100 << 10);
    assert_eq!(budget.take_objects(100 << 10, 1 << 10), 84 << 10);
    assert_eq!(budget.take_objects(1, 1), 0);
}

/// An array of zeros takes no bytes of the file, and each that turns out to be of no use leaves room for the next.
#[test]
fn not_much_is_made_in_vain() {
    let budget = Budget::default();
    let part = 48 << 20;
    let before = budget.spent();
    let in_vain = |budget: &Budget| {
        let made = budget.charge_data(1, part);
        made.map(|()| budget.give_data_back(1, part)).is_ok()
    };
    let times = (0..100).take_while(|_| in_vain(&budget)).count();
    assert_eq!(times, 11);
    assert_eq!(budget.shortages(), (0, true));
    budget.give_back_to(before);
    assert_eq!(budget.shortages(), (0, false));
    assert!(in_vain(&budget), "made once more, one after the other");
}

/// What does not fit leaves room for what does, and what is read after it is no worse off.
#[test]
fn what_is_refused_takes_nothing() {
    let most = usize::try_from(PASSING).unwrap();
    let passing = |budget: &Budget, bytes| budget.charge_passing(bytes).is_ok();
    let zeros = |budget: &Budget, bytes| budget.hold_zeros(bytes).map(Held::keep).is_ok();
    for charge in [passing, zeros] {
        let budget = Budget::default();
        let before = budget.spent();
        assert!(charge(&budget, most - 1));
        assert_eq!(budget.shortages(), (0, false));
        assert!(!charge(&budget, 2));
        let shortages = budget.shortages();
        assert_eq!(shortages, (1, false));
        assert!(charge(&budget, 1) && !charge(&budget, 1));
        assert_ne!(budget.shortages(), shortages);
        budget.give_back_to(before);
        assert!(charge(&budget, most));
    }
}

/// What is read again and again leaves as much room for zeros that are left out.
#[test]
fn zeros_have_an_account_of_their_own() {
    let budget = Budget::default();
    budget.allow_for(1 << 20);
    let most = usize::try_from(PASSING + ((PASSING_PER_BYTE + PASSING_PER_DATA) << 20)).unwrap();
    budget.charge_passing(most).unwrap();
    drop(budget.hold_zeros(most).unwrap());
    assert!(budget.hold_zeros(most + 1).is_err());
    budget.hold_zeros(most).unwrap().keep();
    assert!(budget.hold_zeros(1).is_err() && budget.charge_passing(1).is_err());
}

#[test]
fn large_files_may_share_numbers() {
    let (small, large) = (Budget::default(), Budget::default());
    small.allow_for(8 << 20);
    large.allow_for(9 << 20);
    let base = usize::try_from(BASE).unwrap();
    assert!(small.charge_data(1, base + (64 << 20)).is_ok());
    assert!(small.charge_data(1, 1).is_err());
    assert!(large.charge_data(1, base + (128 << 20)).is_ok());
    assert!(large.charge_data(1, 1).is_err());
}

#[test]
fn numbers_may_cost_less_than_pixels() {
    let budget = Budget::default();
    budget.allow_for(1 << 20);
    let most = usize::try_from(BASE).unwrap() + (8 << 20);
    assert!(budget.charge_data(1, most + 1).is_err());
    assert!(budget.charge(1, most + 1).is_ok());
    budget.allow_data_for(1 << 20);
    assert_eq!(
        budget.reserve_data::<u8>(1 << 20).unwrap().capacity(),
        1 << 20
    );
}

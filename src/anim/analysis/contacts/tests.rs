//! Feet that stand, walk and slide.

use super::*;

const DT: f64 = 1.0 / 30.0;

/// A foot of a character of height 1 that steps twice a second, and the head. On the ground for 60 % of the time.
fn walk(ground_speed: f32, body_speed: f32) -> Vec<JointPath> {
    let place = |frame: usize| {
        let time = frame as f32 / 30.0;
        let phase = (2.0 * time).fract();
        let (y, z) = if phase < 0.6 {
            (0.02, ground_speed * 0.5 * phase)
        } else {
            let swing = (phase - 0.6) / 0.4;
            let lift = 0.02 + 0.2 * (swing * std::f32::consts::PI).sin();
            (lift, ground_speed * 0.3 * (1.0 - swing))
        };
        Vec3::new(0.0, y, z + body_speed * time)
    };
    let path = |node, get: &dyn Fn(usize) -> Vec3| JointPath {
        node: NodeId(node),
        positions: (0..61).map(get).collect(),
    };
    vec![
        path(0, &|_| Vec3::Y),
        path(1, &place),
        path(2, &|frame| place(frame) + Vec3::Y * 0.03),
    ]
}

#[track_caller]
fn check(paths: &[JointPath], expected_velocity: f32) {
    let (contacts, velocity) = find(paths, DT, 1.0, Ground::MayGlide);
    assert!(
        (velocity[1] - expected_velocity).abs() < 0.02 && velocity[0] == 0.0,
        "{velocity:?}"
    );
    assert_eq!(contacts.len(), 2, "toe and ankle, not the head");
    for foot in contacts {
        assert_eq!(foot.contacts.len(), 4, "{foot:?}");
        for (index, contact) in foot.contacts.into_iter().enumerate() {
            let expected = index as f64 * 0.5;
            let (start, end) = (contact.from_secs, contact.to_secs);
            assert!((start - expected).abs() < 1.5 * DT, "from {start}");
            assert!((end - expected - 0.3).abs() < 1.5 * DT, "to {end}");
        }
    }
}

#[test]
fn finds_the_steps_of_one_who_walks_and_of_one_who_walks_on_the_spot() {
    // Feet that carry forward: the body goes as fast as feet go back under it.
    check(&walk(-1.5, 1.5), 0.0);
    check(&walk(-1.5, 0.0), -1.5);
}

/// A foot of a runner of height 1, from where it comes down in front to where it is lifted behind, is near the ground for
/// four frames, and falls or rises at 0.3 heights a second or more in each.
#[test]
fn a_run_whose_feet_go_down_and_up_again_at_once_has_its_speed() {
    let place = |frame: usize| {
        let phase = (frame % 15) as f32 / 15.0;
        if phase < 0.4 {
            Vec3::new(0.0, 2.0 * (phase - 0.2).powi(2), -1.5 * phase)
        } else {
            let swing = (phase - 0.4) / 0.6;
            let lift = 0.08 + 0.3 * (swing * std::f32::consts::PI).sin();
            Vec3::new(0.0, lift, -0.6 * (1.0 - swing))
        }
    };
    let feet = [0, 7].map(|shift| JointPath {
        node: NodeId(shift as u32),
        positions: (0..46).map(|frame| place(frame + shift)).collect(),
    });
    let (_, velocity) = find(&feet, DT, 1.0, Ground::MayGlide);
    assert_eq!(velocity[0], 0.0);
    assert!((velocity[1] + 3.0).abs() < 0.05, "{velocity:?}");
    // Of a clip that travels they tell nothing: a run may well slide under its root.
    let root = [Vec3::Z; 45];
    let shared = Gait::new(&feet, DT, 1.0, Ground::AtRest(&root)).shared_velocity();
    assert_eq!(shared, Vec3::ZERO);
}

/// As one who swims on the spot: feet go up and down faster than they go anywhere.
#[test]
fn feet_that_only_go_up_and_down_do_not_run() {
    let along = [0.1, 0.1, 0.31, 0.1, 0.1, 0.31, -0.1, -0.12, 0.05, 0.2];
    let mut place = Vec3::ZERO;
    let positions = (0..=along.len()).map(|frame| {
        let here = place.with_y(if frame % 2 == 0 { 0.0 } else { 0.02 });
        place.x += along.get(frame).map_or(0.0, |speed| speed / 30.0);
        here
    });
    let feet = [JointPath {
        node: NodeId(0),
        positions: positions.collect(),
    }];
    let (_, velocity) = find(&feet, DT, 1.0, Ground::MayGlide);
    assert_eq!(velocity, [0.0, 0.0]);
}

#[test]
fn a_foot_that_never_moves_always_stands() {
    let still = JointPath {
        node: NodeId(0),
        positions: vec![Vec3::ZERO; 31],
    };
    let (contacts, velocity) = find(&[still], DT, 1.0, Ground::MayGlide);
    let always = Contact {
        from_secs: 0.0,
        to_secs: 30.0 * DT,
        slide: 0.0,
        shift: 0.0,
        shifts_secs: (0.0, 30.0 * DT),
    };
    assert_eq!(contacts[0].contacts, [always]);
    assert_eq!(velocity, [0.0, 0.0]);
}

#[test]
fn a_foot_that_slides_while_it_stands_says_how_far() {
    // 0.1 heights a second for a second.
    let slow = JointPath {
        node: NodeId(0),
        positions: (0..31)
            .map(|frame| Vec3::X * (frame as f32 / 300.0))
            .collect(),
    };
    let other = |node| JointPath {
        node: NodeId(node),
        positions: vec![Vec3::ZERO; 31],
    };
    let (contacts, _) = find(&[slow, other(1), other(2)], DT, 1.0, Ground::AtRest(&[]));
    assert!(
        (contacts[0].contacts[0].slide - 0.1).abs() < 1e-5,
        "{contacts:?}"
    );
    assert!(contacts[1].slides().eq([0.0]));
    // There and back within one contact, as in a loop of one who stands.
    let positions = (0..61).map(|frame| {
        let turn = frame as f32 / 60.0 * std::f32::consts::TAU;
        Vec3::X * 0.05 * (1.0 - turn.cos())
    });
    let returning = JointPath {
        node: NodeId(0),
        positions: positions.collect(),
    };
    let (contacts, _) = find(&[returning], DT, 1.0, Ground::MayGlide);
    assert_eq!(contacts[0].contacts.len(), 1);
    assert!(
        (contacts[0].contacts[0].slide - 0.1).abs() < 1e-3,
        "{contacts:?}"
    );
    assert!(contacts[0].contacts[0].shift < 1e-5, "{contacts:?}");
    // Over a ground that glides back with the feet, there is no slide.
    let (contacts, velocity) = find(&walk(-1.5, 0.0), DT, 1.0, Ground::MayGlide);
    assert!(velocity[1] < -1.0);
    let farthest = contacts[0].slides().fold(0.0, f32::max);
    assert!(farthest < 0.02, "{contacts:?}");
}

#[test]
fn feet_of_a_root_that_goes_at_another_speed_than_they_step_slide() {
    for (body_speed, slides) in [
        (0.5, 0.3),
        (1.2, 0.09),
        (1.5, 0.0),
        (1.8, 0.09),
        (3.0, 0.45),
    ] {
        let root = [Vec3::Z * body_speed; 60];
        let (contacts, velocity) = find(&walk(-1.5, body_speed), DT, 1.0, Ground::AtRest(&root));
        assert_eq!(velocity, [0.0, 0.0], "the ground is at rest");
        assert_eq!(contacts.len(), 2, "{body_speed}");
        for slide in contacts.iter().flat_map(FootContacts::slides) {
            let error = (slide - slides).abs();
            assert!(error < 0.1 * slides + 0.02, "{body_speed}: {contacts:?}");
        }
    }
}

#[test]
fn feet_that_are_carried_along_do_not_stand() {
    // A dodge: half a second at rest, half a second aside, low over the ground, and at rest again.
    let at = |frame: usize| Vec3::X * 2.0 * (frame.clamp(15, 30) - 15) as f32 / 30.0;
    let path = |node, beside: f32| JointPath {
        node: NodeId(node),
        positions: (0..46).map(|frame| at(frame) + Vec3::Z * beside).collect(),
    };
    let root: Vec<_> = (0..45)
        .map(|frame| (at(frame + 1) - at(frame)) * 30.0)
        .collect();
    let feet = [path(0, 0.1), path(1, -0.1)];
    let (contacts, _) = find(&feet, DT, 1.0, Ground::AtRest(&root));
    for foot in contacts {
        assert_eq!(foot.contacts.len(), 2, "{foot:?}");
        assert!(foot.slides().all(|slide| slide == 0.0), "{foot:?}");
    }
}

/// A slide on the ground: the body goes as fast as who runs, and the feet, which stay low or come down once, nearly so.
#[test]
fn a_body_that_glides_as_a_whole_does_not_slide() {
    let root = [Vec3::Z * 6.0; 60];
    let slides = |feet: &[JointPath]| {
        let (contacts, _) = find(feet, DT, 1.0, Ground::AtRest(&root));
        let slides = contacts.iter().flat_map(FootContacts::slides);
        slides.fold(0.0, f32::max)
    };
    let glides = |behind: f32| {
        let place = |frame: usize| Vec3::Z * (6.0 - behind) * frame as f32 / 30.0;
        let mut foot = JointPath::new(NodeId(0));
        foot.positions = (0..61).map(place).collect();
        // It touches the ground for a moment before it comes down.
        for frame in (0..=10).filter(|frame| *frame != 5) {
            foot.positions[frame].y = 0.2;
        }
        slides(&[foot])
    };
    assert_eq!(glides(0.6), 0.0);
    assert_eq!(glides(1.2), 0.0);
    assert!(glides(2.0) > 0.9, "{}", glides(2.0));
    // Who steps does, however slowly for the root.
    for steps in [0.6, 1.2, 2.0] {
        let found = slides(&walk(-steps, 6.0));
        assert!(found > 0.9, "{steps}: {found}");
    }
}

#[test]
fn the_mode_is_where_most_are() {
    assert_eq!(mode(vec![4.0]), 4.0);
    assert_eq!(mode(vec![1.0, 3.0]), 2.0);
    let skewed = vec![9.0, 0.0, 1.0, 1.01, 0.99, 1.0, 5.0, 6.0, 7.0, 8.0];
    assert!((mode(skewed) - 1.0).abs() < 0.01);
}

#[test]
fn closes_gaps_of_a_frame_and_drops_spans_of_one() {
    let stands = |text: &str| text.chars().map(|c| c == 'x').collect::<Vec<_>>();
    let frames = stands("xx.xx..x..xx");
    let spans = |stands: &[bool], may_close: bool| -> Vec<_> {
        let found = stances_of(stands, |_| may_close).into_iter();
        found.map(|stance| (stance.first, stance.last)).collect()
    };
    assert_eq!(spans(&frames, true), [(0, 5), (10, 12)]);
    assert_eq!(spans(&frames, false), [(0, 2), (3, 5), (10, 12)]);
    assert!(spans(&[], true).is_empty());
}

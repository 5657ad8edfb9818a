//! What is said of what a clip moves, at moments of it.

use super::*;

/// What is said at a moment, once no clip fades any more.
fn details_at(session: &mut Session, rows: &mut DetailRows, secs: f64) -> Details {
    session.tick(1.0);
    session.apply(Command::Playback(PlaybackCommand::Seek(secs)));
    session.update();
    rows.update(session);
    rows.details.clone()
}

#[test]
fn what_a_clip_moves_is_told_as_it_is_now() {
    let mut session = session(model_of_moved_properties());
    session.apply(Command::SelectClip(Some(0)));
    session.apply(Command::SelectNode(Some(0)));
    let mut rows = DetailRows::default();
    let mut at = |session: &mut Session, secs| details_at(session, &mut rows, secs);
    let light = |details: &Details| {
        let facts = &details.node.as_ref().unwrap().facts;
        let fact = facts.iter().find(|fact| fact.name == "Light").unwrap();
        (fact.value.clone(), fact.swatch)
    };
    let white = Some([255; 4]);
    let start = at(&mut session, 0.0);
    assert_eq!(light(&start), ("spot, 10.000 cd".to_owned(), white));
    let end = at(&mut session, 2.0);
    assert_eq!(
        light(&end),
        ("spot, 20.000 cd".to_owned(), Some([188, 188, 255, 255]))
    );
    let facts = |details: &Details| details.node.as_ref().unwrap().facts.len();
    assert_eq!(facts(&start), facts(&end));

    let material = |details: &Details| details.material.clone().unwrap().1;
    assert_eq!(value(&material(&start), "Roughness"), "1.0000");
    assert_eq!(value(&material(&start), "Base colour map"), "skin.png");
    assert_eq!(value(&material(&end), "Roughness"), "0.5000");
    assert_eq!(material(&start).facts.len(), material(&end).facts.len());
    let placed = value(&end.texture.as_ref().unwrap().1, "Placed").to_owned();
    assert_eq!(placed, "1.00 0.50, × 1.00 1.00, 0°");
    assert_eq!(start.generation, end.generation, "pictures stay");

    session.apply(Command::SelectClip(None));
    let rest = at(&mut session, 0.0);
    assert_eq!(light(&rest), ("spot, 3.1416 cd".to_owned(), white));
    for (details, width) in [(&rest, "1.0000"), (&end, "3.0000")] {
        assert_eq!(value(details.node.as_ref().unwrap(), "Half width"), width);
    }
}

/// What begins at its default, too: else the lines below would jump.
#[test]
fn lines_stay_where_they_are_while_a_clip_plays() {
    let mut clip = ClipBuilder::new("flash");
    let timeline = clip.timeline(Timeline::new(vec![0.0, 1.0, 2.0]).unwrap());
    let slot = TextureSlot::BaseColor;
    let offset = PropertyTarget::TextureTransform(0, slot, TransformProperty::Offset);
    let emissive = PropertyTarget::Material(0, MaterialProperty::Emissive);
    for target in [offset, emissive] {
        let width = target.width();
        let values = [vec![0.0; width], vec![1.0; width], vec![1.0; width]];
        clip.property(target, timeline, Interpolation::Step, values.concat())
            .unwrap();
    }
    let mut session = session(Model {
        clips: vec![clip.finish()],
        ..model()
    });
    session.apply(Command::SelectNode(Some(0)));
    let mut rows = DetailRows::default();
    let mut at = |session: &mut Session, clip: Option<usize>, secs| {
        session.apply(Command::SelectClip(clip));
        let details = details_at(session, &mut rows, secs);
        [details.material.unwrap().1, details.texture.unwrap().1]
    };
    let names = |parts: &[FactSection; 2]| {
        let facts = parts.iter().flat_map(|part| &part.facts);
        facts.map(|fact| fact.name.clone()).collect::<Vec<_>>()
    };
    let dark = at(&mut session, Some(0), 0.5);
    let lit = at(&mut session, Some(0), 1.5);
    let rest = at(&mut session, None, 0.0);
    assert_eq!(names(&dark), names(&lit));
    assert_eq!(names(&dark), names(&rest));
    assert_eq!(value(&dark[0], "Emissive"), "0.00 0.00 0.00");
    assert_eq!(value(&lit[0], "Emissive"), "1.00 1.00 1.00");
    assert_eq!(value(&dark[1], "Placed"), "0.00 0.00, × 1.00 1.00, 0°");
    assert_eq!(value(&lit[1], "Placed"), "1.00 1.00, × 1.00 1.00, 0°");
    let mut lines = dark[0].facts.iter();
    assert!(lines.all(|fact| fact.name != "Emissive strength"));
}

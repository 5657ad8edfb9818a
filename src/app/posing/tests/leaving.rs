//! What becomes of a pose that is left, and where there is none.

use super::*;

/// Who plays on has an obvious way back.
#[test]
fn a_pose_that_goes_with_its_moment_is_offered_back() {
    let mut session = session();
    choose(&mut session, "hand_L");
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    ask(&mut session, &[PosingCommand::Nudge(1)]);
    let posed = session.actor().offsets().clone();
    assert!(!posed.is_empty());
    session.apply(Command::Playback(PlaybackCommand::TogglePlay));
    session.tick(0.1);
    session.update();
    assert!(session.actor().offsets().is_empty());
    let message = session.message().unwrap();
    assert_eq!(message.offer, Some(Offer::UndoPose));
    assert!(message.detail.contains("Undo ("), "{}", message.detail);
    assert_eq!(session.apply(Command::AcceptOffer), None);
    session.update();
    assert_eq!(*session.actor().offsets(), posed);
    assert!(session.message().is_none() && !session.clock.is_playing());

    // Each time, whatever else was done meanwhile; but not in front of what is wrong.
    let leave = |session: &mut Session, told: Message| {
        session.tell(told);
        session.apply(Command::Playback(PlaybackCommand::StepFrames(1)));
        session.update();
        assert!(session.actor().offsets().is_empty());
        session.message().unwrap().clone()
    };
    let again = leave(&mut session, Message::info("x.png is saved", ""));
    assert!(again.offer == Some(Offer::UndoPose) && again.passes);
    session.apply(Command::AcceptOffer);
    session.update();
    let wrong = leave(&mut session, Message::error("x.png cannot be saved", ""));
    assert_eq!(wrong.title, "x.png cannot be saved");
}

/// Over another clip it would be a pose that never was.
#[test]
fn a_pose_comes_back_at_its_own_moment() {
    let mut session = session();
    choose(&mut session, "hand_L");
    turn(&mut session);
    let posed = session.actor().pose().clone();
    session.apply(Command::SelectClip(Some(2)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.1)));
    session.update();
    let left = session.actor().pose().clone();
    assert!(session.actor().offsets().is_empty());
    for _ in 0..2 {
        undo(&mut session);
        assert_eq!((session.clip(), session.clock.time_secs()), (Some(1), 0.3));
        assert_eq!(session.actor().pose().world, posed.world);
        redo(&mut session);
        assert_eq!((session.clip(), session.clock.time_secs()), (Some(2), 0.1));
        assert_eq!(session.actor().pose().world, left.world);
    }
    assert_eq!(session.apply(Command::AcceptOffer), None);
    session.update();
    assert_eq!(
        session.actor().pose().world,
        left.world,
        "nothing is offered"
    );
    session.undo_pose();
    session.update();
    assert_eq!(session.actor().pose().world, posed.world);
}

/// Undo leads back to what was seen when the pose was made, and redo to what was seen before.
#[test]
fn a_pose_comes_back_with_what_played_beside_it() {
    let clips = |session: &Session| session.mix.clip_indices().collect::<Vec<_>>();
    let (walk, run, wave) = (1, 2, 3);
    let mix = |clip| Command::Mix(MixCommand::ToggleMixed(clip));
    let mut session = session();
    session.apply(mix(wave));
    session.mix.swap_time(7.3);
    choose(&mut session, "hand_L");
    turn(&mut session);
    let posed = session.actor().pose().clone();

    // Its own clip plays beside another one by now.
    session.apply(Command::SelectClip(Some(run)));
    session.update();
    session.apply(mix(walk));
    session.update();
    let left = session.actor().pose().clone();
    assert_eq!(clips(&session), [wave, walk]);
    for _ in 0..2 {
        session.undo_pose();
        session.update();
        assert_eq!((session.clip(), clips(&session)), (Some(walk), vec![wave]));
        assert_eq!(session.actor().pose().world, posed.world);
        redo(&mut session);
        assert_eq!(session.clip(), Some(run));
        assert_eq!(clips(&session), [wave, walk]);
        assert_eq!(session.actor().pose().world, left.world);
    }

    // What played beside it plays alone by now.
    session.undo_pose();
    session.apply(Command::SelectClip(Some(wave)));
    session.update();
    assert!(session.actor().offsets().is_empty() && clips(&session).is_empty());
    session.undo_pose();
    session.update();
    assert_eq!((session.clip(), clips(&session)), (Some(walk), vec![wave]));
    assert_eq!(session.actor().pose().world, posed.world);
}

/// Nodes of these names, each the child of the one before, and a clip of a second that moves the first.
fn chain(names: &[&str]) -> Import {
    let nodes = names.iter().map(|name| Node {
        name: (*name).to_owned(),
        ..Node::default()
    });
    let parents: Vec<_> = (0..names.len()).map(|node| node.checked_sub(1)).collect();
    let weights = vec![Vec::new(); names.len()];
    let mut import = Import::default();
    import.model.hierarchy = Hierarchy::new(nodes.collect(), &parents, &weights).unwrap();
    import.model.scenes = vec![Scene {
        name: String::new(),
        roots: vec![NodeId(0)],
    }];
    import.model.clips = [clip("Walk", 1.0)].into();
    import
}

/// A clip of so many seconds that moves the first node.
fn clip(name: &str, secs: f32) -> Clip {
    let mut clip = ClipBuilder::new(name);
    let timeline = clip.timeline(Timeline::new(vec![0.0, secs]).unwrap());
    let places = vec![Vec3::ZERO, Vec3::X];
    let moved = clip.translation(NodeId(0), timeline, Interpolation::Linear, places);
    assert!(moved.is_ok());
    clip.finish()
}

/// [`chain`] with these clips, of so many seconds.
fn saved(nodes: &[&str], clips: &[(&str, f32)]) -> Import {
    let mut import = chain(nodes);
    let clips = clips.iter().map(|(name, secs)| clip(name, *secs));
    import.model.clips = clips.collect();
    import
}

/// Arm and tail of a chain turned by hand, one after the other.
fn posed_chain() -> Session {
    let mut session = Session::new(chain(&["hip", "arm", "tail"]), None, Duration::ZERO);
    for name in ["arm", "tail"] {
        choose(&mut session, name);
        ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
        turn(&mut session);
    }
    session
}

/// Exporters leave out what the user has hidden, and write it again with the next save.
#[test]
fn what_was_posed_of_a_node_comes_back_with_it() {
    let turns = |session: &Session| {
        let offsets = session.actor().offsets();
        let turned = |node| {
            let name = session.model().hierarchy.display_name(node);
            (name, offsets.get(node))
        };
        offsets.nodes().map(turned).collect::<Vec<_>>()
    };
    let mut session = posed_chain();
    let before = turns(&session);
    assert_eq!(before.len(), 2);
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    session.reload_model(chain(&["hip"]), Duration::ZERO);
    assert!(turns(&session).is_empty());
    session.update();
    session.reload_model(chain(&["root", "hip", "arm"]), Duration::ZERO);
    assert_eq!(turns(&session), before[..1]);
    session.reload_model(chain(&["root", "hip", "arm", "tail"]), Duration::ZERO);
    assert_eq!(turns(&session), before);
    assert_eq!(session.message(), None, "nothing is gone");

    // Its steps are there again, too.
    let mut session = posed_chain();
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    session.reload_model(chain(&["hip", "arm", "tail"]), Duration::ZERO);
    assert_eq!(session.history_view().undo, Some("turn tail"));
    undo(&mut session);
    assert_eq!(turns(&session), before[..1]);
    redo(&mut session);
    assert_eq!(turns(&session), before);

    // What was given up does not come back, unless that is taken back.
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    ask(&mut session, &[PosingCommand::ResetAll]);
    session.reload_model(chain(&["hip", "arm", "tail"]), Duration::ZERO);
    assert!(turns(&session).is_empty());
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    undo(&mut session);
    assert_eq!(turns(&session), before[..1]);
    session.reload_model(chain(&["hip", "arm", "tail"]), Duration::ZERO);
    assert_eq!(turns(&session), before);

    // Nor does it come to another file.
    let mut session = posed_chain();
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    session.replace_model(chain(&["hip", "arm"]), None, Duration::ZERO);
    session.reload_model(chain(&["hip", "arm", "tail"]), Duration::ZERO);
    assert!(turns(&session).is_empty());
}

/// At another moment it would be another pose; undo leads back to it.
#[test]
fn what_was_posed_of_a_node_that_is_gone_is_left_with_its_moment() {
    let mut session = posed_chain();
    session.apply(Command::Playback(PlaybackCommand::Seek(0.3)));
    for name in ["tail", "arm"] {
        choose(&mut session, name);
        turn(&mut session);
    }
    let posed = session.actor().offsets().clone();
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    session.reload_model(chain(&["hip"]), Duration::ZERO);
    session.apply(Command::Playback(PlaybackCommand::Seek(0.6)));
    session.update();
    session.reload_model(chain(&["hip", "arm", "tail"]), Duration::ZERO);
    session.update();
    assert!(session.actor().offsets().is_empty());
    undo(&mut session);
    assert_eq!(session.clock.time_secs(), 0.3);
    assert_eq!(*session.actor().offsets(), posed);
    // One step more takes back one turn, not both.
    assert_eq!(session.history_view().undo, Some("turn arm"));
    undo(&mut session);
    assert_eq!(session.actor().offsets().nodes().count(), 1);
}

/// Over another moment it would be another pose. It is not made anew there, as the file is saved.
#[test]
fn a_pose_whose_moment_is_not_in_the_file_any_more_is_left() {
    let saved = |clips: &[(&str, f32)]| saved(&["hip", "arm"], clips);
    let both = [("Walk", 1.0), ("Run", 1.0)];
    let posed = || {
        let mut session = Session::new(saved(&both), None, Duration::ZERO);
        session.clock.pause();
        session.apply(Command::Playback(PlaybackCommand::Seek(0.75)));
        choose(&mut session, "arm");
        turn(&mut session);
        let offsets = session.actor().offsets().clone();
        assert!(!offsets.is_empty());
        (session, offsets)
    };
    let save = |session: &mut Session, clips: &[(&str, f32)]| {
        session.reload_model(saved(clips), Duration::ZERO);
        session.update();
    };
    let take_back = |session: &mut Session| {
        let offer = session.message().and_then(|message| message.offer);
        assert_eq!(offer, Some(Offer::UndoPose));
        assert!(session.actor().offsets().is_empty());
        session.apply(Command::AcceptOffer);
        session.update();
    };
    let (mut session, offsets) = posed();
    save(&mut session, &[("Walk", 0.5), ("Run", 1.0)]);
    assert_eq!(session.clock.time_secs(), 0.5);
    save(&mut session, &both);
    take_back(&mut session);
    assert_eq!(session.clock.time_secs(), 0.75);
    assert_eq!(*session.actor().offsets(), offsets);

    // Its clip is gone, which is said: there it is brought back to what is shown.
    let title = |session: &Session| session.message().map(|message| message.title.clone());
    let is_gone = "The clip \"Walk\" is not in the file any more";
    let (mut session, offsets) = posed();
    save(&mut session, &both[1..]);
    assert_eq!(session.clip(), None);
    assert_eq!(title(&session).as_deref(), Some(is_gone));
    take_back(&mut session);
    assert_eq!(session.clip(), None);
    assert_eq!(*session.actor().offsets(), offsets);

    // Where the clip is there again, to its moment.
    let (mut session, offsets) = posed();
    for _ in 0..2 {
        save(&mut session, &both[1..]);
        assert_eq!(title(&session).as_deref(), Some(is_gone));
    }
    save(&mut session, &both);
    assert_eq!((session.clip(), session.clock.time_secs()), (Some(0), 0.75));
    let is_back = "The clip \"Walk\" is in the file again";
    assert_eq!(title(&session).as_deref(), Some(is_back));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.25)));
    session.update();
    take_back(&mut session);
    assert_eq!((session.clip(), session.clock.time_secs()), (Some(0), 0.75));
    assert_eq!(*session.actor().offsets(), offsets);

    // All are for a moment, as exporters write the mesh first.
    let (mut session, offsets) = posed();
    save(&mut session, &[]);
    save(&mut session, &both);
    assert_eq!((session.clip(), session.clock.time_secs()), (Some(0), 0.75));
    assert_eq!(*session.actor().offsets(), offsets);
    assert_eq!(session.message(), None);

    // And where it stays while time goes on, it does.
    let (mut session, offsets) = posed();
    ask(&mut session, &[PosingCommand::SetStays(true)]);
    save(&mut session, &[("Walk", 0.5), ("Run", 1.0)]);
    assert_eq!(*session.actor().offsets(), offsets);
}

const WALK_AND_RUN: [(&str, f32); 2] = [("Walk", 1.0), ("Run", 1.0)];

/// The arm of a chain turned by hand at 0.4 s of this clip of both.
fn posed_arm(clip: usize) -> (Session, Offsets) {
    let import = saved(&["hip", "arm"], &WALK_AND_RUN);
    let mut session = Session::new(import, None, Duration::ZERO);
    session.clock.pause();
    session.apply(Command::SelectClip(Some(clip)));
    session.apply(Command::Playback(PlaybackCommand::Seek(0.4)));
    choose(&mut session, "arm");
    turn(&mut session);
    session.update();
    let offsets = session.actor().offsets().clone();
    assert!(!offsets.is_empty());
    (session, offsets)
}

/// Reads a chain again of these nodes and clips.
fn save(session: &mut Session, nodes: &[&str], clips: &[(&str, f32)]) {
    session.reload_model(saved(nodes, clips), Duration::ZERO);
    session.update();
}

fn title(session: &Session) -> Option<&str> {
    session.message().map(|message| &*message.title)
}

fn accept(session: &mut Session) {
    let offer = session.message().and_then(|message| message.offer);
    assert_eq!(offer, Some(Offer::UndoPose));
    session.apply(Command::AcceptOffer);
    session.update();
}

/// What is offered back is there, and where it is said to be.
#[test]
fn a_pose_that_was_left_before_its_clip_went_stays() {
    let nodes = ["hip", "arm"];
    for is_back in [true, false] {
        let (mut session, offsets) = posed_arm(0);
        session.apply(Command::Playback(PlaybackCommand::Seek(0.5)));
        session.update();
        save(&mut session, &nodes, &WALK_AND_RUN[1..]);
        if is_back {
            save(&mut session, &nodes, &WALK_AND_RUN);
            let words = "The clip \"Walk\" is in the file again";
            assert_eq!(title(&session), Some(words));
        }
        assert!(session.actor().offsets().is_empty());
        accept(&mut session);
        assert_eq!(*session.actor().offsets(), offsets);
        let moment = (session.clip(), session.clock.time_secs());
        assert!(moment == (Some(0), 0.4) || !is_back && moment.0.is_none());
    }

    // That of another clip is not said to be of the one that is there again.
    let (mut session, offsets) = posed_arm(1);
    session.apply(Command::SelectClip(Some(0)));
    session.update();
    let told = title(&session).map(str::to_owned);
    save(&mut session, &nodes, &WALK_AND_RUN[1..]);
    save(&mut session, &nodes, &WALK_AND_RUN);
    assert_eq!(session.clip(), Some(0));
    assert_eq!(title(&session), told.as_deref());
    accept(&mut session);
    assert_eq!((session.clip(), session.clock.time_secs()), (Some(1), 0.4));
    assert_eq!(*session.actor().offsets(), offsets);
}

/// One save may take the posed node and the clip of the pose, and another one bring both back, or first the one.
#[test]
fn a_pose_that_is_gone_with_its_node_and_its_clip_is_in_a_step_to_undo() {
    let nodes = ["hip", "arm"];
    let gone = || {
        let (mut session, offsets) = posed_arm(0);
        save(&mut session, &nodes[..1], &WALK_AND_RUN[1..]);
        let message = session.message().expect("it is said");
        assert_eq!(message.title, "The pose made by hand of arm is gone");
        let detail = &message.detail;
        let says = |words: &str| assert!(detail.contains(words), "{detail}");
        says("nor is the clip \"Walk\"");
        says("Undo (");
        (session, offsets)
    };
    let is_back = |session: &Session, offsets: &Offsets| {
        assert_eq!((session.clip(), session.clock.time_secs()), (Some(0), 0.4));
        assert_eq!(session.actor().offsets(), offsets);
        assert_eq!(session.message(), None);
    };
    let (mut session, offsets) = gone();
    save(&mut session, &nodes, &WALK_AND_RUN);
    let words = "The clip \"Walk\" is in the file again";
    assert_eq!(title(&session), Some(words));
    accept(&mut session);
    is_back(&session, &offsets);

    let (mut session, offsets) = gone();
    save(&mut session, &nodes[..1], &WALK_AND_RUN);
    save(&mut session, &nodes, &WALK_AND_RUN);
    assert_eq!(session.message(), None, "nothing is gone");
    undo(&mut session);
    is_back(&session, &offsets);
}

/// A save that lacks a joint takes its pose along; nothing is left to be undone of it.
#[test]
fn what_was_posed_of_a_node_that_is_gone_is_said() {
    let mut session = posed_chain();
    assert_eq!(session.history_view().undo, Some("turn tail"));
    session.reload_model(chain(&["hip", "arm"]), Duration::ZERO);
    let title = session.message().map(|message| &*message.title);
    assert_eq!(title, Some("The pose made by hand of tail is gone"));
    assert_eq!(session.actor().offsets().nodes().count(), 1);
    assert_eq!(session.history_view().undo, Some("turn arm"));
    undo(&mut session);
    assert!(session.actor().offsets().is_empty());
    assert_eq!(session.history_view().undo, None);
}

#[test]
fn a_crowd_has_no_tool() {
    let mut session = session();
    session.clock.play();
    session.set_crowd_size(9);
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    assert_eq!(session.posing_view().tool, PoseTool::Off);
    assert!(!session.shown.skeleton && session.clock.is_playing());
    // One that was there before can be put away.
    session.set_crowd_size(1);
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Turn)]);
    session.set_crowd_size(9);
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Move)]);
    assert_eq!(session.posing_view().tool, PoseTool::Turn);
    ask(&mut session, &[PosingCommand::SetTool(PoseTool::Off)]);
    assert_eq!(session.posing_view().tool, PoseTool::Off);
}

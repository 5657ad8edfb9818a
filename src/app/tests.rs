//! Whatever is asked for, in whatever order, leaves a session that can go on.

use std::{path::Path, time::Duration};

use super::{Session, built_in, files::Random, panels::Rows, time::OddFindings};
use crate::{
    anim::{LoopMode, PosingPart, PosingSpace},
    import::{self, Consent, Import, Progress},
    model::Keyed as _,
    scene::{
        Backdrop, ControlJoints, JointChoice, LightSettings, ReferencePose, Side, SkeletonSettings,
        SplitWay, ViewMode,
    },
    ui::{
        CameraCommand, Command, CompareCommand, CompareWith, DragCommand, Flight, HistoryCommand,
        InspectCommand, MixCommand, MixMode, MixReference, MorphCommand, MotionCommand,
        NodesCommand, PictureCommand, PlaybackCommand, PoseTool, PosingCommand, SheetKind,
        SkeletonCommand, TimeSpan, TimelineCommand,
    },
};

/// A number that may be any, and often is none that makes sense.
fn number(random: &mut Random) -> f64 {
    match random.below(12) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -1e12,
        3 => 1e-9,
        _ => random.below(4001) as f64 / 1000.0 - 1.0,
    }
}

/// An index that mostly exists.
fn index(random: &mut Random, count: usize) -> usize {
    match random.below(16) {
        0 => usize::MAX,
        1 => count,
        _ => random.below(count),
    }
}

fn some<T>(random: &mut Random, value: T) -> Option<T> {
    (random.below(4) > 0).then_some(value)
}

fn of_time(random: &mut Random) -> Command {
    let secs = number(random);
    Command::Timeline(match random.below(11) {
        0 => return Command::Playback(PlaybackCommand::TogglePlay),
        1 => return Command::Playback(PlaybackCommand::Seek(secs)),
        2 => return Command::Playback(PlaybackCommand::StepFrames(random.below(30) as i32 - 15)),
        3 => {
            return [
                Command::Playback(PlaybackCommand::SeekStart),
                Command::Playback(PlaybackCommand::SeekEnd),
            ][random.below(2)]
            .clone();
        }
        4 => return Command::Playback(PlaybackCommand::SetSpeed(secs)),
        5 => {
            let modes = [
                LoopMode::Loop,
                LoopMode::PingPong,
                LoopMode::Once,
                LoopMode::Hold,
            ];
            return Command::Playback(PlaybackCommand::SetLoopMode(modes[random.below(4)]));
        }
        6 => return Command::Playback(PlaybackCommand::SetFrameRate(100.0 * secs)),
        7 => [TimelineCommand::MarkIn, TimelineCommand::MarkOut][random.below(2)],
        8 => {
            let span = TimeSpan {
                from_secs: number(random),
                to_secs: number(random),
            };
            let span = some(random, span);
            [TimelineCommand::SetRange(span), TimelineCommand::Show(span)][random.below(2)]
        }
        9 => {
            let sheet = [SheetKind::Dope, SheetKind::Curves][random.below(2)];
            TimelineCommand::ShowSheet(some(random, sheet))
        }
        _ => {
            let sign = random.below(3) as i32 - 1;
            [
                TimelineCommand::StepKey(sign),
                TimelineCommand::Shuttle(sign),
            ][random.below(2)]
        }
    })
}

fn of_clips(random: &mut Random, [clips, nodes, weights]: [usize; 3]) -> Command {
    let (clip, node) = (index(random, clips), index(random, nodes));
    Command::Mix(match random.below(12) {
        0 => return Command::SelectClip(some(random, clip)),
        1 => return Command::Motion(MotionCommand::SetFade(number(random))),
        2 => return Command::Motion(MotionCommand::ToggleInPlace),
        3 => return Command::Motion(MotionCommand::ToggleDualQuaternions),
        4 => MixCommand::SetMode(
            clip,
            [MixMode::Together, MixMode::Blend, MixMode::Add][random.below(3)],
        ),
        5 => MixCommand::SetWeight(clip, number(random) as f32),
        6 => MixCommand::SetBelow(clip, some(random, node)),
        7 => {
            let at = MixReference::Frame(number(random));
            let all = [MixReference::FirstFrame, MixReference::RestPose, at];
            MixCommand::SetReference(clip, all[random.below(3)])
        }
        8 => MixCommand::SetInStep(random.below(2) == 0),
        9 => {
            let place = index(random, weights);
            return Command::Morphs(MorphCommand::Hold(place, number(random) as f32));
        }
        10 => match random.below(4) {
            0 => MixCommand::EndMix,
            3 => MixCommand::PlayAll,
            1 => return Command::Morphs(MorphCommand::ReleaseAll),
            _ => MixCommand::SwitchMode,
        },
        _ => MixCommand::ToggleMixed(clip),
    })
}

fn of_poses(random: &mut Random) -> Command {
    let (axis, much) = (random.below(4), number(random) as f32);
    let at = [number(random) as f32, number(random) as f32];
    Command::Posing(match random.below(19) {
        0 => PosingCommand::SetTool(PoseTool::ALL[random.below(5)]),
        1 => PosingCommand::SetSpace(PosingSpace::ALL[random.below(3)]),
        2 => PosingCommand::SetStays(random.below(2) == 0),
        3 | 4 => PosingCommand::BeginDrag,
        5 => PosingCommand::Drag(DragCommand::Turn(axis, much)),
        6 => PosingCommand::Drag(DragCommand::Move(axis, much)),
        7 => PosingCommand::Drag(DragCommand::Scale(axis, much)),
        8 => PosingCommand::Drag(DragCommand::Reach(at)),
        9 => PosingCommand::Drag(DragCommand::Pole(at)),
        10 => PosingCommand::Drag(DragCommand::Swivel(much)),
        11 => PosingCommand::EndDrag,
        12 => PosingCommand::NextHandle,
        13 => PosingCommand::Nudge(axis as i32 - 2),
        14 => return Command::History(HistoryCommand::Undo),
        15 => {
            let rest = [HistoryCommand::Redo, HistoryCommand::EndStep];
            return Command::History(rest[random.below(2)]);
        }
        16 => [PosingCommand::ResetJoint, PosingCommand::ResetAll][random.below(2)],
        17 => {
            let parts = [
                PosingPart::Translation,
                PosingPart::Rotation,
                PosingPart::Scale,
            ];
            PosingCommand::Drag(DragCommand::Place(
                parts[random.below(3)],
                axis.min(2),
                much,
            ))
        }
        _ => PosingCommand::Mirror,
    })
}

fn of_camera(random: &mut Random) -> Command {
    // So far goes a pointer.
    let [x, y] = [0, 1].map(|_| random.below(4001) as f32 / 1000.0 - 2.0);
    Command::Camera(match random.below(16) {
        0 => return Command::Camera(CameraCommand::FrameModel),
        1 => return Command::Camera(CameraCommand::Orbit { right: x, down: y }),
        2 => return Command::Camera(CameraCommand::Pan { right: x, down: y }),
        3 => {
            let toward = [y, x];
            return Command::Camera(CameraCommand::Zoom { notches: x, toward });
        }
        4 => CameraCommand::FrameChosen,
        5 => CameraCommand::FrameMotion,
        6 => CameraCommand::LookFrom(Side::ALL[random.below(6)]),
        7 => CameraCommand::ToggleProjection,
        8 => CameraCommand::SetFieldOfView(x),
        9 => {
            let camera = index(random, 2);
            CameraCommand::LookThrough(some(random, camera))
        }
        10 => CameraCommand::StepCamera(random.below(3) as i32 - 1),
        11 => CameraCommand::ToggleFollow,
        12 => CameraCommand::TogglePath,
        13 => CameraCommand::ToggleFly,
        14 => CameraCommand::Fly(Flight {
            way: [x, y, x],
            is_fast: random.below(2) == 0,
        }),
        _ => CameraCommand::LookAround { right: x, down: y },
    })
}

fn of_comparing(random: &mut Random, [clips, nodes, _]: [usize; 3]) -> Command {
    let at = [number(random) as f32, number(random) as f32];
    Command::Compare(match random.below(10) {
        0 | 1 => CompareCommand::Step,
        2 => {
            let way = SplitWay::ALL[random.below(3)];
            CompareCommand::Show(some(random, way))
        }
        3 => CompareCommand::Swap,
        4 => {
            let clip = CompareWith::Clip(index(random, clips));
            let all = [clip, CompareWith::Skinning, CompareWith::File];
            CompareCommand::With(all[random.below(3)])
        }
        5 => CompareCommand::MoveLine(number(random) as f32),
        6 => CompareCommand::TogglePhase,
        7 => CompareCommand::ToggleDifferences,
        8 => {
            return Command::Timeline(TimelineCommand::StopAt {
                time_secs: number(random),
                node: Some(index(random, nodes)),
            });
        }
        _ => CompareCommand::Pick { at, reach: 0.02 },
    })
}

fn of_sight(random: &mut Random, [_, nodes, _]: [usize; 3]) -> Command {
    let node = index(random, nodes);
    let at = [number(random) as f32, number(random) as f32];
    match random.below(16) {
        0 | 1 => Command::SelectNode(some(random, node)),
        2 => Command::Pick { at, reach: 0.02 },
        3 => Command::Nodes(NodesCommand::ToggleHidden(node)),
        4 => Command::Nodes(NodesCommand::ShowAll),
        5 => Command::Picture(PictureCommand::ToggleSkeleton),
        6 => {
            let poses = ReferencePose::ALL[random.below(3)];
            Command::Skeleton(SkeletonCommand::Hold(some(random, poses)))
        }
        7 => Command::Skeleton(SkeletonCommand::Set(SkeletonSettings {
            axes: JointChoice::ALL[random.below(3)],
            names: JointChoice::ALL[random.below(3)],
            controls: ControlJoints::ALL[random.below(3)],
            trail: random.below(2) == 0,
            onion_skins: random.below(2) == 0,
            ..SkeletonSettings::default()
        })),
        8 => Command::Skeleton(SkeletonCommand::KeepTrail(node)),
        9 => {
            let at = some(random, at);
            Command::Skeleton(SkeletonCommand::Hover {
                at,
                reach: 0.02,
                is_resting: random.below(2) == 0,
            })
        }
        10 => Command::Picture(PictureCommand::SetViewMode(
            ViewMode::ALL[random.below(ViewMode::ALL.len())],
        )),
        11 => Command::Motion(MotionCommand::SetCrowdSize([1, 1, 3, 40][random.below(4)])),
        12 => Command::Motion(MotionCommand::ToggleCrowdClips),
        13 => Command::SelectScene(index(random, 2)),
        14 => Command::Picture(PictureCommand::SetBackdrop(Backdrop::Plain([
            at[0], at[1], 0.5,
        ]))),
        _ => Command::Inspect(match random.below(3) {
            0 => InspectCommand::Material(node),
            1 => InspectCommand::Texture(node),
            _ => InspectCommand::Enlarge(true),
        }),
    }
}

fn wish(random: &mut Random, counts: [usize; 3]) -> Command {
    match random.below(12) {
        0 | 1 => of_time(random),
        2 | 3 => of_clips(random, counts),
        4 | 5 => of_poses(random),
        6 => of_camera(random),
        7 => of_comparing(random, counts),
        8 => Command::Picture(PictureCommand::SetLight(LightSettings {
            exposure_stops: number(random) as f32,
            environment_strength: number(random) as f32,
            ..LightSettings::default()
        })),
        _ => of_sight(random, counts),
    }
}

/// All that a frame does with the session but for painting.
fn look(session: &mut Session, rows: &mut Rows, random: &mut Random) {
    session.tick(random.below(400) as f64 / 1000.0);
    session.update();
    rows.update(session, OddFindings::default());
    session.update_labels();
    session.set_aspects([1.0 + random.below(3) as f32, 0.5]);
    let sheet = rows.sheet.with_clip(session);
    let _ = session.timeline_view(&[], (&[], None), &sheet);
    let _ = (session.posing_view(), session.skeleton_view());
    let _ = (session.saving_view(), session.frame());
}

fn check(session: &Session, asked: &Command) {
    let clock = session.clock();
    let (now, end) = (clock.time_secs(), clock.duration_secs());
    assert!((0.0..=end).contains(&now), "{now} of {end} after {asked:?}");
    let (actor, model) = (session.actor(), session.model());
    assert_eq!(actor.pose().world.len(), model.hierarchy.len());
    assert!(session.clip().is_none_or(|clip| clip < model.clips.len()));
    let eye = session.camera_view().eye;
    assert!(eye.is_finite(), "{eye} after {asked:?}");
}

fn ask_at_random(name: &str, load: impl Fn() -> Import, steps: usize) {
    let mut random = Random::new(name.len() as u64 + 7);
    let mut session = Session::new(load(), None, Duration::ZERO);
    session.set_aspect(1.5);
    let mut rows = Rows::default();
    for step in 0..steps {
        let model = session.model();
        let counts = [
            model.clips.len(),
            model.hierarchy.len(),
            model.hierarchy.rest_weights().len(),
        ];
        let asked = wish(&mut random, counts);
        session.apply(asked.clone());
        look(&mut session, &mut rows, &mut random);
        check(&session, &asked);
        if step % 97 == 96 {
            session.reload_model(load(), Duration::ZERO);
        }
        if step % 331 == 330 {
            session.compare_with(load());
        }
    }
}

#[test]
fn whatever_is_asked_in_whatever_order_goes_on() {
    for name in built_in::NAMES {
        ask_at_random(name, || built_in::load(name).unwrap(), 1500);
    }
}

#[test]
fn whatever_is_asked_of_real_files_goes_on() {
    let Some(corpus) = std::env::var_os("RIGSCOPE_CORPUS") else {
        println!("skipped: no corpus");
        return;
    };
    let folder = Path::new(&corpus).join("files/khronos-samples");
    for name in [
        "CesiumMan",
        "Cameras",
        "MultipleScenes",
        "NegativeScaleTest",
        "MorphStressTest",
        "RecursiveSkeletons",
        "InterpolationTest",
    ] {
        let forms = ["glTF-Binary/", "glTF/"].into_iter().zip(["glb", "gltf"]);
        let mut files =
            forms.map(|(form, kind)| folder.join(format!("{name}/{form}{name}.{kind}")));
        let file = files.find(|file| file.exists()).unwrap();
        let load = || {
            let given = std::slice::from_ref(&file);
            import::open(given, &Consent::default(), &Progress::default()).unwrap()
        };
        ask_at_random(name, load, 500);
    }
}

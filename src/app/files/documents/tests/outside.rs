//! Files outside of its folder that a model names.

use super::*;

/// A version of the model with these pictures.
fn naming(number: usize, uris: &[&str]) -> Vec<u8> {
    edited(number, |json| {
        let image = |uri: &&str| serde_json::json!({ "uri": uri });
        let images: Vec<_> = uris.iter().map(image).collect();
        let texture = |source: usize| serde_json::json!({ "source": source });
        let textures: Vec<_> = (0..uris.len()).map(texture).collect();
        for (key, list) in [("images", images), ("textures", textures)] {
            let json = json.as_object_mut().unwrap();
            json.remove(key);
            // An empty list is a fault of its own.
            if !list.is_empty() {
                json.insert(key.to_owned(), list.into());
            }
        }
    })
}

#[test]
fn files_outside_that_are_named_no_more_are_not_asked_about() {
    let mut desk = Desk::new("outside");
    let above = desk.folder.parent().unwrap().to_owned();
    let names = ["a", "b"].map(|name| format!("rigscope-{name}-{}.png", std::process::id()));
    let mut picture = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(3, 5)
        .write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    for name in &names {
        fs::write(above.join(name), picture.get_ref()).unwrap();
    }
    let uris = names.each_ref().map(|name| format!("../{name}"));
    let [a, b] = uris.each_ref().map(String::as_str);
    fs::write(desk.path(), naming(0, &[a, b])).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let asked = |desk: &Desk| {
        let message = desk.session.message()?;
        let is_asked = message.offer == Some(Offer::AllowOnce);
        is_asked.then(|| names.each_ref().map(|name| message.detail.contains(name)))
    };
    assert_eq!(asked(&desk), Some([true, true]));
    // One of them is left.
    fs::write(desk.path(), naming(1, &[b])).unwrap();
    desk.wait("the next version", |desk| desk.is_shown(1));
    assert_eq!(asked(&desk), Some([false, true]));
    fs::write(desk.path(), naming(2, &[])).unwrap();
    desk.wait("the next version", |desk| desk.is_shown(2));
    assert_eq!(desk.session.message(), None);
    assert_eq!(desk.documents.accept_offer(), None);
    assert_eq!(desk.documents.file.purpose(), None, "nothing is opened");

    // What another message says and offers stays.
    fs::write(desk.path(), naming(3, &[a])).unwrap();
    desk.open();
    desk.wait("the next version", |desk| desk.is_shown(3));
    let other = Message::info("else", "").offering(Some(Offer::Compare));
    desk.session.tell(other.clone());
    fs::write(desk.path(), naming(4, &[])).unwrap();
    desk.wait("the next version", |desk| desk.is_shown(4));
    assert_eq!(desk.session.message(), Some(&other));
    for name in &names {
        fs::remove_file(above.join(name)).unwrap();
    }
}

/// Nobody has answered it.
#[test]
fn the_question_comes_back_after_a_broken_save_unless_it_was_put_away() {
    let mut desk = Desk::new("outside-broken");
    let picture = std::env::temp_dir().join(format!("rigscope-asked-{}.png", std::process::id()));
    image::RgbImage::new(3, 5).save(&picture).unwrap();
    let uri = format!("../{}", picture.file_name().unwrap().to_string_lossy());
    let is_asked = |desk: &Desk| {
        let message = desk.session.message();
        message.is_some_and(|it| it.offer == Some(Offer::AllowOnce))
    };
    let save_broken_and_whole = |desk: &mut Desk, number| {
        let whole = naming(number, &[&uri]);
        fs::write(desk.path(), &whole[..whole.len() / 2]).unwrap();
        desk.wait("the broken save", Desk::is_held);
        fs::write(desk.path(), &whole).unwrap();
        desk.wait("the next version", |desk| desk.is_shown(number));
    };
    fs::write(desk.path(), naming(0, &[&uri])).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    assert!(is_asked(&desk));
    save_broken_and_whole(&mut desk, 1);
    assert!(is_asked(&desk));
    desk.session.apply(Command::DismissMessage);
    assert_eq!(desk.session.message(), None);
    save_broken_and_whole(&mut desk, 2);
    assert_eq!(desk.session.message(), None);
    // Who opens it once more is asked anew.
    desk.open();
    desk.wait("the question", is_asked);
    fs::remove_file(&picture).unwrap();
}

/// What the window keeps to open is of one offer.
#[test]
fn a_save_does_not_ask_in_the_place_of_what_is_offered() {
    let mut desk = Desk::new("outside-offer");
    let uri = "../rigscope-unasked.png";
    fs::write(desk.path(), naming(0, &[uri])).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let other = Message::info("else", "").offering(Some(Offer::Compare));
    desk.session.tell(other.clone());
    fs::write(desk.path(), naming(1, &[uri])).unwrap();
    desk.wait("the next version", |desk| desk.is_shown(1));
    assert_eq!(desk.session.message(), Some(&other));
}

/// It is followed like what lies beside the model.
#[test]
fn what_was_allowed_is_read_again_when_it_is_saved() {
    let mut desk = Desk::new("allowed-save");
    let above = desk.folder.parent().unwrap();
    let picture = above.join(format!("rigscope-allowed-{}.png", std::process::id()));
    let uri = format!("../{}", picture.file_name().unwrap().to_string_lossy());
    let paint = |width: u32| image::RgbImage::new(width, 5).save(&picture).unwrap();
    paint(3);
    let naming = edited(0, |json| {
        json["images"] = serde_json::json!([{ "uri": uri }]);
        json["textures"] = serde_json::json!([{ "source": 0 }]);
        let base_color = serde_json::json!({ "index": 0 });
        json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = base_color;
    });
    fs::write(desk.path(), naming).unwrap();
    desk.open();
    desk.wait("the question", |desk| desk.session.message().is_some());
    desk.session.apply(Command::DismissMessage);
    assert_eq!(desk.documents.accept_offer(), None);
    let shows = |desk: &Desk, width| {
        let images = &desk.session.model().images;
        images
            .first()
            .is_some_and(|it| !it.is_placeholder && it.width == width)
    };
    desk.wait("the picture", |desk| shows(desk, 3));
    paint(4);
    desk.wait("the picture as it was saved", |desk| shows(desk, 4));
    fs::remove_file(&picture).unwrap();
}

/// What was allowed may hold nothing: the good model stays, and that is said.
#[test]
fn a_file_that_was_allowed_and_is_empty_leaves_the_model_before() {
    let mut desk = Desk::new("allowed");
    fs::write(desk.path(), version(0)).unwrap();
    desk.open();
    desk.wait("the model", |desk| desk.is_shown(0));
    let bytes = desk.folder.parent().unwrap();
    let bytes = bytes.join(format!("rigscope-allowed-{}.bin", std::process::id()));
    fs::write(&bytes, [0; 4]).unwrap();
    let uri = format!("../{}", bytes.file_name().unwrap().to_string_lossy());
    let json = serde_json::json!({
        "asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": uri}],
    });
    let empty = desk.folder.join("empty.gltf");
    fs::write(&empty, json.to_string()).unwrap();
    let files = vec![empty];
    let consent = Consent::default();
    desk.documents.open(Source::Files { files, consent });
    desk.wait("the question", |desk| desk.session.message().is_some());
    let offer = desk.session.message().unwrap().offer;
    assert_eq!(offer, Some(Offer::AllowOnce));
    desk.session.apply(Command::DismissMessage);
    assert_eq!(desk.documents.accept_offer(), None);
    desk.wait("the word that it is empty", |desk| {
        desk.session.message().is_some()
    });
    let message = desk.session.message().unwrap();
    assert_eq!(message.title, "empty.gltf could not be opened");
    assert!(message.detail.contains("nothing in it"), "{message:?}");
    assert!(desk.is_shown(0));
    fs::remove_file(&bytes).unwrap();
}

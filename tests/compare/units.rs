//! Models of other units are called larger or smaller, before all that follows from that.

use std::path::Path;

use rigscope::cli::compare::Comparison;
use serde_json::json;

use super::{Glb, PIP, common};

/// A rig in centimetres, as it is mostly met: below a node that makes it a hundred times as large.
#[test]
fn another_unit_is_told() {
    let first = common::actor(Path::new(PIP));
    let mut glb = Glb::read(PIP);
    let roots = glb.json["scenes"][0]["nodes"].take();
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "unit", "scale": [100, 100, 100], "children": roots }));
    let unit = nodes.len() - 1;
    glb.json["scenes"][0]["nodes"] = json!([unit]);
    let second = glb.write("centimetres.glb");
    let comparison = Comparison::new([&first, &second], 1e-4);
    let (text, report) = (comparison.to_text(), comparison.to_json());
    assert!(
        text.contains("centimetres.glb is 100 times larger"),
        "{text}"
    );
    assert_eq!(report["size_note"], "100 times larger");
    let report = Comparison::new([&first, &first], 1e-4).to_json();
    assert!(report["size_note"].is_null());
}

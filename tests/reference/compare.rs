//! How far the program's `pose` JSON is from the reference, in parts of the model's size.

use serde_json::Value;

use super::document::Document;
use super::file::{array, int, numbers};
use super::math::{self, Mat4, Vec3};
use super::pose::Pose;

/// The worst differences: lengths in parts of the model's size, morph weights as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deviation {
    pub world: f64,
    pub joint: f64,
    pub vertex: f64,
    pub bounds: f64,
    pub weight: f64,
    /// Vertices to which the file gives no position, so that they were not compared.
    pub undefined_vertices: usize,
}

/// The diagonal of the posed bounds; of the nodes' origins where there are no vertices. 0 when there is no extent.
pub fn size(pose: &Pose) -> f64 {
    let vertices = || {
        pose.meshes
            .iter()
            .filter(|mesh| mesh.is_shown)
            .flat_map(|mesh| mesh.positions.iter().flatten().copied())
    };
    if vertices().next().is_some() {
        diagonal(vertices())
    } else {
        diagonal(pose.world.iter().map(|m| [m[3][0], m[3][1], m[3][2]]))
    }
}

/// The box around points, if there are any.
pub fn bounds(points: impl Iterator<Item = Vec3>) -> Option<(Vec3, Vec3)> {
    points.map(|p| (p, p)).reduce(|(low, high), (p, _)| {
        (
            std::array::from_fn(|i| low[i].min(p[i])),
            std::array::from_fn(|i| high[i].max(p[i])),
        )
    })
}

fn diagonal(points: impl Iterator<Item = Vec3>) -> f64 {
    bounds(points).map_or(0.0, |(low, high)| math::distance(low, high))
}

/// Compares everything that the report holds; `Err` when it is not of the pose's shape.
pub fn compare(
    document: &Document,
    pose: &Pose,
    report: &Value,
    size: f64,
) -> Result<Deviation, String> {
    let mut worst = Deviation::default();
    let nodes = array(&report["nodes"]);
    same_count("nodes", nodes.len(), pose.world.len())?;
    let mut seen = vec![false; nodes.len()];
    for entry in nodes {
        let node = int(&entry["index"])
            .filter(|i| *i < seen.len())
            .ok_or("node without its index")?;
        if std::mem::replace(&mut seen[node], true) {
            return Err(format!("node {node} twice"));
        }
        let got = matrix(&entry["world"]).ok_or_else(|| format!("node {node}: no world matrix"))?;
        raise(
            &mut worst.world,
            matrix_error(&got, &pose.world[node], size),
        );
        let weights =
            numbers(&entry["weights"]).ok_or_else(|| format!("node {node}: no weights"))?;
        same_count("morph weights", weights.len(), pose.weights[node].len())?;
        for (got, want) in weights.iter().zip(&pose.weights[node]) {
            raise(&mut worst.weight, (got - want).abs());
        }
    }
    same_count("skins", array(&report["skins"]).len(), pose.skins.len())?;
    for (node, skin, matrices) in &pose.skins {
        let entry = find(&report["skins"], *node, "skin", *skin)?;
        let got = array(&entry["joint_matrices"]);
        same_count("joint matrices", got.len(), matrices.len())?;
        let region = rest_region(document, *node, size);
        for (got, want) in got.iter().zip(matrices) {
            let got = matrix(got).ok_or_else(|| format!("node {node}: not a joint matrix"))?;
            raise(&mut worst.joint, region_error(&got, want, region, size));
        }
    }
    if report.get("meshes").is_some() {
        compare_vertices(pose, report, size, &mut worst)?;
        compare_bounds(pose, report, size, &mut worst)?;
    }
    Ok(worst)
}

fn compare_vertices(
    pose: &Pose,
    report: &Value,
    size: f64,
    worst: &mut Deviation,
) -> Result<(), String> {
    same_count(
        "primitives",
        array(&report["meshes"]).len(),
        pose.meshes.len(),
    )?;
    for mesh in &pose.meshes {
        let is_it = |entry: &&Value| {
            let place = [int(&entry["node"]), int(&entry["primitive"])];
            place == [Some(mesh.node), Some(mesh.primitive)]
                && int(&entry["instance"]) == mesh.instance
        };
        let entry = array(&report["meshes"]).iter().find(is_it).ok_or_else(|| {
            let (node, primitive) = (mesh.node, mesh.primitive);
            format!(
                "no primitive {primitive} at node {node} ({:?})",
                mesh.instance
            )
        })?;
        let got = array(&entry["positions"]);
        same_count("vertices", got.len(), mesh.positions.len())?;
        for (got, want) in got.iter().zip(&mesh.positions) {
            let Some(want) = want else {
                worst.undefined_vertices += 1;
                continue;
            };
            let axis = |i: usize| {
                got.get(i)
                    .and_then(Value::as_f64)
                    .ok_or("a vertex that is no position")
            };
            raise(
                &mut worst.vertex,
                math::distance([axis(0)?, axis(1)?, axis(2)?], *want) / size,
            );
        }
    }
    Ok(())
}

/// The bounds are those of the posed vertices, where there are any and all are defined.
fn compare_bounds(
    pose: &Pose,
    report: &Value,
    size: f64,
    worst: &mut Deviation,
) -> Result<(), String> {
    let shown = pose.meshes.iter().filter(|mesh| mesh.is_shown);
    let vertices = shown.flat_map(|mesh| &mesh.positions);
    if vertices.clone().any(Option::is_none) {
        return Ok(());
    }
    let Some((low, high)) = bounds(vertices.flatten().copied()) else {
        return Ok(());
    };
    for (key, want) in [("min", low), ("max", high)] {
        let got = numbers(&report["bounds"][key]).filter(|corner| corner.len() == 3);
        let got = got.ok_or("no bounds")?;
        let error = math::distance([got[0], got[1], got[2]], want) / size;
        raise(&mut worst.bounds, error);
    }
    Ok(())
}

fn find<'a>(list: &'a Value, node: usize, key: &str, index: usize) -> Result<&'a Value, String> {
    let matches =
        |entry: &&Value| int(&entry["node"]) == Some(node) && int(&entry[key]) == Some(index);
    array(list)
        .iter()
        .find(matches)
        .ok_or_else(|| format!("no {key} {index} at node {node}"))
}

fn same_count(what: &str, got: usize, want: usize) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{got} {what} instead of {want}"))
    }
}

/// Keeps the larger; a NaN is worse than any number.
pub fn raise(worst: &mut f64, error: f64) {
    if !worst.is_nan() && (error.is_nan() || error > *worst) {
        *worst = error;
    }
}

fn matrix(value: &Value) -> Option<Mat4> {
    numbers(value)
        .filter(|values| values.len() == 16)
        .map(|values| math::mat4(&values))
}

fn column_error(got: &Mat4, want: &Mat4, column: usize) -> f64 {
    let difference: [f64; 4] = std::array::from_fn(|row| got[column][row] - want[column][row]);
    math::length(&difference)
}

/// The displacement of the node's origin, and of the points that its longest axis takes to the model's size away from it.
pub fn matrix_error(got: &Mat4, want: &Mat4, size: f64) -> f64 {
    let longest = (0..3)
        .map(|i| math::length(&want[i][..3]))
        .fold(0.0, f64::max);
    let reach = if longest > 0.0 { size / longest } else { 1.0 };
    let mut worst = column_error(got, want, 3) / size;
    (0..3).for_each(|i| raise(&mut worst, column_error(got, want, i) * reach / size));
    worst
}

/// Centre and half diagonal of the vertices at rest, in the mesh's own space.
pub fn rest_region(document: &Document, node: usize, size: f64) -> (Vec3, f64) {
    let primitives = document.nodes[node]
        .mesh
        .and_then(|m| document.meshes.get(m)?.as_ref().ok());
    let points = primitives
        .into_iter()
        .flatten()
        .flat_map(|p| p.positions.iter().copied());
    bounds(points.filter(|p| p.iter().all(|x| x.is_finite()))).map_or(
        ([0.0; 3], size),
        |(low, high)| {
            (
                std::array::from_fn(|i| (low[i] + high[i]) / 2.0),
                math::distance(low, high) / 2.0,
            )
        },
    )
}

/// The displacement of the region's centre, and of the points of a sphere round the region.
pub fn region_error(got: &Mat4, want: &Mat4, (centre, radius): (Vec3, f64), size: f64) -> f64 {
    let mut worst = math::distance(
        math::transform_point(got, centre),
        math::transform_point(want, centre),
    ) / size;
    (0..3).for_each(|i| raise(&mut worst, column_error(got, want, i) * radius / size));
    raise(
        &mut worst,
        (0..4)
            .map(|i| (got[i][3] - want[i][3]).abs())
            .fold(0.0, f64::max),
    );
    worst
}

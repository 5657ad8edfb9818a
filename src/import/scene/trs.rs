//! Whether a matrix is a translation, a rotation and a scale (glTF 2.0 §3.5.3), as the validator finds it: taken apart, put
//! together again, and compared by their greatest columns. Numbers are rounded where the validator rounds them.

/// How far the sums of the greatest columns may be apart.
const TOLERANCE: f64 = 5e-5;

type Columns = [[f64; 3]; 3];

/// Whether a matrix whose fourth row is 0, 0, 0, 1 is one. Its columns come one after the other.
pub(super) fn is_trs(matrix: &[f32; 16]) -> bool {
    let [
        [ax, ay, az, _],
        [bx, by, bz, _],
        [cx, cy, cz, _],
        [tx, ty, tz, _],
    ] = matrix.as_chunks::<4>().0
    else {
        return false;
    };
    let columns: Columns = [[ax, ay, az], [bx, by, bz], [cx, cy, cz]]
        .map(|column| column.map(|&number| f64::from(number)));
    let translation = [tx, ty, tz].map(|&number| f64::from(number));
    let determinant = determinant(&columns);
    if determinant == 0.0 {
        return false;
    }
    let made = made_of_parts(&columns, determinant < 0.0);
    let norm = |columns: &Columns| {
        let sums = columns.iter().map(sum);
        sums.fold(sum(&translation) + 1.0, f64::max)
    };
    // What is no number is none.
    (norm(&made) - norm(&columns)).abs() < TOLERANCE
}

fn sum(column: &[f64; 3]) -> f64 {
    column.iter().map(|number| number.abs()).sum()
}

fn determinant([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: &Columns) -> f64 {
    cx * (ay * bz - az * by) - cy * (ax * bz - az * bx) + cz * (ax * by - ay * bx)
}

/// A number, rounded to single precision.
fn rounded(number: f64) -> f64 {
    f64::from(number as f32)
}

/// The rotation and the scale of a matrix, put together again.
fn made_of_parts(columns: &Columns, is_mirrored: bool) -> Columns {
    let lengths = columns.map(|[x, y, z]| (x * x + y * y + z * z).sqrt());
    let [x, y, z] = lengths;
    let scale = [if is_mirrored { -x } else { x }, y, z];
    let mut turned = *columns;
    for (column, length) in turned.iter_mut().zip(scale) {
        *column = column.map(|number| rounded(number * (1.0 / length)));
    }
    let mut made = matrix_of(quaternion_of(&turned));
    for (column, length) in made.iter_mut().zip(scale) {
        *column = column.map(|number| rounded(number * rounded(length)));
    }
    made
}

fn quaternion_of([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: &Columns) -> [f64; 4] {
    let trace = ax + by + cz;
    let numbers = if trace > 0.0 {
        let s = (trace + 1.0).sqrt();
        let t = 0.5 / s;
        [(bz - cy) * t, (cx - az) * t, (ay - bx) * t, s * 0.5]
    } else if ax < by && by < cz || ax >= by && ax < cz {
        let s = (cz - ax - by + 1.0).sqrt();
        let t = 0.5 / s;
        [(az + cx) * t, (bz + cy) * t, s * 0.5, (ay - bx) * t]
    } else if ax < by {
        let s = (by - cz - ax + 1.0).sqrt();
        let t = 0.5 / s;
        [(ay + bx) * t, s * 0.5, (bz + cy) * t, (cx - az) * t]
    } else {
        let s = (ax - by - cz + 1.0).sqrt();
        let t = 0.5 / s;
        [s * 0.5, (ay + bx) * t, (az + cx) * t, (bz - cy) * t]
    };
    numbers.map(rounded)
}

fn matrix_of([x, y, z, w]: [f64; 4]) -> Columns {
    let [x2, y2, z2] = [x + x, y + y, z + z];
    let columns = [
        [1.0 - (y * y2 + z * z2), x * y2 + w * z2, x * z2 - w * y2],
        [x * y2 - w * z2, 1.0 - (x * x2 + z * z2), y * z2 + w * x2],
        [x * z2 + w * y2, y * z2 - w * x2, 1.0 - (x * x2 + y * y2)],
    ];
    columns.map(|column| column.map(rounded))
}

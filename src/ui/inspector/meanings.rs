//! What findings in the words of the file format mean for who animates or draws: a plain sentence that stands before them.

use crate::ui::DiagnosticRow;

const PACKED: &str = "Data are packed in a way that the format does not allow.";
const FORM: &str = "Numbers are written in a form that the format does not allow there.";
const MISSING: &str = "Numbers that belong here are missing in the file, or cannot be found.";
/// Of parts of the file that nobody sees: accessors, and what these are found in.
const OF_LISTS: &str = "A list of numbers is described wrongly in the file.";
const OF_DATA: &str = "A part of the file's data is described wrongly.";
/// How codes begin that say so.
const DESCRIPTIONS: [&str; 9] = [
    "ACCESSOR_",
    "ARRAY_",
    "BUFFER_",
    "EMPTY_ENTITY",
    "TYPE_MISMATCH",
    "UNDEFINED_PROPERTY",
    "UNRESOLVED_REFERENCE",
    "UNSATISFIED_DEPENDENCY",
    "VALUE_",
];

/// Parts of codes, and what is so where they stand in one; the first that fits counts.
const MEANINGS: [(&str, &str); 39] = [
    (
        "ACCESSOR_WITHOUT_BOUNDS",
        "The file does not say between which extremes these numbers lie.",
    ),
    (
        "ACCESSOR_MIN_MISMATCH",
        "The file states other extremes than its numbers have.",
    ),
    (
        "ACCESSOR_MAX_MISMATCH",
        "The file states other extremes than its numbers have.",
    ),
    (
        "ACCESSOR_ELEMENT_OUT_OF_M",
        "Some numbers lie beyond the extremes that the file states.",
    ),
    ("WEIGHTS_NEGATIVE", "Some weights of vertices are negative."),
    (
        "JOINTS_INDEX_DUPLICATE",
        "Some vertices name the same joint twice.",
    ),
    (
        "INVALID_IBM",
        "Matrices that bind the mesh to its joints are wrong.",
    ),
    (
        "IBM_ACCESSOR_COUNT",
        "Some joints have no matrix that binds the mesh to them.",
    ),
    (
        "ANIMATION_INPUT_NEGATIVE",
        "Some keys come before the time 0.",
    ),
    (
        "ANIMATION_INPUT_NON_INCREASING",
        "The keys of a channel are not in the order of time.",
    ),
    (
        "KEY_TIMES_UNUSABLE",
        "The keys of a channel have no times that can be used, so that it moves nothing.",
    ),
    ("INPUT_ACCESSOR_TOO_FEW", "A channel has too few keys."),
    (
        "OUTPUT_ACCESSOR_INVALID_COUNT",
        "A channel does not have one value for each of its keys.",
    ),
    (
        "NON_NORMALIZED_QUATERNION",
        "Some rotations do not have the length 1.",
    ),
    (
        "VECTOR3_NON_UNIT",
        "Some directions of a surface do not have the length 1.",
    ),
    (
        "ACCESSOR_INVALID_FLOAT",
        "Some numbers are infinite, or are not numbers.",
    ),
    ("TRIANGLE_DEGENERATE", "Some triangles have no area."),
    (
        "ACCESSOR_INDEX_OOB",
        "Some faces name vertices that the mesh does not have.",
    ),
    (
        "UNEQUAL_ACCESSOR_COUNT",
        "Some vertices lack one of their values.",
    ),
    (
        "NO_BASE_ACCESSOR",
        "A morph target changes what the mesh does not have.",
    ),
    (
        "TOO_FEW_TEXCOORDS",
        "A texture needs UV coordinates that the mesh does not have.",
    ),
    (
        "GENERATED_TANGENT_SPACE",
        "The normal map needs tangents, which the file leaves out.",
    ),
    (
        "_SPARSE_",
        "Single numbers that replace others are listed wrongly.",
    ),
    ("ACCESSOR_USAGE_OVERRIDE", PACKED),
    ("BUFFER_VIEW_TARGET_OVERRIDE", PACKED),
    ("UNALIGNED", PACKED),
    ("ALIGNMENT", PACKED),
    ("BYTESTRIDE", PACKED),
    ("BYTE_STRIDE", PACKED),
    ("ACCESSOR_INVALID_FORMAT", FORM),
    ("ACCESSOR_UNSIGNED_INT", FORM),
    ("ACCESSOR_UNREADABLE", MISSING),
    ("ACCESSOR_TOO_LONG", MISSING),
    ("ACCESSOR_NOT_WHOLE", MISSING),
    ("BUFFER_VIEW_UNREADABLE", MISSING),
    ("BUFFER_VIEW_TOO_LONG", MISSING),
    ("BUFFER_WITHOUT_DATA", MISSING),
    ("BUFFER_BYTE_LENGTH_MISMATCH", MISSING),
    ("BUFFER_MISSING_GLB_DATA", MISSING),
];

/// What a finding means; none where its message says it as plainly.
pub fn meaning(row: &DiagnosticRow) -> Option<&'static str> {
    let found = MEANINGS.iter().find(|(part, _)| row.code.contains(part));
    if let Some((_, words)) = found {
        return Some(words);
    }
    let words = match row.pointer.split('/').nth(1)? {
        "accessors" => OF_LISTS,
        "bufferViews" | "buffers" => OF_DATA,
        _ => return None,
    };
    let mut starts = DESCRIPTIONS.iter();
    let is_description = starts.any(|start| row.code.starts_with(start));
    is_description.then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::MessageKind;

    #[test]
    fn words_of_the_format_are_said_plainly() {
        let words = |code: &str, pointer: &str| {
            meaning(&DiagnosticRow {
                severity: MessageKind::Error,
                code: code.to_owned(),
                pointer: pointer.to_owned(),
                message: String::new(),
                action: String::new(),
                culprit: None,
                others: Vec::new(),
            })
        };
        for (code, pointer, start) in [
            (
                "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
                "/meshes/0",
                "The file does not say",
            ),
            (
                "ACCESSOR_UNREADABLE",
                "/meshes/0/primitives/0",
                "Numbers that belong here",
            ),
            (
                "VALUE_NOT_IN_RANGE",
                "/accessors/3/count",
                "A list of numbers",
            ),
            (
                "VALUE_NOT_IN_RANGE",
                "/bufferViews/3/byteStride",
                "A part of the file's data",
            ),
            (
                "ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE",
                "/animations/0",
                "Data are packed",
            ),
            ("ACCESSOR_VECTOR3_NON_UNIT", "/meshes/0", "Some directions"),
        ] {
            let words = words(code, pointer);
            assert!(
                words.is_some_and(|it| it.starts_with(start)),
                "{code}: {words:?}"
            );
        }
        for (code, pointer) in [
            ("NODE_LOOP", "/nodes/17"),
            ("UNUSED_OBJECT", "/accessors/9"),
            ("IO_ERROR", "/buffers/0"),
            ("MEMORY_BUDGET_EXCEEDED", "/buffers/0"),
            ("DECODER_FAILED", "/accessors/0"),
            ("NODE_PARENT_OVERRIDE", "/nodes/2"),
            ("ANIMATION_LOOP_SEAM", "/animations/1"),
            ("VALUE_NOT_IN_RANGE", "/nodes/1/rotation"),
        ] {
            assert_eq!(words(code, pointer), None, "{code}");
        }
        for (_, words) in MEANINGS {
            let lower = words.to_lowercase();
            let said = ["accessor", "buffer", "sampler", "primitive", "stride"];
            assert!(!said.iter().any(|it| lower.contains(it)), "{words}");
            // What they do, and what is done here, depends on where it is.
            assert!(!lower.contains("other programs"), "{words}");
        }
    }
}

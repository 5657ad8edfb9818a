//! Import: every rule by a small file made here, then whole folders of files.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod import {
    mod animations;
    mod containers;
    mod corpus;
    mod deformation;
    mod file;
    mod geometry;
    mod graph;
    mod invariants;
    mod looks;
}

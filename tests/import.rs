//! Import: every rule by a small file made here, then whole folders of files.

mod import {
    mod animations;
    mod containers;
    mod corpus;
    mod file;
    mod geometry;
    mod graph;
    mod invariants;
    mod looks;
}

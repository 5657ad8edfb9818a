//! Import: every rule by a small file made here, then whole folders of files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod mutator;

mod import {
    mod animations;
    mod apart;
    mod binding;
    mod compression;
    mod containers;
    mod corpus;
    mod damaged;
    mod deformation;
    mod doctor;
    mod draco;
    mod file;
    mod found;
    mod geometry;
    mod grammar;
    mod graph;
    mod invariants;
    mod large;
    mod looks;
    mod losses;
    mod materials;
    mod mending;
    mod metadata;
    mod morphed_tangents;
    mod nodes;
    mod opening;
    mod pixels;
    mod pointers;
    mod review;
    mod rules;
    mod sharing;
    mod short;
    mod slips;
    mod spellings;
    mod stated;
    mod tangents;
    mod undrawn;
    mod unusual;
    mod uses;
    mod validator;
    mod values;
    mod verdicts;
    mod zip;
}

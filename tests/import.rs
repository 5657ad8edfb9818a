//! Import: every rule by a small file made here, then whole folders of files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that meets the unexpected shall fail"
)]

mod common;
mod mutator;

mod import {
    // Channels, samplers, interpolation, timelines; those of pointers are in `nodes` and `pointers`.
    mod animations;
    // What does not depend on threads: large meshes and clips, read on several.
    mod apart;
    // Findings of the rig doctor about inverse bind matrices and stray weights.
    mod binding;
    // Meshopt and Draco: what comes out, and damaged streams.
    mod compression;
    // GLB chunks, the JSON's frame, versions: what decides whether a file is read at all.
    mod containers;
    // Runs over the folders of files, and the helpers to find and read these.
    mod corpus;
    // PNG and JPEG data that break off or are wrong.
    mod damaged;
    // Joints, weights, morph targets, inverse bind matrices.
    mod deformation;
    // All other findings of the rig doctor.
    mod doctor;
    // What a file says beside a Draco stream, and contradicts it.
    mod draco;
    // What Draco streams have otherwise than the file says.
    mod draco_losses;
    // No tests: how files are made, loaded, and what is said of them asserted.
    mod file;
    // Accessors and views that meshes read, attributes, indices, shapes.
    mod geometry;
    // JSON, URIs and media types that are written unusually, or not quite by their grammar.
    mod grammar;
    // Nodes, scenes, cameras, skins.
    mod graph;
    // What is no model: by its first bytes, its name, or where it is.
    mod instead;
    // No tests: what `model` guarantees, asserted of whatever has been loaded.
    mod invariants;
    // Files of which only parts are read, when they are asked for.
    mod large;
    // Materials, textures, samplers, images and what these may cost; extensions are in `materials`.
    mod looks;
    // A fault in one object, and that no other object is lost for it.
    mod losses;
    // Extensions of materials and textures.
    mod materials;
    // Values of a wrong type, mended or left out within their object.
    mod mending;
    // Extras, XMP, VRM's titles and authors.
    mod metadata;
    // Computed tangents of morph targets.
    mod morphed_tangents;
    // Extensions of nodes, and pointers to what they add.
    mod nodes;
    // Which files are opened, and which refused.
    mod opening;
    // Pixel formats of images.
    mod pixels;
    // Channels with pointers: those that hit nothing, or the same thing twice.
    mod pointers;
    // Rules that only the checks look for, as nothing that is drawn depends on them.
    mod rules;
    // Primitives that share vertices, and what that may cost.
    mod sharing;
    // Attributes with fewer elements than there are vertices.
    mod short;
    // Faults that exporters are known for, and that are read all the same.
    mod slips;
    // Channels that were meant for another node.
    mod targets;
    // Clips in another unit than their skeleton.
    mod units;
    // Unusual JSON of values, indices and names of extensions; objects that nothing uses.
    mod spellings;
    // Morph targets of sparse accessors, which keep what they hold.
    mod sparse_targets;
    // What accessors, views and buffers say of themselves: bounds, sparse elements, data URIs.
    mod stated;
    // Clips whose keys all say the same.
    mod still_clips;
    // Computed tangents.
    mod tangents;
    // Vertices that no index names.
    mod undrawn;
    // What is legal and rare, or wrong and harmless.
    mod unusual;
    // What primitives, channels and textures may refer to, even where nothing of it is read.
    mod uses;
    // The corpus: the Khronos validator's verdicts and ours.
    mod validator;
    // Ranges and names of properties, in extensions and everywhere.
    mod values;
    // Single files that the Khronos validator was asked about, with its codes.
    mod verdicts;
    // Archives.
    mod zip;
}

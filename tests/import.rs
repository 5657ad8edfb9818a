//! Import: every rule by a small file made here, then whole folders of files.

mod import {
    mod corpus;
}

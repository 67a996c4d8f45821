//! Findings: what happened in a run, found in its events, journeys and measures.
//!
//! It knows no run by name: a shipped recording, a simulation and a stranger's trace are
//! read alike, and nothing is said that the events do not bear out.

pub mod words;

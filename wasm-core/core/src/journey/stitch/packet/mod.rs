//! Packets while their journeys are put together, and the facts about packets that need no other state: the
//! order of the probes on a packet's path, the lengths and numbers in its headers, and the functions that free it.
//!
//! It uses no other room of the stitcher; every other room may use it.

pub mod copies;
pub mod datagram;
pub mod draft;
pub mod flow;
pub mod frames;
pub mod headers;
pub mod learn;
pub mod location;
pub mod order;
pub mod outcome;
pub mod queues;
pub mod reported;
pub mod sharing;
pub mod uapi;

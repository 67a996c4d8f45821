//! Loads on one CPU whose rates and counts were compared together: no other list had their sizes when they were
//! written down, which was before any of them had been run, on a host or in the simulator.

use super::list::one;
use super::{Does, Load};

/// The loads of that comparison, in the order in which they were written down.
pub const COUNTED_LOADS: &[Load] = &[
    one("counted-stream-900", Does::Stream, 900),
    one("counted-stream-2500", Does::Stream, 2500),
    one("counted-stream-5k", Does::Stream, 5120),
    one("counted-stream-10k", Does::Stream, 10_240),
    one("counted-stream-20k", Does::Stream, 20_480),
    one("counted-streams-2", Does::Stream, 5120).times(2),
    one("counted-streams-6", Does::Stream, 2500).times(6),
    one("counted-stream-beside", Does::Stream, 5120).beside(1),
    one("counted-stream-send-buffer", Does::Stream, 5120).send_buffer(65_536),
    one("counted-stream-receive-buffer", Does::Stream, 2500).receive_buffer(65_536),
    one("counted-gathered-600", Does::Gathered, 600),
    one("counted-gathered-5k", Does::Gathered, 5120),
    one("counted-scattered-2500", Does::Scattered, 2500),
    one("counted-scattered-10k", Does::Scattered, 10_240),
    one("counted-undelayed-300", Does::Undelayed, 300),
    one("counted-undelayed-5k", Does::Undelayed, 5120),
    one("counted-datagrams-300", Does::Datagrams, 300),
    one("counted-datagrams-900", Does::Datagrams, 900),
    one("counted-datagrams-3k", Does::Datagrams, 3072),
    one("counted-datagrams-12k", Does::Datagrams, 12_288),
    one("counted-datagrams-2", Does::Datagrams, 900).times(2),
    one("counted-fetched-40k", Does::Fetched, 40_960),
    one("counted-stored-40k", Does::Stored, 40_960),
    one("counted-pipelined-900", Does::Pipelined, 900),
    one("counted-visited-40k", Does::Visited, 40_960),
];

//! What a connection begins with.

use super::Parameters;
use crate::time::SimTime;

/// Bytes that timestamps take of each segment (`TCPOLEN_TSTAMP_ALIGNED`).
pub(super) const TIMESTAMP_OPTION: u32 = 12;

/// What a connection begins with: its kernel's parameters, and what they do not say.
#[derive(Debug, Clone, Copy)]
pub struct TcpConfig {
    /// The kernel's, as settings and options of the socket change them.
    pub parameters: Parameters,
    /// Largest payload of a segment in bytes, options already taken off; at most 65535.
    pub mss: u32,
    /// Period of the tick (`jiffies`): a timer that is set to the current time expires at the next tick.
    pub tick: SimTime,
    /// `tcp_timestamps`: then the ACK of a retransmission also ends the back-off of the RTO.
    pub timestamps: bool,
    /// `tcp_slow_start_after_idle`.
    pub restarts_after_idle: bool,
}

impl TcpConfig {
    /// That of a kernel with these parameters and such a tick, where nobody chose anything else.
    pub fn new(parameters: Parameters, mss: u32, tick: SimTime) -> Self {
        Self {
            parameters,
            mss,
            tick,
            timestamps: parameters.option_bytes >= TIMESTAMP_OPTION,
            restarts_after_idle: true,
        }
    }
}

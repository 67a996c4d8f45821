//! How much of the congestion window a sender uses: it grows only where it is the limit (RFC 5681 §4.1).
//!
//! Source: `tcp_cwnd_validate` of `net/ipv4/tcp_output.c`, `tcp_is_cwnd_limited` of `include/net/tcp.h` (v6.1).

use super::Window;

/// How much of the congestion window was used in the round trip that is measured.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// Most bytes in flight (`max_packets_out`).
    max_flight: u32,
    /// SND.NXT at that time: the round trip ends with its ACK (`cwnd_usage_seq`).
    end: u64,
    /// Whether the window was then the limit (`is_cwnd_limited`).
    is_limited: bool,
}

impl Usage {
    /// Takes what is in flight, `flight` bytes, and whether the window allows no more; `una` and `nxt` are SND.UNA and
    /// SND.NXT. It counts if the round trip is over, if the window is the limit, or if nothing since was as much.
    pub fn note(&mut self, flight: u32, is_limited: bool, (una, nxt): (u64, u64)) {
        let is_most = !self.is_limited && flight > self.max_flight;
        if self.end <= una || is_limited || is_most {
            *self = Self {
                max_flight: flight,
                end: nxt,
                is_limited,
            };
        }
    }

    /// Most bytes in flight in the round trip that is measured.
    pub fn max_flight(&self) -> u32 {
        self.max_flight
    }

    /// Whether the window, not the application, limits the sender. In slow start half of it is enough.
    pub fn is_limit(&self, window: &Window) -> bool {
        let is_slow_start = window.is_slow_start();
        self.is_limited || (is_slow_start && window.cwnd / 2 < self.max_flight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::tests;

    const MSS: u32 = 1_000;

    #[test]
    fn the_most_of_a_round_trip_counts_until_its_ack() {
        let mut usage = Usage::default();
        usage.note(3_000, false, (1, 3_001));
        usage.note(2_000, false, (1_001, 3_501));
        assert_eq!(usage.max_flight(), 3_000, "the round trip goes on");
        usage.note(4_000, false, (1_001, 5_001));
        assert_eq!(usage.max_flight(), 4_000);
        usage.note(1_000, false, (5_001, 6_001));
        assert_eq!(usage.max_flight(), 1_000, "the next one");
    }

    #[test]
    fn a_window_that_was_the_limit_is_it_until_the_round_trip_ends() {
        let mut window = Window::new(&tests::parameters(), MSS);
        (window.cwnd, window.ssthresh) = (4_000, 2_000);
        let mut usage = Usage::default();
        usage.note(4_000, false, (1, 4_001));
        assert!(!usage.is_limit(&window), "it could have sent more");
        usage.note(3_000, true, (1, 4_001));
        assert!(usage.is_limit(&window));
        usage.note(4_000, false, (1, 4_001));
        assert!(usage.is_limit(&window), "still");
        usage.note(4_000, false, (4_001, 8_001));
        assert!(!usage.is_limit(&window));
    }

    #[test]
    fn more_than_half_a_window_in_flight_is_enough_in_slow_start() {
        let mut window = Window::new(&tests::parameters(), MSS);
        (window.cwnd, window.ssthresh) = (4_000, 8_000);
        let is_limit = |flight: u32| {
            let mut usage = Usage::default();
            usage.note(flight, false, (1, 1 + u64::from(flight)));
            usage.is_limit(&window)
        };
        assert!(!is_limit(2_000));
        assert!(is_limit(2_001));
    }
}

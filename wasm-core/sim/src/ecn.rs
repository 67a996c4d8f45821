//! The ECN field of an IP header: what a sender says in it, and what a queue makes of it.
//!
//! Source: RFC 3168 §5; `include/net/inet_ecn.h` (v6.1). Queueing disciplines mark it and TCP reads and writes it, so it
//! stands above both.

/// The two bits, with the values that they have in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ecn {
    /// The transport does not know ECN: a queue can only drop the packet (`INET_ECN_NOT_ECT`).
    #[default]
    NotEct = 0,
    /// The transport knows ECN (`INET_ECN_ECT_1`). Linux sends it for congestion controls other than those here.
    Ect1 = 1,
    /// The transport knows ECN (`INET_ECN_ECT_0`).
    Ect0 = 2,
    /// A queue on the way was congested (`INET_ECN_CE`).
    Ce = 3,
}

impl Ecn {
    /// Marks a packet whose transport knows ECN; returns whether it is marked now (`INET_ECN_set_ce`).
    pub fn set_ce(&mut self) -> bool {
        if *self != Self::NotEct {
            *self = Self::Ce;
        }
        *self == Self::Ce
    }
}

#[cfg(test)]
mod tests {
    use super::Ecn;

    #[test]
    fn only_a_transport_that_knows_ecn_can_be_told() {
        for (before, after) in [
            (Ecn::NotEct, Ecn::NotEct),
            (Ecn::Ect1, Ecn::Ce),
            (Ecn::Ect0, Ecn::Ce),
            (Ecn::Ce, Ecn::Ce),
        ] {
            let mut field = before;
            assert_eq!(field.set_ce(), after == Ecn::Ce);
            assert_eq!(field, after);
        }
    }
}

//! `struct tcp_info` of a connection, whose members scripts use by name.
//!
//! Source: `net/ipv4/tcp.c: tcp_get_info` (v6.1). Members without a counterpart in the model are unknown.

use crate::tcp::{CaState, State};

use super::connection::Connection;

/// `TCP_INFINITE_SSTHRESH`: the threshold before the first loss.
const NO_THRESHOLD: i64 = 0x7fff_ffff;

/// Kernel constants that scripts use.
const CONSTANTS: [(&str, i64); 16] = [
    ("TCP_CA_Open", 0),
    ("TCP_CA_Disorder", 1),
    ("TCP_CA_CWR", 2),
    ("TCP_CA_Recovery", 3),
    ("TCP_CA_Loss", 4),
    ("TCP_ESTABLISHED", 1),
    ("TCP_SYN_SENT", 2),
    ("TCP_SYN_RECV", 3),
    ("TCP_FIN_WAIT1", 4),
    ("TCP_FIN_WAIT2", 5),
    ("TCP_TIME_WAIT", 6),
    ("TCP_CLOSE", 7),
    ("TCP_CLOSE_WAIT", 8),
    ("TCP_LAST_ACK", 9),
    ("TCP_LISTEN", 10),
    ("TCP_CLOSING", 11),
];

/// The value of a member of `tcp_info`, or of a kernel constant.
pub fn value(connection: Option<&Connection>, name: &str) -> Option<i64> {
    if let Some(&(_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
        return Some(value);
    }
    let connection = connection?;
    let tcb = &connection.tcb;
    let us = |time: crate::time::SimTime| (time.0 / 1_000_000_000) as i64;
    let segments = |bytes: u64| bytes.div_ceil(u64::from(tcb.mss().max(1))) as i64;
    Some(match name {
        "tcpi_state" => match tcb.state() {
            State::Established => 1,
            State::SynSent => 2,
            State::SynReceived => 3,
            State::FinWait1 => 4,
            State::FinWait2 => 5,
            State::TimeWait => 6,
            State::Closed => 7,
            State::CloseWait => 8,
            State::LastAck => 9,
            State::Listen => 10,
            State::Closing => 11,
        },
        "tcpi_ca_state" => match tcb.ca_state() {
            CaState::Open => 0,
            CaState::Disorder => 1,
            CaState::Cwr => 2,
            CaState::Recovery => 3,
            CaState::Loss => 4,
        },
        "tcpi_snd_cwnd" => i64::from(tcb.cwnd() / tcb.mss().max(1)),
        "tcpi_snd_ssthresh" if tcb.ssthresh() >= 1 << 30 => NO_THRESHOLD,
        "tcpi_snd_ssthresh" => i64::from(tcb.ssthresh() / tcb.mss().max(1)),
        "tcpi_snd_mss" => i64::from(tcb.mss()),
        "tcpi_advmss" => i64::from(connection.advertised_mss),
        "tcpi_unacked" => segments(tcb.snd_nxt() - tcb.snd_una()),
        "tcpi_sacked" => i64::from(tcb.marked()[0]),
        "tcpi_lost" => i64::from(tcb.marked()[1]),
        "tcpi_retrans" => i64::from(tcb.marked()[2]),
        "tcpi_reordering" => i64::from(tcb.reordering_segments()),
        "tcpi_reord_seen" => i64::from(tcb.reordering_seen()),
        "tcpi_rtt" => us(tcb.srtt()),
        "tcpi_rto" => us(tcb.rto()),
        "tcpi_notsent_bytes" => i64::from(tcb.unsent()),
        "tcpi_bytes_acked" => tcb.snd_una().saturating_sub(1) as i64,
        "tcpi_bytes_received" => tcb.rcv_nxt().saturating_sub(1) as i64,
        _ => return None,
    })
}

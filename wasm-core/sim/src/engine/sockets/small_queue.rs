//! TCP small queues: the bytes of a connection that are queued
//! below TCP, and how TCP sends again when some of them are sent.
//!
//! Source: `tcp_wfree`, `tcp_tsq_handler`, `tcp_release_cb` of `net/ipv4/tcp_output.c` (v6.1). How much may
//! lie there is the business of [`crate::tcp`].

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{Device, SockId};
use crate::engine::memory::skbuff::SkBuff;
use crate::engine::net::Net;

impl Net {
    /// Charges a segment to its socket until it is sent. The loopback
    /// device uncharges it at once (`skb_orphan` in `loopback_xmit`).
    pub(super) fn charge(core: &mut Core, packet: &mut SkBuff, sock: SockId, limit: u32) {
        let sock = &mut core.socks[sock];
        if limit > 0 && matches!(sock.device, Device::Nic(_)) {
            packet.truesize = packet.len();
            sock.wmem_alloc += packet.truesize;
        }
    }

    /// Marks a TCP as throttled: it waits until some of what is queued below it is sent (`TSQ_THROTTLED`).
    pub(super) fn throttle(&mut self, core: &mut Core, sock: SockId) {
        let state = &mut core.socks[sock];
        state.is_throttled = true;
        if let Device::Nic(nic) = state.device {
            let host = state.host;
            self.report_completions(core, host, nic);
        }
    }

    /// `tcp_wfree`: puts the socket on the list of this CPU's tasklet, which lets its TCP send again.
    pub fn unthrottle(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        self.softnet[cpu].unthrottled.push_back(sock);
        let softirq = &mut core.cpus[cpu].softirq;
        softirq.is_pending |= !softirq.is_running;
    }

    /// `tcp_tsq_handler`: TCP sends again, or its owner does when it releases the socket.
    pub fn small_queue(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        if core.waits_for_socket(cpu, sock, Op::SmallQueue { sock }, Some(Path::TcpTasklet)) {
            return;
        }
        let socket = &mut self.sockets[sock];
        if socket.life.is_gone {
            return;
        }
        if socket.owner.is_some() {
            socket.is_push_deferred = true;
            return;
        }
        if !core.holds_socket(cpu, sock, Op::SmallQueue { sock }, Path::TcpTasklet) {
            return;
        }
        let handler = Op::run(Path::TcpTasklet, About::sock(sock));
        core.then(cpu, [handler, Op::Push { sock }]);
    }
}

#[cfg(test)]
mod tests;

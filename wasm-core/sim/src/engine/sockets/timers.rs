//! TCP's timers at their sockets: the next one in the event queue, and what it finds when its time has come. Which
//! there are is the business of [`crate::tcp`].
//!
//! Source: `net/ipv4/tcp_timer.c: tcp_write_timer, tcp_delack_timer`, `net/ipv4/tcp_output.c: tcp_release_cb` (v6.1).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::events::Event;
use crate::engine::ids::SockId;
use crate::engine::net::Net;
use crate::tcp::TimerOutcome;
use crate::time::SimTime;

impl Net {
    /// The socket's next timer goes into the event queue unless an earlier one is there.
    pub fn arm(&mut self, core: &mut Core, sock: SockId) {
        let socket = &mut self.sockets[sock];
        let next = socket.tcb.next_timer();
        if let Some(at) = socket.timer.arm(next, core.now()) {
            core.at(at, Event::SocketTimer { sock });
        }
    }

    /// The time of a socket's timer has come: the CPU to interrupt, unless the timer was
    /// started anew or the socket is gone.
    pub fn timer_is_due(&mut self, sock: SockId, now: SimTime) -> Option<usize> {
        let socket = &mut self.sockets[sock];
        if socket.timer.at != now || socket.life.is_gone {
            return None;
        }
        socket.timer.at = SimTime::NEVER;
        socket.timer.is_due = true;
        Some(socket.cpu)
    }

    /// `tcp_write_timer`, `tcp_delack_timer`. Which of the two expired is
    /// decided later; the profile of locks attributes both to the first. If a
    /// process owns the socket, the timer is restarted or left to the owner.
    pub fn timer(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        if core.waits_for_socket(cpu, sock, Op::Timer { sock }, Some(Path::RtoTimer)) {
            return;
        }
        let now = core.now();
        let socket = &mut self.sockets[sock];
        socket.timer.is_due = false;
        if socket.life.is_gone {
            return;
        }
        if socket.tcb.next_timer() > now {
            self.arm(core, sock);
            return;
        }
        if socket.owner.is_some() {
            if socket.tcb.put_off_timers(now) {
                self.arm(core, sock);
            } else {
                (socket.timer.is_due, socket.timer.is_deferred) = (true, true);
            }
            return;
        }
        if !core.holds_socket(cpu, sock, Op::Timer { sock }, Path::RtoTimer) {
            self.sockets[sock].timer.is_due = true;
            return;
        }
        self.timer_fires(core, cpu, sock);
    }

    /// `tcp_release_cb`: the owner of a socket does the work of timers that found it owned.
    pub fn timer_of_owner(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        self.sockets[sock].timer.is_due = false;
        self.timer_fires(core, cpu, sock);
        // Both timers may have found the socket owned.
        let socket = &mut self.sockets[sock];
        socket.timer.is_deferred = socket.tcb.next_timer() <= core.now();
    }

    /// `tcp_write_timer_handler`, `tcp_delack_timer_handler`: what is due is done.
    fn timer_fires(&mut self, core: &mut Core, cpu: usize, sock: SockId) {
        let now = core.now();
        let tcb = &mut self.sockets[sock].tcb;
        let before = tcb.state();
        let about = About::sock(sock);
        match tcb.on_timer(now) {
            TimerOutcome::SendAck => {
                let is_update = false;
                let delack = Op::run(Path::DelackTimer, about);
                core.then(cpu, [delack, Op::Ack { sock, is_update }]);
            }
            TimerOutcome::Retransmit | TimerOutcome::Probe => {
                core.then(cpu, [Op::run(Path::RtoTimer, about), Op::Push { sock }]);
            }
            TimerOutcome::GaveUp | TimerOutcome::TimeWaitOver | TimerOutcome::Nothing => {}
        }
        self.state_changed(core, cpu, sock, before);
        self.arm(core, sock);
    }
}

#[cfg(test)]
mod tests;

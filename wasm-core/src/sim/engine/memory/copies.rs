//! Copies: what moving a packet's bytes to and from a process costs, by routine and
//! alignment, and the lines that it touches.

use crate::sim::cache::{ObjectId, Touch};
use crate::sim::config::kernel::{Checksum, Copying, Routine};

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::state::{Buffer, LOOPBACK, NONE, Packet};

impl Engine {
    pub(crate) fn copy(&mut self, cpu: usize, copying: Copying, function: u16, op: Op) -> u64 {
        let state = &self.hosts[usize::from(self.cpus[cpu].host)];
        let rates = &state.machine.copy;
        let nic = self.nic_of(op);
        let is_in = matches!(copying, Copying::ToUser | Copying::ChecksumToUser);
        let is_aligned = !is_in || nic == LOOPBACK || state.nics[usize::from(nic)].aligned;
        let is_summed = nic != LOOPBACK
            && match copying {
                // Where the NIC does not, the sender sums while it copies.
                Copying::FromUser => state.checksum != Checksum::Nic,
                Copying::ToUser => op.pkt != NONE && self.packets[op.pkt as usize].sum_with_copy,
                _ => false,
            };
        let plain = match (state.routine, is_aligned) {
            (Routine::Movsd, true) => rates.movsd_aligned,
            (Routine::Movsd, false) => rates.movsd_unaligned,
            (Routine::Integer, true) => rates.integer_aligned,
            (Routine::Integer, false) => rates.integer_unaligned,
        };
        let rate = match copying {
            Copying::Checksum => rates.checksum,
            Copying::ChecksumToUser | Copying::ChecksumFromUser | Copying::ToDevice => {
                rates.checksum_and_copy
            }
            Copying::FromUser | Copying::ToUser if is_summed => rates.checksum_and_copy,
            Copying::FromUser | Copying::ToUser | Copying::FromDevice => plain,
        };
        let cycles = u64::from(rate.start_cycles)
            + u64::from(op.arg) * u64::from(rate.cycles_per_kib) / 1024;
        let mut cost = cycles * state.code.cycle;
        let piece = state.piece_bytes;
        self.stream_permille = rate.miss_permille;
        if !state.has_caches {
            return cost;
        }
        let (reads_user, writes_user) = match copying {
            Copying::FromUser | Copying::ChecksumFromUser => (true, false),
            Copying::ToUser | Copying::ChecksumToUser => (false, true),
            Copying::Checksum | Copying::FromDevice | Copying::ToDevice => (false, false),
        };
        let is_write = reads_user || copying == Copying::FromDevice;
        cost += self.touch_data(cpu, is_write, function, op);
        let current = self.cpus[cpu].current;
        if (reads_user || writes_user) && current != NONE {
            let task = &self.tasks[current as usize];
            let (first, pages) = task.user;
            let offset = task.moved % (pages * piece);
            let bytes = op.arg.min(pages * piece - offset);
            cost += self.touch_bytes(cpu, first, offset, bytes, writes_user, 1, function, op);
        }
        cost
    }

    /// The NIC of what a step is about.
    fn nic_of(&self, op: Op) -> u8 {
        if op.pkt != NONE {
            self.packets[op.pkt as usize].nic
        } else if op.sock != NONE {
            self.sockets[op.sock as usize].nic
        } else {
            LOOPBACK
        }
    }

    /// The packet's bytes that a copy concerns, piece by piece of its chain; or the tail of
    /// the write queue; or the file.
    fn touch_data(&mut self, cpu: usize, is_write: bool, function: u16, op: Op) -> u64 {
        let host = usize::from(self.cpus[cpu].host);
        if op.pkt == NONE {
            let (buffer, offset) = if op.sock == NONE {
                let current = self.cpus[cpu].current as usize;
                (
                    self.hosts[host].file.unwrap_or(NONE),
                    self.tasks[current].file_at,
                )
            } else {
                self.sockets[op.sock as usize]
                    .chunks
                    .back()
                    .map_or((NONE, 0), |chunk| (chunk.buffer, chunk.len))
            };
            return self.touch_buffer(cpu, buffer, offset, op.arg, is_write, function, op);
        }
        let packet = &self.packets[op.pkt as usize];
        let mut skip = packet.segment.len.saturating_sub(packet.unread);
        if packet.next == NONE {
            let (buffer, offset) = (packet.buffer, packet.offset + skip);
            return self.touch_buffer(cpu, buffer, offset, op.arg, is_write, function, op);
        }
        let (mut piece, mut left, mut cost) = (op.pkt, op.arg, 0);
        while piece != NONE && left > 0 {
            let Packet {
                own,
                buffer,
                offset,
                next,
                ..
            } = self.packets[piece as usize];
            if skip < own {
                let bytes = left.min(own - skip);
                cost +=
                    self.touch_buffer(cpu, buffer, offset + skip, bytes, is_write, function, op);
                left -= bytes;
                skip = 0;
            } else {
                skip -= own;
            }
            piece = next;
        }
        cost
    }

    #[allow(clippy::too_many_arguments, reason = "a touch is about all of these")]
    fn touch_buffer(
        &mut self,
        cpu: usize,
        buffer: u32,
        offset: u32,
        bytes: u32,
        is_write: bool,
        function: u16,
        op: Op,
    ) -> u64 {
        if buffer == NONE {
            return 0;
        }
        // A segment cut across two pieces of the write queue counts as far as the first goes.
        let Buffer { first, pages, .. } = self.buffers[buffer as usize];
        let piece = self.hosts[usize::from(self.cpus[cpu].host)].piece_bytes;
        let bytes = bytes.min((pages * piece).saturating_sub(offset));
        self.touch_bytes(cpu, first, offset, bytes, is_write, 0, function, op)
    }

    #[allow(clippy::too_many_arguments, reason = "a touch is about all of these")]
    fn touch_bytes(
        &mut self,
        cpu: usize,
        first: ObjectId,
        offset: u32,
        bytes: u32,
        is_write: bool,
        name: u8,
        function: u16,
        op: Op,
    ) -> u64 {
        let host = usize::from(self.cpus[cpu].host);
        let state = &self.hosts[host];
        let (line, piece) = (state.machine.cache.line_bytes, state.piece_bytes);
        let cache = self.cpus[cpu].cache;
        let (mut at, end) = (offset, offset + bytes);
        let mut sum = Touch::default();
        while at < end {
            let page = at / piece;
            let stop = end.min((page + 1) * piece);
            let lines = (stop - at).div_ceil(line);
            let id = ObjectId(first.0 + page);
            // Up to here the page is touched: what comes behind is left for a later copy.
            let caches = &mut self.hosts[host].caches;
            caches.set_lines(id, (stop - page * piece).div_ceil(line) as u8);
            let part = part(caches.touch(cache, id, is_write), lines);
            self.credit_lines(cpu, id, name, part);
            sum.add(part);
            at = stop;
        }
        if sum.filled + sum.moved + sum.upgraded == 0 {
            self.tell_changes();
            return 0;
        }
        let cost = self.priced(cpu, sum, is_write, name, function, op);
        self.tell_evictions();
        cost
    }
}

/// Of a touch of the page up to some byte what its last `lines` have to pay: what was touched
/// before is in the cache, or was another CPU's business.
fn part(upto: Touch, lines: u32) -> Touch {
    let new = upto.filled + upto.moved + upto.upgraded;
    let share = |count: u32| (count * lines).div_ceil(new.max(lines)).min(count);
    let (filled, moved, upgraded) = (share(upto.filled), share(upto.moved), share(upto.upgraded));
    Touch {
        hit: lines.saturating_sub(filled + moved + upgraded),
        filled,
        moved,
        upgraded,
        ..upto
    }
}

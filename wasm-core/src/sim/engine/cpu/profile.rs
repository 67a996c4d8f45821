//! A host's profile: time, calls and cache lines by function and CPU, and by system call.

use crate::sim::measured::{CallTime, FunctionTime};

/// A system call that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Call {
    /// None, or one that is not measured.
    #[default]
    None,
    /// `socket(2)`.
    Socket,
    /// `bind(2)`.
    Bind,
    /// `listen(2)`.
    Listen,
    /// `connect(2)`.
    Connect,
    /// `accept(2)`.
    Accept,
    /// `close(2)`.
    Close,
    /// `send(2)`.
    Send,
    /// `recv(2)`.
    Receive,
    /// `read(2)` of a file.
    Read,
}

impl Call {
    /// Those that are measured, with the names that measures have for them.
    pub const MEASURED: [(Self, &str); 9] = [
        (Self::Socket, "socket"),
        (Self::Bind, "bind"),
        (Self::Listen, "listen"),
        (Self::Connect, "connect"),
        (Self::Accept, "accept"),
        (Self::Close, "close"),
        (Self::Send, "send"),
        (Self::Receive, "receive"),
        (Self::Read, "read"),
    ];
}

/// Time by function and CPU.
#[derive(Debug)]
pub struct Profile {
    /// All functions of the first CPU, then those of the next.
    rows: Vec<FunctionTime>,
    functions: usize,
    calls: [CallTime; Call::MEASURED.len() + 1],
}

/// Functions that stand for something that is not the kernel's code, behind the kernel's own.
pub const OTHERS: [&str; 3] = ["user", "idle", "spin_lock"];

impl Profile {
    /// An empty profile of so many functions, the last ones [`OTHERS`], on so many CPUs.
    pub fn new(functions: usize, cpus: usize) -> Self {
        Self {
            rows: vec![FunctionTime::default(); functions * cpus],
            functions,
            calls: Default::default(),
        }
    }

    /// "Function" of user code: without time, which is measured by itself.
    pub fn user(&self) -> u16 {
        self.functions as u16 - 3
    }

    /// "Function" of idle CPUs.
    pub fn idle(&self) -> u16 {
        self.functions as u16 - 2
    }

    /// Function under which waiting for locks is counted.
    pub fn spin_lock(&self) -> u16 {
        self.functions as u16 - 1
    }

    /// A function's line on a CPU of the host.
    #[inline]
    pub fn of(&mut self, cpu: u16, function: u16) -> &mut FunctionTime {
        &mut self.rows[usize::from(cpu) * self.functions + usize::from(function)]
    }

    /// What a system call has taken.
    #[inline]
    pub fn call(&mut self, call: Call) -> &mut CallTime {
        &mut self.calls[call as usize]
    }

    /// The measured calls by name.
    pub fn calls(&self) -> impl Iterator<Item = (&'static str, CallTime)> {
        let measured = Call::MEASURED.into_iter();
        measured.map(|(call, name)| (name, self.calls[call as usize]))
    }

    /// The lines of one CPU, in the order of the functions.
    pub fn row(&self, cpu: usize) -> &[FunctionTime] {
        &self.rows[cpu * self.functions..][..self.functions]
    }

    /// The same over all CPUs.
    pub fn sums(&self) -> Vec<FunctionTime> {
        let mut sums = vec![FunctionTime::default(); self.functions];
        for row in self.rows.chunks(self.functions) {
            for (sum, time) in sums.iter_mut().zip(row) {
                sum.calls += time.calls;
                sum.fs += time.fs;
                sum.lines += time.lines;
                sum.lines_out += time.lines_out;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_a_line_for_each_cpu_and_their_sum() {
        let mut profile = Profile::new(2 + OTHERS.len(), 2);
        profile.of(0, 1).fs += 3;
        profile.of(1, 1).fs += 4;
        profile.of(1, profile.spin_lock()).calls += 1;
        assert_eq!(profile.row(0)[1].fs, 3);
        assert_eq!(profile.row(1)[1].fs, 4);
        assert_eq!(profile.sums()[1].fs, 7);
        assert_eq!(profile.sums()[4].calls, 1);
    }
}

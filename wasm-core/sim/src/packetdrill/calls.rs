//! The system calls of scripts, as far as they concern TCP.
//!
//! Facts: `net/ipv4/tcp.c: tcp_sendmsg, tcp_recvmsg, tcp_close, tcp_shutdown`,
//! `net/ipv4/af_inet.c: inet_stream_connect` (v6.1).

use crate::tcp::{Push, State};

use super::Refused;
use super::host::{Host, Options, Role, Socket};
use super::script::{Call, Value};

/// The known calls on a socket.
const KNOWN: [&str; 19] = [
    "bind",
    "listen",
    "connect",
    "accept",
    "accept4",
    "write",
    "send",
    "sendto",
    "writev",
    "sendmsg",
    "read",
    "recv",
    "recvfrom",
    "readv",
    "close",
    "shutdown",
    "fcntl",
    "setsockopt",
    "getsockopt",
];

/// The result of a call so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// It returned a value.
    Value(i64),
    /// It failed.
    Error(&'static str),
    /// It blocks until an event lets it continue.
    Blocked,
}

use Returned::{Blocked, Error, Value as Done};

/// The state of a call that may block.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes written so far.
    written: u32,
    /// Whether the call has been executed before.
    is_started: bool,
}

impl Host {
    /// Executes a call, or continues one that was blocked.
    ///
    /// # Errors
    /// An unknown call, argument or option.
    pub fn call(
        &mut self,
        call: &Call,
        line: u32,
        progress: &mut Progress,
    ) -> Result<Returned, Refused> {
        let refused = |why: String| Err(Refused::new(line, why));
        let is_first = !std::mem::replace(&mut progress.is_started, true);
        let number = |at: usize| match call.arguments.get(at) {
            Some(Value::Number(number)) => Some(*number),
            Some(Value::List(list)) => match list[..] {
                [Value::Number(number)] => Some(number),
                _ => None,
            },
            _ => None,
        };
        let name = |at: usize| match call.arguments.get(at) {
            Some(Value::Name(name)) => name.as_str(),
            _ => "",
        };
        if call.name == "socket" {
            let Some(fd) = call.result.filter(|_| name(1).starts_with("SOCK_STREAM")) else {
                return refused("only TCP's sockets are modelled".to_owned());
            };
            let socket = Socket {
                options: Options {
                    is_nonblocking: name(1).contains("SOCK_NONBLOCK"),
                    ..Options::default()
                },
                role: Role::Fresh,
            };
            self.sockets.insert(fd, socket);
            return Ok(Done(fd));
        }
        if !KNOWN.contains(&call.name.as_str()) {
            return refused(format!("call {} is not modelled", call.name));
        }
        let fd = number(0).unwrap_or(-1);
        if !self.sockets.contains_key(&fd) {
            return Ok(Error("EBADF"));
        }
        let bytes = number(2).and_then(|bytes| u32::try_from(bytes).ok());
        Ok(match (call.name.as_str(), bytes) {
            ("bind", _) => Done(0),
            ("listen", _) => {
                self.socket(fd).role = Role::Listening([].into());
                Done(0)
            }
            ("connect", _) => self.connecting(fd, is_first),
            ("accept" | "accept4", _) => self.accepting(fd, call.result, name(3)),
            ("write", Some(bytes)) => self.writing(fd, bytes, progress, ""),
            ("send" | "sendto", Some(bytes)) => self.writing(fd, bytes, progress, name(3)),
            ("writev", _) => self.writing(fd, pieces(call.arguments.get(1)), progress, ""),
            ("sendmsg", _) => {
                let bytes = pieces(field(call.arguments.get(1), "msg_iov"));
                self.writing(fd, bytes, progress, name(2))
            }
            ("read", Some(bytes)) => self.reading(fd, bytes, ""),
            ("recv" | "recvfrom", Some(bytes)) => self.reading(fd, bytes, name(3)),
            ("readv", _) => self.reading(fd, pieces(call.arguments.get(1)), ""),
            ("close", _) => self.closing(fd),
            ("shutdown", _) => self.shutting(fd, name(1)),
            ("fcntl", _) => match name(1) {
                "F_SETFL" => {
                    self.socket(fd).options.is_nonblocking = name(2).contains("O_NONBLOCK");
                    Done(0)
                }
                "F_GETFL" => Done(call.result.unwrap_or(0)),
                other => return refused(format!("fcntl {other} is not modelled")),
            },
            ("setsockopt", _) => return self.setsockopt(fd, name(2), call, number(3), line),
            ("getsockopt", _) => return self.getsockopt(fd, name(2), call, number(3), line),
            (other, _) => return refused(format!("arguments of {other} are not understood")),
        })
    }

    /// The socket of a descriptor; the caller has checked that it exists.
    pub fn socket(&mut self, fd: i64) -> &mut Socket {
        self.sockets.get_mut(&fd).expect("the call looked it up")
    }

    fn connecting(&mut self, fd: i64, is_first: bool) -> Returned {
        if let Role::Fresh = self.socket(fd).role {
            self.connect(fd);
        }
        let is_nonblocking = self.socket(fd).options.is_nonblocking;
        let Some(connection) = self.connection(fd) else {
            return Error("EISCONN");
        };
        if let Some(error) = connection.error.take() {
            return Error(error);
        }
        match connection.tcb.state() {
            State::SynSent | State::SynReceived if !is_nonblocking => Blocked,
            State::SynSent | State::SynReceived => Error("EINPROGRESS"),
            State::Closed => Error("ECONNABORTED"),
            _ if is_first => Error("EISCONN"),
            _ => Done(0),
        }
    }

    fn accepting(&mut self, fd: i64, expected: Option<i64>, flags: &str) -> Returned {
        let socket = self.socket(fd);
        let mut options = socket.options;
        let Role::Listening(queue) = &mut socket.role else {
            return Error("EINVAL");
        };
        let Some(number) = queue.pop_front() else {
            let is_nonblocking = options.is_nonblocking;
            return if is_nonblocking {
                Error("EAGAIN")
            } else {
                Blocked
            };
        };
        options.is_nonblocking = flags.contains("SOCK_NONBLOCK");
        let last = self.sockets.last_key_value().map_or(2, |(&fd, _)| fd);
        let child = expected
            .filter(|fd| *fd > 2)
            .unwrap_or(last.saturating_add(1));
        let role = Role::Connected(number);
        self.sockets.insert(child, Socket { options, role });
        Done(child)
    }

    fn writing(&mut self, fd: i64, bytes: u32, progress: &mut Progress, flags: &str) -> Returned {
        let is_nonblocking =
            self.socket(fd).options.is_nonblocking || flags.contains("MSG_DONTWAIT");
        let has_more = flags.contains("MSG_MORE");
        let Role::Connected(number) = self.socket(fd).role else {
            return Error("EPIPE");
        };
        let connection = &mut self.connections[number];
        if let Some(error) = connection.error.take() {
            return Error(error);
        }
        let tcb = &mut connection.tcb;
        if tcb.is_closing() {
            return Error("EPIPE");
        }
        if !tcb.state().has_been_established() {
            return if is_nonblocking {
                Error("EAGAIN")
            } else {
                Blocked
            };
        }
        // sk_stream_wait_memory: a writer that sleeps for memory continues when a third of the buffer is free.
        let is_waiting = progress.written > 0 && !tcb.has_write_space();
        if !is_waiting {
            self.append(number, bytes, progress, has_more);
        }
        match progress.written {
            written if written == bytes => Done(i64::from(written)),
            0 if is_nonblocking => Error("EAGAIN"),
            written if is_nonblocking => Done(i64::from(written)),
            _ => Blocked,
        }
    }

    /// `tcp_sendmsg_locked`: appends bytes to the write queue and sends what may be sent.
    fn append(&mut self, number: usize, bytes: u32, progress: &mut Progress, has_more: bool) {
        let most = self.largest_piece(number);
        let before = progress.written;
        while progress.written < bytes {
            let tcb = &mut self.connections[number].tcb;
            let Some(part) = tcb.append(bytes - progress.written, most) else {
                break;
            };
            progress.written += part.bytes;
            match part.push {
                Push::Nothing => {}
                Push::One => self.push_one(number),
                Push::All => self.push(number),
            }
        }
        if progress.written == before {
            return;
        }
        let tcb = &mut self.connections[number].tcb;
        if progress.written < bytes {
            tcb.push_for_memory();
        } else if !has_more {
            tcb.mark_push();
        }
        tcb.hold_back(has_more);
        self.push(number);
        // MSG_MORE holds data back in this call only: a later ACK may send them.
        self.connections[number].tcb.hold_back(false);
    }

    fn reading(&mut self, fd: i64, bytes: u32, flags: &str) -> Returned {
        let is_nonblocking =
            self.socket(fd).options.is_nonblocking || flags.contains("MSG_DONTWAIT");
        let Role::Connected(number) = self.socket(fd).role else {
            return Error("ENOTCONN");
        };
        let now = self.now;
        let connection = &mut self.connections[number];
        let tcb = &mut connection.tcb;
        let piece = tcb.unread().min(bytes);
        if piece > 0 {
            if tcb.on_read(piece, 0, now) {
                self.acknowledge(number);
            }
            return Done(i64::from(piece));
        }
        if let Some(error) = connection.error.take() {
            return Error(error);
        }
        if bytes == 0 || tcb.is_rcv_shutdown() || tcb.has_received_fin() || tcb.is_dead() {
            return Done(0);
        }
        if is_nonblocking {
            Error("EAGAIN")
        } else {
            Blocked
        }
    }

    /// `tcp_close`: sends a reset if unread data are discarded (RFC 2525 §2.17).
    fn closing(&mut self, fd: i64) -> Returned {
        let Some(socket) = self.sockets.remove(&fd) else {
            return Error("EBADF");
        };
        let of_it = match socket.role {
            Role::Fresh => return Done(0),
            Role::Connected(number) => vec![number],
            Role::Listening(_) => {
                let mine = |number: &usize| self.connections[*number].parent == Some(fd);
                (0..self.connections.len()).filter(mine).collect()
            }
        };
        for number in of_it {
            let connection = &mut self.connections[number];
            connection.is_orphan = true;
            connection.tcb.shut_receive();
            let is_unaccepted = connection.parent.take().is_some();
            if connection.tcb.unread() > 0 || is_unaccepted {
                if let Some(reset) = connection.tcb.abort() {
                    self.emit(number, reset);
                }
            } else {
                connection.tcb.close();
                self.push(number);
            }
        }
        Done(0)
    }

    fn shutting(&mut self, fd: i64, how: &str) -> Returned {
        let Role::Connected(number) = self.socket(fd).role else {
            return Error("ENOTCONN");
        };
        let connection = &mut self.connections[number];
        if connection.tcb.is_dead() {
            return Error("ENOTCONN");
        }
        if how != "SHUT_WR" {
            connection.tcb.shut_receive();
        }
        if how != "SHUT_RD" {
            connection.tcb.close();
            self.push(number);
        }
        Done(0)
    }
}

/// The value of a field of a structure.
fn field<'a>(value: Option<&'a Value>, wanted: &str) -> Option<&'a Value> {
    let Some(Value::List(fields)) = value else {
        return None;
    };
    fields.iter().find_map(|field| match field {
        Value::Field(name, value) if name == wanted => Some(&**value),
        _ => None,
    })
}

/// The total bytes of a vector of buffers, `[{..., 40}, {..., 10}]`.
fn pieces(value: Option<&Value>) -> u32 {
    let Some(Value::List(list)) = value else {
        return 0;
    };
    let length = |piece: &Value| match piece {
        Value::List(parts) => match parts[..] {
            [_, Value::Number(bytes)] => u32::try_from(bytes).unwrap_or(0),
            _ => 0,
        },
        _ => 0,
    };
    list.iter().map(length).fold(0, u32::saturating_add)
}

//! Socket options, as far as they concern TCP.
//!
//! Facts: `net/ipv4/tcp.c: do_tcp_setsockopt, do_tcp_getsockopt`, `net/core/sock.c: sk_setsockopt` (v6.1).

use crate::tcp::congestion::Chosen;

use super::Refused;
use super::calls::Returned::{self, Value as Done};
use super::host::{Host, Role};
use super::script::{Call, Value};

/// The minimum of `SO_SNDBUF` and `SO_RCVBUF` (`SOCK_MIN_SNDBUF`, `SOCK_MIN_RCVBUF`), in bytes.
const LEAST_BUFFER: i64 = 4608;

impl Host {
    pub fn setsockopt(
        &mut self,
        fd: i64,
        option: &str,
        call: &Call,
        value: Option<i64>,
        line: u32,
    ) -> Result<Returned, Refused> {
        let controls = self.config.parameters.congestion_controls;
        let options = &mut self.socket(fd).options;
        let on = value.is_some_and(|value| value != 0);
        let doubled = |value: i64| {
            let bytes = value.saturating_mul(2).max(LEAST_BUFFER);
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        match (option, value) {
            ("SO_SNDBUF", Some(value)) => options.send_buffer = Some(doubled(value)),
            ("SO_RCVBUF", Some(value)) => options.receive_buffer = Some(doubled(value)),
            ("TCP_MAXSEG", Some(value)) => options.max_segment = u32::try_from(value).ok(),
            ("TCP_NODELAY", Some(_)) => options.no_delay = on,
            ("TCP_CONGESTION", _) => {
                let chosen = match call.arguments.get(3) {
                    Some(Value::Text(name)) => Chosen::named(name),
                    _ => None,
                };
                let chosen = chosen.filter(|&chosen| controls.has(chosen));
                let why = "congestion control is not modelled";
                options.congestion = Some(chosen.ok_or_else(|| Refused::new(line, why))?);
            }
            ("TCP_CORK" | "SO_REUSEADDR" | "SO_REUSEPORT" | "IP_TOS" | "IP_MTU_DISCOVER", _) => {}
            _ => {
                let why = format!("socket option {option} is not modelled");
                return Err(Refused::new(line, why));
            }
        }
        let (send_buffer, no_delay) = (options.send_buffer, options.no_delay);
        let Role::Connected(number) = self.socket(fd).role else {
            return Ok(Done(0));
        };
        let tcb = &mut self.connections[number].tcb;
        match option {
            "SO_SNDBUF" => tcb.set_send_buffer(send_buffer.unwrap_or(0)),
            "TCP_NODELAY" => tcb.set_no_delay(no_delay),
            "TCP_CORK" => tcb.set_cork(on),
            "TCP_MAXSEG" | "SO_RCVBUF" | "TCP_CONGESTION" => {
                let why = format!("{option} of a connection that stands is not modelled");
                return Err(Refused::new(line, why));
            }
            _ => {}
        }
        self.push(number);
        Ok(Done(0))
    }

    pub fn getsockopt(
        &mut self,
        fd: i64,
        option: &str,
        call: &Call,
        expected: Option<i64>,
        line: u32,
    ) -> Result<Returned, Refused> {
        let options = self.socket(fd).options;
        let found = match (option, self.connection(fd)) {
            ("TCP_MAXSEG", Some(connection)) => i64::from(connection.tcb.mss()),
            ("TCP_MAXSEG", None) => i64::from(options.max_segment.unwrap_or(536)),
            ("SO_ERROR", Some(connection)) => match connection.error.take() {
                None => 0,
                Some(error) => errno(error),
            },
            ("SO_SNDBUF", _) if options.send_buffer.is_some() => {
                i64::from(options.send_buffer.unwrap_or(0))
            }
            ("TCP_NODELAY", _) => i64::from(options.no_delay),
            _ => {
                let why = format!("reading socket option {option} is not modelled");
                return Err(Refused::new(line, why));
            }
        };
        let expected = match call.arguments.get(3) {
            Some(Value::List(list)) => match list[..] {
                [Value::Name(ref name)] => Some(errno(name)),
                _ => expected,
            },
            _ => expected,
        };
        if expected.is_some_and(|expected| expected != found) {
            self.bad_output = Some((expected.unwrap_or(0), found));
        }
        Ok(Done(0))
    }
}

/// The number of an error, as `SO_ERROR` returns it.
fn errno(name: &str) -> i64 {
    match name {
        "EPIPE" => 32,
        "ECONNABORTED" => 103,
        "ECONNRESET" => 104,
        "ETIMEDOUT" => 110,
        "ECONNREFUSED" => 111,
        _ => -1,
    }
}

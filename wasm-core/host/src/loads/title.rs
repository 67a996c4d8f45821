//! Loads in words.

use std::fmt::Write as _;

use super::{Does, Ends, Load};

impl Load {
    /// What the load does, with how many connections, and where.
    pub fn title(&self) -> String {
        let bytes = match self.message_bytes {
            1 => "a byte".to_owned(),
            bytes => format!("{bytes} bytes"),
        };
        let pattern = match self.does {
            Does::Stream => format!("{bytes} a call"),
            Does::Gathered => format!("{bytes} a write and 64 KiB a read"),
            Does::Scattered => format!("64 KiB a write and {bytes} a read"),
            Does::Undelayed => format!("{bytes} a call without Nagle's algorithm"),
            Does::RequestResponse => format!("a request and a response of {bytes}"),
            Does::Fetched => format!("100 bytes for a response of {bytes}"),
            Does::Stored => format!("{bytes} for a response of a byte"),
            Does::Pipelined => format!("eight requests of {bytes}, then eight responses"),
            Does::Datagrams => format!("datagrams of {bytes}, received"),
            Does::DatagramRequest => format!("a datagram of {bytes} and one back"),
            Does::DatagramBurst => format!("eight datagrams of {bytes}, then eight back"),
            Does::Opened => "connections opened and closed".to_owned(),
            Does::Visited => format!("a connection for each response of {bytes}"),
        };
        let connections = match self.connections {
            1 => "one".to_owned(),
            several => several.to_string(),
        };
        let mut title = format!("{pattern}: {connections} on {} CPU", self.cpus);
        if self.cpus > 1 {
            title.push('s');
            if self.ends == Ends::Together {
                title.push_str(", each on one of them");
            }
        }
        for (name, buffer) in [
            ("SO_RCVBUF", self.receive_buffer),
            ("SO_SNDBUF", self.send_buffer),
        ] {
            if let Some(bytes) = buffer {
                let _ = write!(title, ", {name} of {} KiB", bytes / 1024);
            }
        }
        match self.hogs {
            0 => {}
            1 => title.push_str(", beside a task that computes"),
            hogs => {
                let _ = write!(title, ", beside {hogs} tasks that compute");
            }
        }
        if let Some(bytes) = self.mtu {
            let _ = write!(title, ", in packets of {bytes} bytes");
        }
        title
    }
}

#[cfg(test)]
mod tests {
    use crate::loads::all;

    #[test]
    fn a_title_says_all_that_a_load_is() {
        let title = |name: &str| {
            let mut loads = all();
            loads.find(|load| load.name == name).unwrap().title()
        };
        assert_eq!(
            title("request-one-cpu"),
            "a request and a response of a byte: one on 1 CPU"
        );
        assert_eq!(title("stream-one-cpu"), "8192 bytes a call: one on 1 CPU");
        assert_eq!(
            title("two-streams"),
            "8192 bytes a call: 2 on 2 CPUs, each on one of them"
        );
        assert_eq!(
            title("stream-one-cpu-3-hogs"),
            "8192 bytes a call: one on 1 CPU, beside 3 tasks that compute"
        );
        assert_eq!(
            title("udp-one-cpu-2k-fragments"),
            "datagrams of 2048 bytes, received: one on 1 CPU, in packets of 1500 bytes"
        );
    }

    #[test]
    fn titles_differ_where_loads_do() {
        for load in all() {
            let alike = all().filter(|it| it.title() == load.title());
            for other in alike {
                let named = crate::loads::Load {
                    name: load.name,
                    ..*other
                };
                assert_eq!(named, *load);
            }
        }
    }
}

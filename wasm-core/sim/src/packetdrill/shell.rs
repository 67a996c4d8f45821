//! The shell commands of a script: those that configure TCP, and those without effect on it. Any other command
//! is refused.
//!
//! If a script runs a `defaults.sh` that cannot be found, packetdrill's own file of that name is assumed.

use std::cell::Cell;

use super::Refused;

/// Settings made by commands; `None`: the kernel's.
#[derive(Debug, Default, Clone)]
pub struct Settings {
    /// Values by their dotted names in `/proc/sys`, in the order in which they were set.
    pub values: Vec<(String, String)>,
    /// Whether packets of several segments are handed down; `ethtool` turns it off.
    pub has_offloads: Option<bool>,
}

impl Settings {
    /// Adds later settings, which override earlier ones.
    pub fn join(&mut self, later: Settings) {
        self.values.extend(later.values);
        self.has_offloads = later.has_offloads.or(self.has_offloads);
    }

    /// The value of a name, if it was set.
    pub fn get(&self, name: &str) -> Option<&str> {
        let set = self.values.iter().rfind(|(one, _)| one == name);
        set.map(|(_, value)| value.as_str())
    }

    /// The value of a name as one number.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name).and_then(whole)
    }

    /// The last of the numbers in a value.
    pub fn last(&self, name: &str) -> Option<u64> {
        self.get(name)?
            .split_whitespace()
            .next_back()
            .and_then(whole)
    }

    /// The second of the three numbers in a value.
    pub fn second(&self, name: &str) -> Option<u64> {
        self.get(name)?.split_whitespace().nth(1).and_then(whole)
    }
}

fn whole(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Names that have an effect, without their prefix `net.ipv4.tcp_`.
const READ: [&str; 14] = [
    "rmem",
    "wmem",
    "timestamps",
    "sack",
    "window_scaling",
    "syn_retries",
    "retries2",
    "congestion_control",
    "slow_start_after_idle",
    "min_tso_segs",
    "tso_win_divisor",
    "early_retrans",
    "recovery",
    "ecn",
];

/// Names without an effect, without their prefix `net.ipv4.tcp_`, and the values that they may have (an empty
/// list: any): the model behaves as with such a value, or lacks the feature.
const WITHOUT_EFFECT: [(&str, &[&str]); 20] = [
    ("synack_retries", &[]),
    ("frto", &[]),
    ("dsack", &[]),
    ("fack", &[]),
    ("reordering", &["3"]),
    ("pacing_ss_ratio", &["200"]),
    ("pacing_ca_ratio", &["120"]),
    ("notsent_lowat", &["4294967295"]),
    ("fastopen", &[]),
    ("fastopen_key", &[]),
    ("syncookies", &[]),
    ("no_metrics_save", &[]),
    ("autocorking", &[]),
    ("moderate_rcvbuf", &["1"]),
    ("thin_linear_timeouts", &["0"]),
    ("invalid_ratelimit", &[]),
    ("adv_win_scale", &["1"]),
    ("app_win", &[]),
    ("low_latency", &[]),
    ("mtu_probing", &["0"]),
];

/// Commands without an effect on TCP here: qdiscs that neither delay nor drop, caches of earlier connections,
/// behaviour that the model always has.
const WITHOUT_TRACE: [&str; 7] = [
    "true",
    "nstat -n",
    "ip tcp_metrics flush all",
    "tc qdisc add dev tun0 root pfifo",
    "tc qdisc replace dev tun0 root pfifo",
    "tc qdisc replace dev tun0 root pfifo_fast",
    "echo 3 > /sys/module/tcp_cubic/parameters/hystart_detect",
];

/// The settings of packetdrill's `gtests/net/common/defaults.sh`.
const DEFAULTS: [(&str, &str); 7] = [
    ("rmem", "4096 540000 15728640"),
    ("wmem", "4096 262144 4194304"),
    ("timestamps", "1"),
    ("syn_retries", "5"),
    ("sack", "1"),
    ("congestion_control", "cubic"),
    ("slow_start_after_idle", "0"),
];

/// Maximum nesting of set-up files, as a file that reads itself would never end.
const DEEPEST: u32 = 8;
/// Maximum number of set-up files read: eight levels of twenty files each would be billions.
const MOST_FILES: u32 = 64;

/// Access to set-up files.
struct Files<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// How many more files may be read.
    left: Cell<u32>,
}

/// Executes commands, one per line or several separated by `;` and `&&`.
///
/// # Errors
/// An unknown command or setting, with its line.
pub fn read(
    commands: &str,
    line: u32,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Settings, Refused> {
    let files = Files {
        read: read_file,
        left: Cell::new(MOST_FILES),
    };
    read_below(commands, line, &files, 0)
}

/// The same for a file at nesting level `depth`.
fn read_below(commands: &str, line: u32, files: &Files, depth: u32) -> Result<Settings, Refused> {
    let mut settings = Settings::default();
    let mut at = line;
    let mut whole_line = String::new();
    for text in commands.split('\n') {
        whole_line.push_str(text.split(" #").next().unwrap_or(text));
        at += 1;
        if whole_line.ends_with('\\') {
            whole_line.pop();
            continue;
        }
        let text = std::mem::take(&mut whole_line);
        if text.trim_start().starts_with('#') {
            continue;
        }
        for command in text.split(';').flat_map(|part| part.split("&&")) {
            one(command, at - 1, files, depth, &mut settings)?;
        }
    }
    Ok(settings)
}

fn one(
    command: &str,
    line: u32,
    files: &Files,
    depth: u32,
    settings: &mut Settings,
) -> Result<(), Refused> {
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let refused = || {
        let why = format!("command not known: {}", command.trim());
        Err(Refused::new(line, why))
    };
    let Some((program, rest)) = words.split_first() else {
        return Ok(());
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    match (name, rest) {
        ("defaults.sh", []) => {
            if depth == DEEPEST {
                let why = format!("more than {DEEPEST} files that read each other");
                return Err(Refused::new(line, why));
            }
            let Some(left) = files.left.get().checked_sub(1) else {
                let why = format!("more than {MOST_FILES} files are read");
                return Err(Refused::new(line, why));
            };
            files.left.set(left);
            if let Some(text) = (files.read)(program) {
                let text = text.replace("$((15*1024*1024))", "15728640");
                let text = text.replace("$((256*1024))", "262144");
                settings.join(read_below(&text, 1, files, depth + 1)?);
            } else {
                for (name, value) in DEFAULTS {
                    set(&format!("net.ipv4.tcp_{name}"), value, line, settings)?;
                }
            }
        }
        ("sysctl", rest) => {
            for word in rest.iter().filter(|word| !word.starts_with('-')) {
                assign(word, line, settings)?;
            }
        }
        ("set_sysctls.py", rest) => {
            for word in rest {
                assign(word, line, settings)?;
            }
        }
        ("ethtool", ["-K", _device, rest @ ..]) => {
            for feature in rest.chunks(2) {
                match feature {
                    ["tso" | "gso", "off"] => settings.has_offloads = Some(false),
                    ["tso" | "gso", "on"] => settings.has_offloads = Some(true),
                    ["gro" | "lro", _] => {}
                    _ => return refused(),
                }
            }
        }
        _ if WITHOUT_TRACE.contains(&words.join(" ").as_str()) => {}
        (name, []) if name.starts_with("sysctl_restore_") => {}
        _ => return refused(),
    }
    Ok(())
}

/// The words of a command, without the redirection of its output. Quotes keep a word together.
fn words(command: &str) -> Vec<String> {
    let command = command.replace("> /dev/null", "").replace("2>&1", "");
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => words.push(String::new()),
            (_, c) => words.last_mut().expect("one at least").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn assign(word: &str, line: u32, settings: &mut Settings) -> Result<(), Refused> {
    let Some((name, value)) = word.split_once('=') else {
        return Err(Refused::new(line, format!("no value for {word}")));
    };
    let name = name.trim_start_matches("/proc/sys/").replace('/', ".");
    set(&name, value, line, settings)
}

fn set(name: &str, value: &str, line: u32, settings: &mut Settings) -> Result<(), Refused> {
    let value = value.trim();
    let tcp = name.strip_prefix("net.ipv4.tcp_").unwrap_or("");
    let is_read = READ.contains(&tcp);
    let is_harmless = WITHOUT_EFFECT
        .iter()
        .any(|(one, values)| *one == tcp && (values.is_empty() || values.contains(&value)))
        || name == "net.mptcp.enabled";
    if !is_read && !is_harmless {
        let why = format!("setting not modelled: {name}={value}");
        return Err(Refused::new(line, why));
    }
    settings.values.push((name.to_owned(), value.to_owned()));
    Ok(())
}

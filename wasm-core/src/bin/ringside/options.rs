//! What stands behind a command: options and files, in any order.

use ringside::kernel::{CpuId, Nanos};
use ringside::run::Excerpt;

use crate::Failure;
use crate::moment::Moment;

/// Stands for the three options that open a part of a trace.
pub const PART: &str = "--cpu, --from, --to";

/// The words behind a command, told apart.
pub struct Options<'a> {
    /// `--json` was given.
    pub is_json: bool,
    /// The capture named by `--wire`.
    pub wire: Option<&'a str>,
    /// The folder named by `--data`.
    pub data: Option<&'a str>,
    /// Everything else.
    pub files: Vec<&'a str>,
    /// The options that were given, each with its value or an empty text.
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    /// The value of an option.
    pub fn value(&self, option: &str) -> Option<&'a str> {
        let given = self.given.iter().find(|(name, _)| *name == option);
        given.map(|&(_, value)| value)
    }

    /// What of a trace is wanted: `--cpu`, `--from` and `--to`, on the trace's clock.
    pub fn excerpt(&self) -> Result<Excerpt, Failure> {
        let cpu = match self.value("--cpu").map(str::parse) {
            None => None,
            Some(Ok(cpu)) => Some(CpuId(cpu)),
            Some(Err(_)) => return Err(Failure::Usage("--cpu needs a number".to_owned())),
        };
        if cpu.is_some() && self.wire.is_some() {
            let why = "a capture of the link is of all CPUs: --wire does not go with --cpu";
            return Err(Failure::Usage(why.to_owned()));
        }
        let (from, to) = (self.time("--from")?, self.time("--to")?);
        if from.zip(to).is_some_and(|(from, to)| to <= from) {
            return Err(Failure::Usage("--to is not after --from".to_owned()));
        }
        Ok(Excerpt { cpu, from, to })
    }

    fn time(&self, option: &str) -> Result<Option<Nanos>, Failure> {
        match self.value(option).map(Moment::parse) {
            None => Ok(None),
            Some(Ok(Moment::OnClock(nanos))) => Ok(Some(Nanos(nanos))),
            Some(Ok(Moment::SinceStart(_))) => Err(Failure::Usage(format!(
                "{option} takes no time after a +: a part is cut while the trace is read, before its first event \
                 is known; give a time of its clock (summarize --json tells first_ns)"
            ))),
            Some(Err(why)) => Err(Failure::Usage(format!("{option}: {why}"))),
        }
    }

    /// Whether an option was given.
    pub fn has(&self, option: &str) -> bool {
        self.value(option).is_some()
    }
}

/// Tells the words apart. `valued` are the options of the command that take a value, `flags` those that take
/// none; `--cpu`, `--from` and `--to` are among the first if they are `PART`. It has no others.
pub fn read<'a>(
    arguments: &'a [String],
    valued: &[&str],
    flags: &[&str],
) -> Result<Options<'a>, Failure> {
    let mut options = Options {
        is_json: false,
        wire: None,
        data: None,
        files: Vec::new(),
        given: Vec::new(),
    };
    let takes_part = valued.contains(&PART);
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(argument) = rest.next() {
        let is_part = takes_part && matches!(argument, "--cpu" | "--from" | "--to");
        if is_part || valued.contains(&argument) {
            let missing = || Failure::Usage(format!("{argument} needs a value"));
            if options.has(argument) {
                return Err(Failure::Usage(format!("{argument} is given twice")));
            }
            options
                .given
                .push((argument, rest.next().ok_or_else(missing)?));
        } else if flags.contains(&argument) {
            options.given.push((argument, ""));
        } else if argument.starts_with("--") {
            return Err(Failure::Usage(format!("no option \"{argument}\"")));
        } else {
            options.files.push(argument);
        }
    }
    options.is_json = options.has("--json");
    options.wire = options.value("--wire");
    options.data = options.value("--data");
    Ok(options)
}

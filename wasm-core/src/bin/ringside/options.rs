//! What stands behind a command: options and files, in any order.

use crate::Failure;

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
    /// The command's own options that were given, each with its value or an empty text.
    own: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    /// The value of one of the command's own options; of several the last.
    pub fn value(&self, option: &str) -> Option<&'a str> {
        let given = self.own.iter().rfind(|(name, _)| *name == option);
        given.map(|&(_, value)| value)
    }

    /// Whether one of the command's own options was given.
    pub fn has(&self, option: &str) -> bool {
        self.value(option).is_some()
    }
}

/// Tells the words apart. `own` are the command's own options that take a value, `flags` those
/// that take none.
pub fn read<'a>(
    arguments: &'a [String],
    own: &[&str],
    flags: &[&str],
) -> Result<Options<'a>, Failure> {
    let mut options = Options {
        is_json: false,
        wire: None,
        data: None,
        files: Vec::new(),
        own: Vec::new(),
    };
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(argument) = rest.next() {
        let mut value = || {
            let missing = || Failure::Usage(format!("{argument} needs a value"));
            rest.next().ok_or_else(missing)
        };
        match argument {
            "--json" => options.is_json = true,
            "--wire" => options.wire = Some(value()?),
            "--data" => options.data = Some(value()?),
            option if own.contains(&option) => options.own.push((option, value()?)),
            option if flags.contains(&option) => options.own.push((option, "")),
            option if option.starts_with("--") => {
                return Err(Failure::Usage(format!("no option \"{option}\"")));
            }
            file => options.files.push(file),
        }
    }
    Ok(options)
}

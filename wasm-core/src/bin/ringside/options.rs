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
    /// The value of the command's own option.
    pub value: Option<&'a str>,
    /// Everything else.
    pub files: Vec<&'a str>,
}

/// Tells the words apart. `own` is the command's own option, which takes a value.
pub fn read<'a>(arguments: &'a [String], own: Option<&str>) -> Result<Options<'a>, Failure> {
    let mut options = Options {
        is_json: false,
        wire: None,
        data: None,
        value: None,
        files: Vec::new(),
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
            option if own == Some(option) => options.value = Some(value()?),
            option if option.starts_with("--") => {
                return Err(Failure::Usage(format!("no option \"{option}\"")));
            }
            file => options.files.push(file),
        }
    }
    Ok(options)
}

//! The version of the kernel that a run is of, as far as it says so.

use crate::run::Run;

/// A version of Linux: 6, 1, 0. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The version that a run's metadata name: `Linux 2.3.99-pre8` of a model, `6.18.44-fc-v669` of a recording.
    pub fn of(run: &Run) -> Option<Self> {
        Self::named_in(run.metadata.get("kernel")?)
    }

    /// The first word that begins with two numbers.
    fn named_in(text: &str) -> Option<Self> {
        text.split_whitespace().find_map(|word| {
            let end = word.find(|sign: char| !sign.is_ascii_digit() && sign != '.');
            let mut numbers = word[..end.unwrap_or(word.len())].split('.');
            let mut next = || numbers.next()?.parse().ok();
            Some(Self(next()?, next()?, next().unwrap_or(0)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn a_version_is_read_from_what_kernels_call_themselves() {
        let read = Version::named_in;
        assert_eq!(read("Linux 2.3.99-pre8"), Some(Version(2, 3, 99)));
        assert_eq!(read("6.18.44-fc-v669 #1 SMP"), Some(Version(6, 18, 44)));
        // As `ringside-capture` says it: `uname -srv`.
        assert_eq!(
            read("Linux 6.18.44 #1 SMP PREEMPT_DYNAMIC"),
            Some(Version(6, 18, 44))
        );
        assert_eq!(read("Linux 6.1"), Some(Version(6, 1, 0)));
        assert_eq!(
            read("Linux version 5.10.0-8-amd64"),
            Some(Version(5, 10, 0))
        );
        assert_eq!(read("Linux"), None);
        assert_eq!(read("of 7 and .5"), None);
        assert_eq!(read("99999999999.1"), None);
    }
}

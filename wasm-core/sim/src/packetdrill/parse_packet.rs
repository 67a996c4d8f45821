//! Parses a segment of a script: direction, flags, sequence numbers, window and options.

use crate::ecn::Ecn;
use crate::tcp::Flags;

use super::Refused;
use super::parse::Parser;
use super::script::{EcnField, Packet, TcpOption};

impl Parser {
    /// `< S 0:0(0) win 32792 <mss 1000>`
    pub(super) fn packet(&mut self) -> Result<Packet, Refused> {
        let is_outbound = !self.has('<');
        if is_outbound {
            self.must('>')?;
        }
        let ecn = if self.has('[') {
            let ecn = self.ecn()?;
            self.must(']')?;
            ecn
        } else {
            EcnField::Unchecked
        };
        let flags = self.flags()?;
        let seq = self.sequence()?;
        self.must(':')?;
        let line = self.line();
        let end = self.sequence()?;
        self.must('(')?;
        let len = u32::from(self.number::<u16>()?);
        self.must(')')?;
        if seq + u64::from(len) != end {
            let why = format!("{seq}:{end} are not {len} bytes");
            return Err(Refused::new(line, why));
        }
        let ack = if self.has_word("ack") {
            Some(self.sequence()?)
        } else {
            None
        };
        let window = if self.has_word("win") {
            Some(u32::from(self.number::<u16>()?))
        } else {
            None
        };
        let options = if self.has('<') {
            self.options()?
        } else {
            Some(Vec::new())
        };
        if self.has('{') {
            let why = "packets that are changed on their way are not modelled";
            return Err(Refused::new(self.line(), why));
        }
        Ok(Packet {
            is_outbound,
            ecn,
            flags,
            seq,
            len,
            ack,
            window,
            options,
        })
    }

    /// A sequence number, which has 32 bits.
    fn sequence(&mut self) -> Result<u64, Refused> {
        self.number::<u32>().map(u64::from)
    }

    /// What the IP header says, in brackets.
    fn ecn(&mut self) -> Result<EcnField, Refused> {
        let line = self.line();
        Ok(match self.word().as_deref() {
            Some("noecn") => EcnField::Is(Ecn::NotEct),
            Some("ect0") => EcnField::Is(Ecn::Ect0),
            Some("ect1") => EcnField::Is(Ecn::Ect1),
            Some("ect01") => EcnField::AnyEct,
            Some("ce") => EcnField::Is(Ecn::Ce),
            _ => {
                let why = "of IP's header only ECN is modelled (no DSCP, no flow label)";
                return Err(Refused::new(line, why));
            }
        })
    }

    /// Letters, and `.` for ACK.
    fn flags(&mut self) -> Result<Flags, Refused> {
        let line = self.line();
        let mut flags = Flags::NONE;
        let mut is_any = false;
        loop {
            if self.has('.') {
                flags = flags | Flags::ACK;
            } else if let Some(letters) = self.word() {
                for letter in letters.chars() {
                    flags = flags
                        | match letter {
                            'S' => Flags::SYN,
                            'F' => Flags::FIN,
                            'R' => Flags::RST,
                            'P' => Flags::PSH,
                            'E' => Flags::ECE,
                            'W' => Flags::CWR,
                            'A' => {
                                return Err(Refused::new(line, "accurate ECN is not modelled"));
                            }
                            _ => {
                                let why = format!("flags \"{letters}\" are not known");
                                return Err(Refused::new(line, why));
                            }
                        };
                }
            } else if is_any || self.has('-') {
                return Ok(flags);
            } else {
                return Err(self.refused("flags"));
            }
            is_any = true;
        }
    }

    /// Parses the options in `<...>`; `None` for a literal `...`.
    fn options(&mut self) -> Result<Option<Vec<TcpOption>>, Refused> {
        if self.has_dots() {
            self.must('>')?;
            return Ok(None);
        }
        let mut options = Vec::new();
        while !self.has('>') {
            options.push(self.option()?);
            if !self.has(',') {
                self.must('>')?;
                break;
            }
        }
        Ok(Some(options))
    }

    fn option(&mut self) -> Result<TcpOption, Refused> {
        let line = self.line();
        let Some(name) = self.word() else {
            return Err(self.refused("a TCP option"));
        };
        Ok(match &*name {
            "nop" => TcpOption::Nop,
            "eol" => TcpOption::End,
            "mss" => TcpOption::Mss(self.number()?),
            "wscale" => TcpOption::Scale(self.number()?),
            "sackOK" => TcpOption::SackPermitted,
            "sack" => TcpOption::Sack(self.blocks()?),
            "TS" => {
                if !self.has_word("val") {
                    return Err(self.refused("\"val\""));
                }
                let value = self.number()?;
                if !self.has_word("ecr") {
                    return Err(self.refused("\"ecr\""));
                }
                TcpOption::Timestamps(value, self.number()?)
            }
            _ => {
                let why = format!("TCP option \"{name}\" is not modelled");
                return Err(Refused::new(line, why));
            }
        })
    }

    fn blocks(&mut self) -> Result<Vec<(u64, u64)>, Refused> {
        let mut blocks = Vec::new();
        loop {
            let from = self.sequence()?;
            self.must(':')?;
            blocks.push((from, self.sequence()?));
            if !self.is_at_number() {
                return Ok(blocks);
            }
        }
    }
}

//! Parses tokens into a script: options, set-up commands, and events with their times and calls.

use super::lexer::{Token, tokens};
use super::script::{Call, Event, LATEST_US, Script, Us, Value, What, When};
use super::shell::{self, Settings};
use super::{Refused, python};

/// Default tolerance for the time of a packet, in microseconds.
const TOLERANCE_US: Us = 4000;

/// Maximum nesting of lists and fields. No script has more than four levels.
const DEEPEST: u32 = 32;

/// Parses a script. `read_file` returns the text of a set-up file that a command names.
///
/// # Errors
/// The first construct that is unknown, with its line.
pub fn parse(text: &str, read_file: &dyn Fn(&str) -> Option<String>) -> Result<Script, Refused> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
    };
    let mut script = Script {
        tolerance: TOLERANCE_US,
        settings: Settings::default(),
        events: Vec::new(),
    };
    while let Some((line, token)) = parser.peek().cloned() {
        match token {
            Token::Switch(option) => {
                parser.at += 1;
                script.tolerance = switch(&option, line)?.unwrap_or(script.tolerance);
            }
            Token::Shell(commands) => {
                parser.at += 1;
                let settings = shell::read(&commands, line, read_file)?;
                // Commands after the last event only clean up.
                if script.events.is_empty() {
                    script.settings.join(settings);
                }
            }
            _ => script.events.push(parser.event(read_file)?),
        }
    }
    let compares = |event: &Event| match &event.what {
        What::Packet(_) | What::Call(_) | What::Code(_) => true,
        What::Command(_) => false,
    };
    if !script.events.iter().any(compares) {
        let why = "nothing in it can pass or fail: it has no packet, no call and no code";
        return Err(Refused::new(parser.line(), why));
    }
    Ok(script)
}

/// Parses an option of packetdrill's command line; returns the tolerance if it sets it.
fn switch(option: &str, line: u32) -> Result<Option<Us>, Refused> {
    if let Some(value) = option.strip_prefix("--tolerance_usecs=") {
        let number = value.trim().parse().ok();
        let number = number.filter(|us| (0..=LATEST_US).contains(us));
        let refused = || Refused::new(line, format!("no number of microseconds: {value}"));
        return number.map(Some).ok_or_else(refused);
    }
    match option {
        "--ip_version=ipv4" | "--ip_version=ipv6" => Ok(None),
        _ => Err(Refused::new(line, format!("option {option} is not known"))),
    }
}

/// Consumes tokens in order.
pub struct Parser {
    tokens: Vec<(u32, Token)>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&(u32, Token)> {
        self.tokens.get(self.at)
    }

    /// The line of the next token, or of the end.
    pub fn line(&self) -> u32 {
        let last = self.peek().or(self.tokens.last());
        last.map_or(1, |&(line, _)| line)
    }

    /// An error at the current token.
    pub fn refused(&self, expected: &str) -> Refused {
        let found = match self.peek() {
            None => "the end".to_owned(),
            Some((_, token)) => match token {
                Token::Number(text) | Token::Word(text) => format!("\"{text}\""),
                Token::Text(_) => "a text".to_owned(),
                Token::Code(_) => "code".to_owned(),
                Token::Shell(_) => "a command".to_owned(),
                Token::Switch(text) => text.clone(),
                Token::Dots => "\"...\"".to_owned(),
                Token::Mark(mark) => format!("\"{mark}\""),
            },
        };
        Refused::new(self.line(), format!("expected {expected}, found {found}"))
    }

    /// Consumes and returns the next token.
    pub fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).map(|(_, token)| token.clone());
        self.at += usize::from(token.is_some());
        token
    }

    /// Consumes the mark if it is the next token; returns whether it was.
    pub fn has(&mut self, mark: char) -> bool {
        let is_next = matches!(self.peek(), Some((_, Token::Mark(next))) if *next == mark);
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes the word if it is the next token; returns whether it was.
    pub fn has_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some((_, Token::Word(next))) if next == word);
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes `...` if it is the next token; returns whether it was.
    pub fn has_dots(&mut self) -> bool {
        let is_next = matches!(self.peek(), Some((_, Token::Dots)));
        self.at += usize::from(is_next);
        is_next
    }

    /// Consumes the mark, which has to be the next token.
    pub fn must(&mut self, mark: char) -> Result<(), Refused> {
        if self.has(mark) {
            return Ok(());
        }
        Err(self.refused(&format!("\"{mark}\"")))
    }

    /// Consumes and returns a word, if the next token is one.
    pub fn word(&mut self) -> Option<String> {
        let Some((_, Token::Word(word))) = self.peek() else {
            return None;
        };
        let word = word.clone();
        self.at += 1;
        Some(word)
    }

    /// Consumes an integer, which has to be the next token.
    pub fn whole(&mut self) -> Result<i64, Refused> {
        let is_negative = self.has('-');
        let error = self.refused("a whole number");
        let Some(Token::Number(text)) = self.next() else {
            return Err(error);
        };
        let value = match text.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        let value = value.map_err(|_| error)?;
        Ok(if is_negative { -value } else { value })
    }

    /// Whether the next token is a number.
    pub fn is_at_number(&self) -> bool {
        matches!(self.peek(), Some((_, Token::Number(_))))
    }

    /// Consumes an integer that has to fit type `T`.
    pub fn number<T: TryFrom<i64>>(&mut self) -> Result<T, Refused> {
        let line = self.line();
        let value = self.whole()?;
        T::try_from(value).map_err(|_| Refused::new(line, format!("{value} is out of range")))
    }

    /// Consumes a number of seconds and returns microseconds.
    fn seconds(&mut self) -> Result<Us, Refused> {
        let line = self.line();
        let error = self.refused("a time in seconds");
        let Some(Token::Number(text)) = self.next() else {
            return Err(error);
        };
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let part = format!("{part:0<6}");
        let whole: Us = if whole.is_empty() { "0" } else { whole }
            .parse()
            .map_err(|_| error.clone())?;
        let part: Us = part[..6].parse().map_err(|_| error)?;
        let us = whole.saturating_mul(1_000_000).saturating_add(part);
        if us > LATEST_US {
            let latest = LATEST_US / 1_000_000;
            let why = format!("a script has times up to {latest} seconds, found {text}");
            return Err(Refused::new(line, why));
        }
        Ok(us)
    }

    fn event(&mut self, read_file: &dyn Fn(&str) -> Option<String>) -> Result<Event, Refused> {
        let line = self.line();
        let (when, ends) = self.when()?;
        let line_of_it = self.line();
        let is_packet = matches!(self.peek(), Some((_, Token::Mark('<' | '>')))) && ends.is_none();
        let what = if is_packet {
            What::Packet(self.packet()?)
        } else if let Some((_, Token::Code(code))) = self.peek().cloned() {
            self.at += 1;
            What::Code(python::parse(&code, line_of_it)?)
        } else if let Some((_, Token::Shell(command))) = self.peek().cloned() {
            self.at += 1;
            What::Command(shell::read(&command, line_of_it, read_file)?)
        } else {
            What::Call(self.call(ends)?)
        };
        Ok(Event { line, when, what })
    }

    /// Parses the time of an event, and the time at which a blocking call returns.
    fn when(&mut self) -> Result<(When, Option<Us>), Refused> {
        if self.has('*') {
            return Ok((When::Any, None));
        }
        let is_relative = self.has('+');
        let from = self.seconds()?;
        if self.has('~') {
            let _ = self.has('+');
            let to = self.seconds()?;
            let when = if is_relative {
                When::BetweenAfter(from, to)
            } else {
                When::Between(from, to)
            };
            return Ok((when, None));
        }
        let ends = if self.has_dots() {
            Some(self.seconds()?)
        } else {
            None
        };
        let when = if is_relative {
            When::After(from)
        } else {
            When::At(from)
        };
        Ok((when, ends))
    }

    fn call(&mut self, ends: Option<Us>) -> Result<Call, Refused> {
        let Some(name) = self.word() else {
            return Err(self.refused("a packet, a call, code or a command"));
        };
        self.must('(')?;
        let arguments = self.values(')', 0)?;
        self.must('=')?;
        let result = if self.has('?') {
            None
        } else {
            Some(self.whole()?)
        };
        let errno = if result == Some(-1) {
            self.word()
        } else {
            None
        };
        if errno.is_some() && self.has('(') {
            while !self.has(')') {
                if self.next().is_none() {
                    return Err(self.refused("\")\""));
                }
            }
        }
        Ok(Call {
            name,
            arguments,
            result,
            errno,
            ends,
        })
    }

    /// Parses values up to a closing mark, at nesting level `depth`.
    fn values(&mut self, end: char, depth: u32) -> Result<Vec<Value>, Refused> {
        let mut values = Vec::new();
        while !self.has(end) {
            values.push(self.value(depth)?);
            if !self.has(',') {
                self.must(end)?;
                break;
            }
        }
        Ok(values)
    }

    fn value(&mut self, depth: u32) -> Result<Value, Refused> {
        let within = depth + 1;
        if within > DEEPEST {
            let why = format!("more than {DEEPEST} values within each other");
            return Err(Refused::new(self.line(), why));
        }
        if self.has_dots() {
            return Ok(Value::Dots);
        }
        if self.has('[') {
            return self.values(']', within).map(Value::List);
        }
        if self.has('{') {
            return self.values('}', within).map(Value::List);
        }
        if let Some((_, Token::Text(text))) = self.peek().cloned() {
            self.at += 1;
            return Ok(Value::Text(text));
        }
        let Some(mut name) = self.word() else {
            return self.whole().map(Value::Number);
        };
        // msg_iov(3)=[...]: the number repeats the length of the list.
        if self.has('(') {
            self.values(')', within)?;
        }
        if self.has('=') {
            let value = self.value(within)?;
            return Ok(Value::Field(name, Box::new(value)));
        }
        while self.has('|') {
            let more = self.word().ok_or_else(|| self.refused("a name"))?;
            name = format!("{name}|{more}");
        }
        Ok(Value::Name(name))
    }
}

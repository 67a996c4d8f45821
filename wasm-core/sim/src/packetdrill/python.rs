//! The subset of Python in which scripts check conditions: `assert`, assignment of numbers, `print`.
//!
//! Expressions are integers, names (of `tcp_info` or assigned before), `+ - * // / %`, comparisons, `and`,
//! `or`, `not` and parentheses. The message of an assert is ignored.

use std::collections::BTreeMap;

use super::Refused;

/// A statement.
#[derive(Debug)]
pub enum Statement {
    /// `assert`, with the text of its condition.
    Assert(Expression, String),
    /// `name = expression`
    Set(String, Expression),
}

/// An expression.
#[derive(Debug)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A name.
    Name(String),
    /// `not`; a sign is a subtraction from zero.
    Not(Box<Expression>),
    /// A binary operation.
    Two(Operator, Box<Expression>, Box<Expression>),
}

/// A binary operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

use Operator as Op;

const COMPARISONS: [(&str, Op); 6] = [
    ("==", Op::Equal),
    ("!=", Op::Unequal),
    ("<=", Op::LessEqual),
    (">=", Op::GreaterEqual),
    ("<", Op::Less),
    (">", Op::Greater),
];

/// Maximum number of numbers, names and signs in an expression. No script has more than twenty.
const MOST: u32 = 256;

/// Parses the code of one event.
///
/// # Errors
/// A statement or expression outside the subset, with its line.
pub fn parse(code: &str, line: u32) -> Result<Vec<Statement>, Refused> {
    let mut statements = Vec::new();
    for (line, text) in lines(code, line) {
        if text.is_empty() || is_call_of(&text, "print") || text == "pass" {
            continue;
        }
        let refused = |why: &str| Refused::new(line, format!("code: {why}: {text:.200}"));
        if let Some(rest) = text
            .strip_prefix("assert")
            .filter(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '('))
        {
            let mut reader = Reader { rest, left: MOST };
            let condition = reader.or().ok_or_else(|| refused("not understood"))?;
            if !reader.is_at_end() && !reader.has(",") {
                return Err(refused("not understood"));
            }
            let said = rest.len() - reader.rest.len();
            let said = rest[..said].trim().trim_end_matches(',').to_owned();
            statements.push(Statement::Assert(condition, said));
            continue;
        }
        let mut reader = Reader {
            rest: &text,
            left: MOST,
        };
        let name = reader.name().ok_or_else(|| refused("not a plain assert"))?;
        let operator = [("+=", Some(Op::Plus)), ("-=", Some(Op::Minus)), ("=", None)]
            .into_iter()
            .find(|(mark, _)| reader.has(mark))
            .ok_or_else(|| refused("not a plain assert"))?
            .1;
        let value = reader.or().filter(|_| reader.is_at_end());
        let value = value.ok_or_else(|| refused("not understood"))?;
        let value = match operator {
            None => value,
            Some(operator) => {
                let old = Expression::Name(name.clone());
                Expression::Two(operator, Box::new(old), Box::new(value))
            }
        };
        statements.push(Statement::Set(name, value));
    }
    Ok(statements)
}

fn is_call_of(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name);
    rest.is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// Splits code into statements with their lines: one per line, or several separated by `;`. Open brackets
/// continue a statement on the next line.
fn lines(code: &str, mut line: u32) -> Vec<(u32, String)> {
    let mut found = vec![(line, String::new())];
    let mut depth = 0;
    let mut quote = None;
    let mut is_comment = false;
    for c in code.chars() {
        let ends = match (quote, c) {
            (_, '\n') => {
                line += 1;
                is_comment = false;
                quote = None;
                depth == 0
            }
            _ if is_comment => continue,
            (None, '#') => {
                is_comment = true;
                continue;
            }
            (Some(open), c) => {
                if c == open {
                    quote = None;
                }
                false
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                false
            }
            (None, '(' | '[') => {
                depth += 1;
                false
            }
            (None, ')' | ']') => {
                depth -= 1;
                false
            }
            (None, c) => c == ';' && depth == 0,
        };
        if ends {
            found.push((line, String::new()));
        } else if let Some((_, text)) = found.last_mut() {
            text.push(c);
        }
    }
    for (_, text) in &mut found {
        *text = text.trim().to_owned();
    }
    found
}

struct Reader<'a> {
    rest: &'a str,
    /// How many more elements the expression may have.
    left: u32,
}

impl Reader<'_> {
    /// Counts one element; `None` if there are too many.
    fn count(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn is_at_end(&mut self) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.is_empty()
    }

    fn has(&mut self, mark: &str) -> bool {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix(mark) else {
            return false;
        };
        let is_word = mark.starts_with(char::is_alphabetic);
        if is_word && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        self.rest = rest;
        true
    }

    fn name(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let is_inside = |c: char| c.is_alphanumeric() || c == '_';
        let end = self.rest.find(|c| !is_inside(c)).unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
            return None;
        }
        let name = name.to_owned();
        self.rest = &self.rest[end..];
        Some(name)
    }

    fn or(&mut self) -> Option<Expression> {
        let mut left = self.and()?;
        while self.has("or") {
            left = Expression::Two(Op::Or, Box::new(left), Box::new(self.and()?));
        }
        Some(left)
    }

    fn and(&mut self) -> Option<Expression> {
        let mut left = self.not()?;
        while self.has("and") {
            left = Expression::Two(Op::And, Box::new(left), Box::new(self.not()?));
        }
        Some(left)
    }

    fn not(&mut self) -> Option<Expression> {
        self.count()?;
        if self.has("not") {
            return Some(Expression::Not(Box::new(self.not()?)));
        }
        let left = self.sum()?;
        match COMPARISONS.iter().find(|(mark, _)| self.has(mark)) {
            None => Some(left),
            Some(&(_, operator)) => {
                let right = self.sum()?;
                Some(Expression::Two(operator, Box::new(left), Box::new(right)))
            }
        }
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut left = self.product()?;
        loop {
            let operator = if self.has("+") {
                Op::Plus
            } else if self.has("-") {
                Op::Minus
            } else {
                return Some(left);
            };
            left = Expression::Two(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Option<Expression> {
        let mut left = self.atom()?;
        loop {
            let operator = if self.has("*") {
                Op::Times
            } else if self.has("//") || self.has("/") {
                Op::Divide
            } else if self.has("%") {
                Op::Modulo
            } else {
                return Some(left);
            };
            left = Expression::Two(operator, Box::new(left), Box::new(self.atom()?));
        }
    }

    fn atom(&mut self) -> Option<Expression> {
        self.count()?;
        if self.has("(") {
            let inside = self.or()?;
            return self.has(")").then_some(inside);
        }
        if self.has("-") {
            let zero = Box::new(Expression::Number(0));
            return Some(Expression::Two(Op::Minus, zero, Box::new(self.atom()?)));
        }
        if let Some(name) = self.name() {
            return Some(Expression::Name(name));
        }
        let is_digit = |c: char| c.is_ascii_alphanumeric();
        let end = self.rest.find(|c| !is_digit(c)).unwrap_or(self.rest.len());
        let text = &self.rest[..end];
        let value = match text.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        self.rest = &self.rest[end..];
        value.ok().map(Expression::Number)
    }
}

impl Expression {
    /// Evaluates the expression.
    ///
    /// # Errors
    /// An unknown name, or a division by zero.
    pub fn value(&self, names: &dyn Fn(&str) -> Option<i64>) -> Result<i64, String> {
        Ok(match self {
            Expression::Number(number) => *number,
            Expression::Name(name) => {
                let unknown = || format!("{name} is not known to the model");
                names(name).ok_or_else(unknown)?
            }
            Expression::Not(inside) => i64::from(inside.value(names)? == 0),
            Expression::Two(operator, left, right) => {
                let left = left.value(names)?;
                match (operator, left) {
                    (Op::Or, left) if left != 0 => return Ok(left),
                    (Op::And, 0) => return Ok(0),
                    _ => {}
                }
                operator.applied(left, right.value(names)?)?
            }
        })
    }

    /// Collects the names in the expression with their values, for a message.
    pub fn names(&self, found: &mut BTreeMap<String, i64>, names: &dyn Fn(&str) -> Option<i64>) {
        match self {
            Expression::Number(_) => {}
            Expression::Name(name) => {
                if let Some(value) = names(name) {
                    found.insert(name.clone(), value);
                }
            }
            Expression::Not(inside) => inside.names(found, names),
            Expression::Two(_, left, right) => {
                left.names(found, names);
                right.names(found, names);
            }
        }
    }
}

impl Operator {
    fn applied(self, left: i64, right: i64) -> Result<i64, String> {
        let divide = |value: Option<i64>| value.ok_or_else(|| "division by zero".to_owned());
        Ok(match self {
            Op::Or | Op::And => right,
            Op::Equal => i64::from(left == right),
            Op::Unequal => i64::from(left != right),
            Op::Less => i64::from(left < right),
            Op::LessEqual => i64::from(left <= right),
            Op::Greater => i64::from(left > right),
            Op::GreaterEqual => i64::from(left >= right),
            Op::Plus => left.saturating_add(right),
            Op::Minus => left.saturating_sub(right),
            Op::Times => left.saturating_mul(right),
            Op::Divide => divide(left.checked_div_euclid(right))?,
            Op::Modulo => divide(left.checked_rem_euclid(right))?,
        })
    }
}

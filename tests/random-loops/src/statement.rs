//! Statements. Each writes itself into the kernel and into the reference, and changes the bounds of variables.

use crate::value::{Bounds, TooLarge, Value};

/// Which of the two texts is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Kernel,
    Host,
}

/// A piece of text that the two sides write differently, such as a condition.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    pub(crate) kernel: String,
    pub(crate) host: String,
}

impl Texts {
    pub(crate) fn new(kernel: impl Into<String>, host: impl Into<String>) -> Self {
        Self { kernel: kernel.into(), host: host.into() }
    }

    pub(crate) fn alike(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kernel: text.clone(), host: text }
    }

    fn of(&self, side: Side) -> &str {
        match side {
            Side::Kernel => &self.kernel,
            Side::Host => &self.host,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign(Assign),
    Branch {
        condition: Texts,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Loop {
        /// What stands behind `for`.
        header: Texts,
        most_rounds: usize,
        body: Vec<Statement>,
    },
    /// A line that changes no bounds.
    Plain(Texts),
}

/// Variables that become values, all at once.
#[derive(Clone, Debug)]
pub(crate) struct Assign {
    pub(crate) targets: Vec<String>,
    pub(crate) values: Vec<Value>,
    /// How the kernel writes it, where that is not `targets = values`.
    pub(crate) written: Option<String>,
}

impl Assign {
    fn line(&self, side: Side) -> String {
        if let (Side::Kernel, Some(written)) = (side, &self.written) {
            return written.clone();
        }
        let text = |value: &Value| match side {
            Side::Kernel => value.kernel.clone(),
            Side::Host => value.host.clone(),
        };
        let values: Vec<String> = self.values.iter().map(text).collect();
        format!("{} = {}", self.targets.join(", "), values.join(", "))
    }

    fn follow(&self, bounds: &mut Bounds, most: i64) -> Result<(), TooLarge> {
        let found = self.values.iter().map(|value| value.bound.of(bounds)).collect::<Result<Vec<i64>, _>>()?;
        if found.iter().any(|bound| *bound > most) {
            return Err(TooLarge);
        }
        bounds.extend(self.targets.iter().cloned().zip(found));
        Ok(())
    }
}

impl Statement {
    /// A variable that becomes a value.
    pub(crate) fn assign(target: &str, value: Value) -> Self {
        Statement::Assign(Assign { targets: vec![target.to_string()], values: vec![value], written: None })
    }

    /// The variables that it assigns itself, not in a statement within.
    pub(crate) fn targets(&self) -> &[String] {
        match self {
            Statement::Assign(assign) => &assign.targets,
            Statement::Branch { .. } | Statement::Loop { .. } | Statement::Plain(_) => &[],
        }
    }

    fn write(&self, side: Side, indent: &str) -> Vec<String> {
        let within = |body: &[Statement]| written(body, side, &format!("{indent}    "));
        match self {
            Statement::Assign(assign) => vec![indent.to_string() + &assign.line(side)],
            Statement::Branch { condition, then, otherwise } => {
                let mut lines = vec![format!("{indent}if {}:", condition.of(side))];
                lines.extend(within(then));
                if !otherwise.is_empty() {
                    lines.push(format!("{indent}else:"));
                    lines.extend(within(otherwise));
                }
                lines
            }
            Statement::Loop { header, body, .. } => {
                let mut lines = vec![format!("{indent}for {}:", header.of(side))];
                lines.extend(within(body));
                lines
            }
            Statement::Plain(texts) => vec![indent.to_string() + texts.of(side)],
        }
    }

    fn follow(&self, bounds: &mut Bounds, most: i64) -> Result<(), TooLarge> {
        match self {
            Statement::Assign(assign) => assign.follow(bounds, most),
            Statement::Branch { then, otherwise, .. } => {
                let mut other = bounds.clone();
                follow(then, bounds, most)?;
                follow(otherwise, &mut other, most)?;
                join(bounds, other);
                Ok(())
            }
            Statement::Loop { most_rounds, body, .. } => {
                for _ in 0..*most_rounds {
                    let before = bounds.clone();
                    follow(body, bounds, most)?;
                    join(bounds, before);
                }
                Ok(())
            }
            Statement::Plain(_) => Ok(()),
        }
    }
}

/// What holds whichever of two ways was taken.
fn join(bounds: &mut Bounds, other: Bounds) {
    for (name, bound) in other {
        let known = bounds.entry(name).or_insert(0);
        *known = bound.max(*known);
    }
}

/// The lines of a list of statements on one side.
pub(crate) fn written(statements: &[Statement], side: Side, indent: &str) -> Vec<String> {
    let lines: Vec<String> = statements.iter().flat_map(|statement| statement.write(side, indent)).collect();
    if lines.is_empty() { vec![format!("{indent}pass")] } else { lines }
}

/// Follows bounds through statements; an assigned value may be at most `most`.
pub(crate) fn follow(statements: &[Statement], bounds: &mut Bounds, most: i64) -> Result<(), TooLarge> {
    statements.iter().try_for_each(|statement| statement.follow(bounds, most))
}

//! How communication is to be inserted: rule, models, costs.

use clap::ValueEnum;
use counterpart::core::comms::{Goal, Rule};
use counterpart::core::simulate::{Costs, Ticks};
use counterpart::core::{BatchRule, Channel, Model, Plan};

use crate::check::{channel, rule};
use crate::report::failure::Failure;

/// Ticks of one unit of the costs that are given.
const UNIT: Ticks = 1_000_000;
/// The longest time in that unit: the sum over a whole schedule stays within 64 bits.
const LONGEST: Ticks = 1_000_000;
/// Digits that a cost may have behind the point.
const DIGITS: usize = 6;
/// What the letters of tables stand for.
const LETTERS: [(&str, &[&str]); 4] = [
    ("F", &["F", "forward"]),
    ("B", &["B", "backward"]),
    ("I", &["I", "backward_input", "input"]),
    ("W", &["W", "backward_weight", "weight"]),
];

/// How communication is inserted.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// The only rule to try, instead of all.
    #[arg(long, value_name = "RULE", default_value = "auto", help_heading = "Communication")]
    pub rule: RuleArg,
    /// The channel on which it is to be fast.
    #[arg(long, value_name = "CHANNEL", default_value = "queue", value_parser = channel, help_heading = "Communication")]
    pub channel: Channel,
    /// The batch rule of that channel; gang, but for eager, which only goes with item.
    #[arg(long, value_name = "RULE", value_parser = rule, help_heading = "Communication")]
    pub batch: Option<BatchRule>,
    /// How long compute steps take, by kind: the letter of a table (F forward, B backward, I gradient of the input, W gradient
    /// of the weights), or the name.
    #[arg(
        long,
        value_name = "KIND=TIME,…",
        default_value = "F=1,B=2,I=1,W=1",
        help_heading = "Communication"
    )]
    pub cost: String,
    /// How long a transfer takes, in the same unit.
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = time, help_heading = "Communication")]
    pub transfer: Ticks,
}

/// A rule, or the choice between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleArg {
    /// The fastest of all rules.
    Auto,
    /// In rounds over the ranks, as PyTorch does.
    Paired,
    /// In the order in which values are written, if links have no limits.
    Timed,
    /// As they fit on one queue per rank, the most urgent first.
    Urgent,
}

impl RuleArg {
    /// The rule, where it is one.
    pub fn rule(self) -> Option<Rule> {
        match self {
            RuleArg::Auto => None,
            RuleArg::Paired => Some(Rule::Paired),
            RuleArg::Timed => Some(Rule::Timed),
            RuleArg::Urgent => Some(Rule::Urgent),
        }
    }
}

impl Options {
    /// The model on which communication is to be fast.
    ///
    /// # Errors
    /// When channel and batch rule do not go together.
    pub fn fast(&self) -> Result<Model, Failure> {
        let rule = match (self.batch, self.channel) {
            (Some(batch), _) => batch,
            (None, Channel::Eager) => BatchRule::Item,
            (None, _) => BatchRule::Gang,
        };
        let wrong = || Failure::Usage("--channel eager only goes with --batch item".to_owned());
        Model::new(self.channel, rule).ok_or_else(wrong)
    }

    /// What is wanted for a plan, which stays safe under `safe`.
    ///
    /// # Errors
    /// When the costs can't be read or name a kind that the plan does not have.
    pub fn goal(&self, plan: &Plan, safe: Model) -> Result<Goal, Failure> {
        Ok(Goal { fast: self.fast()?, safe, costs: self.costs(plan)?, rule: self.rule.rule() })
    }

    fn costs(&self, plan: &Plan) -> Result<Costs, Failure> {
        let names = plan.names();
        let mut costs = Costs::new().others(UNIT).transfer(self.transfer);
        for part in self.cost.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = |why: String| Failure::Usage(format!("--cost {}: {why}", self.cost));
            let (kind, cost) = part
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{part}` is no KIND=TIME, such as F=1")))?;
            let (kind, cost) =
                (kind.trim(), time(cost.trim()).map_err(|why| wrong(format!("`{part}`: {why}")))?);
            let letter = LETTERS.iter().find(|(letter, _)| *letter == kind);
            let own = [kind];
            let called = letter.map_or(&own[..], |(_, names)| names);
            let families: Vec<u32> =
                (0..).zip(&names).filter(|(_, name)| called.contains(&name.text)).map(|(n, _)| n).collect();
            if families.is_empty() && letter.is_none() {
                return Err(wrong(format!("there is no compute step `{kind}`; there is {}", kinds(plan))));
            }
            costs = families.into_iter().fold(costs, |costs, family| costs.compute(family, cost));
        }
        Ok(costs)
    }
}

/// The kinds of compute steps of a plan.
fn kinds(plan: &Plan) -> String {
    let names = plan.names();
    let mut kinds: Vec<String> = Vec::new();
    for step in (0..plan.ranks()).flat_map(|rank| plan.steps(rank)) {
        for name in plan.compute_names(step) {
            let kind = format!("`{}`", names[name.family() as usize].text);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    if kinds.is_empty() { "none at all".to_owned() } else { kinds.join(", ") }
}

/// Reads a time with up to six digits behind the point.
fn time(text: &str) -> Result<Ticks, String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(part) || whole.is_empty() && part.is_empty() {
        return Err(format!("`{text}` is no time, such as 2 or 0.25"));
    }
    if part.len() > DIGITS {
        return Err(format!("`{text}` has more than {DIGITS} digits behind the point"));
    }
    let number = |text: &str| if text.is_empty() { Ok(0) } else { text.parse::<Ticks>() };
    let (Ok(whole), Ok(part)) = (number(whole), number(&format!("{part:0<DIGITS$}"))) else {
        return Err(format!("`{text}` is too long a time"));
    };
    match whole <= LONGEST {
        true => Ok(whole * UNIT + part),
        false => Err(format!("`{text}` is too long a time")),
    }
}

/// A time in the unit of the costs.
pub fn words(ticks: Ticks) -> String {
    let (whole, part) = (ticks / UNIT, ticks % UNIT);
    match part {
        0 => whole.to_string(),
        _ => format!("{whole}.{part:0>DIGITS$}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly_and_written_as_they_were() {
        for text in ["0", "1", "2.5", "0.25", "1000000", "0.000001"] {
            assert_eq!(words(time(text).expect("a time")), text);
        }
        assert_eq!(time(".5"), time("0.5"));
        for text in ["", ".", "-1", "1e3", "one", "0.0000001", "99999999999999999999", "1.2.3"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}

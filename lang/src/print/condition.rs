//! Conditions that tell some indices from others.

/// A number made of the indices of a compute step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    /// One index.
    One(usize),
    /// The first less the second.
    Difference(usize, usize),
}

impl Feature {
    fn of(self, index: &[u64]) -> i64 {
        match self {
            Feature::One(a) => index[a] as i64,
            Feature::Difference(a, b) => index[a] as i64 - index[b] as i64,
        }
    }

    fn compare(self, names: &[String], relation: &str, with: i64) -> String {
        match self {
            Feature::One(a) => format!("{} {relation} {with}", names[a]),
            Feature::Difference(a, b) => match with {
                0 => format!("{} {relation} {}", names[a], names[b]),
                n if n > 0 => format!("{} {relation} {} + {n}", names[a], names[b]),
                n => format!("{} {relation} {} - {}", names[a], names[b], -n),
            },
        }
    }
}

/// Boxes that a condition may be made of.
const MOST_BOXES: usize = 4;

/// A condition in the language that holds for all of `inside` and for none of `outside`: `Some(None)` where there is
/// nothing outside, `None` where there is no simple one.
pub fn find(inside: &[&[u64]], outside: &[&[u64]], names: &[String]) -> Option<Option<String>> {
    if outside.is_empty() {
        return Some(None);
    }
    let n = names.len();
    let ones = (0..n).map(Feature::One);
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| Feature::Difference(a, b)));
    let simple = ones.clone().find_map(|feature| interval(feature, inside, outside, names));
    let simple = simple.or_else(|| one_box(inside, outside, names));
    let simple = simple.or_else(|| one_box(outside, inside, names).map(|text| format!("!({text})")));
    let simple = simple.or_else(|| pairs.clone().find_map(|f| interval(f, inside, outside, names)));
    simple.or_else(|| several_boxes(inside, outside, names)).map(Some)
}

/// By the size of one number.
fn interval(feature: Feature, inside: &[&[u64]], outside: &[&[u64]], names: &[String]) -> Option<String> {
    let (low, high) = bounds(feature, inside)?;
    let (out_low, out_high) = bounds(feature, outside)?;
    let holds = |relation: &str, with: i64| feature.compare(names, relation, with);
    let within =
        |low: i64, high: i64, of: &[&[u64]]| of.iter().any(|i| (low..=high).contains(&feature.of(i)));
    if low == high && !within(low, high, outside) {
        return Some(holds("==", low));
    }
    if low > out_high {
        return Some(if low == 1 { holds(">", 0) } else { holds(">=", low) });
    }
    if high < out_low {
        return Some(holds("<", high + 1));
    }
    let within =
        |low: i64, high: i64, of: &[&[u64]]| of.iter().any(|i| (low..=high).contains(&feature.of(i)));
    if !within(low, high, outside) {
        return Some(match low == high {
            true => holds("==", low),
            false => format!("{} && {}", holds(">=", low), holds("<=", high)),
        });
    }
    if !within(out_low, out_high, inside) {
        return Some(match out_low == out_high {
            true => holds("!=", out_low),
            false => format!("{} || {}", holds("<", out_low), holds(">", out_high)),
        });
    }
    None
}

fn bounds(feature: Feature, indices: &[&[u64]]) -> Option<(i64, i64)> {
    let mut all = indices.iter().map(|index| feature.of(index));
    let first = all.next()?;
    Some(all.fold((first, first), |(low, high), value| (low.min(value), high.max(value))))
}

/// By bounds on several indices at once.
fn one_box(inside: &[&[u64]], outside: &[&[u64]], names: &[String]) -> Option<String> {
    // Index, is it a lower bound, and the bound.
    let mut limits: Vec<(usize, bool, i64)> = Vec::new();
    for a in 0..names.len() {
        let (low, high) = bounds(Feature::One(a), inside)?;
        limits.extend([(a, true, low), (a, false, high)]);
    }
    let holds = |&(a, is_low, bound): &(usize, bool, i64), index: &[u64]| match is_low {
        true => index[a] as i64 >= bound,
        false => index[a] as i64 <= bound,
    };
    let tells = |limits: &[(usize, bool, i64)]| {
        !outside.iter().any(|index| limits.iter().all(|limit| holds(limit, index)))
    };
    if !tells(&limits) {
        return None;
    }
    for at in (0..limits.len()).rev() {
        let mut fewer = limits.clone();
        fewer.remove(at);
        if tells(&fewer) {
            limits = fewer;
        }
    }
    let mut parts = Vec::new();
    for (a, name) in names.iter().enumerate() {
        let low = limits.iter().find(|l| l.0 == a && l.1).map(|l| l.2);
        let high = limits.iter().find(|l| l.0 == a && !l.1).map(|l| l.2);
        match (low, high) {
            (Some(low), Some(high)) if low == high => parts.push(format!("{name} == {low}")),
            (low, high) => {
                parts.extend(low.map(|low| format!("{name} >= {low}")));
                parts.extend(high.map(|high| format!("{name} < {}", high + 1)));
            }
        }
    }
    Some(parts.join(" && "))
}

fn several_boxes(inside: &[&[u64]], outside: &[&[u64]], names: &[String]) -> Option<String> {
    let boxes = boxes(inside.iter().map(|index| index.to_vec()).collect());
    if boxes.len() > MOST_BOXES {
        return None;
    }
    let mut parts = Vec::new();
    for one in &boxes {
        let within = |index: &&&[u64]| one.iter().zip(**index).all(|(range, i)| range.contains(i));
        let inside: Vec<&[u64]> = inside.iter().filter(within).copied().collect();
        parts.push(one_box(&inside, outside, names)?);
    }
    match &parts[..] {
        [part] => Some(part.clone()),
        parts => Some(parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" || ")),
    }
}

/// A range per index.
pub type Box = Vec<core::ops::Range<u64>>;

/// A list of indices as boxes that hold them and nothing else.
pub fn boxes(mut list: Vec<Vec<u64>>) -> Vec<Box> {
    list.sort_unstable();
    list.dedup();
    let arity = list.first().map_or(0, Vec::len);
    let one = |index: Vec<u64>| index.into_iter().map(|i| i..i + 1).collect::<Vec<_>>();
    let mut boxes: Vec<Box> = list.into_iter().map(one).collect();
    // One dimension after the other, the last first: what follows on each other there and is equal elsewhere is one.
    for j in (0..arity).rev() {
        boxes.sort_unstable_by_key(|one| {
            let others = one.iter().enumerate().filter(|&(k, _)| k != j);
            (others.map(|(_, range)| (range.start, range.end)).collect::<Vec<_>>(), one[j].start)
        });
        let mut merged: Vec<Box> = Vec::new();
        for one in boxes {
            match merged.last_mut() {
                Some(last)
                    if last[j].end == one[j].start && (0..arity).all(|k| k == j || last[k] == one[k]) =>
                {
                    last[j].end = one[j].end;
                }
                _ => merged.push(one),
            }
        }
        boxes = merged;
    }
    boxes.sort_unstable_by_key(|one| one.iter().map(|range| range.start).collect::<Vec<_>>());
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(inside: &[[u64; 2]], outside: &[[u64; 2]]) -> Option<Option<String>> {
        let inside: Vec<&[u64]> = inside.iter().map(|i| &i[..]).collect();
        let outside: Vec<&[u64]> = outside.iter().map(|i| &i[..]).collect();
        find(&inside, &outside, &["s".to_owned(), "m".to_owned()])
    }

    #[test]
    fn the_plainest_condition_is_found() {
        let is = |wanted: &str| Some(Some(wanted.to_owned()));
        assert_eq!(text(&[[1, 0], [2, 5]], &[]), Some(None));
        assert_eq!(text(&[[1, 0], [2, 5]], &[[0, 3]]), is("s > 0"));
        assert_eq!(text(&[[1, 0], [2, 5]], &[[3, 3]]), is("s < 3"));
        assert_eq!(text(&[[1, 0], [1, 5]], &[[0, 3], [2, 3]]), is("s == 1"));
        assert_eq!(text(&[[0, 0], [2, 5]], &[[1, 3]]), is("s != 1"));
        assert_eq!(text(&[[1, 1]], &[[0, 1], [1, 0], [0, 0]]), is("s >= 1 && m >= 1"));
        assert_eq!(text(&[[0, 1], [1, 0], [0, 0]], &[[1, 1]]), is("!(s >= 1 && m >= 1)"));
        assert_eq!(text(&[[1, 1], [2, 0], [5, 5]], &[[0, 1], [1, 2], [4, 9]]), is("s >= m"));
        assert_eq!(text(&[[1, 1]], &[[1, 1]]), None);
    }

    #[test]
    fn boxes_hold_what_they_should() {
        let list = vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1], vec![5, 0]];
        assert_eq!(boxes(list), [vec![0..2, 0..2], vec![5..6, 0..1]]);
    }
}

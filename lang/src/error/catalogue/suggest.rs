//! "Did you mean …?"

/// The candidate that `name` is most likely a misspelling of.
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    // One wrong letter in three; a name of one or two letters has too many neighbours.
    let allowed = name.chars().count() / 3;
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&name, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(suggestion("forwrad", ["backward", "forward"]), Some("forward"));
        assert_eq!(suggestion("act", ["Act", "Grad"]), Some("Act"));
        assert_eq!(suggestion("x", ["r", "y"]), None);
        assert_eq!(suggestion("Weight", ["Act", "Grad"]), None);
    }
}

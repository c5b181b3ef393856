counterpart::schedule! {
    schedule Mine = OneF1B;
    instance Mine<2, 2>;
}

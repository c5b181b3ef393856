counterpart::schedule! {
    schedule Typo;
    message Act: [f32; 8];
    rank 0 { send Akt to 1; }
    rank 1 { recv Act form 0; }
}

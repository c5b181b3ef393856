schedule! {
    schedule Good(P);
    rank r in 0..P { }
}

schedule! {
    schedule Bad(P);
    message Act: [f32; 8];
    rank 0 { send Act at 1; }
    rank 1 { recv Act form 0; }
    instance Bad;
}

counterpart::schedule! {
    schedule Relay;
    message Act: [f32; 8];
    compute make { writes Act; }
    compute take { reads Act; }
    comms auto;
    rank 0 { make(); send Act to 1; }
    rank 1 { recv Act from 0; take(); }
}

fn main() {}

// Every rank of a ring sends first.
counterpart::schedule! {
    schedule Ring(P);
    message Part[r]: [f32; 8];

    rank r in 0..P {
        send Part[r] to (r + 1) % P;
        recv Part[(r + P - 1) % P] from (r + P - 1) % P;
    }

    instance Ring<4>;
}

fn main() {}

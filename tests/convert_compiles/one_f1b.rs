counterpart::schedule! {
    /// Written from plan `OneF1B<4,8>`.
    pub schedule OneF1B;

    message Act[s, m]: [f32; 2048];
    message Grad[s, m]: [f32; 2048];

    compute forward(s in 0..4, m in 0..8) {
        reads  Act[s, m]     if s > 0;
        writes Act[s + 1, m] if s < 3;
    }

    compute backward(s in 0..4, m in 0..8) {
        after  forward[s, m];
        reads  Grad[s + 1, m] if s < 3;
        writes Grad[s, m]     if s > 0;
    }

    rank 0 {
        for m in 0..3 {
            forward(0, m);
            send Act[1, m] to 1;
        }
        for m in 3..8 {
            forward(0, m);
            batch { send Act[1, m] to 1; recv Grad[1, m - 3] from 1; }
            backward(0, m - 3);
        }
        for m in 5..8 {
            recv Grad[1, m] from 1;
            backward(0, m);
        }
    }

    rank 1 {
        for m in 0..2 {
            recv Act[1, m] from 0;
            forward(1, m);
            send Act[2, m] to 2;
        }
        recv Act[1, 2] from 0;
        for m in 2..7 {
            forward(1, m);
            batch { send Act[2, m] to 2; recv Grad[2, m - 2] from 2; }
            backward(1, m - 2);
            batch { send Grad[1, m - 2] to 0; recv Act[1, m + 1] from 0; }
        }
        forward(1, 7);
        batch { send Act[2, 7] to 2; recv Grad[2, 5] from 2; }
        for m in 5..7 {
            backward(1, m);
            send Grad[1, m] to 0;
            recv Grad[2, m + 1] from 2;
        }
        backward(1, 7);
        send Grad[1, 7] to 0;
    }

    rank 2 {
        recv Act[2, 0] from 1;
        forward(2, 0);
        send Act[3, 0] to 3;
        recv Act[2, 1] from 1;
        for m in 1..7 {
            forward(2, m);
            batch { send Act[3, m] to 3; recv Grad[3, m - 1] from 3; }
            backward(2, m - 1);
            batch { send Grad[2, m - 1] to 1; recv Act[2, m + 1] from 1; }
        }
        forward(2, 7);
        batch { send Act[3, 7] to 3; recv Grad[3, 6] from 3; }
        backward(2, 6);
        send Grad[2, 6] to 1;
        recv Grad[3, 7] from 3;
        backward(2, 7);
        send Grad[2, 7] to 1;
    }

    rank 3 {
        recv Act[3, 0] from 2;
        for m in 0..7 {
            forward(3, m);
            backward(3, m);
            batch { send Grad[3, m] to 2; recv Act[3, m + 1] from 2; }
        }
        forward(3, 7);
        backward(3, 7);
        send Grad[3, 7] to 2;
    }
}

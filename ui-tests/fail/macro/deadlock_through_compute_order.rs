// Even ranks send first and odd ranks receive first, as the rule of thumb says; the deadlock comes from the order of
// compute steps, behind which the second exchange stands the other way round.
counterpart::schedule! {
    schedule Interleaved;
    message Act[s, m]:  [f32; 8];
    message Grad[s, m]: [f32; 8];

    compute forward(s, m) {
        reads  Act[s, m]     if s == 3 || s == 1;
        writes Act[s + 1, m] if s % 2 == 0;
    }
    compute backward(s, m) {
        reads  Grad[s, m]     if s % 2 == 0;
        writes Grad[s - 1, m] if s % 2 == 1;
    }

    rank 0 {
        forward(2, 1);
        send Act[3, 1] to 1;
        forward(0, 2);
        send Act[1, 2] to 1;
        recv Grad[2, 0] from 1;
        backward(2, 0);
        recv Grad[2, 1] from 1;
        backward(2, 1);
    }
    rank 1 {
        recv Act[3, 1] from 0;
        backward(3, 0);
        send Grad[2, 0] to 0;
        forward(3, 1);
        backward(3, 1);
        recv Act[1, 2] from 0;
        send Grad[2, 1] to 0;
        forward(1, 2);
    }
}

fn main() {}

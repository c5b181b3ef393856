counterpart::schedule! {
    /// Written from plan `odd one`.
    pub schedule OddOne;

    model eager + item;

    message Send2[m]: [f32; 1];  // `Send`; the plan does not say what it is
    message f32_2: [f32; 1];  // `f32`; the plan does not say what it is

    // `fn[m]` and `B[m]`, overlapped: in the plan they are one step.
    compute fn_b(m) {
        writes Send2[m];
        writes Send2[m + 1];
    }

    // `W` in the plan.
    compute W_at_0_1(s, m) {
        after  fn_b[s];
        reads  Send2[s];
    }

    // `fn` in the plan.
    compute fn2(m) {
        writes f32_2;
    }

    // `reads` in the plan.
    compute reads2(m) {
        reads  Send2[m];
    }

    // `W` in the plan.
    compute W_at_0_1_2(s, m) {
        reads  f32_2;
        reads  Send2[s + 1];
    }

    rank 0 {
        fn_b(0);
        W_at_0_1(0, 1);
        send Send2[0] to 1;
        recv f32_2 from 1;
        W_at_0_1_2(0, 1);
    }

    rank 1 {
        fn2(0);
        send f32_2 to 0;
        recv Send2[0] from 0;
        reads2(0);
    }
}

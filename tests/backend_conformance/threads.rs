//! The suite on threads: under the gang rule, under the item rule, and with eager sends.

use std::time::Duration;

use counterpart::Error;
use counterpart::backend::threads::{self, Config, Gang, Item, Threads};

use crate::suite::Mount;

/// Threads under the gang rule, the default.
struct UnderGang;

impl Mount for UnderGang {
    type Backend = Threads<Gang>;

    fn run<T: Send>(
        ranks: usize,
        body: impl Fn(Threads<Gang>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        threads::run(ranks, Config::new().deadline(Duration::from_secs(60)), body)
    }
}

/// Threads under the item rule, every send waiting for its receive.
struct UnderItem;

impl Mount for UnderItem {
    type Backend = Threads<Item>;

    fn run<T: Send>(
        ranks: usize,
        body: impl Fn(Threads<Item>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        threads::run(ranks, Config::item().deadline(Duration::from_secs(60)), body)
    }
}

/// Threads under the item rule, with sends of up to 4 KiB that do not wait.
struct WithEagerSends;

impl Mount for WithEagerSends {
    type Backend = Threads<Item>;

    fn run<T: Send>(
        ranks: usize,
        body: impl Fn(Threads<Item>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        threads::run(ranks, Config::item().deadline(Duration::from_secs(60)).eager_limit(4096), body)
    }
}

macro_rules! mount_with {
    ($module:ident: $mount:ty { $($more:tt)* }) => {
        mount! { $module: $mount {
            transfers:
                ranks_know_their_place a_new_buffer_is_zero two_ranks_exchange messages_keep_their_order
                an_even_ring_turns an_odd_ring_turns sixty_four_ranks_turn a_batch_is_full_duplex
                a_batch_meets_single_steps three_ranks_run_as_one all_ranks_exchange_with_all
                an_empty_batch_is_over_at_once a_last_send_arrives a_shared_buffer_goes_to_two_ranks
                uploads_and_downloads_are_checked
                carries_f16 carries_bf16 carries_f32 carries_f64 carries_i8 carries_i16 carries_i32 carries_i64
                carries_u8 carries_u16 carries_u32 carries_u64;
            failures:
                a_peer_must_exist a_rank_that_fails_ends_the_world a_rank_that_panics_ends_the_world
                a_rank_that_leaves_ends_the_world a_finished_rank_is_not_waited_for
                three_ranks_in_a_circle_are_told;
            programs: safe_programs_end;
            $($more)*
        } }
    };
}

mount_with! { threads_gang: UnderGang {
    failures:
        element_types_must_agree counts_must_agree two_ranks_that_send_first_are_told
        a_batch_with_two_blocks_is_refused a_batch_must_balance;
    programs: programs_end_as_the_verifier_says;
} }

mount_with! { threads_item: UnderItem {
    failures: element_types_must_agree counts_must_agree two_ranks_that_send_first_are_told;
    programs: programs_end_as_the_verifier_says;
} }

mount_with! { threads_eager: WithEagerSends {} }

//! What the options change.

use counterpart::core::plan::Comm;
use counterpart::core::tape::StepKind;
use counterpart::core::{Payload, Plan};

use super::Args;

/// The plan with another name, with payloads where there were none, and without communication, as the options say.
pub fn plan(plan: &Plan, args: &Args) -> Plan {
    let payload = match (args.dtype, args.count) {
        (Some(dtype), Some(count)) => Payload::new(dtype, count),
        _ => Payload::UNKNOWN,
    };
    let mut out = plan.emptied();
    if let Some(name) = &args.name {
        out.name.clone_from(name);
    }
    let filled = |comm: Comm| if comm.payload.is_known() { comm } else { comm.with(payload) };
    for rank in 0..plan.ranks() {
        out.begin_rank();
        for (number, step) in plan.steps(rank).iter().enumerate() {
            let comm = |item: usize| filled(plan.comm(rank, number, item));
            match step.kind {
                StepKind::Compute => out.copy(plan, rank, number),
                _ if args.compute_only => {}
                StepKind::Single => out.single(comm(0)),
                StepKind::Batch => {
                    let comms: Vec<Comm> = (0..step.len as usize).map(comm).collect();
                    out.batch(&comms, plan.source_number(rank, number, None));
                }
            }
        }
    }
    out
}

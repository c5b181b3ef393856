// A family allows itself to be sent where the protocol has a receive.
use counterpart::endpoint::SendAt;
use counterpart::session::*;

counterpart::message! { Act: [f32; 8]; }

impl SendAt<Recv<Rank<1>, Val<Act>>, Rank<1>> for Act {}

fn main() {}

//! Channel models: the rules by which a backend makes progress.

use core::fmt;

/// What waits for what in the steps of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Channel {
    /// Every step waits for the end of the step before it; a send and its receive end together.
    Blocking,
    /// Communication steps of a rank wait for each other, and compute steps for each other. A compute step also
    /// waits for the receives of what it reads; a communication step for the compute step before it, and a send for
    /// the receive of a value that it passes on.
    Queue,
    /// As [`Queue`](Self::Queue), with one queue per peer; a batch is one step in every queue that its items use.
    Pair,
    /// As [`Queue`](Self::Queue), with one queue per peer and direction.
    Edge,
    /// As [`Edge`](Self::Edge), and a send does not wait for its receive.
    Eager,
}

/// How the items of a batch progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BatchRule {
    /// A batch and all its partner steps run as one; at most one block per direction and peer.
    Gang,
    /// Each item progresses as soon as its own partner has been reached.
    Item,
}

/// A channel with a batch rule. Nine of them exist: [`Channel::Eager`] only goes with [`BatchRule::Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Model {
    channel: Channel,
    batch: BatchRule,
}

impl Channel {
    /// Every channel, the strictest first.
    pub const ALL: [Channel; 5] =
        [Channel::Blocking, Channel::Queue, Channel::Pair, Channel::Edge, Channel::Eager];

    /// The word for this channel in plans, on the command line and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Channel::Blocking => "blocking",
            Channel::Queue => "queue",
            Channel::Pair => "pair",
            Channel::Edge => "edge",
            Channel::Eager => "eager",
        }
    }

    /// The channel with this name.
    pub fn from_name(name: &str) -> Option<Channel> {
        Channel::ALL.into_iter().find(|c| c.name() == name)
    }
}

impl BatchRule {
    /// Both rules, the stricter first.
    pub const ALL: [BatchRule; 2] = [BatchRule::Gang, BatchRule::Item];

    /// The word for this rule in plans, on the command line and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            BatchRule::Gang => "gang",
            BatchRule::Item => "item",
        }
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<BatchRule> {
        BatchRule::ALL.into_iter().find(|b| b.name() == name)
    }
}

impl Model {
    /// `blocking` + `gang`, the strictest model: what is safe here is safe on every backend.
    pub const PORTABLE: Model = Model { channel: Channel::Blocking, batch: BatchRule::Gang };

    /// The nine models, in the order of the tables in the documentation.
    pub const ALL: [Model; 9] = {
        use BatchRule::{Gang, Item};
        use Channel::{Blocking, Eager, Edge, Pair, Queue};
        [
            Model { channel: Blocking, batch: Gang },
            Model { channel: Blocking, batch: Item },
            Model { channel: Queue, batch: Gang },
            Model { channel: Queue, batch: Item },
            Model { channel: Pair, batch: Gang },
            Model { channel: Pair, batch: Item },
            Model { channel: Edge, batch: Gang },
            Model { channel: Edge, batch: Item },
            Model { channel: Eager, batch: Item },
        ]
    };

    /// The model with this channel and batch rule, or `None` for `eager` + `gang`, which no backend has.
    pub const fn new(channel: Channel, batch: BatchRule) -> Option<Model> {
        match (channel, batch) {
            (Channel::Eager, BatchRule::Gang) => None,
            _ => Some(Model { channel, batch }),
        }
    }

    /// What waits for what.
    pub const fn channel(self) -> Channel {
        self.channel
    }

    /// How batches progress.
    pub const fn batch(self) -> BatchRule {
        self.batch
    }

    /// Is every plan that is safe under this model safe under `other`?
    ///
    /// Each channel has only some of the waits of the one before it, and `item` some of those of `gang`.
    pub const fn implies(self, other: Model) -> bool {
        self.channel as u8 <= other.channel as u8 && self.batch as u8 <= other.batch as u8
    }

    /// Is this the strictest model?
    pub const fn is_portable(self) -> bool {
        matches!(self, Model { channel: Channel::Blocking, batch: BatchRule::Gang })
    }
}

impl fmt::Display for Model {
    /// `channel+batch`, such as `blocking+gang`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.channel.name(), self.batch.name())
    }
}

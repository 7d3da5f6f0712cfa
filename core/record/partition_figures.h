#pragma once

#include "record/partition.h"

#include <optional>
#include <vector>

namespace aotscope {

/// What a value passed from forward to backward adds to memory.
enum class SavedShare : std::uint8_t {
    own,       ///< its storage, which only the backward needs
    input,     ///< nothing: a program input, whose owner keeps it
    constant,  ///< nothing: a constant kept by the program
    view,      ///< nothing: shares memory with an input, a constant or another saved value
    number,    ///< nothing: a size
};

/// The figures of a partition. Every place that shows one of them takes it from here. They mean (Glossary):
///
/// * saved: what the forward keeps in memory only for the backward. A storage is one value,
///   however many tensors share it.
/// * already kept: everything else that the forward passes to the backward.
/// * recomputed: forward operations that the backward computes again. It also repeats views, elements of tuples
///   and sizes, which compute nothing: these are not counted. Bytes: of the results.
struct PartitionFigures {
    std::size_t savedValues = 0;
    std::int64_t savedBytes = 0;
    std::size_t keptInputs = 0, keptViews = 0, keptSizes = 0;  ///< inputs: including constants
    std::int64_t keptInputBytes = 0;
    std::size_t recomputedOps = 0;
    std::int64_t recomputedBytes = 0;

    struct Saved {
        SavedShare share = SavedShare::own;
        std::int64_t bytes = 0;  ///< of its own storage; 0 for other shares
        NodeId owner = kNoNode;  ///< for a view: the node whose memory it shares
    };
    std::vector<Saved> saved;  ///< parallel to Partition::saved
    /// Parallel to Partition::recomputed: the bytes of recomputed results; nothing if it computes nothing.
    std::vector<std::optional<std::int64_t>> recomputed;
};

PartitionFigures figuresOf(const Partition& partition);

/// "3 values saved, 65.5 kB; 2 operations recomputed, 131 kB".
std::string figuresText(const PartitionFigures& figures);
/// "; already kept: 1 input (8.19 kB), 2 views", to be appended to a text about saved values, or empty.
std::string keptText(const PartitionFigures& figures);

/// The number of gradients that a joint or backward graph returns: one for each input that receives one.
std::size_t gradientCount(const Graph& graph);

/// The bytes of an operation's results; nothing if it computes nothing, like a view.
std::optional<std::int64_t> computedBytes(const Node& node);

/// A node in both graphs.
RecomputedValue recomputedValue(const Node& node);

}  // namespace aotscope

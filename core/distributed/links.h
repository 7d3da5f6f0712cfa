#pragma once

#include "distributed/world_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// What connects two ranks: a fixed latency, then bytes at an even pace.
struct Link {
    double latencyUs = 0;
    double bytesPerSecond = 1;
};

/// The links of a cluster of equal nodes.
struct Links {
    std::string name;
    std::int64_t ranksPerNode = 1;
    Link within, between;  ///< nodes

    /// The slowest link of a group.
    const Link& of(const RankGroup& group) const;
};

/// "h100", or ranks per node and GB/s within and between nodes: "8x450,50". Throws UsageError for another text.
Links linksNamed(const std::string& text);
/// The names that linksNamed knows.
std::vector<std::string> linkPresets();

}  // namespace aotscope

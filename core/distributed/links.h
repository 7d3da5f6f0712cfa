#pragma once

#include "distributed/world_shape.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aotscope {

/// The connection of two ranks: a fixed latency, then constant bandwidth.
struct Link {
    double latencyUs = 0;
    double bytesPerSecond = 1;
};

/// The links of a cluster of equal nodes.
struct Links {
    std::string name;
    std::int64_t ranksPerNode = 1;
    Link within, between;  ///< nodes
    /// Ranks of one process: every tensor is available to the whole group at once, and each computes its own result.
    bool meeting = false;

    /// The slowest link of a group.
    const Link& of(const RankGroup& group) const;
};

/// "h100", or ranks per node and GB/s within and between nodes: "8x450,50", with latencies in microseconds
/// "8x450,50@5,15". Throws UsageError for anything else.
Links linksNamed(const std::string& text);
/// The same from a JSON file, {"ranks_per_node": 8, "within": {"gb_per_s": 450, "latency_us": 5}, "between": ...}. The
/// name of the result is the equivalent text for linksNamed. Throws UsageError.
Links linksInFile(const std::filesystem::path& file);
/// The contents of such a file; `name` is for errors.
Links linksInJson(std::string_view text, const std::string& name);
/// The presets of linksNamed.
std::vector<std::string> linkPresets();

}  // namespace aotscope

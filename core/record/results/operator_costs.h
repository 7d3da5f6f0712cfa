#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace aotscope {

/// Where a figure of an operation comes from.
enum class CostBasis : std::uint8_t {
    measured,  ///< of an operation with the same signature, on this machine
    near,      ///< of the nearest signature of the same operator that was measured, scaled by the roofline
    estimated  ///< by the roofline, or a formula
};
std::string_view name(CostBasis basis);

/// What measurements on the machine say of the operations with one signature (cost/book/signature.h).
struct KnownCost {
    std::uint64_t signature = 0;
    std::optional<double> us;
    std::optional<std::int64_t> innerBytes;  ///< allocated and freed while it runs
    /// Memory of its results, by their positions; empty unless their types say less.
    std::vector<std::int64_t> resultBytes;
    CostBasis time = CostBasis::estimated, bytes = CostBasis::estimated;
};

/// What is known of the operations of some graphs. Travels with the record, so that who has no machine to ask shows the
/// same figures.
struct OperatorCosts {
    std::vector<KnownCost> known;  ///< by signature, ascending
    int threads = 1;               ///< that an operation may use

    /// Null if nothing is known.
    const KnownCost* find(std::uint64_t signature) const {
        const auto at = std::ranges::lower_bound(known, signature, {}, &KnownCost::signature);
        return at != known.end() && at->signature == signature ? &*at : nullptr;
    }
};

}  // namespace aotscope

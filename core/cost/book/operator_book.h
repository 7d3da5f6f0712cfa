#pragma once

#include "ir/graph.h"
#include "record/results/operator_costs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// What one operation took on a machine.
struct OperatorEntry {
    std::string signature;                   ///< see signatureOf
    int threads = 1;                         ///< that it may use
    std::optional<double> us;                ///< the median of its calls, in microseconds
    double lowerUs = 0, upperUs = 0;         ///< quartiles
    double waiting = 1;                      ///< wall time divided by CPU time meanwhile: see MachineLoad
    std::optional<std::int64_t> innerBytes;  ///< that it allocates besides its results, and frees, while it runs
    std::vector<std::int64_t> resultBytes;   ///< see KnownCost
    std::int64_t bytes = 0, flops = 0;       ///< see NodeCost
    double rooflineUs = 0;                   ///< of usualCpu(), to scale its time to other sizes
    std::int64_t day = 0;                    ///< when it was kept last: days since 1970

    bool operator==(const OperatorEntry&) const = default;
};

/// The entry of a node without measurements; its signature is empty if it has none.
OperatorEntry entryOf(const Node& node);

/// What operations took on one machine, each signature once for each number of threads. Bounded: beyond kMost entries,
/// those are dropped that were measured longest ago.
class OperatorBook {
public:
    static constexpr std::size_t kMost = 20'000;

    /// Keeps what is better of what both know: times of a quiet machine, otherwise the newer ones.
    void add(OperatorEntry entry);
    void add(const OperatorBook& other);

    /// What is known of a node on `threads` threads: measured, or scaled from the nearest entry of its operator.
    KnownCost costOf(const Node& node, int threads) const;
    /// Null if there is none.
    const OperatorEntry* find(const std::string& signature, int threads) const;

    const std::vector<OperatorEntry>& entries() const { return entries_; }

private:
    struct Nearest {
        const OperatorEntry *time = nullptr, *bytes = nullptr;
    };
    Nearest nearestTo(const OperatorEntry& wanted) const;
    void dropOldest();
    void index();

    std::vector<OperatorEntry> entries_;
    std::unordered_map<std::string, std::vector<std::size_t>> bySignature_, byOperator_;
};

}  // namespace aotscope

#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aotscope {

/// The operations of one graph and their memory in numbers, for who simulates many orders. Views, getitems, constants
/// and arithmetic with numbers are not among the operations: they take no memory, and go wherever they are needed.
struct OrderProblem {
    static constexpr int kNone = -1;

    struct Operation {
        const Node* node = nullptr;
        std::vector<int> reads;      ///< blocks
        std::vector<int> makes;      ///< blocks
        int overwrites = kNone;      ///< the block that its result takes if nothing else still needs it
        std::int64_t inner = 0;      ///< bytes that it allocates and frees while it runs
        std::vector<int> after;      ///< operations that come before it in any order
        std::vector<int> followers;  ///< operations that come after it in any order
    };
    /// A storage with all its views.
    struct Block {
        std::int64_t bytes = 0;  ///< without those that the caller provides
        int maker = kNone;       ///< kNone: alive from the beginning
        std::vector<int> readers = {};
        bool kept = false;  ///< until the end: the caller holds it
    };
    std::vector<Operation> operations;  ///< in the order of the graph
    std::vector<Block> blocks;
    std::int64_t heldBytes = 0;  ///< by somebody else during the whole run
};

/// Operations by their indices, each once.
using OperationOrder = std::vector<int>;

/// The order of the graph.
OperationOrder graphOrder(const OrderProblem& problem);
bool keepsDependencies(const OrderProblem& problem, const OperationOrder& order);
/// How many operations have to be moved to make `order` from that of the graph, at least.
std::size_t movedOperations(const OperationOrder& order);

}  // namespace aotscope

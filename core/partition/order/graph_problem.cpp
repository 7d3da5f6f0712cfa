#include "partition/order/graph_problem.h"

#include "compile/fused/candidate_search.h"
#include "cost/added_tangents.h"
#include "cost/live_memory.h"
#include "cost/node_figures.h"
#include "cost/subgraph_memory.h"
#include "execute/in_place.h"
#include "ops/classify.h"
#include "ops/collectives.h"
#include "ops/functional_graph.h"
#include "ops/op_table.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

std::size_t placeOf(int i) { return static_cast<std::size_t>(i); }

/// Memory that the caller provides costs nothing and stays.
OrderProblem::Block callersBlock() { return {.bytes = 0, .maker = OrderProblem::kNone, .kept = true}; }

/// Whether an operation keeps its order with all others like it: random ones draw the numbers of eager, ranks meet in
/// the same collectives, checks and effects come in the order of the program, and so does what runs foreign code.
bool isOrdered(const Node& node) { return keepsItsPlace(node) || hasEffect(node) || drawsRandomNumbers(node); }

/// Reads a graph in its order, with the rules of liveMemory.
class ProblemReader {
public:
    /// `given`: by placeholder, in order.
    ProblemReader(const Graph& graph, std::vector<OrderProblem::Block> blocks, const std::vector<int>& given,
                  const OperatorCosts& costs)
        : graph_(graph), costs_(costs) {
        problem_.blocks = std::move(blocks);
        const auto placeholders = graph.placeholders();
        for (std::size_t i = 0; i < placeholders.size(); ++i) setBlock(placeholders[i], given[i]);
        for (const Node* node : graph.nodes())
            if (node->kind() == NodeKind::call && isMutating(node->op()))
                for (const Node* value : writtenValues(*node))
                    if (const auto* type = value->type.tensor()) writtenStorages_.insert(type->storage);
    }

    GraphProblem run() {
        for (const Node* node : graph_.nodes()) {
            if (node->kind() == NodeKind::constant) addConstant(*node);
            if (node->kind() == NodeKind::call) add(*node);
        }
        GraphProblem result;
        for (const Argument& output : graph_.outputs()) {
            const int block = output.node() ? blockOf(output.node()) : OrderProblem::kNone;
            result.outputBlocks.push_back(block);
            if (block != OrderProblem::kNone) problem_.blocks[placeOf(block)].kept = true;
        }
        connect();
        result.problem = std::move(problem_);
        return result;
    }

private:
    int blockOf(const Node* node) const {
        const auto found = blocks_.find(node);
        return found == blocks_.end() ? OrderProblem::kNone : found->second;
    }
    void setBlock(const Node* node, int block) {
        blocks_[node] = block;
        const TensorType* type = node->type.tensor();
        if (type && type->storage >= 0 && block != OrderProblem::kNone) storages_[type->storage] = block;
    }
    int addBlock(OrderProblem::Block block) {
        problem_.blocks.push_back(std::move(block));
        return static_cast<int>(problem_.blocks.size()) - 1;
    }

    void addConstant(const Node& node) {
        if (node.type.tensor()) setBlock(&node, addBlock(callersBlock()));
    }

    void add(const Node& node) {
        if (isGetitem(node)) {
            const auto* position = node.args()[1].integer();
            const auto tuple = elements_.find(node.args()[0].node());
            const auto element = position ? static_cast<std::size_t>(*position) : 0;
            if (position && tuple != elements_.end() && element < tuple->second.size())
                setBlock(&node, tuple->second[element]);
            makers_[&node] = makersOfInputs(node);
            return;
        }
        OrderProblem::Operation operation;
        operation.node = &node;
        for (const Node* input : node.inputs())
            if (const int block = blockOf(input);
                block != OrderProblem::kNone && std::ranges::find(operation.reads, block) == operation.reads.end())
                operation.reads.push_back(block);
        operation.inner = innerBytesOf(node, costs_).value + subgraphWorkspace(node, [&](const Graph& graph) {
                              return liveMemory(graph, FunctionMetadata(), costs_).peakBytes;
                          });
        addResults(node, operation);
        if (isCarried(node, operation)) {
            makers_[&node] = makersOfInputs(node);
            return;
        }
        const int own = static_cast<int>(problem_.operations.size());
        for (const int block : operation.makes) problem_.blocks[placeOf(block)].maker = own;
        for (const int block : operation.reads) problem_.blocks[placeOf(block)].readers.push_back(own);
        operation.overwrites = overwrittenBy(node, operation);
        operation.after = makersOfInputs(node);
        makers_[&node] = {own};
        problem_.operations.push_back(std::move(operation));
    }

    /// Whether it goes wherever its result is needed: it takes no memory, and nothing depends on when it runs.
    bool isCarried(const Node& node, const OrderProblem::Operation& operation) const {
        if (node.users().empty() || isOrdered(node) || operation.inner > 0 || !operation.makes.empty()) return false;
        if (node.type.scalar()) return operation.reads.empty();
        const TensorType* type = node.type.tensor();
        const int block = blockOf(&node);
        return type && block != OrderProblem::kNone && !writtenStorages_.contains(type->storage) &&
               operation.reads == std::vector<int>{block};
    }

    void addResults(const Node& node, OrderProblem::Operation& operation) {
        if (const TensorType* type = node.type.tensor()) setBlock(&node, blockFor(node, 0, *type, operation));
        const auto* tuple = node.type.tuple();
        for (std::size_t i = 0; tuple && i < tuple->size(); ++i) {
            const TensorType* type = (*tuple)[i].tensor();
            const int block = type ? blockFor(node, i, *type, operation) : OrderProblem::kNone;
            elements_[&node].push_back(block);
            if (type && type->storage >= 0 && block != OrderProblem::kNone) storages_[type->storage] = block;
        }
    }

    /// The memory of a result: new, or that of an operand.
    int blockFor(const Node& node, std::size_t position, const TensorType& type, OrderProblem::Operation& operation) {
        const Node* first = node.args().empty() ? nullptr : node.args()[0].node();
        if (first && isWait(node) && !first->type.tuple()) return blockOf(first);
        if (const auto known = storages_.find(type.storage); type.storage >= 0) {
            if (known != storages_.end() && isAlive(known->second, operation)) return known->second;
        } else if (first && !first->type.tuple() && (hasTag(node, kView) || opFamily(node.op()) == OpFamily::view)) {
            return blockOf(first);
        }
        std::int64_t bytes = type.storage >= 0 && type.storageBytes > 0 ? type.storageBytes : type.bytes();
        if (const KnownCost* known = knownCostOf(node, costs_); known && position < known->resultBytes.size())
            bytes = std::max(bytes, known->resultBytes[position]);
        operation.makes.push_back(addBlock({.bytes = bytes, .maker = OrderProblem::kNone, .kept = false}));
        return operation.makes.back();
    }
    bool isAlive(int block, const OrderProblem::Operation& operation) const {
        return problem_.blocks[placeOf(block)].kept || std::ranges::count(operation.reads, block) > 0 ||
               std::ranges::count(operation.makes, block) > 0;
    }

    /// The block of the first argument, if its memory may become that of the result.
    int overwrittenBy(const Node& node, const OrderProblem::Operation& operation) const {
        const Node* first = node.args().empty() ? nullptr : node.args()[0].node();
        const int block = first ? blockOf(first) : OrderProblem::kNone;
        if (block == OrderProblem::kNone || problem_.blocks[placeOf(block)].kept || operation.makes.size() != 1 ||
            !node.type.tensor() || inPlaceVariant(node).empty())
            return OrderProblem::kNone;
        int uses = 0;
        const auto count = [&](const Node* other) { uses += blockOf(other) == block; };
        for (const Argument& argument : node.args()) forEachNode(argument, count);
        for (const auto& [key, argument] : node.kwargs()) forEachNode(argument, count);
        return uses == 1 ? block : OrderProblem::kNone;
    }

    std::vector<int> makersOfInputs(const Node& node) const {
        std::vector<int> makers;
        for (const Node* input : node.inputs())
            if (const auto known = makers_.find(input); known != makers_.end())
                makers.insert(makers.end(), known->second.begin(), known->second.end());
        std::ranges::sort(makers);
        makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
        return makers;
    }

    /// Adds the dependencies that are not data, and the opposite direction of all.
    void connect() {
        const int count = static_cast<int>(problem_.operations.size());
        int lastOrdered = OrderProblem::kNone, lastBarrier = OrderProblem::kNone;
        for (int i = 0; i < count; ++i) {
            const Node& node = *problem_.operations[placeOf(i)].node;
            if (lastBarrier != OrderProblem::kNone) comesAfter(i, lastBarrier);
            if (isOrdered(node)) {
                if (lastOrdered != OrderProblem::kNone) comesAfter(i, lastOrdered);
                lastOrdered = i;
            }
            if (isMutating(node.op()) && !separateFromUses(i)) {
                for (int other = std::max(lastBarrier, 0); other < i; ++other) comesAfter(i, other);
                lastBarrier = i;
            }
        }
        for (int i = 0; i < count; ++i) {
            auto& after = problem_.operations[placeOf(i)].after;
            std::ranges::sort(after);
            after.erase(std::unique(after.begin(), after.end()), after.end());
            for (const int other : after) problem_.operations[placeOf(other)].followers.push_back(i);
        }
    }
    void comesAfter(int i, int other) { problem_.operations[placeOf(i)].after.push_back(other); }

    /// Keeps the sides of all that uses the memory that operation `i` writes into. False if that is not known.
    bool separateFromUses(int i) {
        const std::vector<const Node*> written = writtenValues(*problem_.operations[placeOf(i)].node);
        for (const Node* value : written) {
            const TensorType* type = value->type.tensor();
            if (!type || type->storage < 0 || blockOf(value) == OrderProblem::kNone) return false;
            for (const int user : problem_.blocks[placeOf(blockOf(value))].readers) {
                if (user < i) comesAfter(i, user);
                if (user > i) comesAfter(user, i);
            }
        }
        return !written.empty();
    }

    const Graph& graph_;
    const OperatorCosts& costs_;
    OrderProblem problem_;
    std::unordered_map<const Node*, int> blocks_;
    std::unordered_map<const Node*, std::vector<int>> elements_;  ///< by tuple: the blocks of its elements
    std::unordered_map<const Node*, std::vector<int>> makers_;    ///< operations that a value waits for
    std::unordered_map<std::int64_t, int> storages_;
    std::set<std::int64_t> writtenStorages_;
};

/// One for each storage.
std::vector<int> callersBlocks(const std::vector<Node*>& placeholders, std::vector<OrderProblem::Block>& blocks) {
    std::map<std::int64_t, int> known;
    std::vector<int> given;
    for (const Node* node : placeholders) {
        const TensorType* type = node->type.tensor();
        given.push_back(OrderProblem::kNone);
        if (!type) continue;
        const auto next = static_cast<int>(blocks.size());
        given.back() = type->storage >= 0 ? known.try_emplace(type->storage, next).first->second : next;
        if (given.back() == next) blocks.push_back(callersBlock());
    }
    return given;
}

/// The blocks of saved values when the backward begins.
class BackwardStart {
public:
    BackwardStart(const GraphProblem& forward, const std::vector<std::int64_t>& blockBytes,
                  const FunctionMetadata& metadata, const OperatorCosts& costs)
        : forward_(forward), bytes_(blockBytes), metadata_(metadata), costs_(costs) {
        const auto& slots = forward.graph->outputSlots();
        for (std::size_t i = 0; i < forward.outputBlocks.size(); ++i) {
            const Role role = i < slots.size() ? slots[i].role : Role::userOutput;
            const int block = forward.outputBlocks[i];
            if (role != Role::saved && role != Role::mutatedInput && role != Role::savedSymint &&
                block != OrderProblem::kNone)
                callers_.insert(block);
        }
    }

    GraphProblem backward(std::shared_ptr<const Graph> graph) {
        for (const int block : callers_) held_ += bytes_[placeOf(block)];
        takeSaved();
        std::vector<int> given;
        const auto placeholders = graph->placeholders();
        std::vector<Node*> tangents;
        for (Node* node : placeholders)
            if (node->role == Role::tangent) tangents.push_back(node);
        const std::vector<int> tangentBlocks = callersBlocks(tangents, blocks_);
        holdAddedTangents(tangents);
        auto nextSaved = saved_.begin();
        auto nextTangent = tangentBlocks.begin();
        for (const Node* node : placeholders) {
            if (node->role == Role::tangent) given.push_back(*nextTangent++);
            else if (node->role == Role::saved && nextSaved != saved_.end()) given.push_back(*nextSaved++);
            else given.push_back(OrderProblem::kNone);
        }
        GraphProblem result = ProblemReader(*graph, blocks_, given, costs_).run();
        result.graph = std::move(graph);
        result.problem.heldBytes = held_;
        return result;
    }

private:
    void takeSaved() {
        const Graph& graph = *forward_.graph;
        std::set<int> overwritten;
        const auto placeholders = graph.placeholders();
        std::vector<OrderProblem::Block> none;
        const std::vector<int> given = callersBlocks(placeholders, none);
        for (const std::size_t i : metadata_.mutatedInputIndices())
            if (i < given.size() && metadata_.inputs[i].mutatesData) overwritten.insert(given[i]);
        std::map<int, int> known;  // of the forward's blocks
        for (std::size_t i = 0; i < forward_.outputBlocks.size(); ++i) {
            if (i >= graph.outputSlots().size() || graph.outputSlots()[i].role != Role::saved) continue;
            const int block = forward_.outputBlocks[i];
            const Node* node = graph.outputs()[i].node();
            if (overwritten.contains(block) && node && node->type.tensor()) {
                saved_.push_back(add({.bytes = node->type.tensor()->bytes()}));
            } else if (block == OrderProblem::kNone) {
                saved_.push_back(OrderProblem::kNone);
            } else {
                const auto next = static_cast<int>(blocks_.size());
                const int own = known.try_emplace(block, next).first->second;
                const bool callers = callers_.contains(block) || isCallers(block);
                if (own == next) add(callers ? callersBlock() : OrderProblem::Block{.bytes = bytes_[placeOf(block)]});
                saved_.push_back(own);
            }
        }
    }
    bool isCallers(int block) const {
        const auto& known = forward_.problem.blocks[placeOf(block)];
        return known.maker == OrderProblem::kNone;
    }
    int add(OrderProblem::Block block) {
        blocks_.push_back(std::move(block));
        return static_cast<int>(blocks_.size()) - 1;
    }

    void holdAddedTangents(const std::vector<Node*>& tangents) {
        const std::vector<bool> added = addedTangents(metadata_);
        for (std::size_t i = 0; i < tangents.size() && i < added.size(); ++i)
            if (const TensorType* type = tangents[i]->type.tensor(); type && added[i]) held_ += type->bytes();
    }

    const GraphProblem& forward_;
    const std::vector<std::int64_t>& bytes_;
    const FunctionMetadata& metadata_;
    const OperatorCosts& costs_;
    std::set<int> callers_;  ///< blocks of the forward that its caller gets
    std::vector<OrderProblem::Block> blocks_;
    std::vector<int> saved_;
    std::int64_t held_ = 0;
};

/// Builds the new order of a graph's nodes.
class ReorderedCopy {
public:
    explicit ReorderedCopy(const GraphProblem& graph) : copy_(graph.graph->clone()) {
        for (const auto& operation : graph.problem.operations) operations_.push_back(operation.node->id());
    }

    std::shared_ptr<const Graph> run(const OperationOrder& order) {
        copy_->indexIds();
        for (const NodeId id : operations_) isOperation_.insert(copy_->findById(id));
        Node* before = nullptr;
        for (Node* node : copy_->nodes()) {
            if (node->kind() == NodeKind::placeholder || isOperation_.contains(node)) before = node;
            else if (isGetitem(*node)) behind_[node->args()[0].node()].push_back(node);
            else if (node->kind() != NodeKind::output) behind_[before].push_back(node);
        }
        emitBehind(nullptr);
        for (Node* node : copy_->placeholders()) emit(node);
        for (const int i : order) need(copy_->findById(operations_[placeOf(i)]));
        need(copy_->output());
        copy_->reorder(order_);
        copy_->indexIds();
        return copy_;
    }

private:
    void emit(Node* node) {
        if (!done_.insert(node).second) return;
        order_.push_back(node);
        emitBehind(node);
    }
    void emitBehind(Node* node) {
        const auto found = behind_.find(node);
        if (found == behind_.end()) return;
        for (Node* carried : found->second)
            if (std::ranges::all_of(carried->inputs(), [&](const Node* input) { return done_.contains(input); }))
                emit(carried);
    }
    /// Emits a node after what it needs and is not an operation.
    void need(Node* node) {
        for (Node* input : node->inputs())
            if (!done_.contains(input)) need(input);
        emit(node);
    }

    std::shared_ptr<Graph> copy_;
    std::vector<NodeId> operations_;
    std::set<const Node*> isOperation_, done_;
    std::unordered_map<const Node*, std::vector<Node*>> behind_;
    std::vector<Node*> order_;
};

}  // namespace

GraphProblem forwardProblem(std::shared_ptr<const Graph> graph, const OperatorCosts& costs) {
    std::vector<OrderProblem::Block> blocks;
    const std::vector<int> given = callersBlocks(graph->placeholders(), blocks);
    GraphProblem result = ProblemReader(*graph, std::move(blocks), given, costs).run();
    result.graph = std::move(graph);
    return result;
}

GraphProblem backwardProblem(std::shared_ptr<const Graph> graph, const GraphProblem& forward,
                             const std::vector<std::int64_t>& blockBytes, const FunctionMetadata& metadata,
                             const OperatorCosts& costs) {
    return BackwardStart(forward, blockBytes, metadata, costs).backward(std::move(graph));
}

std::shared_ptr<const Graph> inOrder(const GraphProblem& graph, const OperationOrder& order) {
    return ReorderedCopy(graph).run(order);
}

}  // namespace aotscope

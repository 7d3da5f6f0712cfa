#include "cost/live_memory.h"

#include "cost/added_tangents.h"
#include "cost/executed_graph.h"
#include "cost/node_figures.h"
#include "cost/subgraph_memory.h"
#include "execute/in_place.h"
#include "execute/register_map.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "support/enumerators.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

constexpr int kNoBlock = -1;

struct Block {
    LiveValue value;
    int holders = 0;  ///< values of the running graph, saved values, the caller
    bool caller = false;
};

MemoryKind memoryKindOf(const Node& placeholder) {
    switch (placeholder.role) {
        case Role::parameter: return MemoryKind::parameter;
        case Role::buffer: return MemoryKind::buffer;
        case Role::tangent: return MemoryKind::tangent;
        default: return MemoryKind::input;
    }
}

std::shared_ptr<const Graph> notOwned(const Graph& graph) { return {std::shared_ptr<const Graph>(), &graph}; }

/// All blocks of a run on its time axis.
class Memory {
public:
    explicit Memory(const OperatorCosts& costs) : costs_(costs) {}

    /// What the operation allocates and frees while it runs, without its subgraphs.
    std::int64_t innerBytes(const Node& node) {
        const NodeFigure<std::int64_t> inner = innerBytesOf(node, known(node), costs_.threads);
        ++operationsBy_.at(static_cast<std::size_t>(inner.basis));
        return inner.value;
    }

    int allocate(const Node& node, std::int64_t bytes, MemoryKind kind) {
        LiveValue value{node.id(), node.name(), node.op(), node.label, node.source ? node.source->module : "",
                        kind,      bytes,       now(),     now()};
        if (node.kind() == NodeKind::placeholder) value.op = "placeholder";
        if (value.label == value.name || node.kind() == NodeKind::constant) value.label.clear();
        blocks_.push_back({std::move(value), 0, false});
        return static_cast<int>(blocks_.size()) - 1;
    }

    /// Of its result at `position`, if more than its type says.
    std::int64_t resultBytes(const Node& node, std::size_t position) {
        const KnownCost* cost = known(node);
        return cost && position < cost->resultBytes.size() ? cost->resultBytes[position] : 0;
    }

    void hold(int block) {
        if (block != kNoBlock) ++at(block).holders;
    }
    /// After the current point, frees the block of the last holder.
    void release(int block) {
        if (block == kNoBlock) return;
        if (--at(block).holders == 0) at(block).value.last = now();
    }
    void giveToCaller(int block) {
        hold(block);
        if (block != kNoBlock) at(block).caller = true;
    }

    Block& at(int block) { return blocks_[static_cast<std::size_t>(block)]; }
    void step(Stage stage, NodeId node, std::string name) { curve_.push_back({stage, node, std::move(name), 0}); }
    /// The current point.
    std::size_t now() const { return curve_.empty() ? 0 : curve_.size() - 1; }

    LiveMemory finish() {
        LiveMemory memory;
        std::vector<std::int64_t> changes(curve_.size() + 1);  // from one point to the next
        for (Block& block : blocks_) {
            if (block.holders > 0) block.value.last = now();
            const LiveValue& value = block.value;
            if (isGiven(value.kind)) {
                memory.givenBytes += value.bytes;
            } else if (value.first < curve_.size()) {
                changes[value.first] += value.bytes;
                changes[value.last + 1] -= value.bytes;
            }
            if (value.kind == MemoryKind::saved) memory.savedBytes += value.bytes;
            memory.values.push_back(value);
        }
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < curve_.size(); ++i) {
            curve_[i].bytes = bytes += changes[i];
            if (bytes <= memory.peakBytes) continue;
            memory.peak = i;
            memory.peakBytes = bytes;
        }
        memory.curve = std::move(curve_);
        memory.operationsBy = operationsBy_;
        return memory;
    }

private:
    const KnownCost* known(const Node& node) {
        if (&node != lookedUp_) known_ = knownCostOf(node, costs_);
        lookedUp_ = &node;
        return known_;
    }

    const OperatorCosts& costs_;
    const Node* lookedUp_ = nullptr;
    const KnownCost* known_ = nullptr;  ///< of that node
    std::vector<Block> blocks_;
    std::vector<MemoryPoint> curve_;
    std::array<std::size_t, 3> operationsBy_{};
};

/// Peaks of runs of subgraphs, each computed once, regardless of how many nodes run it.
class SubgraphPeaks {
public:
    explicit SubgraphPeaks(const OperatorCosts& costs) : costs_(costs) {}
    std::int64_t of(const Graph& graph);

private:
    const OperatorCosts& costs_;
    std::unordered_map<const Graph*, std::int64_t> known_;
};

/// One run of a graph, step by step.
class Run {
public:
    Run(Memory& memory, SubgraphPeaks& peaks, const ExecutedGraph& executed, Stage stage)
        : memory_(memory),
          peaks_(peaks),
          executed_(executed),
          graph_(*executed.get()),
          stage_(stage),
          registers_(graph_),
          blocks_(registerIndex(registers_.count()), kNoBlock) {}

    /// `given`: the blocks of the placeholders, each held once for this run, which takes them over.
    void execute(const std::vector<int>& given) {
        const auto placeholders = graph_.placeholders();
        for (std::size_t i = 0; i < placeholders.size(); ++i) setBlock(placeholders[i], given[i]);
        for (const Node* node : placeholders) releaseUnused(registerOf(node));
        const auto& steps = registers_.steps();
        std::size_t step = 0;
        for (const Node* node : graph_.nodes()) {
            if (node->kind() == NodeKind::constant) setBlock(node, allocateConstant(*node));
            if (step < steps.size() && steps[step] == node) execute(*node, step++);
        }
    }

    /// kNoBlock if it is not a tensor.
    int outputBlock(std::size_t output) const {
        const Node* node = graph_.outputs()[output].node();
        return node ? blockOf(node) : kNoBlock;
    }
    /// Ends the run: its outputs belong to whoever holds them.
    void releaseOutputs() {
        std::set<int> released;
        for (const Argument& output : graph_.outputs())
            if (const Node* node = output.node(); node && released.insert(registerOf(node)).second)
                memory_.release(blockOf(node));
    }

private:
    void execute(const Node& node, std::size_t step) {
        if (const FusionGroup* group = executed_.groupOf(node)) {
            memory_.step(stage_, node.id(), group->outputs.front().node->name());
            computeGroup(node, *group, step);
        } else {
            memory_.step(stage_, node.id(), node.name());
            compute(node, step);
        }
        std::set<int> released;
        for (const Node* input : node.inputs())
            if (const Register r = registerOf(input);
                r != kUnused && registers_.endsAt(r, step) && released.insert(r).second)
                memory_.release(blockOf(input));
        releaseUnusedResults(node);
    }

    void compute(const Node& node, std::size_t step) {
        if (const int own = blockToWriteInto(node, step); own != kNoBlock) {
            memory_.hold(own);
            setBlock(&node, own);
        } else {
            makeResults(node);
        }
        const PeakOf peakOf = [&](const Graph& subgraph) { return peaks_.of(subgraph); };
        const std::int64_t bytes = memory_.innerBytes(node) + subgraphWorkspace(node, peakOf);
        if (bytes == 0) return;
        const int scratch = memory_.allocate(node, bytes, MemoryKind::workspace);
        memory_.hold(scratch);
        memory_.release(scratch);
    }

    /// What kernels need besides their results is not tensors.
    void computeGroup(const Node& call, const FusionGroup& group, std::size_t step) {
        std::vector<int> free;  // by input: the block that an output may take
        for (std::size_t i = 0; i < group.inputs.size(); ++i) free.push_back(freeBlock(call.args()[i].node(), step));
        std::size_t base = group.inputs.size();
        for (std::size_t i = 0; i < group.outputs.size(); ++i) {
            int block = group.bases[i] ? freeBlock(call.args()[base++].node(), step)
                                       : takeFirst(free, reusableInputs(group, i));
            const Node& output = *group.outputs[i].node;
            if (block == kNoBlock) block = memory_.allocate(output, output.type.tensor()->bytes(), kind(output));
            memory_.hold(block);
            const Register element = call.type.tuple() ? registers_.element(&call, i) : registerOf(&call);
            if (element == kUnused) memory_.release(block);
            else setBlock(element, block, output.type.tensor()->storage);
        }
    }

    /// The block of an argument that ends with this step, if nothing else holds it.
    int freeBlock(const Node* argument, std::size_t step) const {
        const int block = registers_.mayOverwrite(argument, step) ? blockOf(argument) : kNoBlock;
        return block != kNoBlock && memory_.at(block).holders == 1 ? block : kNoBlock;
    }
    static int takeFirst(std::vector<int>& blocks, const std::vector<std::size_t>& candidates) {
        for (const std::size_t i : candidates)
            if (blocks[i] != kNoBlock) return std::exchange(blocks[i], kNoBlock);
        return kNoBlock;
    }

    /// The block of the first argument, if nothing uses it afterwards and nothing else holds it.
    int blockToWriteInto(const Node& node, std::size_t step) {
        const int block = node.args().empty() ? kNoBlock : freeBlock(node.args()[0].node(), step);
        return block == kNoBlock || inPlaceVariant(node).empty() ? kNoBlock : block;
    }

    void makeResults(const Node& node) {
        if (const auto* type = node.type.tensor()) {
            const int block = blockFor(node, 0, *type);
            memory_.hold(block);
            setBlock(&node, block);
        }
        const auto* tuple = node.type.tuple();
        for (std::size_t i = 0; tuple && i < tuple->size(); ++i) {
            const auto* type = (*tuple)[i].tensor();
            const int block = type ? blockFor(node, i, *type) : kNoBlock;
            memory_.hold(block);
            const Register element = registers_.element(&node, i);
            if (element == kUnused) memory_.release(block);  // this element is never used
            else setBlock(element, block, type ? type->storage : -1);
        }
    }

    void releaseUnusedResults(const Node& node) {
        if (registerOf(&node) != kUnused) releaseUnused(registerOf(&node));
        const auto* tuple = node.type.tuple();
        for (std::size_t i = 0; tuple && i < tuple->size(); ++i)
            if (const Register element = registers_.element(&node, i); element != kUnused) releaseUnused(element);
    }
    void releaseUnused(Register r) {
        if (!registers_.isUsed(r)) memory_.release(blocks_[registerIndex(r)]);
    }

    /// The memory of a result of `type`: new, or that of an argument.
    int blockFor(const Node& node, std::size_t position, const TensorType& type) {
        const Node* waited = isWait(node) && !node.args().empty() ? node.args()[0].node() : nullptr;
        if (waited && registerOf(waited) != kUnused) {
            const int block = blockOf(waited);  // the same memory, now filled
            if (type.storage >= 0) storages_[type.storage] = block;
            return block;
        }
        if (type.storage >= 0) {
            const auto it = storages_.find(type.storage);
            if (it != storages_.end() && memory_.at(it->second).holders > 0) return it->second;
        } else if (hasTag(node, kView) || opFamily(node.op()) == OpFamily::view) {
            const Node* base = node.args().empty() ? nullptr : node.args()[0].node();
            if (base && registerOf(base) != kUnused) return blockOf(base);
        }
        const std::int64_t bytes = type.storage >= 0 && type.storageBytes > 0 ? type.storageBytes : type.bytes();
        const int block = memory_.allocate(node, std::max(bytes, memory_.resultBytes(node, position)), kind(node));
        if (type.storage >= 0) storages_[type.storage] = block;
        return block;
    }

    MemoryKind kind(const Node& node) const {
        if (stage_ == Stage::forward) return MemoryKind::activation;
        return node.stage == Stage::forward ? MemoryKind::recomputed : MemoryKind::temporary;
    }

    int allocateConstant(const Node& node) {
        const auto* type = node.type.tensor();
        if (!type) return kNoBlock;
        const int block = memory_.allocate(node, type->bytes(), MemoryKind::buffer);
        memory_.giveToCaller(block);
        memory_.hold(block);
        return block;
    }

    Register registerOf(const Node* node) const { return registers_.of(node); }
    int blockOf(const Node* node) const { return blocks_.at(registerIndex(registerOf(node))); }
    void setBlock(const Node* node, int block) {
        setBlock(registerOf(node), block, node->type.tensor() ? node->type.tensor()->storage : -1);
    }
    void setBlock(Register r, int block, std::int64_t storage) {
        blocks_.at(registerIndex(r)) = block;
        if (storage >= 0 && block != kNoBlock) storages_[storage] = block;
    }

    Memory& memory_;
    SubgraphPeaks& peaks_;
    const ExecutedGraph& executed_;
    const Graph& graph_;
    Stage stage_;
    const RegisterMap registers_;
    std::vector<int> blocks_;  ///< by register
    std::unordered_map<std::int64_t, int> storages_;
};

/// The caller's blocks: one for each storage.
std::vector<int> givenBlocks(Memory& memory, const std::vector<Node*>& placeholders) {
    std::unordered_map<std::int64_t, int> storages;
    std::vector<int> blocks;
    for (const Node* node : placeholders) {
        const auto* type = node->type.tensor();
        if (!type) {
            blocks.push_back(kNoBlock);
            continue;
        }
        const auto known = type->storage >= 0 ? storages.find(type->storage) : storages.end();
        int block = known == storages.end() ? kNoBlock : known->second;
        if (block == kNoBlock) {
            block = memory.allocate(*node, std::max(type->storageBytes, type->bytes()), memoryKindOf(*node));
            memory.giveToCaller(block);
            if (type->storage >= 0) storages.emplace(type->storage, block);
        }
        blocks.push_back(block);
    }
    return blocks;
}

/// Storages of inputs that the wrapper overwrites after the forward: saved views of them are copied.
std::set<int> overwrittenBlocks(const FunctionMetadata& metadata, const std::vector<int>& given) {
    std::set<int> blocks;
    for (const std::size_t i : metadata.mutatedInputIndices())
        if (i < given.size() && metadata.inputs[i].mutatesData) blocks.insert(given[i]);
    return blocks;
}

/// The forward, and the wrapper's work after it. Returns the blocks of the saved values in order.
std::vector<int> runForward(Memory& memory, SubgraphPeaks& peaks, const ExecutedGraph& executed,
                            const FunctionMetadata& metadata) {
    const Graph& graph = *executed.get();
    const std::vector<int> given = givenBlocks(memory, graph.placeholders());
    for (const int block : given) memory.hold(block);
    Run run(memory, peaks, executed, Stage::forward);
    run.execute(given);
    memory.step(Stage::forward, kNoNode, "between forward and backward");
    const std::set<int> overwritten = overwrittenBlocks(metadata, given);
    std::vector<int> saved;
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        int block = run.outputBlock(i);
        const Role role = i < graph.outputSlots().size() ? graph.outputSlots()[i].role : Role::userOutput;
        if (role == Role::saved) {
            const Node* node = graph.outputs()[i].node();
            if (overwritten.contains(block) && node && node->type.tensor())
                block = memory.allocate(*node, node->type.tensor()->bytes(), MemoryKind::saved);
            if (block != kNoBlock && memory.at(block).value.kind == MemoryKind::activation)
                memory.at(block).value.kind = MemoryKind::saved;
            memory.hold(block);
            saved.push_back(block);
        } else if (role != Role::mutatedInput && role != Role::savedSymint) {
            if (block != kNoBlock && !isGiven(memory.at(block).value.kind))
                memory.at(block).value.kind = MemoryKind::output;
            memory.giveToCaller(block);
        }
    }
    run.releaseOutputs();
    return saved;
}

/// The caller's, and those that autograd computes and holds until the backward has run.
std::vector<int> tangentBlocks(Memory& memory, const Graph& graph, const FunctionMetadata& metadata) {
    std::vector<Node*> tangents;
    for (Node* node : graph.placeholders())
        if (node->role == Role::tangent) tangents.push_back(node);
    std::vector<int> blocks = givenBlocks(memory, tangents);
    const std::vector<bool> added = addedTangents(metadata);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i < added.size() && added[i] && blocks[i] != kNoBlock) {
            blocks[i] = memory.allocate(*tangents[i], tangents[i]->type.tensor()->bytes(), MemoryKind::temporary);
            memory.at(blocks[i]).value.first = memory.now() + 1;  // when the backward begins
            memory.hold(blocks[i]);
        }
        memory.hold(blocks[i]);
    }
    return blocks;
}

/// `saved` are held by the autograd graph, which passes them to the run.
void runBackward(Memory& memory, SubgraphPeaks& peaks, const ExecutedGraph& executed, const FunctionMetadata& metadata,
                 const std::vector<int>& saved) {
    const Graph& graph = *executed.get();
    const std::vector<int> tangents = tangentBlocks(memory, graph, metadata);
    std::vector<int> given;
    auto nextSaved = saved.begin();
    auto nextTangent = tangents.begin();
    for (const Node* node : graph.placeholders()) {
        if (node->role == Role::tangent) given.push_back(*nextTangent++);
        else if (node->role == Role::saved && nextSaved != saved.end()) given.push_back(*nextSaved++);
        else given.push_back(kNoBlock);
    }
    Run run(memory, peaks, executed, Stage::backward);
    run.execute(given);
    for (std::size_t i = 0; i < graph.outputs().size(); ++i) {
        const int block = run.outputBlock(i);
        if (block == kNoBlock || isGiven(memory.at(block).value.kind)) continue;
        memory.at(block).value.kind = MemoryKind::gradient;
        memory.giveToCaller(block);
    }
}

std::int64_t SubgraphPeaks::of(const Graph& graph) {
    if (const auto known = known_.find(&graph); known != known_.end()) return known->second;
    Memory memory(costs_);
    runForward(memory, *this, ExecutedGraph(notOwned(graph)), FunctionMetadata());
    return known_[&graph] = memory.finish().peakBytes;
}

}  // namespace

std::string_view name(MemoryKind kind) { return spelled(kind); }

std::vector<LiveValue> LiveMemory::liveAt(std::size_t point, bool withGiven) const {
    std::vector<LiveValue> live;
    for (const LiveValue& value : values)
        if (value.isAt(point) && value.bytes > 0 && (withGiven || !isGiven(value.kind))) live.push_back(value);
    std::stable_sort(live.begin(), live.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return live;
}

namespace {

LiveMemory simulated(const ExecutedGraph& forward, const ExecutedGraph& backward, const FunctionMetadata& metadata,
                     const OperatorCosts& costs) {
    Memory memory(costs);
    SubgraphPeaks peaks(costs);
    const std::vector<int> saved = runForward(memory, peaks, forward, metadata);
    if (backward.get()) runBackward(memory, peaks, backward, metadata, saved);
    return memory.finish();
}

}  // namespace

LiveMemory liveMemory(const Partition& partition, const FunctionMetadata& metadata, const OperatorCosts& costs,
                      const std::vector<CompilerUse>& compilers) {
    return simulated(ExecutedGraph(partition.forward, GraphKind::forward, compilers),
                     ExecutedGraph(partition.backward, GraphKind::backward, compilers), metadata, costs);
}

LiveMemory liveMemory(const Graph& inference, const FunctionMetadata& metadata, const OperatorCosts& costs,
                      const std::vector<CompilerUse>& compilers) {
    return simulated(ExecutedGraph(notOwned(inference), GraphKind::inference, compilers), ExecutedGraph(nullptr),
                     metadata, costs);
}

std::optional<LiveMemory> liveMemory(const CompileRecord& record) {
    if (record.partition)
        return liveMemory(*record.partition, record.knownMetadata(), record.knownCosts(), record.compilers);
    const auto inference = record.graph(GraphKind::inference);
    if (!inference) return std::nullopt;
    return liveMemory(*inference, record.knownMetadata(), record.knownCosts(), record.compilers);
}

}  // namespace aotscope

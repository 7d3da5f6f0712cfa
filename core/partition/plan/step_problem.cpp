#include "partition/plan/step_problem.h"

#include "cost/added_tangents.h"
#include "cost/node_figures.h"
#include "execute/in_place.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A result of an operation.
struct StepResult {
    int value = -1;                    ///< the node that is this result, or the first that takes it out of the tuple
    const TensorType* type = nullptr;  ///< null: no tensor
    int root = -1;                     ///< the value whose memory it has; -1: its own
    int same = -1;                     ///< an earlier result of the operation with the same memory
};

/// Memory made by an operation of the backward, for as long as it is needed.
struct BackwardBlock {
    std::int64_t bytes = 0;
    int made = 0, lastUse = 0;  ///< slots
    bool inPlace = false, toEnd = false;
};

class StepProblemBuilder {
public:
    StepProblemBuilder(const JointFacts& facts, const FunctionMetadata& metadata,
                       const std::function<double(const Node&)>& ms, const OperatorCosts& costs)
        : facts_(facts), metadata_(metadata), ms_(ms), costs_(costs), size_(facts.size()) {}

    StepProblem run() {
        findValues();
        findSlots();
        addCopiedInputs();
        for (int i = 0; i < size_; ++i)
            if (runs(i)) addOperation(i);
        addUses();
        addOutputs();
        addProfiles();
        addTangents();
        findFamilies();
        return std::move(model_);
    }

private:
    bool runs(int i) const { return facts_[i].call && !facts_[i].getitem; }
    bool ofBackward(int i) const { return facts_[i].dependsOnTangent; }

    /// Elements that are taken out of a tuple twice are one value.
    void findValues() {
        value_.assign(at(size_), -1);
        root_.assign(at(size_), -1);
        std::map<std::pair<int, std::int64_t>, int> elements;
        for (int i = 0; i < size_; ++i) {
            const Node& node = *facts_.node(i);
            if (node.kind() == NodeKind::output) continue;
            const std::int64_t* index = facts_[i].getitem ? node.args()[1].integer() : nullptr;
            if (!index && node.type.tuple()) continue;
            value_[at(i)] = index ? elements.try_emplace({facts_.inputs(i)[0], *index}, i).first->second : i;
            root_[at(i)] = value_[at(i)];
        }
    }

    void findSlots() {
        model_.slots = {-1};
        slotOf_.assign(at(size_), kNever);
        firstTangentUser_ = size_;
        for (int i = 0; i < size_; ++i) {
            if (!runs(i)) continue;
            const auto from = facts_.inputs(i);
            if (std::ranges::any_of(from, [&](int input) { return facts_[input].tangent; }))
                firstTangentUser_ = std::min(firstTangentUser_, i);
            // What no tangent reaches runs before the next operation that one does.
            slotOf_[at(i)] = static_cast<int>(model_.slots.size());
            if (ofBackward(i)) model_.slots.push_back(i);
        }
        model_.slots.push_back(-1);
    }

    void addCopiedInputs() {
        std::set<std::string, std::less<>> labels;
        for (const OutputSlot& slot : facts_.joint().outputSlots())
            if (slot.role == Role::mutatedInput) labels.insert(slot.label);
        std::set<std::int64_t> storages;
        for (const Node* node : facts_.joint().placeholders())
            if (labels.contains(node->label) && node->type.tensor()) storages.insert(node->type.tensor()->storage);
        for (int i = 0; i < size_; ++i) {
            const TensorType* type = facts_[i].primal ? facts_.node(i)->type.tensor() : nullptr;
            if (!type || type->storage < 0 || !storages.contains(type->storage)) continue;
            blockOf_[i] = static_cast<int>(model_.blocks.size());
            StepBlock block;
            block.bytes = type->bytes();
            block.value = i;
            block.made = block.lastUse = size_;
            model_.blocks.push_back(std::move(block));
        }
    }

    std::int64_t storageOf(int value) const {
        const TensorType* type = facts_.node(value)->type.tensor();
        return type ? type->storage : -1;
    }
    int firstArgument(const Node& node) const {
        const Node* first = node.args().empty() ? nullptr : node.args()[0].node();
        return first ? value_[at(facts_.indexOf(first))] : -1;
    }

    std::vector<StepResult> resultsOf(int i) const {
        const Node& node = *facts_.node(i);
        std::vector<StepResult> results;
        if (const TupleType* tuple = node.type.tuple()) {
            for (const ValueType& element : *tuple) results.push_back({-1, element.tensor()});
            for (const int user : facts_.users(i)) {
                const std::int64_t* index = facts_[user].getitem ? facts_.node(user)->args()[1].integer() : nullptr;
                if (!index || *index < 0 || *index >= static_cast<std::int64_t>(results.size())) continue;
                results[static_cast<std::size_t>(*index)].value = value_[at(user)];
            }
        } else {
            results.push_back({value_[at(i)], node.type.tensor()});
        }
        std::map<std::int64_t, int> own;
        for (std::size_t k = 0; k < results.size(); ++k)
            if (results[k].type) findMemory(i, static_cast<int>(k), results[k], own);
        return results;
    }

    void findMemory(int i, int position, StepResult& result, std::map<std::int64_t, int>& own) const {
        const Node& node = *facts_.node(i);
        const int first = firstArgument(node);
        const std::int64_t storage = result.type->storage;
        if (isWait(node) && first >= 0) {
            result.root = root_[at(first)];
        } else if (storage >= 0) {
            for (const int input : facts_.inputs(i))
                if (const int value = value_[at(input)]; value >= 0 && storageOf(value) == storage) {
                    result.root = root_[at(value)];
                    return;
                }
            if (const auto known = own.try_emplace(storage, position).first; known->second != position)
                result.same = known->second;
        } else if (first >= 0 && (hasTag(node, kView) || opFamily(node.op()) == OpFamily::view)) {
            result.root = root_[at(first)];
        }
    }

    std::int64_t bytesOf(const Node& node, std::size_t position, const TensorType& type) const {
        const std::int64_t bytes = type.storage >= 0 && type.storageBytes > 0 ? type.storageBytes : type.bytes();
        const KnownCost* known = knownCostOf(node, costs_);
        return known && position < known->resultBytes.size() ? std::max(bytes, known->resultBytes[position]) : bytes;
    }

    void addOperation(int i) {
        const Node& node = *facts_.node(i);
        const std::vector<StepResult> results = resultsOf(i);
        for (const StepResult& result : results)
            if (result.value >= 0 && result.root >= 0) root_[at(result.value)] = result.root;
        const bool view = std::ranges::all_of(results, [](const StepResult& r) { return !r.type || r.root >= 0; });
        if (view) return;
        if (ofBackward(i)) return addBackwardBlocks(i, results);
        StepDecision decision;
        decision.node = i;
        decision.inForward = decision.mayKeep = facts_[i].requiredForward;
        decision.ms = decision.inForward ? ms_(node) : 0;
        decision.innerBytes = innerBytesOf(node, costs_).value;
        if (facts_[i].random)
            decision.stateBytes = deviceOfDraw(node).name.starts_with("cpu") ? kCpuStateBytes : kDeviceStateBytes;
        decision.mayRunAgain =
            facts_[i].repeatable && !facts_[i].writes && !facts_[i].collective && !facts_[i].copiesMutatedInput;
        if (i > firstTangentUser_) decision.slot = slotOf_[at(i)];
        const int which = static_cast<int>(model_.decisions.size());
        std::vector<int> made(results.size(), -1);
        for (std::size_t k = 0; k < results.size(); ++k) {
            const StepResult& result = results[k];
            if (!result.type || result.root >= 0) continue;
            if (result.same >= 0) {
                made[k] = made[at(result.same)];
                StepBlock& block = model_.blocks[at(made[k])];
                if (block.value < 0) block.value = result.value;
            } else {
                made[k] = static_cast<int>(model_.blocks.size());
                decision.makes.push_back(made[k]);
                StepBlock block;
                block.bytes = bytesOf(node, k, *result.type);
                block.decision = which;
                block.value = result.value;
                block.made = block.lastUse = i;
                model_.blocks.push_back(std::move(block));
            }
            if (result.value >= 0) blockOf_[result.value] = made[k];
        }
        model_.decisions.push_back(std::move(decision));
        decisionOf_[i] = which;
    }

    void addBackwardBlocks(int i, const std::vector<StepResult>& results) {
        for (std::size_t k = 0; k < results.size(); ++k) {
            const StepResult& result = results[k];
            if (!result.type || result.root >= 0 || result.same >= 0) continue;
            const int slot = slotOf_[at(i)];
            if (result.value >= 0) backwardBlockOf_[result.value] = static_cast<int>(backwardBlocks_.size());
            backwardBlocks_.push_back({bytesOf(*facts_.node(i), k, *result.type), slot, slot});
        }
        for (std::size_t k = 0; k < results.size(); ++k)
            if (results[k].same >= 0 && results[k].value >= 0)
                if (const auto known = backwardBlockOf_.find(results[at(results[k].same)].value);
                    known != backwardBlockOf_.end())
                    backwardBlockOf_[results[k].value] = known->second;
    }

    static int find(const std::map<int, int>& blocks, int root) {
        const auto known = blocks.find(root);
        return known == blocks.end() ? -1 : known->second;
    }

    /// The blocks of `blocks` that an operation reads, and whether it may write into each.
    std::vector<StepUse> usesOf(int i, const std::map<int, int>& blocks) const {
        const Node& node = *facts_.node(i);
        std::map<int, bool> found;
        const int first = firstArgument(node);
        const bool writes = first >= 0 && !inPlaceVariant(node).empty() && timesRead(node, first) == 1;
        for (const int input : facts_.inputs(i)) {
            const int value = value_[at(input)];
            const int block = value < 0 ? -1 : find(blocks, root_[at(value)]);
            if (block < 0) continue;
            const auto [known, isNew] = found.try_emplace(block, writes && value == first);
            if (!isNew && value != first) known->second = false;
        }
        // Another argument may have the memory of the first.
        if (writes)
            for (const int input : facts_.inputs(i))
                if (const int value = value_[at(input)]; value >= 0 && value != first)
                    if (const int block = find(blocks, root_[at(value)]); block >= 0) found[block] = false;
        std::vector<StepUse> uses;
        for (const auto& [block, inPlace] : found) uses.push_back({block, inPlace});
        return uses;
    }
    int timesRead(const Node& node, int value) const {
        int times = 0;
        const auto count = [&](const Node* other) { times += value_[at(facts_.indexOf(other))] == value; };
        for (const Argument& argument : node.args()) forEachNode(argument, count);
        for (const auto& [key, argument] : node.kwargs()) forEachNode(argument, count);
        return times;
    }

    void addUses() {
        std::vector<StepUse> lastInForward(model_.blocks.size(), {-1, false});
        for (int i = 0; i < size_; ++i) {
            if (!runs(i)) continue;
            const std::vector<StepUse> uses = usesOf(i, blockOf_);
            for (const StepUse& use : uses) {
                StepBlock& block = model_.blocks[at(use.which)];
                if (ofBackward(i)) block.backward.push_back({slotOf_[at(i)], use.inPlace});
                else if (facts_[i].requiredForward) lastInForward[at(use.which)] = {i, use.inPlace};
            }
            if (const int which = find(decisionOf_, i); which >= 0) {
                StepDecision& decision = model_.decisions[at(which)];
                for (const StepUse& use : uses) {
                    const bool inPlace = use.inPlace && decision.stateBytes == 0;
                    decision.reads.push_back({use.which, inPlace});
                    model_.blocks[at(use.which)].again.push_back({which, inPlace});
                }
            }
            if (!ofBackward(i)) continue;
            for (const StepUse& use : usesOf(i, backwardBlockOf_)) {
                backwardBlocks_[at(use.which)].lastUse = slotOf_[at(i)];
                backwardBlocks_[at(use.which)].inPlace = use.inPlace;
            }
        }
        for (std::size_t b = 0; b < model_.blocks.size(); ++b)
            if (const StepUse& last = lastInForward[b]; last.which >= 0 && model_.blocks[b].decision >= 0)
                model_.blocks[b].lastUse = std::max(model_.blocks[b].made, last.inPlace ? last.which - 1 : last.which);
    }

    void addOutputs() {
        const auto& outputs = facts_.joint().outputs();
        const auto& slots = facts_.joint().outputSlots();
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            const Node* node = outputs[k].node();
            const int value = node ? value_[at(facts_.indexOf(node))] : -1;
            if (value < 0) continue;
            const int block = find(blockOf_, root_[at(value)]);
            if (k >= facts_.joint().forwardOutputCount()) {
                if (block >= 0) model_.blocks[at(block)].gradient = true;
                if (const int own = find(backwardBlockOf_, root_[at(value)]); own >= 0)
                    backwardBlocks_[at(own)].toEnd = true;
            } else if (block >= 0 && model_.blocks[at(block)].decision >= 0) {
                const Role role = k < slots.size() ? slots[k].role : Role::userOutput;
                if (role != Role::mutatedInput) model_.blocks[at(block)].output = true;
                model_.blocks[at(block)].lastUse = size_;
            }
        }
    }

    void addProfiles() {
        const std::size_t slots = model_.slots.size();
        model_.during.assign(slots, 0);
        model_.between.assign(slots, 0);
        const int end = model_.lastSlot();
        for (const BackwardBlock& block : backwardBlocks_) {
            const int before = block.toEnd ? end : block.lastUse;
            const int last = block.toEnd ? end : std::max(block.made, block.lastUse - block.inPlace);
            for (int slot = block.made; slot <= last; ++slot) model_.during[at(slot)] += block.bytes;
            for (int slot = block.made + 1; slot <= before; ++slot) model_.between[at(slot)] += block.bytes;
        }
        for (std::size_t slot = 1; slot + 1 < slots; ++slot)
            model_.during[slot] += innerBytesOf(*facts_.node(model_.slots[slot]), costs_).value;
        model_.forwardInner.assign(at(size_), 0);
        for (const StepDecision& decision : model_.decisions)
            if (decision.inForward) model_.forwardInner[at(decision.node)] = decision.innerBytes;
    }

    /// Those that autograd adds up live through the whole backward.
    void addTangents() {
        const std::vector<bool> added = addedTangents(metadata_);
        std::int64_t bytes = 0;
        std::size_t which = 0;
        for (const Node* node : facts_.joint().placeholders()) {
            if (node->role != Role::tangent) continue;
            if (which < added.size() && added[which] && node->type.tensor()) bytes += node->type.tensor()->bytes();
            ++which;
        }
        for (std::size_t slot = 1; slot < model_.slots.size(); ++slot) {
            model_.during[slot] += bytes;
            model_.between[slot] += bytes;
        }
    }

    /// Modules are alike if their paths differ in numbers only.
    void findFamilies() {
        std::map<std::string, std::vector<int>> members;
        std::map<std::string, int> seen;  // calls of an operator in a module so far
        for (std::size_t d = 0; d < model_.decisions.size(); ++d) {
            const Node& node = *facts_.node(model_.decisions[d].node);
            const std::string module = node.source ? node.source->module : std::string();
            std::string alike = module;
            std::erase_if(alike, [](char c) { return c >= '0' && c <= '9'; });
            if (alike.size() == module.size()) continue;
            const int nth = seen[module + '|' + node.op()]++;
            members[alike + '|' + node.op() + '|' + std::to_string(nth)].push_back(static_cast<int>(d));
        }
        int next = 0;
        for (const auto& [key, all] : members) {
            if (all.size() < 2) continue;
            for (const int d : all) model_.decisions[at(d)].family = next;
            ++next;
        }
        model_.families = next;
    }

    const JointFacts& facts_;
    const FunctionMetadata& metadata_;
    const std::function<double(const Node&)>& ms_;
    const OperatorCosts& costs_;
    const int size_;
    int firstTangentUser_ = 0;
    StepProblem model_;
    std::vector<int> value_;                        ///< by node: the one that stands for its register; -1: none
    std::vector<int> root_;                         ///< by value: the one whose memory it has
    std::vector<int> slotOf_;                       ///< by node: where it runs in the backward
    std::map<int, int> blockOf_, backwardBlockOf_;  ///< by root
    std::map<int, int> decisionOf_;                 ///< by node
    std::vector<BackwardBlock> backwardBlocks_;
};

}  // namespace

StepChoice StepProblem::keepAll() const {
    StepChoice again(decisions.size());
    for (std::size_t d = 0; d < decisions.size(); ++d) again[d] = !decisions[d].mayKeep;
    return again;
}

std::int64_t StepProblem::outputBytes() const {
    std::int64_t bytes = 0;
    for (const StepBlock& block : blocks)
        if (block.output) bytes += block.bytes;
    return bytes;
}

StepProblem stepProblem(const JointFacts& facts, const FunctionMetadata& metadata,
                        const std::function<double(const Node&)>& ms, const OperatorCosts& costs) {
    return StepProblemBuilder(facts, metadata, ms, costs).run();
}

}  // namespace aotscope

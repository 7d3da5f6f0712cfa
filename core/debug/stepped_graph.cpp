#include "debug/stepped_graph.h"

#include "aten/copy_tensor.h"
#include "aten/full_precision.h"
#include "aten/tensors.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

bool drawsNumbers(const PlanStep& step, const Node& node) {
    return step.op && (hasTag(node, kRandom) || step.op->hasTag(at::Tag::nondeterministic_seeded));
}

}  // namespace

SteppedGraph::SteppedGraph(std::shared_ptr<const Graph> graph, const ConstantTable& constants, bool gradMode)
    : graph_(std::move(graph)), plan_(makePlan(*graph_, constants)), gradMode_(gradMode) {
    keepEverything();
    findPlaces();
}

void SteppedGraph::keepEverything() {
    for (PlanStep& step : plan_.steps) {
        for (PlanOperand& operand : step.operands) operand.last = false;
        step.inPlace.reset();
        step.releases.clear();
    }
}

void SteppedGraph::findPlaces() {
    std::size_t input = 0, constant = 0;
    std::unordered_map<NodeId, const Node*> byId;
    for (const Node* node : graph_->nodes()) {
        byId[node->id()] = node;
        if (node->kind() == NodeKind::placeholder) places_[node->id()] = {plan_.inputs[input++], 0};
        if (node->kind() == NodeKind::constant) places_[node->id()] = {plan_.constants[constant++].first, 0};
    }
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        const PlanStep& step = plan_.steps[i];
        const Node* node = nodes_.emplace_back(byId.at(step.node));
        auto& results = results_.emplace_back();
        if (!node->type.tuple()) results.push_back(node);
        for (const Node* user : node->users())
            if (node->type.tuple() && isGetitem(*user)) results.push_back(user);
        for (const Node* result : results) {
            const auto element = result == node ? 0 : static_cast<std::size_t>(*result->args()[1].integer());
            places_[result->id()] = {step.results[element], i + 1};
        }
    }
}

void SteppedGraph::start(const std::vector<c10::IValue>& arguments) {
    check(arguments.size() == plan_.inputs.size(), "a graph gets one value for each placeholder");
    registers_.assign(registerIndex(plan_.registers), {});
    for (const auto& [r, tensor] : plan_.constants) registers_[registerIndex(r)] = tensor;
    for (std::size_t i = 0; i < arguments.size(); ++i) registers_[registerIndex(plan_.inputs[i])] = arguments[i];
    tape_.clear();
    next_ = 0;
}

const Node* SteppedGraph::nodeOf(std::size_t step) const { return step < nodes_.size() ? nodes_[step] : nullptr; }

/// A step that writes gets copies, so that what was there before is not lost: of all values that share the memory,
/// which the copies share among each other.
SteppedGraph::Before SteppedGraph::prepare(const PlanStep& step, const RandomState& random) {
    Before before{next_, {}, {}};
    if (drawsNumbers(step, *nodes_[next_])) before.random = random;
    if (!step.op || !step.op->schema().is_mutable()) return before;
    std::unordered_set<const c10::StorageImpl*> written;
    for (const PlanOperand& operand : step.operands) {
        const auto* alias = step.op->schema().arguments()[operand.argument].alias_info();
        const c10::IValue& value = registers_[registerIndex(operand.source)];
        if (alias && alias->isWrite() && isTensor(value)) written.insert(storageOf(value.toTensor()));
    }
    std::unordered_map<const c10::StorageImpl*, c10::Storage> storages;
    for (Register r = 0; r < plan_.registers; ++r) {
        c10::IValue& value = registers_[registerIndex(r)];
        if (!isTensor(value) || !written.contains(storageOf(value.toTensor()))) continue;
        before.replaced.emplace_back(r, value);
        value = copyTensor(value.toTensor(), storages);
    }
    return before;
}

void SteppedGraph::undo(const Before& before) {
    for (const auto& [r, value] : before.replaced) registers_[registerIndex(r)] = value;
}

void SteppedGraph::runKernel(const PlanStep& step, std::vector<c10::IValue>& registers,
                             torch::jit::Stack& stack) const {
    const FullPrecision inFull;  // so that values do not differ from eager's by TF32's errors
    const at::AutoGradMode grad(gradMode_);
    const at::AutoDispatchBelowADInplaceOrView plainKernels;
    const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);
    executeStep(step, registers, stack);
}

void SteppedGraph::execute(RandomState& random) {
    const PlanStep& step = plan_.steps[next_];
    Before before = prepare(step, random);
    torch::jit::Stack stack;
    std::optional<RandomStateGuard> kept;  // the run's numbers are its own
    try {
        if (before.random) {
            kept.emplace();
            random.restore();
        }
        runKernel(step, registers_, stack);
        if (before.random) random = RandomState();
    } catch (...) {
        undo(before);
        throw;
    }
    storeResults(step, registers_, stack);
    if (before.random || !before.replaced.empty()) tape_.push_back(std::move(before));
    ++next_;
}

void SteppedGraph::goBackTo(std::size_t step, RandomState& random) {
    for (; !tape_.empty() && tape_.back().step >= step; tape_.pop_back()) {
        undo(tape_.back());
        if (tape_.back().random) random = *tape_.back().random;
    }
    for (; next_ > step; --next_)
        for (const Register r : plan_.steps[next_ - 1].results)
            if (r != kUnused) registers_[registerIndex(r)] = {};
}

std::size_t SteppedGraph::stepOf(const Node& call) const {
    return static_cast<std::size_t>(std::ranges::find(nodes_, &call) - nodes_.begin());
}

bool SteppedGraph::canCallAgain(const Node& call) const {
    const std::size_t index = stepOf(call);
    if (index >= next_ || !plan_.steps[index].op) return false;
    return !plan_.steps[index].op->schema().is_mutable() && !drawsNumbers(plan_.steps[index], call);
}

std::vector<c10::IValue> SteppedGraph::callAgain(const IsolatedCall& call) const {
    std::vector<c10::IValue> registers = registers_;
    for (const auto& [node, value] : call.operands) registers[registerIndex(placeOf(*node)->source)] = value;
    torch::jit::Stack stack;
    runKernel(plan_.steps[stepOf(*call.node)], registers, stack);
    return stack;
}

const SteppedGraph::Place* SteppedGraph::placeOf(const Node& node) const {
    const Node* element = &node;
    if (node.type.tuple())
        for (const Node* user : node.users())
            if (isGetitem(*user) && (element == &node || *user->args()[1].integer() < *element->args()[1].integer()))
                element = user;
    const auto it = places_.find(element->id());
    return it == places_.end() ? nullptr : &it->second;
}

std::optional<std::size_t> SteppedGraph::readyAfter(const Node& node) const {
    const Place* place = placeOf(node);
    return place ? std::optional(place->ready) : std::nullopt;
}

const c10::IValue* SteppedGraph::value(const Node& node) const {
    const Place* place = placeOf(node);
    if (!place || place->ready > next_ || registers_.empty()) return nullptr;
    for (const Before& before : tape_)
        for (const auto& [r, value] : before.replaced)
            if (r == place->source && before.step >= place->ready) return &value;
    return &registers_[registerIndex(place->source)];
}

void SteppedGraph::setValue(const Node& node, c10::IValue value, RandomState& random) {
    const Place* place = placeOf(node);
    check(place && place->ready <= next_, "only a value that is there can be replaced");
    goBackTo(place->ready, random);
    registers_[registerIndex(place->source)] = std::move(value);
}

std::vector<c10::IValue> SteppedGraph::outputs() const {
    std::vector<c10::IValue> outputs;
    for (const PlanOutput& output : plan_.outputs)
        outputs.push_back(output.source == kUnused ? output.literal : registers_[registerIndex(output.source)]);
    return outputs;
}

}  // namespace aotscope

#include "debug/interpreted_steps.h"

#include "aten/copy_tensor.h"
#include "aten/full_precision.h"
#include "aten/plain_kernels.h"
#include "aten/tensors.h"
#include "ir/id_table.h"
#include "ops/op_table.h"
#include "support/error.h"

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

InterpretedSteps::InterpretedSteps(std::shared_ptr<const Graph> graph, const ConstantTable& constants, bool gradMode,
                                   std::string note)
    : SteppedGraph(std::move(graph)), plan_(makePlan(*graph_, constants)), gradMode_(gradMode), note_(std::move(note)) {
    keepEverything();
    findPlaces();
}

void InterpretedSteps::keepEverything() {
    for (PlanStep& step : plan_.steps) {
        for (PlanOperand& operand : step.operands) operand.last = false;
        step.inPlace.reset();
        step.releases.clear();
    }
}

void InterpretedSteps::findPlaces() {
    std::size_t input = 0, constant = 0;
    const NodesById byId = nodesById(*graph_);
    for (const Node* node : graph_->nodes()) {
        if (node->kind() == NodeKind::placeholder) places_[node] = plan_.inputs[input++];
        if (node->kind() == NodeKind::constant) places_[node] = plan_.constants[constant++].first;
    }
    for (const PlanStep& step : plan_.steps) {
        const Node* node = byId.at(step.node);
        auto& results = steps_.emplace_back(Step{node, {}, {}}).results;
        if (!node->type.tuple()) results.push_back(node);
        for (const Node* user : node->users())
            if (node->type.tuple() && isGetitem(*user)) results.push_back(user);
        for (const Node* result : results) {
            const auto element = result == node ? 0 : static_cast<std::size_t>(*result->args()[1].integer());
            places_[result] = step.results[element];
        }
    }
    findSteps();
}

void InterpretedSteps::start(const std::vector<c10::IValue>& arguments, const RandomState& /*random*/) {
    check(arguments.size() == plan_.inputs.size(), "a graph gets one value for each placeholder");
    registers_.assign(registerIndex(plan_.registers), {});
    for (const auto& [r, tensor] : plan_.constants) registers_[registerIndex(r)] = tensor;
    for (std::size_t i = 0; i < arguments.size(); ++i) registers_[registerIndex(plan_.inputs[i])] = arguments[i];
    tape_.clear();
    next_ = 0;
}

/// Gives a step that writes copies of all values that share the memory, so that the old contents are not lost. The
/// copies share memory as the originals do.
InterpretedSteps::Before InterpretedSteps::prepare(const PlanStep& step, const RandomState& random) {
    Before before{next_, {}, {}};
    if (drawsNumbers(step, *steps_[next_].node)) before.random = random;
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

void InterpretedSteps::undo(const Before& before) {
    for (const auto& [r, value] : before.replaced) registers_[registerIndex(r)] = value;
}

void InterpretedSteps::runKernel(const PlanStep& step, std::vector<c10::IValue>& registers,
                                 torch::jit::Stack& stack) const {
    const FullPrecision inFull;  // so that values do not differ from eager's by TF32 errors
    const at::AutoGradMode grad(gradMode_);
    const PlainKernels plainKernels;
    executeStep(step, registers, stack);
}

void InterpretedSteps::execute(RandomState& random) {
    const PlanStep& step = plan_.steps[next_];
    Before before = prepare(step, random);
    torch::jit::Stack stack;
    std::optional<RandomStateGuard> kept;  // the caller's RNG state is not changed
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

void InterpretedSteps::goBackTo(std::size_t step, RandomState& random) {
    for (; !tape_.empty() && tape_.back().step >= step; tape_.pop_back()) {
        undo(tape_.back());
        if (tape_.back().random) random = *tape_.back().random;
    }
    for (; next_ > step; --next_)
        for (const Register r : plan_.steps[next_ - 1].results)
            if (r != kUnused) registers_[registerIndex(r)] = {};
}

std::size_t InterpretedSteps::stepOf(const Node& call) const {
    return static_cast<std::size_t>(std::ranges::find(steps_, &call, &Step::node) - steps_.begin());
}

bool InterpretedSteps::canCallAgain(const Node& call) const { return stepOf(call) < next_ && isPure(call); }

bool InterpretedSteps::isPure(const Node& call) const {
    const std::size_t index = stepOf(call);
    if (index >= steps() || !plan_.steps[index].op) return false;
    return !plan_.steps[index].op->schema().is_mutable() && !drawsNumbers(plan_.steps[index], call);
}

std::vector<c10::IValue> InterpretedSteps::callAgain(const IsolatedCall& call) const {
    std::vector<c10::IValue> registers = registers_;
    for (const auto& [node, value] : call.operands) registers[registerIndex(placeOf(*node))] = value;
    torch::jit::Stack stack;
    runKernel(plan_.steps[stepOf(*call.node)], registers, stack);
    return stack;
}

Register InterpretedSteps::placeOf(const Node& node) const {
    const auto it = places_.find(&valueNodeOf(node));
    return it == places_.end() ? kUnused : it->second;
}

const c10::IValue* InterpretedSteps::value(const Node& node) const {
    const Register place = placeOf(node);
    if (place == kUnused || *readyAfter(node) > next_ || registers_.empty()) return nullptr;
    for (const Before& before : tape_)
        for (const auto& [r, value] : before.replaced)
            if (r == place && before.step >= *readyAfter(node)) return &value;
    return &registers_[registerIndex(place)];
}

void InterpretedSteps::setValue(const Node& node, c10::IValue value, RandomState& random) {
    const auto ready = readyAfter(node);
    check(ready && *ready <= next_, "only a value that is there can be replaced");
    goBackTo(*ready, random);
    registers_[registerIndex(placeOf(node))] = std::move(value);
}

std::vector<c10::IValue> InterpretedSteps::outputs() const {
    std::vector<c10::IValue> outputs;
    for (const PlanOutput& output : plan_.outputs)
        outputs.push_back(output.source == kUnused ? output.literal : registers_[registerIndex(output.source)]);
    return outputs;
}

}  // namespace aotscope

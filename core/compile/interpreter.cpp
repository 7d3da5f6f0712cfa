#include "compile/compiler.h"
#include "compile/in_place.h"
#include "ops/number_functions.h"
#include "ops/op_table.h"
#include "support/error.h"
#include "trace/convert.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace aotscope {

namespace {

using Register = int;
constexpr Register kUnused = -1;

/// Where a register's value goes among an operation's arguments.
struct Operand {
    Register source = kUnused;
    std::size_t argument = 0;
    std::optional<std::size_t> element;  ///< within a list argument
    bool last = false;                   ///< nothing uses the register afterwards: its value is moved
    bool wraps = false;                  ///< a number where the operation takes a tensor
};

struct Step {
    NodeId node = kNoNode;
    std::optional<c10::OperatorHandle> op;  ///< none: `arithmetic` computes the result
    NumberFunction arithmetic = nullptr;
    std::optional<c10::OperatorHandle> inPlace;  ///< writes into the first argument, if nothing else holds it
    std::vector<c10::IValue> arguments;          ///< literals, with gaps for operands
    std::vector<Operand> operands;
    std::vector<Register> results;
    bool listResult = false;
    std::vector<Register> releases;  ///< results that nothing uses
};

/// The in-place twin of a pointwise operation whose result has the type of its first argument.
std::optional<c10::OperatorHandle> inPlaceTwin(const Node& node, const c10::OperatorName& name) {
    if (opFamily(node.op()) != OpFamily::pointwise || node.args().empty() || !node.args()[0].node())
        return std::nullopt;
    const auto* result = node.type.tensor();
    const auto* input = node.args()[0].node()->type.tensor();
    if (!result || !input || result->dtype != input->dtype || !result->sameLayout(*input)) return std::nullopt;
    const auto twin = c10::Dispatcher::singleton().findSchema({name.name + "_", name.overload_name});
    return twin ? std::optional<c10::OperatorHandle>(*twin) : std::nullopt;
}

struct Output {
    Register source = kUnused;
    c10::IValue literal;
};

/// A graph as a list of calls over registers.
struct Plan {
    Register registers = 0;
    std::vector<Register> inputs, unusedInputs;
    std::vector<std::pair<Register, at::Tensor>> constants;
    std::vector<Step> steps;
    std::vector<Output> outputs;
};

std::size_t index(Register r) { return static_cast<std::size_t>(r); }

class Planner {
public:
    Plan run(const Graph& graph, const ConstantTable& constants) {
        for (const Node* node : graph.nodes()) assignRegisters(*node, constants);
        for (const Node* node : graph.nodes())
            if (node->kind() == NodeKind::call && !isGetitem(*node)) plan_.steps.push_back(plan(*node));
        planOutputs(graph);
        markLastUses();
        return std::move(plan_);
    }

private:
    void assignRegisters(const Node& node, const ConstantTable& constants) {
        if (node.kind() == NodeKind::output) return;
        if (isGetitem(node)) {
            // Elements of one tuple with the same index share a register.
            const auto key = std::make_pair(node.args()[0].node(), *node.args()[1].integer());
            const auto [it, isNew] = items_.try_emplace(key, plan_.registers);
            if (isNew) ++plan_.registers;
            registerOf_[&node] = it->second;
            return;
        }
        if (node.type.tuple()) return;
        registerOf_[&node] = plan_.registers++;
        if (node.kind() == NodeKind::placeholder) plan_.inputs.push_back(registerOf_[&node]);
        if (node.kind() == NodeKind::constant) {
            const auto it = constants.find(node.op());
            if (it == constants.end())
                throw Error("the graph refers to the constant '" + node.op() + "', whose value is not at hand");
            plan_.constants.emplace_back(registerOf_[&node], it->second);
        }
    }

    Register registerOf(const Node* node) const {
        const auto it = registerOf_.find(node);
        if (it == registerOf_.end())
            throw Error("%" + node->name() +
                        " is a tuple; the interpreter takes its elements only through operator.getitem");
        return it->second;
    }

    Step plan(const Node& node) {
        if (auto* arithmetic = findNumberFunction(node.op())) return planArithmetic(node, arithmetic);
        const auto name = operatorName(node.op());
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (!op)
            throw Error("operation '" + node.op() + "' is not known to LibTorch; load the library that defines it");
        Step step{node.id(), *op, nullptr, inPlaceTwin(node, name), {}, {}, {}, false, {}};
        const auto& declared = op->schema().arguments();
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const Argument* given = argumentOf(node, declared[i], i);
            if (!given) {
                if (!declared[i].default_value())
                    throw Error("%" + node.name() + " = " + node.op() + " lacks the argument '" + declared[i].name() +
                                "'");
                step.arguments.push_back(*declared[i].default_value());
                continue;
            }
            step.arguments.push_back(toIValue(*given, *declared[i].real_type()));
            addOperands(step, *given, i);
            const bool tensor = declared[i].type()->isSubtypeOf(*c10::TensorType::get());
            if (tensor && given->node() && given->node()->type.scalar()) step.operands.back().wraps = true;
        }
        planResults(step, node, op->schema());
        return step;
    }

    Step planArithmetic(const Node& node, NumberFunction arithmetic) {
        Step step{node.id(), std::nullopt, arithmetic, std::nullopt, {}, {}, {registerOf(&node)}, false, {}};
        for (std::size_t i = 0; i < node.args().size(); ++i) {
            step.arguments.push_back(toIValue(node.args()[i], *c10::AnyType::get()));
            addOperands(step, node.args()[i], i);
        }
        return step;
    }

    static const Argument* argumentOf(const Node& node, const c10::Argument& declared, std::size_t position) {
        if (position < node.args().size()) return &node.args()[position];
        for (const auto& [key, value] : node.kwargs())
            if (key == declared.name()) return &value;
        return nullptr;
    }

    void addOperands(Step& step, const Argument& given, std::size_t argument) {
        if (const Node* node = given.node()) step.operands.push_back({registerOf(node), argument, std::nullopt});
        const auto* list = given.list();
        for (std::size_t i = 0; list && i < list->size(); ++i)
            if (const Node* node = (*list)[i].node()) step.operands.push_back({registerOf(node), argument, i});
    }

    void planResults(Step& step, const Node& node, const c10::FunctionSchema& schema) {
        const auto* tuple = node.type.tuple();
        if (!tuple) {
            step.results.push_back(registerOf(&node));
            return;
        }
        step.listResult = schema.returns().size() == 1;
        for (std::size_t i = 0; i < tuple->size(); ++i) {
            const auto it = items_.find({&node, static_cast<std::int64_t>(i)});
            step.results.push_back(it == items_.end() ? kUnused : it->second);
        }
    }

    void planOutputs(const Graph& graph) {
        for (const auto& value : graph.outputs()) {
            if (const Node* node = value.node()) plan_.outputs.push_back({registerOf(node), {}});
            else plan_.outputs.push_back({kUnused, toIValue(value, *c10::AnyType::get())});
        }
    }

    void markLastUses() {
        std::vector<bool> used(index(plan_.registers), false);
        for (const auto& output : plan_.outputs)
            if (output.source != kUnused) used[index(output.source)] = true;
        for (auto step = plan_.steps.rbegin(); step != plan_.steps.rend(); ++step) {
            for (Register r : step->results)
                if (r != kUnused && !used[index(r)]) step->releases.push_back(r);
            // The last operand to take a register moves it; an earlier one of the same call copies.
            for (auto operand = step->operands.rbegin(); operand != step->operands.rend(); ++operand) {
                operand->last = !used[index(operand->source)];
                used[index(operand->source)] = true;
            }
        }
        for (Register r : plan_.inputs)
            if (!used[index(r)]) plan_.unusedInputs.push_back(r);
        const auto isFirst = [](const Operand& o) { return o.argument == 0 && o.last; };
        for (auto& step : plan_.steps)
            if (std::none_of(step.operands.begin(), step.operands.end(), isFirst)) step.inPlace.reset();
    }

    struct PairHash {
        std::size_t operator()(const std::pair<const Node*, std::int64_t>& p) const {
            return std::hash<const Node*>()(p.first) * 31 + static_cast<std::size_t>(p.second);
        }
    };

    Plan plan_;
    std::unordered_map<const Node*, Register> registerOf_;
    std::unordered_map<std::pair<const Node*, std::int64_t>, Register, PairHash> items_;
};

class Interpreter final : public CompiledGraph {
public:
    explicit Interpreter(Plan plan) : plan_(std::move(plan)) {
        for (const auto& step : plan_.steps) stepNodes_.push_back(step.node);
    }

    const std::vector<NodeId>& steps() const override { return stepNodes_; }

    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer) const override {
        if (args.size() != plan_.inputs.size())
            throw Error("a compiled graph with " + std::to_string(plan_.inputs.size()) + " inputs got " +
                        std::to_string(args.size()));
        if (observer) observer->arguments(args);
        const at::AutoDispatchBelowADInplaceOrView plainKernels;
        const c10::impl::ExcludeDispatchKeyGuard noAutocast(c10::autocast_dispatch_keyset);  // the graph has its casts
        std::vector<c10::IValue> registers(index(plan_.registers));
        for (const auto& [r, tensor] : plan_.constants) registers[index(r)] = tensor;
        for (std::size_t i = 0; i < plan_.inputs.size(); ++i) registers[index(plan_.inputs[i])] = std::move(args[i]);
        args.clear();
        for (Register r : plan_.unusedInputs) registers[index(r)] = {};
        torch::jit::Stack stack;
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            if (observer) observer->before(i);
            execute(plan_.steps[i], registers, stack);
            if (observer) observer->results(i, stack);
            storeResults(plan_.steps[i], registers, stack);
            if (observer) observer->after(i);
        }
        std::vector<c10::IValue> outputs;
        outputs.reserve(plan_.outputs.size());
        for (const auto& output : plan_.outputs)
            outputs.push_back(output.source == kUnused ? output.literal : registers[index(output.source)]);
        return outputs;
    }

private:
    /// Leaves the results on the stack, the elements of a list one by one.
    static void execute(const Step& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
        stack.assign(step.arguments.begin(), step.arguments.end());
        for (const auto& operand : step.operands) {
            c10::IValue& source = registers[index(operand.source)];
            c10::IValue value = operand.last ? std::move(source) : source;
            c10::IValue& target = stack[operand.argument];
            if (!operand.element) {
                target = operand.wraps ? c10::IValue(wrappedNumber(value.toScalar())) : std::move(value);
            } else {
                if (&operand == &step.operands.front() || (&operand - 1)->argument != operand.argument)
                    copyList(target);
                setElement(target, *operand.element, value);
            }
        }
        if (step.arithmetic) {
            const c10::IValue result = step.arithmetic(stack);
            stack.assign(1, result);
            return;
        }
        const bool alone = step.inPlace && stack[0].isTensor() && stack[0].toTensor().use_count() == 1 &&
                           stack[0].toTensor().storage().use_count() == 1;
        (alone ? *step.inPlace : *step.op).callBoxed(stack);
        if (!step.listResult) return;
        const auto elements = stack.back().toTensorVector();
        stack.assign(elements.begin(), elements.end());
    }

    /// Literal lists are shared by all runs: an own one is needed before elements are set.
    static void copyList(c10::IValue& list) {
        if (list.isTensorList()) list = list.toTensorList().copy();
        else if (list.isIntList()) list = list.toIntList().copy();
        else list = list.toOptionalTensorList().copy();
    }

    static void setElement(c10::IValue& list, std::size_t i, const c10::IValue& value) {
        if (list.isTensorList()) list.toTensorList().set(i, value.toTensor());
        else if (list.isIntList()) list.toIntList().set(i, value.toInt());
        else list.toOptionalTensorList().set(i, value.toTensor());
    }

    static void storeResults(const Step& step, std::vector<c10::IValue>& registers, torch::jit::Stack& stack) {
        for (std::size_t i = 0; i < step.results.size(); ++i)
            if (step.results[i] != kUnused) registers[index(step.results[i])] = std::move(stack[i]);
        stack.clear();
        for (Register r : step.releases) registers[index(r)] = {};
    }

    Plan plan_;
    std::vector<NodeId> stepNodes_;
};

class InterpreterCompiler final : public Compiler {
public:
    std::string name() const override { return "interpreter"; }
    std::shared_ptr<const CompiledGraph> compile(const Graph& graph, const ConstantTable& constants) const override {
        return std::make_shared<Interpreter>(Planner().run(graph, constants));
    }
};

}  // namespace

bool mayRunInPlace(const Node& node) {
    return node.kind() == NodeKind::call && inPlaceTwin(node, operatorName(node.op())).has_value();
}

std::unique_ptr<Compiler> makeInterpreter() { return std::make_unique<InterpreterCompiler>(); }

}  // namespace aotscope

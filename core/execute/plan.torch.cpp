#include "execute/plan.h"

#include "aten/convert.h"
#include "aten/find_operator.h"
#include "execute/in_place.h"
#include "execute/planned_subgraph.h"
#include "execute/random_steps.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"
#include "support/error.h"

#include <set>

namespace aotscope {

namespace {

/// The in-place twin of a pointwise operation whose result has the type of its first argument.
std::optional<c10::OperatorHandle> inPlaceTwin(const Node& node, const c10::OperatorName& name) {
    const bool pointwise = node.op().starts_with("aten.") && opFamily(node.op()) == OpFamily::pointwise;
    if (!pointwise || node.args().empty() || !node.args()[0].node()) return std::nullopt;
    const auto* result = node.type.tensor();
    const auto* input = node.args()[0].node()->type.tensor();
    if (!result || !input || result->dtype != input->dtype || !result->sameLayout(*input)) return std::nullopt;
    const auto twin = c10::Dispatcher::singleton().findSchema({name.name + "_", name.overload_name});
    return twin ? std::optional<c10::OperatorHandle>(*twin) : std::nullopt;
}

/// The argument of rng_state.
c10::Device deviceIn(const Node& node) {
    const auto* device = node.args().empty() ? nullptr : std::get_if<Device>(&node.args()[0].value);
    if (!device) throw Error("%" + node.name() + " = " + node.op() + " must be called with a device");
    return c10::Device(device->name);
}

class Planner {
public:
    Planner(const Graph& graph, const ConstantTable& constants, const KernelTable& kernels)
        : constants_(constants), kernels_(kernels), registers_(graph) {}

    Plan run(const Graph& graph) {
        plan_.registers = registers_.count();
        for (Register r = 0; r < registers_.count(); ++r) plan_.names.push_back(registers_.node(r)->name());
        planInputs(graph);
        for (const Node* node : registers_.steps()) plan_.steps.push_back(plan(*node));
        planOutputs(graph);
        markLastUses();
        return std::move(plan_);
    }

private:
    void planInputs(const Graph& graph) {
        for (const Node* node : graph.nodes()) {
            if (node->kind() == NodeKind::placeholder) {
                plan_.inputs.push_back(registerOf(node));
                if (!registers_.isUsed(registerOf(node))) plan_.unusedInputs.push_back(registerOf(node));
            }
            if (node->kind() != NodeKind::constant) continue;
            const auto it = constants_.find(node->op());
            if (it == constants_.end())
                throw Error("the graph refers to the constant '" + node->op() + "', whose value is not available");
            plan_.constants.emplace_back(registerOf(node), it->second);
        }
    }

    Register registerOf(const Node* node) const {
        const Register r = registers_.of(node);
        if (r == kUnused)
            throw Error("%" + node->name() +
                        " is a tuple; the interpreter takes its elements only through operator.getitem");
        return r;
    }

    PlanStep plan(const Node& node) {
        if (const auto it = kernels_.find(node.op()); it != kernels_.end()) return planKernel(node, it->second);
        if (auto* arithmetic = findNumberFunction(node.op())) return planArithmetic(node, arithmetic);
        if (node.isCall(kRngState)) return planKernel(node, rngStateKernel(deviceIn(node)));
        if (node.isCall(kRunWithRngState)) return planDrawnAgain(node);
        const c10::OperatorName name = operatorName(node.op());
        PlanStep step = planCall(node, node.op(), 0);
        step.inPlace = inPlaceTwin(node, name);
        return step;
    }

    /// A call of `operation` with the arguments of `node` from `first` on.
    PlanStep planCall(const Node& node, const std::string& operation, std::size_t first) {
        const auto op = findOperator(operation);
        if (!op)
            throw Error("operation '" + operation + "' is not known to LibTorch; load the library that defines it");
        PlanStep step{node.id(), *op, nullptr, std::nullopt, {}, {}, {}, false, {}};
        const auto& declared = op->schema().arguments();
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const Argument* given = argumentOf(node, declared[i], first + i);
            if (!given) {
                if (!declared[i].default_value())
                    throw Error("%" + node.name() + " = " + operation + " lacks the argument '" + declared[i].name() +
                                "'");
                step.arguments.push_back(*declared[i].default_value());
                continue;
            }
            if (const auto* subgraph = given->subgraph()) {
                step.arguments.push_back(planSubgraph(**subgraph, constants_));
                continue;
            }
            step.arguments.push_back(toIValue(*given, *declared[i].real_type()));
            addOperands(step, *given, i);
            const bool tensor = declared[i].type()->isSubtypeOf(*c10::TensorType::get());
            if (tensor && given->node() && given->node()->type.scalar()) step.operands.back().wraps = true;
        }
        planResults(step, node, op->schema().returns().size() == 1);
        return step;
    }

    /// The RNG state goes behind the arguments of the operation.
    PlanStep planDrawnAgain(const Node& node) {
        const Node* state = node.args().empty() ? nullptr : node.args()[0].node();
        const std::string& operation = operationOf(node);
        if (!state || operation == kRunWithRngState)
            throw Error("%" + node.name() + " = " + node.op() + " must be called with an RNG state and an operation");
        PlanStep step = planCall(node, operation, 2);
        step.operands.push_back({registerOf(state), step.arguments.size(), std::nullopt});
        step.arguments.emplace_back();
        step.kernel = drawAgainKernel(*step.op, c10::Device(deviceOfDraw(node).name));
        return step;
    }

    PlanStep planKernel(const Node& node, std::shared_ptr<const StepKernel> kernel) {
        PlanStep step;
        step.node = node.id();
        step.kernel = std::move(kernel);
        for (std::size_t i = 0; i < node.args().size(); ++i) {
            step.arguments.emplace_back();
            addOperands(step, node.args()[i], i);
        }
        planResults(step, node, false);
        return step;
    }

    PlanStep planArithmetic(const Node& node, NumberFunction arithmetic) {
        PlanStep step{node.id(), std::nullopt, arithmetic, std::nullopt, {}, {}, {registerOf(&node)}, false, {}};
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

    void addOperands(PlanStep& step, const Argument& given, std::size_t argument) {
        if (const Node* node = given.node()) step.operands.push_back({registerOf(node), argument, std::nullopt});
        const auto* list = given.list();
        for (std::size_t i = 0; list && i < list->size(); ++i)
            if (const Node* node = (*list)[i].node()) step.operands.push_back({registerOf(node), argument, i});
    }

    void planResults(PlanStep& step, const Node& node, bool oneResult) {
        const auto* tuple = node.type.tuple();
        if (!tuple) {
            step.results.push_back(registerOf(&node));
            return;
        }
        step.listResult = oneResult;
        for (std::size_t i = 0; i < tuple->size(); ++i) step.results.push_back(registers_.element(&node, i));
    }

    void planOutputs(const Graph& graph) {
        for (const auto& value : graph.outputs()) {
            if (const Node* node = value.node()) plan_.outputs.push_back({registerOf(node), {}});
            else plan_.outputs.push_back({kUnused, toIValue(value, *c10::AnyType::get())});
        }
    }

    void markLastUses() {
        for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
            PlanStep& step = plan_.steps[i];
            for (const Register r : step.results)
                if (r != kUnused && !registers_.isUsed(r)) step.releases.push_back(r);
            // The last operand to take a register moves it; an earlier one of the same call copies.
            std::set<Register> moved;
            for (auto operand = step.operands.rbegin(); operand != step.operands.rend(); ++operand)
                operand->last = registers_.endsAt(operand->source, i) && moved.insert(operand->source).second;
            if (!registers_.mayOverwriteFirst(i)) step.inPlace.reset();
        }
    }

    const ConstantTable& constants_;
    const KernelTable& kernels_;
    const RegisterMap registers_;
    Plan plan_;
};

}  // namespace

Plan makePlan(const Graph& graph, const ConstantTable& constants, const KernelTable& kernels) {
    return Planner(graph, constants, kernels).run(graph);
}

bool mayRunInPlace(const Node& node) {
    // Those of Python are not registered.
    const bool registered = node.kind() == NodeKind::call && !node.op().starts_with("operator.");
    return registered && inPlaceTwin(node, operatorName(node.op())).has_value();
}

}  // namespace aotscope

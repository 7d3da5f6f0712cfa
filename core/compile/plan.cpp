#include "compile/plan.h"

#include "aten/convert.h"
#include "compile/in_place.h"
#include "ops/op_table.h"
#include "support/error.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

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

class Planner {
public:
    explicit Planner(const KernelTable& kernels) : kernels_(kernels) {}

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
            if (isNew) newRegister(node);
            registerOf_[&node] = it->second;
            return;
        }
        if (node.type.tuple()) return;
        registerOf_[&node] = newRegister(node);
        if (node.kind() == NodeKind::placeholder) plan_.inputs.push_back(registerOf_[&node]);
        if (node.kind() == NodeKind::constant) {
            const auto it = constants.find(node.op());
            if (it == constants.end())
                throw Error("the graph refers to the constant '" + node.op() + "', whose value is not at hand");
            plan_.constants.emplace_back(registerOf_[&node], it->second);
        }
    }

    Register newRegister(const Node& node) {
        plan_.names.push_back(node.name());
        return plan_.registers++;
    }

    Register registerOf(const Node* node) const {
        const auto it = registerOf_.find(node);
        if (it == registerOf_.end())
            throw Error("%" + node->name() +
                        " is a tuple; the interpreter takes its elements only through operator.getitem");
        return it->second;
    }

    PlanStep plan(const Node& node) {
        if (const auto it = kernels_.find(node.op()); it != kernels_.end()) return planKernel(node, it->second);
        if (auto* arithmetic = findNumberFunction(node.op())) return planArithmetic(node, arithmetic);
        const auto name = operatorName(node.op());
        const auto op = c10::Dispatcher::singleton().findSchema(name);
        if (!op)
            throw Error("operation '" + node.op() + "' is not known to LibTorch; load the library that defines it");
        PlanStep step{node.id(), *op, nullptr, inPlaceTwin(node, name), {}, {}, {}, false, {}};
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
        planResults(step, node, op->schema().returns().size() == 1);
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
        std::vector<bool> used(registerIndex(plan_.registers), false);
        for (const auto& output : plan_.outputs)
            if (output.source != kUnused) used[registerIndex(output.source)] = true;
        for (auto step = plan_.steps.rbegin(); step != plan_.steps.rend(); ++step) {
            for (Register r : step->results)
                if (r != kUnused && !used[registerIndex(r)]) step->releases.push_back(r);
            // The last operand to take a register moves it; an earlier one of the same call copies.
            for (auto operand = step->operands.rbegin(); operand != step->operands.rend(); ++operand) {
                operand->last = !used[registerIndex(operand->source)];
                used[registerIndex(operand->source)] = true;
            }
        }
        for (Register r : plan_.inputs)
            if (!used[registerIndex(r)]) plan_.unusedInputs.push_back(r);
        const auto isFirst = [](const PlanOperand& o) { return o.argument == 0 && o.last; };
        for (auto& step : plan_.steps)
            if (std::none_of(step.operands.begin(), step.operands.end(), isFirst)) step.inPlace.reset();
    }

    struct PairHash {
        std::size_t operator()(const std::pair<const Node*, std::int64_t>& p) const {
            return std::hash<const Node*>()(p.first) * 31 + static_cast<std::size_t>(p.second);
        }
    };

    const KernelTable& kernels_;
    Plan plan_;
    std::unordered_map<const Node*, Register> registerOf_;
    std::unordered_map<std::pair<const Node*, std::int64_t>, Register, PairHash> items_;
};

}  // namespace

Plan makePlan(const Graph& graph, const ConstantTable& constants, const KernelTable& kernels) {
    return Planner(kernels).run(graph, constants);
}

bool mayRunInPlace(const Node& node) {
    return node.kind() == NodeKind::call && inPlaceTwin(node, operatorName(node.op())).has_value();
}

}  // namespace aotscope

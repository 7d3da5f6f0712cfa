#include "execute/plan.h"

#include "aten/convert.h"
#include "aten/find_operator.h"
#include "aten/random_state.h"
#include "execute/batching.h"
#include "execute/in_place.h"
#include "execute/planned_subgraph.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"
#include "program/higher_order.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <set>

namespace aotscope {

namespace {

/// The argument of rng_state.
c10::Device deviceIn(const Node& node) {
    const auto* device = node.args().empty() ? nullptr : std::get_if<Device>(&node.args()[0].value);
    if (!device) throw Error("it must be called with a device");
    return c10::Device(device->name);
}

std::string placeInGraph(const Node& node) { return "%" + node.name() + " = " + node.op() + ": "; }

bool isList(const c10::Argument& argument) { return argument.type()->kind() == c10::TypeKind::ListType; }

/// Makes the state of the default generator a new tensor.
class RngState final : public StepKernel {
public:
    explicit RngState(c10::Device device) : device_(device) {}
    void call(torch::jit::Stack& stack) const override { stack.assign(1, generatorState(device_)); }

private:
    c10::Device device_;
};

/// Runs an operation with the RNG state in its last operand, after its own arguments, and restores the generator.
class DrawAgain final : public StepKernel {
public:
    DrawAgain(const c10::OperatorHandle& op, c10::Device device) : op_(op), device_(device) {}
    void call(torch::jit::Stack& stack) const override {
        const at::Tensor state = torch::jit::pop(stack).toTensor();
        const RandomStateGuard before;
        setGeneratorState(device_, state);
        op_.callBoxed(stack);
    }

private:
    c10::OperatorHandle op_;
    c10::Device device_;
};

class Planner {
public:
    Planner(const Graph& graph, const ConstantTable& constants, const PlanRules& rules)
        : constants_(constants), rules_(rules), registers_(graph) {}

    Plan run(const Graph& graph) {
        plan_.registers = registers_.count();
        plan_.asModel = rules_.asModel;
        for (Register r = 0; r < registers_.count(); ++r) plan_.names.push_back(registers_.node(r)->name());
        planInputs(graph);
        for (const Node* node : registers_.steps()) planNode(*node);
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

    void planNode(const Node& node) {
        const auto place = [&] { return rules_.place ? rules_.place(node) : placeInGraph(node); };
        try {
            PlanStep step = plan(node);
            step.node = node.id();
            if (!isIdle(step)) step.location = locationOf(node);
            plan_.steps.push_back(std::move(step));
        } catch (const Error& e) {
            throw Error(place() + e.what());
        } catch (const std::exception& e) {
            throw Error(place() + firstSentence(e.what()));
        }
    }

    static bool isIdle(const PlanStep& step) {
        return !step.op && !step.arithmetic && !step.kernel && !step.begins && !step.endsRegion;
    }

    std::optional<std::size_t> locationOf(const Node& node) {
        if (rules_.asModel && !node.source) return std::nullopt;
        auto& locations = plan_.locations;
        const auto same = [](const auto& a, const auto& b) { return a && b ? *a == *b : a == b; };
        if (locations.empty() || !same(locations.back(), node.source)) locations.push_back(node.source);
        return locations.size() - 1;
    }

    PlanStep plan(const Node& node) {
        if (rules_.skips && rules_.skips(node)) return planPlain(node);
        if (auto kernel = rules_.kernel ? rules_.kernel(node) : nullptr) return planKernel(node, std::move(kernel));
        if (auto* arithmetic = findNumberFunction(node.op())) return planArithmetic(node, arithmetic);
        if (endsRegion(node.op()) || findRegion(node.op())) return planRegion(node);
        if (const auto batching = batchingOf(node.op()))
            return *batching == Batching::prepare ? planPlain(node) : planMade(node, batchingKernel(*batching));
        if (node.isCall(kRngState)) return planMade(node, std::make_shared<RngState>(deviceIn(node)));
        if (node.isCall(kRunWithRngState)) return planDrawnAgain(node);
        PlanStep step = planCall(node, operatorOf(node.op()), 0);
        if (!rules_.asModel) step.inPlace = findOperator(inPlaceVariant(node));
        return step;
    }

    /// A step with the arguments of the graph and no results.
    PlanStep planPlain(const Node& node) {
        PlanStep step;
        for (std::size_t i = 0; i < node.args().size(); ++i) {
            step.arguments.push_back(toIValue(here(node.args()[i]), *c10::AnyType::get()));
            addOperands(step, node.args()[i], i);
        }
        return step;
    }

    PlanStep planRegion(const Node& node) {
        PlanStep step = planPlain(node);
        step.begins = findRegion(node.op());
        step.endsRegion = !step.begins;
        return step;
    }

    /// A kernel that replaces an operator takes its arguments, any other those of the graph.
    PlanStep planKernel(const Node& node, std::shared_ptr<const StepKernel> kernel) {
        const auto op = kernel->op() ? kernel->op() : findOperator(node.op());
        if (!op) return planMade(node, std::move(kernel));
        PlanStep step = planCall(node, *op, 0);
        step.kernel = std::move(kernel);
        return step;
    }

    PlanStep planMade(const Node& node, std::shared_ptr<const StepKernel> kernel) {
        PlanStep step = planPlain(node);
        step.kernel = std::move(kernel);
        planResults(step, node);
        return step;
    }

    PlanStep planArithmetic(const Node& node, NumberFunction arithmetic) {
        PlanStep step = planPlain(node);
        if (rules_.asModel && node.users().empty()) return step;  // a check of a value that was known at export
        step.arithmetic = arithmetic;
        step.results = {registerOf(&node)};
        return step;
    }

    /// The RNG state follows the arguments of the operation.
    PlanStep planDrawnAgain(const Node& node) {
        const Node* state = node.args().empty() ? nullptr : node.args()[0].node();
        const std::string& operation = operationOf(node);
        if (!state || operation == kRunWithRngState)
            throw Error("it must be called with an RNG state and an operation");
        PlanStep step = planCall(node, operatorOf(operation), 2);
        step.operands.push_back({registerOf(state), step.arguments.size(), std::nullopt});
        step.arguments.emplace_back();
        step.kernel = std::make_shared<DrawAgain>(*step.op, c10::Device(deviceOfDraw(node).name));
        return step;
    }

    static c10::OperatorHandle operatorOf(const std::string& operation) {
        if (const auto op = findOperator(operation)) return *op;
        throw Error("operator '" + c10::toString(operatorName(operation)) +
                    "' is unknown; give the library that defines it with --library FILE.so");
    }

    /// A call of `op` with the arguments of `node` from `first` on.
    PlanStep planCall(const Node& node, const c10::OperatorHandle& op, std::size_t first) {
        PlanStep step;
        step.op = op;
        step.communicates = !rules_.asModel && communicates(graphName(op.operator_name()));
        const c10::FunctionSchema& schema = op.schema();
        if (findHigherOrder(*step.op)) planSubgraphs(step, node);
        else planArguments(step, node, first);
        step.listResult = rules_.asModel ? std::ranges::any_of(schema.returns(), isList) : schema.returns().size() == 1;
        planResults(step, node);
        if (rules_.asModel) requireResults(step, node);
        return step;
    }

    void planArguments(PlanStep& step, const Node& node, std::size_t first) {
        const auto& declared = step.op->schema().arguments();
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const Argument* given = node.argument(first + i, declared[i].name());
            if (!given && !declared[i].default_value())
                throw Error("its argument " + inQuotes(declared[i].name()) + " is missing");
            try {
                if (given) planArgument(step, *given, declared[i], i);
                else step.arguments.push_back(*declared[i].default_value());
            } catch (const Error& e) {
                throw Error("argument " + inQuotes(declared[i].name()) + ": " + e.what());
            }
        }
        if (rules_.asModel) requireDeclared(node, step.op->schema());
    }

    void planArgument(PlanStep& step, const Argument& given, const c10::Argument& declared, std::size_t i) {
        using Convert = PlanOperand::Convert;
        const c10::TypeKind type = withoutOptional(*declared.real_type()).kind();
        if (type == c10::TypeKind::ListType && !given.list() && !given.isNone()) {
            const auto count = static_cast<std::size_t>(std::max(declared.N().value_or(1), 1));
            return planArgument(step, Argument::List(count, given), declared, i);
        }
        step.arguments.push_back(toIValue(here(given), *declared.real_type()));
        addOperands(step, given, i);
        if (!given.node()) return;
        const bool real = type == c10::TypeKind::FloatType || type == c10::TypeKind::SymFloatType;
        step.operands.back().convert = type == c10::TypeKind::TensorType ? Convert::tensor
                                       : real                            ? Convert::real
                                                                         : Convert::none;
    }

    /// The arguments of an operator that runs graphs. It takes only tensors: numbers, with which graphs of models are
    /// also called, are passed to the graphs beforehand.
    void planSubgraphs(PlanStep& step, const Node& node) {
        const auto& declared = step.op->schema().arguments();
        if (node.args().size() != declared.size())
            throw Error("it has " + counted(node.args().size(), "argument") + ", expected " +
                        std::to_string(declared.size()) + "; export the model again");
        std::optional<std::vector<bool>> numbers;  // of the inputs of its graphs
        std::vector<Argument> given;
        std::size_t position = 0;
        for (std::size_t i = 0; i < declared.size(); ++i) {
            const Argument& argument = node.args()[i];
            const auto* graph = argument.subgraph();
            if ((graph != nullptr) != (declared[i].type()->kind() == c10::TypeKind::AnyType))
                throw Error("its argument " + inQuotes(declared[i].name()) + (graph ? " is" : " is not") + " a graph");
            if (graph) {
                if (!numbers) numbers = numberInputs(**graph, rules_.asModel);
                requireSameNumbers(*numbers, **graph, *step.op);
                step.arguments.push_back(planSubgraph(**graph, constants_, rules_));
                continue;
            }
            Argument::List tensors;
            for (const Argument& element : argument.list() ? *argument.list() : Argument::List{argument}) {
                const bool isNumber = argument.list() && numbers && position < numbers->size() && (*numbers)[position];
                position += argument.list() != nullptr;
                if (isNumber) given.push_back(element);
                else tensors.push_back(element);
            }
            planArgument(step, argument.list() ? Argument(std::move(tensors)) : argument, declared[i], i);
        }
        for (const Argument& number : given) {
            step.arguments.push_back(toIValue(number, *c10::AnyType::get()));
            addOperands(step, number, step.arguments.size() - 1);
        }
        step.kernel = kernelOfSubgraphs(*step.op, given.size(), numberResults(node));
    }

    void requireSameNumbers(const std::vector<bool>& numbers, const Graph& graph, const c10::OperatorHandle& op) const {
        const bool scans = op.operator_name().name == "higher_order::associative_scan";
        if (numbers != numberInputs(graph, rules_.asModel) ||
            (scans && std::ranges::find(numbers, true) != numbers.end()))
            throw Error("its graph takes a number where only tensors are supported; compute it within the graph");
    }

    /// The results of a call in a model that are numbers and are returned as tensors.
    std::vector<std::size_t> numberResults(const Node& node) const {
        std::vector<std::size_t> numbers;
        for (const Node* user : node.users())
            if (rules_.asModel && isGetitem(*user) && !user->type.tensor())
                numbers.push_back(static_cast<std::size_t>(*user->args()[1].integer()));
        return numbers;
    }

    static void requireDeclared(const Node& node, const c10::FunctionSchema& schema) {
        if (node.args().size() > schema.arguments().size())
            throw Error("it takes " + counted(schema.arguments().size(), "argument") + ", found " +
                        std::to_string(node.args().size()));
        for (const auto& [key, value] : node.kwargs()) {
            const auto position = schema.argumentIndexWithName(key);
            if (!position) throw Error("it has no argument called " + inQuotes(key));
            if (static_cast<std::size_t>(*position) < node.args().size())
                throw Error("it has two arguments called " + inQuotes(key));
        }
    }

    void addOperands(PlanStep& step, const Argument& given, std::size_t argument) {
        if (const Node* node = given.node()) step.operands.push_back({registerOf(node), argument, std::nullopt});
        const auto* list = given.list();
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            if (const Node* node = (*list)[i].node()) step.operands.push_back({registerOf(node), argument, i});
            forEachNode((*list)[i], [&](const Node* node) {
                if (node != (*list)[i].node()) throw Error("it takes lists of lists, which are not supported");
            });
        }
    }

    /// Replaces the graph's device.
    Argument here(const Argument& argument) const {
        if (!rules_.device) return argument;
        if (const auto* device = std::get_if<Device>(&argument.value))
            return c10::Device(device->name).is_meta() ? argument : Argument(toDevice(*rules_.device));
        const auto* list = argument.list();
        if (!list || std::ranges::none_of(*list, [](const Argument& a) { return a.list() || holdsDevice(a); }))
            return argument;
        Argument::List mapped;
        for (const Argument& element : *list) mapped.push_back(here(element));
        return mapped;
    }
    static bool holdsDevice(const Argument& argument) { return std::holds_alternative<Device>(argument.value); }

    void planResults(PlanStep& step, const Node& node) {
        const auto* tuple = node.type.tuple();
        if (!tuple) {
            step.listResult = false;
            step.results.push_back(registerOf(&node));
            return;
        }
        for (std::size_t i = 0; i < tuple->size(); ++i) step.results.push_back(registers_.element(&node, i));
    }

    void requireResults(PlanStep& step, const Node& node) const {
        step.allResults = step.listResult;
        const std::size_t returned = step.op->schema().returns().size();
        if (step.listResult || (!node.type.tuple() && node.users().empty()) || step.results.size() == returned) return;
        throw Error("it returns " + counted(returned, "value") + ", the exported program takes " +
                    std::to_string(step.results.size()));
    }

    void planOutputs(const Graph& graph) {
        for (const auto& value : graph.outputs()) {
            if (const Node* node = value.node()) plan_.outputs.push_back({registerOf(node), {}});
            else plan_.outputs.push_back({kUnused, toIValue(here(value), *c10::AnyType::get())});
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
    const PlanRules& rules_;
    const RegisterMap registers_;
    Plan plan_;
};

}  // namespace

Plan makePlan(const Graph& graph, const ConstantTable& constants, const PlanRules& rules) {
    return Planner(graph, constants, rules).run(graph);
}

}  // namespace aotscope

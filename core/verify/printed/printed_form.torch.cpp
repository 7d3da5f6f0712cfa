#include "verify/printed/printed_form.h"

#include "aten/find_operator.h"
#include "ir/subgraphs.h"
#include "load/printed/derived_types.h"
#include "load/printed/syntax/roles.h"
#include "ops/op_table.h"
#include "ops/repeated_draws.h"
#include "support/error.h"
#include "support/names.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace aotscope {

namespace {

constexpr std::string_view kOperators = "torch.ops.", kSavingState = "higher_order.run_and_save_rng_state";
constexpr std::string_view kFunctionalized = "higher_order.auto_functionalized_v2";

/// The graph that `call` runs unchanged, and its arguments; null: it does not run one.
struct Region {
    const Graph* body = nullptr;
    std::vector<Argument> operands;
    bool autocast = false;
};

Region regionOf(const Node& call) {
    constexpr std::array names = {"higher_order.wrap_with_set_grad_enabled", "higher_order.wrap_with_autocast",
                                  "higher_order.strict_mode", "higher_order.wrap"};
    if (std::ranges::none_of(names, [&](const char* name) { return call.isCall(name); })) return {};
    const auto& args = call.args();
    const auto graph = std::ranges::find_if(args, [](const Argument& argument) { return argument.subgraph(); });
    if (graph == args.end()) return {};
    std::vector<Argument> operands(graph + 1, args.end());
    if (operands.size() == 1 && operands[0].list()) operands = Argument::List(*operands[0].list());
    // The device, the dtype, and whether it is enabled.
    const bool autocast =
        call.isCall("higher_order.wrap_with_autocast") && args.size() > 2 && args[2] == Argument(true);
    return {graph->subgraph()->get(), std::move(operands), autocast};
}

const Argument* keyword(const Node& call, const std::string& name) {
    const auto it = std::ranges::find(call.kwargs(), name, &std::pair<std::string, Argument>::first);
    return it == call.kwargs().end() ? nullptr : &it->second;
}

/// The operator named by an argument: "aten.rand.default"; empty if it names none.
std::string operatorAmong(const Node& call, std::size_t argument) {
    const auto* name = argument < call.args().size() ? std::get_if<std::string>(&call.args()[argument].value) : nullptr;
    if (!name) return {};
    return name->starts_with(kOperators) ? name->substr(kOperators.size()) : *name;
}

/// The type of an RNG state of the generator on `device`.
ValueType typeOfState(const Device& device) {
    TensorType type;
    type.dtype = DType::u8;
    type.sizes = {device.name == "cpu" ? kCpuStateBytes : kDeviceStateBytes};
    type.strides = {1};
    type.storageBytes = type.sizes[0];
    return {type};
}

/// The device on which `call`, a run_and_save_rng_state, draws.
Device deviceOfSavedDraw(const Node& call) {
    if (const Argument* given = keyword(call, "device"))
        if (const auto* device = std::get_if<Device>(&given->value)) return *device;
    for (const Node* user : call.users())
        if (isGetitem(*user) && user->args().size() == 2 && user->args()[1].integer() &&
            *user->args()[1].integer() == 1)
            if (const auto* drawn = user->type.firstTensor()) return drawn->device;
    return {};
}

/// A parsed call of auto_functionalized_v2.
struct Functionalized {
    std::string op;                    ///< "mylib.foo.default"
    std::vector<Argument> bases;       ///< the tensors that it copies
    KeywordArguments plain;            ///< arguments that it only reads
    std::vector<std::string> written;  ///< prefixes of arguments that are views of copies: "_x"
};

/// Nothing if it writes into lists, or has another form.
std::optional<Functionalized> functionalizedCall(const Node& call) {
    constexpr std::string_view ending = "_base_index";
    const std::string target = operatorAmong(call, 0);
    const Argument* bases = keyword(call, "_all_bases");
    if (!call.isCall(kFunctionalized) || target.empty() || !bases || !bases->list()) return std::nullopt;
    Functionalized read;
    read.op = target;
    read.bases = *bases->list();
    for (const auto& [name, value] : call.kwargs()) {
        if (!name.starts_with('_')) read.plain.emplace_back(name, value);
        if (name.ends_with("_length")) return std::nullopt;
        if (!name.ends_with(ending)) continue;
        const auto* index = value.integer();
        if (!index || *index < 0 || *index >= std::ssize(read.bases)) return std::nullopt;
        read.written.push_back(name.substr(0, name.size() - ending.size()));
    }
    return read;
}

/// Makes the copy.
class FormMaker {
public:
    explicit FormMaker(const Graph& printed) : printed_(printed), made_(std::make_shared<Graph>(printed.name())) {
        for (const Node* node : printed.nodes()) next_ = std::max(next_, node->id() + 1);
    }

    std::shared_ptr<const Graph> run() {
        for (const Node* node : printed_.nodes()) {
            if (node->kind() == NodeKind::output || isLeftOut(node)) continue;
            if (node->kind() == NodeKind::call && replaced(*node, 0)) continue;
            Node* copy = made_->copyNode(node, [this](const Node* input) { return values_.at(input); });
            if (isRepeatedState(node)) copy->type = typeOfState(Device());
            if (copy->isCall(kRunWithRngState)) nameOperation(copy);
            values_[node] = copy;
        }
        made_->eraseIf([this](const Node* node) { return replaced_.contains(node); });
        std::vector<Argument> outputs;
        std::vector<OutputSlot> slots;
        for (std::size_t i = 0; i < printed_.outputs().size(); ++i) {
            const Argument& output = printed_.outputs()[i];
            const OutputSlot& slot = printed_.outputSlots()[i];
            if (isOpaque(output.node()) && isSavedRole(slot.role)) continue;
            outputs.push_back(isOpaque(output.node()) ? Argument() : mapped(output));
            slots.push_back(slot);
        }
        made_->setIdentity(made_->setOutput(std::move(outputs), std::move(slots)), printed_.output()->id());
        made_->setSymbols(printed_.symbols());
        return made_;
    }

private:
    static bool isLeftOut(const Node* node) {
        return isOpaque(node) && (node->role == Role::tangent || isSavedRole(node->role));
    }

    Argument mapped(const Argument& argument) {
        return mapNodes(argument, [this](const Node* node) { return values_.at(node); });
    }

    /// Whether `node` is replaced by other values, which are then known.
    bool replaced(const Node& node, int depth) {
        if (const Region region = regionOf(node); region.body) {
            std::vector<Argument> operands;
            for (const Argument& operand : region.operands) operands.push_back(mapped(operand));
            values_[&node] = inlined(node, region, operands, depth);
            return true;
        }
        if (const auto call = functionalizedCall(node)) {
            values_[&node] = written(node, *call);
            return true;
        }
        if (node.isCall(kSavingState)) {
            values_[&node] = savedDraw(node);
            return true;
        }
        if (!isGetitem(node) || node.args().size() != 2 || !node.args()[0].node()) return false;
        const auto* list = values_.at(node.args()[0].node()).list();
        const auto* index = node.args()[1].integer();
        if (!list || !index) return false;
        if (*index < 0 || *index >= std::ssize(*list))
            throw Error("%" + node.name() + " takes result " + std::to_string(*index) + " of %" +
                        node.args()[0].node()->name() + ", which has " + counted(list->size(), "result"));
        values_[&node] = (*list)[static_cast<std::size_t>(*index)];
        if (Node* value = values_.at(&node).node(); value && !value->type.known()) value->type = node.type;
        return true;
    }

    /// Adds the operations of `body` in place of `call`, and returns its results.
    Argument::List inlined(const Node& call, const Region& region, const std::vector<Argument>& operands, int depth) {
        const Graph& body = *region.body;
        const auto inputs = body.placeholders();
        if (inputs.size() != operands.size() || depth >= kDeepestSubgraph)
            throw Error("%" + call.name() + " = " + call.op() + " gives " + counted(operands.size(), "value") +
                        " to a graph with " + counted(inputs.size(), "input"));
        for (std::size_t i = 0; i < inputs.size(); ++i) values_[inputs[i]] = operands[i];
        for (const Node* node : body.nodes()) {
            if (node->kind() == NodeKind::constant)
                values_[node] = named(made_->addConstant(node->op(), node->type, node->name()));
            if (node->kind() != NodeKind::call || replaced(*node, depth + 1)) continue;
            const auto here = [this](const Argument& argument) { return mapped(argument); };
            Node* copy = addLike(*node, node->op(), 0, node->type, here);
            values_[node] = region.autocast ? underAutocast(copy) : copy;
        }
        Argument::List results;
        for (const Argument& output : body.outputs()) results.push_back(mapped(output));
        return results;
    }

    /// `call`, or the same on arguments of the result's printed dtype.
    Node* underAutocast(Node* call) {
        const TensorType* printed = call->type.tensor();
        if (!printed || kindOf(printed->dtype) != DTypeKind::real || derivedDType(*call) == printed->dtype) return call;
        const auto cast = [&](Node* input) -> Argument {
            const TensorType* type = input->type.tensor();
            if (!type || kindOf(type->dtype) != DTypeKind::real || type->dtype == printed->dtype) return input;
            ValueType wanted = input->type;
            wanted.tensor()->dtype = printed->dtype;
            return named(
                made_->addCall("aten._to_copy.default", {input}, {{"dtype", printed->dtype}}, wanted, input->name()));
        };
        Node* again = addLike(*call, call->op(), 0, call->type,
                              [&](const Argument& argument) { return mapNodes(argument, cast); });
        replaced_.insert(call);
        return again;
    }

    /// The RNG state, and the random operation that follows it.
    Argument::List savedDraw(const Node& node) {
        const std::string op = operatorAmong(node, 0);
        if (op.empty()) throw Error("%" + node.name() + " = " + node.op() + " must be called with an operation");
        const Device device = deviceOfSavedDraw(node);
        Node* state =
            named(made_->addCall(std::string(kRngState), {device}, {}, typeOfState(device), node.name() + "_state"));
        Node* draw = addLike(node, op, 1, {}, [this](const Argument& argument) { return mapped(argument); });
        return {state, draw};
    }

    void nameOperation(Node* repeated) {
        std::vector<Argument> args = repeated->args();
        if (args.size() > 1) args[1] = operatorAmong(*repeated, 1);
        made_->setArguments(repeated, std::move(args), repeated->kwargs());
    }

    /// The operator on copies of what it writes to; returns its results, then the copies.
    Argument::List written(const Node& node, const Functionalized& call) {
        std::vector<Node*> copies;
        for (const Argument& base : call.bases) {
            const Argument value = mapped(base);
            const ValueType type = value.node() ? value.node()->type : ValueType();
            copies.push_back(named(made_->addCall("aten.clone.default", {value}, {}, type, node.name() + "_copy")));
        }
        KeywordArguments kwargs;
        for (const auto& [name, value] : call.plain) kwargs.emplace_back(name, mapped(value));
        for (const std::string& prefix : call.written) {
            const auto base = static_cast<std::size_t>(*keyword(node, prefix + "_base_index")->integer());
            kwargs.emplace_back(prefix.substr(1), viewOf(copies[base], node, prefix));
        }
        Node* called = named(made_->addCall(call.op, {}, std::move(kwargs), {}, node.name()));
        called->source = node.source;
        Argument::List results = resultsOf(called);
        results.insert(results.end(), copies.begin(), copies.end());
        return results;
    }

    /// "_x_slice_dim", "_x_size": which part of the copy an argument is.
    Node* viewOf(Node* copy, const Node& call, const std::string& prefix) {
        const auto with = [&](const char* op, std::initializer_list<const char*> parts) -> Node* {
            std::vector<Argument> args = {copy};
            for (const char* part : parts) {
                const Argument* value = keyword(call, prefix + part);
                if (!value) return nullptr;
                args.push_back(mapped(*value));
            }
            return named(made_->addCall(op, std::move(args), {}, {}, call.name() + "_view"));
        };
        if (Node* slice = with("aten.slice.Tensor", {"_slice_dim", "_slice_start", "_slice_end"})) return slice;
        if (Node* part = with("aten.as_strided.default", {"_size", "_stride", "_storage_offset"})) return part;
        return copy;
    }

    /// For an operator without results, Python returns one None.
    Argument::List resultsOf(Node* called) {
        const auto op = findOperator(called->op());
        const std::size_t count = op ? op->schema().returns().size() : 0;
        if (count == 0) return {Argument()};
        if (count == 1) return {Argument(called)};
        Argument::List results;
        for (std::size_t i = 0; i < count; ++i)
            results.emplace_back(named(made_->addCall("operator.getitem", {called, static_cast<std::int64_t>(i)}, {},
                                                      {}, called->name() + "_result")));
        return results;
    }

    /// A call of `op` at the source location of `call`, with `change` applied to its arguments from `first` on.
    template <typename Change>
    Node* addLike(const Node& call, const std::string& op, std::size_t first, const ValueType& type, Change&& change) {
        std::vector<Argument> args;
        KeywordArguments kwargs;
        for (std::size_t i = first; i < call.args().size(); ++i) args.push_back(change(call.args()[i]));
        for (const auto& [key, argument] : call.kwargs()) kwargs.emplace_back(key, change(argument));
        Node* made = named(made_->addCall(op, std::move(args), std::move(kwargs), type, call.name()));
        made->source = call.source;
        return made;
    }

    /// A new node, with an id that is unused in the printed graph.
    Node* named(Node* node) {
        made_->setIdentity(node, next_++);
        return node;
    }

    const Graph& printed_;
    std::shared_ptr<Graph> made_;
    NodeId next_ = 0;
    std::unordered_map<const Node*, Argument> values_;  ///< the replacement of a printed graph's node
    std::unordered_set<const Node*> replaced_;          ///< of the new graph
};

bool needsForm(const Graph& graph) {
    return std::ranges::any_of(graph.nodes(), [](const Node* node) {
        return isOpaque(node) || isRepeatedState(node) || node->isCall(kFunctionalized) || node->isCall(kSavingState) ||
               node->isCall(kRunWithRngState) || regionOf(*node).body;
    });
}

}  // namespace

bool isRepeatedState(const Node* node) {
    return node->kind() == NodeKind::placeholder && std::ranges::any_of(node->users(), [&](const Node* user) {
               return user->isCall(kRunWithRngState) && !user->args().empty() && user->args()[0].node() == node;
           });
}

bool isOpaque(const Node* node) {
    return node && node->kind() == NodeKind::placeholder && !node->type.known() &&
           std::ranges::none_of(node->users(), [](const Node* user) { return user->kind() == NodeKind::call; });
}

std::shared_ptr<const Graph> runnableForm(const std::shared_ptr<const Graph>& printed) {
    return printed && needsForm(*printed) ? FormMaker(*printed).run() : printed;
}

}  // namespace aotscope

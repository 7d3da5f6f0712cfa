#include "load/printed/derived_types.h"

#include "aten/convert.h"
#include "aten/dispatch_mode.h"
#include "aten/fake_tensor.h"
#include "aten/find_operator.h"
#include "aten/tensors.h"
#include "ops/op_table.h"
#include "ops/operator_policy.h"
#include "ops/shapes/rules.h"
#include "support/error.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_map>
#include <utility>

namespace aotscope {

namespace {

using Values = std::vector<c10::IValue>;

constexpr std::int64_t kMostElements = 10'000;  ///< of a list of results
constexpr std::size_t kMostFailures = 1'000;    ///< calls that do not match their arguments, each a C++ exception

at::Tensor metaOf(const TensorType& type) { return emptyMeta(type.sizes, type.strides, toScalarType(type.dtype)); }

c10::IValue numberOf(const ScalarType& scalar) {
    switch (scalar.kind) {
        case ScalarType::Kind::boolean: return scalar.hint != 0;
        case ScalarType::Kind::real: return scalar.hint;
        default: return static_cast<std::int64_t>(scalar.hint);
    }
}

/// The most tensors that a list of results may have.
std::int64_t mostResults(const Node& node) {
    std::int64_t longest = 1;
    for (const Node* input : node.inputs())
        if (const TensorType* type = input->type.tensor())
            for (const std::int64_t size : type->sizes) longest = std::max(longest, size);
    const auto* number = node.args().size() > 1 ? node.args()[1].integer() : nullptr;
    if (node.isCall("aten.split.Tensor") && number && *number > 0) return longest / *number + 1;
    if (node.isCall("aten.chunk.default") && number) return *number;
    return packetOf(node.op()).ends_with("split_with_sizes") ? 0 : longest;  // as many as the sizes given
}

/// Whether its results can be derived from the types of its arguments, and are few.
bool isDerivable(const Node& node, const c10::OperatorHandle& op) {
    const auto& schema = op.schema();
    if (op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output)) return false;
    if (!operatorKinds(op.operator_name().name, op.operator_name().overload_name).empty()) return false;
    const bool list = std::ranges::any_of(
        schema.returns(), [](const c10::Argument& result) { return result.type()->kind() == c10::TypeKind::ListType; });
    return !list || mostResults(node) <= kMostElements;
}

/// Whether the byte count of a call's results may overflow. They have at most as many elements as the product of two of
/// its tensors' elements and its size arguments.
bool mayOverflow(const Values& arguments) {
    std::vector<std::int64_t> elements, given;
    for (const c10::IValue& value : arguments) {
        if (isTensor(value)) elements.push_back(value.toTensor().numel());
        else if (value.isIntList()) std::ranges::copy(value.toIntVector(), std::back_inserter(given));
    }
    std::ranges::sort(elements, std::greater());
    if (elements.size() > 2) elements.resize(2);
    std::int64_t bytes = 16;  // of the largest element
    const auto overflows = [&](std::int64_t factor) {
        return __builtin_mul_overflow(bytes, std::max<std::int64_t>(factor, 1), &bytes);
    };
    return std::ranges::any_of(elements, overflows) || std::ranges::any_of(given, overflows);
}

/// Runs operations on meta tensors.
class Derivation {
public:
    /// The results of `call`; empty if they cannot be derived.
    Values resultsOf(const Node& call) {
        const auto op = findOperator(call.op());
        if (!op || failures_ > kMostFailures || !isDerivable(call, *op)) return {};
        try {
            auto arguments = argumentsOf(call, op->schema());
            if (!arguments) return {};
            uncountable_ = mayOverflow(*arguments);
            Values results = run(*op, std::move(*arguments), deviceOf(call));
            uncountable_ = false;
            return results;
        } catch (const std::exception&) {  // the text does not match the operation, or it has no meta kernel
            ++failures_;
            return {};
        }
    }
    /// Whether the latest call failed, and may have more elements than LibTorch can count.
    bool tookTooMany() { return std::exchange(uncountable_, false); }

private:
    /// Nothing if an argument has no type, or is a graph.
    static std::optional<Values> argumentsOf(const Node& call, const c10::FunctionSchema& schema) {
        Values values;
        for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
            const c10::Argument& declared = schema.arguments()[i];
            const Argument* given = call.argument(i, declared.name());
            if (!given && !declared.default_value()) return std::nullopt;
            if (given && given->subgraph()) return std::nullopt;
            values.push_back(given ? toIValue(*given, *declared.real_type()) : *declared.default_value());
            if (given && !fill(values.back(), *given, declared)) return std::nullopt;
            const bool device = declared.name() == "device" && (values.back().isDevice() || values.back().isNone());
            if (device) values.back() = c10::Device(c10::kMeta);
        }
        return values;
    }

    /// Fills in the values of the nodes in `given`.
    static bool fill(c10::IValue& value, const Argument& given, const c10::Argument& declared) {
        const bool wrapped = declared.type()->isSubtypeOf(*c10::TensorType::get());
        if (const Node* node = given.node()) return fill(value, *node, wrapped);
        const auto* list = given.list();
        if (!list || std::ranges::none_of(*list, [](const Argument& a) { return a.node(); })) return true;
        if (value.isTensorList()) value = value.toTensorList().copy();
        else if (value.isIntList()) value = value.toIntList().copy();
        else if (value.isOptionalTensorList()) value = value.toOptionalTensorList().copy();
        else return false;
        for (std::size_t i = 0; i < list->size(); ++i) {
            const Node* node = (*list)[i].node();
            c10::IValue element;
            if (!node) continue;
            if (!fill(element, *node, false)) return false;
            if (value.isIntList()) value.toIntList().set(i, element.toInt());
            else if (value.isTensorList()) value.toTensorList().set(i, element.toTensor());
            else value.toOptionalTensorList().set(i, element.toTensor());
        }
        return true;
    }

    static bool fill(c10::IValue& value, const Node& node, bool wrapped) {
        if (const TensorType* tensor = node.type.tensor()) value = metaOf(*tensor);
        else if (const ScalarType* scalar = node.type.scalar()) value = numberOf(*scalar);
        else return false;
        if (wrapped && !value.isTensor()) value = wrappedNumber(value.toScalar());
        return true;
    }

    static c10::Device deviceOf(const Node& call) {
        const TensorType* type = call.type.firstTensor();
        for (const Node* input : call.inputs())
            if (!type) type = input->type.tensor();
        return c10::Device(type ? type->device.name : "cpu");
    }

    static Values run(const c10::OperatorHandle& op, Values arguments, c10::Device device) {
        const PlainKernelScope plain;
        Values results;
        if (const ShapeRule rule = findShapeRule(op.operator_name())) {
            results = rule({arguments, device});
        } else {
            if (!op.hasComputedKernelForDispatchKey(c10::DispatchKey::Meta)) return {};
            op.callBoxed(arguments);
            results = std::move(arguments);
        }
        if (results.size() != 1 || !results[0].isTensorList()) return results;
        const auto elements = results[0].toTensorVector();
        return Values(elements.begin(), elements.end());
    }

    std::size_t failures_ = 0;
    bool uncountable_ = false;
};

/// Keeps sizes and type as printed, and makes strides numbers: the text does not relate them to symbols.
void takeStrides(const at::Tensor& result, Node& node) {
    TensorType& type = *node.type.tensor();
    if (result.sizes() != c10::IntArrayRef(type.sizes) || toDType(result.scalar_type()) != type.dtype ||
        result.strides() == c10::IntArrayRef(type.strides))
        return;
    type.strides = result.strides().vec();
    if (!type.symbolic) return;
    auto layout = std::make_shared<SymbolicLayout>(*type.symbolic);
    layout->strides.assign(type.strides.begin(), type.strides.end());
    type.symbolic = std::move(layout);
}

void takeAll(const at::Tensor& result, Node& node) {
    TensorType& type = *node.type.tensor();
    type.dtype = toDType(result.scalar_type());
    type.sizes = result.sizes().vec();
    type.strides = result.strides().vec();
    // A run needs the memory of the actual result, not of the printed type. LibTorch has checked for overflow.
    if (result.numel() > 0)
        type.storageBytes = std::max(type.storageBytes, type.end() * static_cast<std::int64_t>(itemSize(type.dtype)));
}

/// The device of the arguments, unless it is an argument itself.
Device deviceFor(const Node& node) {
    for (const auto& [key, value] : node.kwargs())
        if (const auto* device = std::get_if<Device>(&value.value)) return *device;
    for (const Node* input : node.inputs())
        if (const TensorType* type = input->type.firstTensor()) return type->device;
    return {};
}

std::optional<std::size_t> elementOf(const Node& item) {
    const auto* index = item.args().size() == 2 ? item.args()[1].integer() : nullptr;
    return index && *index >= 0 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

bool hasTensorType(const Node& node) { return node.type.tensor() != nullptr; }

/// Calls `take` with each tensor in order whose node is `wanted`, or `tooMany` if it has more elements than can be
/// counted.
template <typename Wanted, typename Take, typename TooMany>
void derive(const std::vector<Node*>& nodes, Wanted&& wanted, Take&& take, TooMany&& tooMany) {
    Derivation derivation;
    std::unordered_map<const Node*, Values> tuples;
    for (Node* node : nodes) {
        if (node->kind() != NodeKind::call || !wanted(*node)) continue;
        const bool item = isGetitem(*node) && !node->inputs().empty();
        const Node& maker = item ? *node->inputs().front() : *node;
        auto known = tuples.find(&maker);
        if (known == tuples.end()) known = tuples.emplace(&maker, derivation.resultsOf(maker)).first;
        const Values& results = known->second;
        if (derivation.tookTooMany()) tooMany(*node);
        const auto place = item ? elementOf(*node) : std::optional<std::size_t>(0);
        const bool one = item || results.size() == 1;
        if (one && place && *place < results.size() && isTensor(results[*place]))
            take(results[*place].toTensor(), *node);
        if (!item) tuples.erase(known);
    }
}

/// Each allocates its own memory as a view.
void requireFewResults(const Node& node) {
    constexpr std::int64_t most = 1'000'000;
    const bool splits = node.isCall("aten.split.Tensor") || node.isCall("aten.unsafe_split.Tensor");
    const auto& args = node.args();
    const TensorType* type = args.empty() || !args[0].node() ? nullptr : args[0].node()->type.tensor();
    if (!type || type->sizes.empty() || (!splits && !node.isCall("aten.unbind.int"))) return;
    const std::size_t place = splits ? 2 : 1;
    const auto* dim = args.size() > place ? args[place].integer() : nullptr;
    const auto* size = splits && args.size() > 1 ? args[1].integer() : nullptr;
    const auto dims = static_cast<std::int64_t>(type->sizes.size());
    const auto at = (dim ? *dim : 0) + (dim && *dim < 0 ? dims : 0);
    if (at < 0 || at >= dims || (size && *size <= 0)) return;
    const auto count = type->sizes[static_cast<std::size_t>(at)] / (size ? *size : 1);
    if (count > most)
        throw Error("operation '" + node.name() + "' (" + node.op() + ") makes " + std::to_string(count) +
                    " tensors; expected at most " + std::to_string(most) + "; print the graph with smaller sizes");
}

}  // namespace

void deriveStrides(const std::vector<Node*>& unstrided) {
    derive(unstrided, hasTensorType, takeStrides, [](Node&) {});
}

void deriveTypes(Graph& graph) {
    for (const Node* node : graph.nodes()) requireFewResults(*node);
    derive(graph.nodes(), hasTensorType, takeAll, [](Node& node) {
        constexpr std::int64_t moreThanAnyMachine = std::int64_t{1} << 52;
        node.type.tensor()->storageBytes = moreThanAnyMachine;
    });
}

void deriveUntyped(Graph& graph) {
    const auto isUntyped = [](const Node& node) {
        const auto takesPart = [](const Node* user) { return isGetitem(*user); };
        return !node.type.known() && std::ranges::none_of(node.users(), takesPart);
    };
    derive(
        graph.nodes(), isUntyped,
        [](const at::Tensor& result, Node& node) {
            node.type.data = TensorType();
            takeAll(result, node);
            TensorType& type = *node.type.tensor();
            type.device = deviceFor(node);
        },
        [](Node&) {});
}

std::optional<DType> derivedDType(const Node& call) {
    const Values results = Derivation().resultsOf(call);
    if (results.size() != 1 || !isTensor(results[0])) return std::nullopt;
    return toDType(results[0].toTensor().scalar_type());
}

}  // namespace aotscope

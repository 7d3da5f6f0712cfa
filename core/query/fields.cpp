#include "query/fields.h"

#include "ops/decompositions/core_aten.h"
#include "ops/op_table.h"
#include "support/enumerators.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

using Facts = const QueryFacts&;

bool isCall(const Node& node) { return node.kind() == NodeKind::call; }

std::string_view ofSource(const Node& node, std::string SourceInfo::*member) {
    return node.source ? std::string_view(node.source.get()->*member) : std::string_view();
}

std::string_view deviceOf(const ValueType& type) {
    if (const auto* tensor = type.tensor()) return tensor->device.name;
    if (const auto* tuple = type.tuple())
        for (const ValueType& element : *tuple)
            if (const auto device = deviceOf(element); !device.empty()) return device;
    return {};
}

template <typename T, std::size_t N>
std::vector<std::string> namesOf(const std::array<T, N>& values) {
    std::vector<std::string> names;
    for (const T value : values) names.emplace_back(name(value));
    return names;
}

std::vector<std::string> familyNames() { return namesOf(kEnumerators<OpFamily>); }

std::vector<std::string> roleNames() {
    using enum Role;
    return namesOf(std::array{parameter, buffer, userInput, syntheticBase, tangent, saved, savedSymint});
}

std::vector<std::string> graphNames() { return namesOf(kEnumerators<GraphKind>); }

std::vector<std::string> placementNames() { return namesOf(kEnumerators<ValueDecision::Placement>); }

const TensorType* tensorOf(Facts f) { return f.node->type.tensor(); }

bool isInput(Facts f) { return f.node->kind() == NodeKind::placeholder; }

}  // namespace

const std::vector<TextField>& textFields() {
    static const std::vector<TextField> fields = {
        {"name", "part of the node's name", "name:relu_3", [](Facts f) -> std::string_view { return f.node->name(); }},
        {"op", "part of the operation's name; op=mm: exactly", "op:convolution",
         [](Facts f) -> std::string_view { return isCall(*f.node) ? f.node->op() : std::string_view(); }},
        {"family", "kind of operation", "family:matrix",
         [](Facts f) { return isCall(*f.node) ? name(opFamily(f.node->op())) : std::string_view(); }, familyNames},
        {"module", "part of the module's path in the model", "module:layer1.0",
         [](Facts f) { return ofSource(*f.node, &SourceInfo::module); }},
        {"type", "part of the module's type", "type:Conv2d",
         [](Facts f) { return ofSource(*f.node, &SourceInfo::moduleType); }},
        {"file", "part of the source file's name", "file:model.py",
         [](Facts f) { return ofSource(*f.node, &SourceInfo::file); }},
        {"source", "part of the source line", "source:softmax",
         [](Facts f) { return ofSource(*f.node, &SourceInfo::text); }},
        {"label", "part of an input's name in the model", "label:weight",
         [](Facts f) -> std::string_view { return f.node->label; }},
        {"autograd", "part of the autograd node's name", "autograd:Convolution",
         [](Facts f) -> std::string_view { return f.node->autograd.function; }},
        {"stage", "half of the training step", "stage:backward", [](Facts f) { return name(f.node->stage); },
         [] {
             return std::vector<std::string>{"forward", "backward"};
         }},
        {"role", "what an input stands for", "role:tangent",
         [](Facts f) { return f.node->role == Role::none ? std::string_view() : name(f.node->role); }, roleNames},
        {"device", "part of the device's name", "device:cuda", [](Facts f) { return deviceOf(f.node->type); }},
        {"graph", "only in graphs of this kind", "graph:backward", [](Facts f) { return name(f.graph); }, graphNames},
        {"fate", "what the partitioner makes of the value", "fate:saved",
         [](Facts f) { return f.decision ? name(f.decision->placement) : std::string_view(); }, placementNames},
    };
    return fields;
}

const std::vector<NumberField>& numberFields() {
    using Number = std::optional<double>;
    static const std::vector<NumberField> fields = {
        {"bytes", "size of the value", "bytes>1M", Unit::bytes,
         [](Facts f) -> Number {
             const auto bytes = f.node->type.tensorBytes();
             return f.node->type.known() ? Number(static_cast<double>(bytes)) : std::nullopt;
         }},
        {"users", "how many nodes use the value", "users>3", Unit::none,
         [](Facts f) -> Number { return static_cast<double>(f.node->users().size()); }},
        {"inputs", "how many values the node uses", "inputs=2", Unit::none,
         [](Facts f) -> Number { return static_cast<double>(f.node->inputs().size()); }},
        {"rank", "number of dimensions", "rank=4", Unit::none,
         [](Facts f) -> Number {
             const auto* tensor = tensorOf(f);
             return tensor ? Number(static_cast<double>(tensor->sizes.size())) : std::nullopt;
         }},
        {"numel", "number of elements", "numel>=1M", Unit::bytes,
         [](Facts f) -> Number {
             const auto* tensor = tensorOf(f);
             return tensor ? Number(static_cast<double>(tensor->numel())) : std::nullopt;
         }},
        {"time", "measured time of the operation, in microseconds", "time>100us", Unit::time,
         [](Facts f) -> Number { return f.microseconds < 0 ? std::nullopt : Number(f.microseconds); }},
        {"distance", "operations to the nearest use in the backward", "distance>10", Unit::none,
         [](Facts f) -> Number {
             return f.decision ? Number(static_cast<double>(f.decision->distance)) : std::nullopt;
         }},
        {"line", "line of the source file", "line=12", Unit::none,
         [](Facts f) -> Number { return f.node->source ? Number(f.node->source->line) : std::nullopt; }},
        {"id", "the node's number, the same in all passes that keep it", "id=42", Unit::none,
         [](Facts f) -> Number { return f.node->id(); }},
    };
    return fields;
}

const std::vector<Flag>& queryFlags() {
    static const std::vector<Flag> flags = {
        {"saved", "saved for backward", [](Facts f) { return f.saved; }},
        {"recomputed", "computed again in the backward", [](Facts f) { return f.recomputed; }},
        {"banned", "the partitioner may not recompute it",
         [](Facts f) { return f.decision && !f.decision->bans.empty(); }},
        {"forward", "of the forward", [](Facts f) { return f.node->stage == Stage::forward; }},
        {"backward", "of the backward", [](Facts f) { return f.node->stage == Stage::backward; }},
        {"mutates", "writes into an argument, or is an input that the program changes",
         [](Facts f) { return f.mutatedInput || (isCall(*f.node) && isMutating(f.node->op())); }},
        {"view", "shares memory with its input", [](Facts f) { return hasTag(*f.node, kView); }},
        {"random", "draws random numbers", [](Facts f) { return hasTag(*f.node, kRandom); }},
        {"outside_core", "an operation that is not part of core ATen",
         [](Facts f) { return isOutsideCoreAten(*f.node); }},
        {"call", "an operation", [](Facts f) { return isCall(*f.node); }},
        {"constant", "a constant of the program", [](Facts f) { return f.node->kind() == NodeKind::constant; }},
        {"input", "an input of the graph", isInput},
        {"output", "returned by the graph", [](Facts f) { return f.returned; }},
        {"parameter", "an input that is a parameter", [](Facts f) { return f.node->role == Role::parameter; }},
        {"buffer", "an input that is a buffer", [](Facts f) { return f.node->role == Role::buffer; }},
        {"tangent", "a gradient that comes into the backward", [](Facts f) { return f.node->role == Role::tangent; }},
        {"unused", "no node uses it", [](Facts f) { return f.node->users().empty(); }},
    };
    return flags;
}

const std::vector<NumberField>& valueNumbers() {
    using Number = std::optional<double>;
    static const auto ofFinite = [](Facts f, double ValueFacts::*member) -> Number {
        return f.value && f.value->finite() ? Number(f.value->*member) : std::nullopt;
    };
    static const auto count = [](Facts f, std::int64_t ValueFacts::*member) -> Number {
        return f.value ? Number(static_cast<double>(f.value->*member)) : std::nullopt;
    };
    static const std::vector<NumberField> fields = {
        {"absmax", "largest absolute value of a finite element", "absmax>1e4", Unit::none,
         [](Facts f) { return ofFinite(f, &ValueFacts::absMax); }},
        {"min", "smallest finite element", "min<-100", Unit::none,
         [](Facts f) { return ofFinite(f, &ValueFacts::min); }},
        {"max", "largest finite element", "max>100", Unit::none, [](Facts f) { return ofFinite(f, &ValueFacts::max); }},
        {"mean", "mean of the finite elements", "mean>1", Unit::none,
         [](Facts f) { return ofFinite(f, &ValueFacts::mean); }},
        {"std", "standard deviation of the finite elements", "std>10", Unit::none,
         [](Facts f) { return ofFinite(f, &ValueFacts::deviation); }},
        {"nans", "how many elements are NaN", "nans>10", Unit::none,
         [](Facts f) { return count(f, &ValueFacts::nans); }},
        {"infs", "how many elements are infinite", "infs>10", Unit::none,
         [](Facts f) { return count(f, &ValueFacts::infs); }},
        {"zeros", "how many elements are 0", "zeros>10", Unit::none,
         [](Facts f) { return count(f, &ValueFacts::zeros); }},
    };
    return fields;
}

const std::vector<Flag>& valueFlags() {
    static const std::vector<Flag> flags = {
        {"has_nan", "an element of the value is NaN", [](Facts f) { return f.value && f.value->nans > 0; }},
        {"has_inf", "an element of the value is infinite", [](Facts f) { return f.value && f.value->infs > 0; }},
    };
    return flags;
}

bool anyTensor(const ValueType& type, const std::function<bool(const TensorType&)>& visit) {
    if (const auto* tensor = type.tensor()) return visit(*tensor);
    const auto* tuple = type.tuple();
    return tuple && std::ranges::any_of(*tuple, [&](const ValueType& element) { return anyTensor(element, visit); });
}

}  // namespace aotscope

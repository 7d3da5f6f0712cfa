#include "load/exported/opaque_schema.h"

#include "support/error.h"
#include "support/quoted.h"

#include <algorithm>

namespace aotscope {

namespace {

using ExportedArgument = exported::Argument;

c10::TypePtr schemaTypeOf(const ExportedArgument& argument, const exported::Graph& graph);

/// The type that covers both; null stands for None.
c10::TypePtr common(const c10::TypePtr& a, const c10::TypePtr& b) {
    if (!a || !b) {
        const c10::TypePtr& known = a ? a : b;
        return !known || known->kind() == c10::TypeKind::OptionalType || known->kind() == c10::TypeKind::AnyType
                   ? known
                   : c10::TypePtr(c10::OptionalType::create(known));
    }
    if (a->isSubtypeOf(*b)) return b;
    if (b->isSubtypeOf(*a)) return a;
    const auto isNumber = [](const c10::TypePtr& t) {
        return t->kind() == c10::TypeKind::IntType || t->kind() == c10::TypeKind::FloatType;
    };
    return isNumber(a) && isNumber(b) ? c10::TypePtr(c10::FloatType::get()) : c10::TypePtr(c10::AnyType::get());
}

c10::TypePtr typeOfList(const ExportedArgument::List& list, const exported::Graph& graph) {
    if (list.empty()) return c10::ListType::ofTensors();
    c10::TypePtr element = schemaTypeOf(list.front(), graph);
    for (const auto& item : list) element = common(element, schemaTypeOf(item, graph));
    return c10::ListType::create(element ? element : c10::TypePtr(c10::OptionalType::create(c10::TensorType::get())));
}

struct TypeFinder {
    const exported::Graph& graph;

    c10::TypePtr operator()(std::monostate) const { return nullptr; }
    c10::TypePtr operator()(const ExportedArgument::Reference& v) const {
        if (graph.tensors.contains(v.name)) return c10::TensorType::get();
        return c10::IntType::get();
    }
    c10::TypePtr operator()(std::int64_t) const { return c10::IntType::get(); }
    c10::TypePtr operator()(double) const { return c10::FloatType::get(); }
    c10::TypePtr operator()(bool) const { return c10::BoolType::get(); }
    c10::TypePtr operator()(const std::string&) const { return c10::StringType::get(); }
    c10::TypePtr operator()(const std::complex<double>&) const { return c10::ComplexType::get(); }
    c10::TypePtr operator()(DType) const { return c10::ScalarTypeType::get(); }
    c10::TypePtr operator()(Layout) const { return c10::LayoutType::get(); }
    c10::TypePtr operator()(MemoryFormat) const { return c10::MemoryFormatType::get(); }
    c10::TypePtr operator()(const Device&) const { return c10::DeviceObjType::get(); }
    c10::TypePtr operator()(const ExportedArgument::List& v) const { return typeOfList(v, graph); }
    c10::TypePtr operator()(const std::shared_ptr<const exported::Graph>&) const {
        throw Error("it takes a graph, which an operator cannot");
    }
    c10::TypePtr operator()(const ExportedArgument::Operator& v) const {
        throw Error("it takes the operator " + inQuotes(v.target) + ", which an operator cannot");
    }
    c10::TypePtr operator()(const ExportedArgument::Foreign& v) const {
        throw Error("it takes " + v.what + ", which exists in Python only; export the model without it");
    }
};

c10::TypePtr schemaTypeOf(const ExportedArgument& argument, const exported::Graph& graph) {
    return std::visit(TypeFinder{graph}, argument.value);
}

struct Parameter {
    std::string name;
    c10::TypePtr type;  ///< null: only None so far
    bool keyword = false;
    std::size_t calls = 0;
};

class SchemaMaker {
public:
    c10::FunctionSchema make(const c10::OperatorName& name, const std::vector<OperatorCall>& calls) {
        for (const OperatorCall& call : calls) add(call);
        std::stable_partition(parameters_.begin(), parameters_.end(), [](const Parameter& p) { return !p.keyword; });
        std::vector<c10::Argument> arguments;
        for (const Parameter& p : parameters_) {
            c10::TypePtr type = p.type ? p.type : c10::TypePtr(c10::OptionalType::create(c10::TensorType::get()));
            const bool everywhere = p.calls == calls.size();
            if (!everywhere) type = common(type, nullptr);
            arguments.emplace_back(p.name, type, std::nullopt,
                                   everywhere ? std::optional<c10::IValue>() : std::optional(c10::IValue()), p.keyword);
        }
        return {name.name, name.overload_name, std::move(arguments), returns_};
    }

private:
    void add(const OperatorCall& call) {
        for (std::size_t i = 0; i < call.node->inputs.size(); ++i) {
            exported::NamedArgument input = call.node->inputs[i];
            if (input.name.empty()) input.name = "arg" + std::to_string(i);
            Parameter& p = parameter(input);
            const c10::TypePtr type = schemaTypeOf(input.value, *call.graph);
            p.type = p.calls == 0 ? type : common(p.type, type);
            p.keyword = p.keyword && input.keyword;
            ++p.calls;
        }
        const auto returns = returnsOf(call);
        if (returns_.empty()) returns_ = returns;
        if (returns != returns_) throw Error("two of its calls have results of different kinds; save the model again");
    }

    Parameter& parameter(const exported::NamedArgument& input) {
        const auto known = std::find_if(parameters_.begin(), parameters_.end(),
                                        [&](const Parameter& p) { return p.name == input.name; });
        if (known != parameters_.end()) return *known;
        return parameters_.emplace_back(Parameter{input.name, nullptr, input.keyword, 0});
    }

    static std::vector<c10::Argument> returnsOf(const OperatorCall& call) {
        std::vector<c10::Argument> returns;
        for (const auto& output : call.node->outputs) {
            if (output.list()) {
                returns.emplace_back("", c10::ListType::ofTensors());
                continue;
            }
            const auto* reference = output.reference();
            if (!reference || !call.graph->tensors.contains(reference->name))
                throw Error(
                    "one of its results is not a tensor, and its value is unknown here; load the library that has it "
                    "with --library");
            returns.emplace_back("", c10::TensorType::get());
        }
        return returns;
    }

    std::vector<Parameter> parameters_;
    std::vector<c10::Argument> returns_;
};

/// Needed because the tensor is never computed, so nothing else would notice.
void requireSoundType(const exported::TensorMeta& type, const std::string& name) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    std::int64_t last = 1;
    bool sound = type.sizes.size() == type.strides.size() && type.sizes.size() <= 64;
    for (std::size_t i = 0; sound && i < type.sizes.size(); ++i) {
        const std::int64_t size = type.sizes[i].value, stride = type.strides[i].value;
        std::int64_t extent = 0;
        sound = size >= 0 && stride >= 0 &&
                !__builtin_mul_overflow(std::max<std::int64_t>(size - 1, 0), stride, &extent) &&
                !__builtin_add_overflow(last, extent, &last) && last <= most && size <= most;
    }
    if (!sound)
        throw Error("the file has impossible sizes or strides for " + inQuotes(name) + "; save the model again");
}

}  // namespace

c10::FunctionSchema opaqueSchema(const c10::OperatorName& name, const std::vector<OperatorCall>& calls) {
    try {
        return SchemaMaker().make(name, calls);
    } catch (const Error& e) {
        throw Error("operator '" + c10::toString(name) + "' is unknown: " + e.what());
    }
}

std::vector<const exported::TensorMeta*> resultTypes(const OperatorCall& call) {
    std::vector<const exported::TensorMeta*> types;
    const auto add = [&](const ExportedArgument& output) {
        const auto* reference = output.reference();
        if (!reference) return;
        const auto it = call.graph->tensors.find(reference->name);
        if (it == call.graph->tensors.end())
            throw Error("the file has no type for " + inQuotes(reference->name) + "; save the model again");
        requireSoundType(it->second, reference->name);
        types.push_back(&it->second);
    };
    for (const auto& output : call.node->outputs) {
        if (const auto* list = output.list())
            for (const auto& element : *list) add(element);
        else add(output);
    }
    return types;
}

}  // namespace aotscope

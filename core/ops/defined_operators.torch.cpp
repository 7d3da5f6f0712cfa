#include "ops/defined_operators.h"

#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "ops/decompositions/defined_gradient.h"
#include "ops/operator_policy.h"
#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <ATen/ops/clone.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace aotscope {

namespace {

using Stack = torch::jit::Stack;

/// Overloads for other types than the first one end in this and a number.
constexpr const char* kSignature = "signature";

thread_local const std::vector<KnownResult>* knownResults = nullptr;

struct Registered {
    c10::FunctionSchema schema;
    std::vector<c10::RegistrationHandleRAII> handles;
};

struct Defined {
    std::shared_ptr<const OperatorDefinition> definition;
    bool dependsOnData = false;
};

/// Operators stay registered for the lifetime of the process: plans and graphs hold handles to them.
struct Registry {
    std::mutex mutex;
    std::map<c10::OperatorName, Registered, bool (*)(const c10::OperatorName&, const c10::OperatorName&)> operators{
        [](const c10::OperatorName& a, const c10::OperatorName& b) {
            return std::tie(a.name, a.overload_name) < std::tie(b.name, b.overload_name);
        }};
    std::map<std::string, Defined> definitions;
    std::atomic<int> dataDependent = 0;

    static Registry& instance() {
        static auto* registry = new Registry;  // outlives the dispatcher's own static objects
        return *registry;
    }
};

bool isPartOfName(const std::string& text) {
    return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, isNamePart);
}

void requireName(const c10::OperatorName& name) {
    const auto colons = name.name.find("::");
    const bool fits = colons != std::string::npos && isPartOfName(name.name.substr(0, colons)) &&
                      isPartOfName(name.name.substr(colons + 2)) &&
                      (name.overload_name.empty() || isPartOfName(name.overload_name));
    if (!fits) throw Error(inQuotes(c10::toString(name)) + " is not the name of an operator");
}

/// Runs a function of a definition. Results that share memory with an argument are copied: the operator's schema
/// promises new tensors, and autograd would confuse such a result with the argument.
void run(const StackFunction& function, const c10::OperatorHandle& op, Stack* stack) {
    const auto count = op.schema().arguments().size();
    std::vector<at::Tensor> given;
    for (std::size_t i = stack->size() - count; i < stack->size(); ++i)
        forEachTensor((*stack)[i], [&](const at::Tensor& t) { given.push_back(t); });
    const std::size_t below = stack->size() - count;
    function(*stack);
    for (std::size_t i = below; i < stack->size(); ++i)
        (*stack)[i] = mapTensors((*stack)[i], [&](const at::Tensor& t) {
            const bool shared = t.defined() && std::any_of(given.begin(), given.end(), [&](const at::Tensor& g) {
                                    return g.is_same(t) || g.is_alias_of(t);
                                });
            return shared ? t.clone() : t;
        });
}

/// The results that the file gives for a call, or that the definition computes on meta tensors.
void runOnMeta(const c10::OperatorHandle& op, Stack* stack) {
    const auto definition = definitionOf(op.operator_name());
    if (definition && definition->fake) return run(definition->fake, op, stack);
    if (!knownResults) {
        if (definition && definition->body) return run(definition->body, op, stack);
        throw Error("the shapes of the results of operator '" + op.operator_name().name +
                    "' are not known here; define it with --define");
    }
    const auto& schema = op.schema();
    stack->resize(stack->size() - schema.arguments().size());
    auto next = knownResults->begin();
    const auto take = [&] {
        if (next == knownResults->end())
            throw Error("the file has no type for a result of operator '" + op.operator_name().name + "'");
        const KnownResult& result = *next++;
        return emptyMeta(result.sizes, result.strides, result.dtype);
    };
    for (const auto& returned : schema.returns()) {
        if (returned.type()->kind() != c10::TypeKind::ListType) {
            stack->emplace_back(take());
            continue;
        }
        c10::List<at::Tensor> list;
        while (next != knownResults->end()) list.push_back(take());
        stack->emplace_back(std::move(list));
    }
}

void runBody(const c10::OperatorHandle& op, Stack* stack) {
    const auto definition = definitionOf(op.operator_name());
    if (definition && definition->body) return run(definition->body, op, stack);
    throw Error("operator '" + op.operator_name().name +
                "' has no kernel here: it can be traced and partitioned, not run; load the library that has it with "
                "--library, or define it with --define");
}

Registered makeOperator(const c10::FunctionSchema& schema) {
    auto& dispatcher = c10::Dispatcher::singleton();
    Registered made{schema, {}};
    const auto add = [&](c10::DispatchKey key, c10::KernelFunction kernel) {
        made.handles.push_back(
            dispatcher.registerImpl(schema.operator_name(), key, std::move(kernel), std::nullopt, nullptr, "aotscope"));
    };
    made.handles.push_back(dispatcher.registerDef(schema, "aotscope"));
    add(c10::DispatchKey::CompositeExplicitAutograd, c10::KernelFunction::makeFromBoxedFunction<&runBody>());
    add(c10::DispatchKey::Meta, c10::KernelFunction::makeFromBoxedFunction<&runOnMeta>());
    add(c10::DispatchKey::Autograd, c10::KernelFunction::makeFromBoxedFunction<&runDefinedWithGradient>());
    return made;
}

}  // namespace

c10::OperatorHandle registerOperator(const c10::FunctionSchema& schema) {
    requireName(schema.operator_name());
    rememberOwnNamespaces();
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    constexpr int kMostSignatures = 100;
    for (int i = 1; i <= kMostSignatures; ++i) {
        const std::string overload =
            i == 1 ? schema.overload_name() : schema.overload_name() + kSignature + std::to_string(i);
        c10::FunctionSchema wanted = schema.cloneWithName(schema.name(), overload);
        wanted.setAliasAnalysis(c10::AliasAnalysisKind::FROM_SCHEMA);
        auto known = registry.operators.find(wanted.operator_name());
        if (known == registry.operators.end())
            known = registry.operators.emplace(wanted.operator_name(), makeOperator(wanted)).first;
        if (known->second.schema == wanted)
            return c10::Dispatcher::singleton().findSchemaOrThrow(wanted.name().c_str(), overload.c_str());
    }
    throw Error("operator '" + schema.name() + "' has been opened with more than " + std::to_string(kMostSignatures) +
                " signatures; start the program again");
}

std::string definitionKey(const c10::OperatorName& name) {
    const std::string overload = name.overload_name.substr(0, name.overload_name.find(kSignature));
    return overload.empty() || overload == "functional" ? name.name : name.name + "." + overload;
}

void define(const std::string& key, std::shared_ptr<const OperatorDefinition> definition, bool dependsOnData) {
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    Defined& known = registry.definitions[key];
    registry.dataDependent += static_cast<int>(dependsOnData) - static_cast<int>(known.dependsOnData);
    known = {std::move(definition), dependsOnData};
}

bool isRegisteredHere(const c10::OperatorName& name) {
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    return registry.operators.contains(name);
}

std::shared_ptr<const OperatorDefinition> definitionOf(const c10::OperatorName& name) {
    Registry& registry = Registry::instance();
    const std::lock_guard lock(registry.mutex);
    const auto known = registry.definitions.find(definitionKey(name));
    return known == registry.definitions.end() ? nullptr : known->second.definition;
}

bool definedToDependOnData(const c10::OperatorName& name) {
    Registry& registry = Registry::instance();
    if (registry.dataDependent == 0) return false;
    const std::lock_guard lock(registry.mutex);
    const auto known = registry.definitions.find(definitionKey(name));
    return known != registry.definitions.end() && known->second.dependsOnData;
}

KnownResultsScope::KnownResultsScope(const std::vector<KnownResult>& results)
    : before_(std::exchange(knownResults, &results)) {}

KnownResultsScope::~KnownResultsScope() { knownResults = before_; }

}  // namespace aotscope

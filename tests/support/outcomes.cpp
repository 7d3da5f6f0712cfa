#include "support/outcomes.h"

#include "aten/fake_tensor.h"
#include "aten/tensors.h"
#include "support/error.h"
#include "support/schema_arguments.h"
#include "trace/evaluate.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>

namespace aotscope::test {

namespace {

std::vector<at::Tensor> tensorsOf(const Values& values) {
    std::vector<at::Tensor> tensors;
    for (const auto& value : values)
        mapTensors(value, [&](const at::Tensor& t) {
            tensors.push_back(t);
            return t;
        });
    return tensors;
}

bool sharesMemory(const at::Tensor& a, const at::Tensor& b) {
    return a.defined() && b.defined() && a.storage().unsafeGetStorageImpl() == b.storage().unsafeGetStorageImpl();
}

std::string describeTensor(const at::Tensor& t) {
    if (!t.defined()) return "undefined";
    // Strides of dimensions with at most one element do not matter.
    std::string strides;
    for (int64_t i = 0; i < t.dim(); ++i)
        strides += (i ? ", " : "") + (t.numel() > 0 && t.size(i) > 1 ? std::to_string(t.stride(i)) : "*");
    return c10::str(t.scalar_type(), t.sizes(), "[", strides, "]");
}

/// The same tensor with the same strides and offset in memory of its own.
at::Tensor copyOf(const at::Tensor& t) {
    if (!t.defined()) return t;
    const auto items = static_cast<int64_t>(t.storage().nbytes() / t.itemsize());
    const at::Tensor whole = t.as_strided({items}, {1}, 0);
    return whole.clone().as_strided(t.sizes(), t.strides(), t.storage_offset());
}

}  // namespace

namespace {

std::optional<c10::OperatorHandle> findOperator(const std::string& name) {
    const auto dot = name.find('.');
    return c10::Dispatcher::singleton().findSchema(
        {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
}

}  // namespace

bool isOperator(const std::string& name) { return findOperator(name).has_value(); }

c10::OperatorHandle operatorNamed(const std::string& name) {
    const auto op = findOperator(name);
    if (!op) throw Error("LibTorch has no operator '" + name + "'");
    return *op;
}

Values call(const std::string& name, Values arguments) {
    const at::AutoDispatchBelowADInplaceOrView kernelsOnly;
    operatorNamed(name).callBoxed(arguments);
    return arguments;
}

std::string describe(const Values& results, const Values& arguments) {
    const auto inputs = tensorsOf(arguments), outputs = tensorsOf(results);
    std::string text;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const at::Tensor& t = outputs[i];
        text += (text.empty() ? "" : ", ") + describeTensor(t);
        for (std::size_t j = 0; j < inputs.size(); ++j)
            if (sharesMemory(t, inputs[j])) {
                text += t.is_same(inputs[j])
                            ? " is argument " + std::to_string(j)
                            : " views argument " + std::to_string(j) + " at " + std::to_string(t.storage_offset());
                break;
            }
        for (std::size_t j = 0; j < i; ++j)
            if (sharesMemory(t, outputs[j])) {
                text += " with result " + std::to_string(j);
                break;
            }
    }
    for (const auto& value : results)
        if (!value.isTensor() && !value.isTensorList()) text += (text.empty() ? "" : ", ") + value.tagKind();
    return text;
}

std::string printed(const Values& arguments) {
    std::string text;
    for (const auto& value : arguments)
        text += (text.empty() ? "" : "; ") +
                (value.isTensor() || value.isTensorList() ? describe({value}, {}) : c10::str(value));
    return text;
}

namespace {

/// Removes gradients that were not requested, which may be returned nevertheless, and results that are internal to the
/// kernel.
void reduceToCompared(Values& results, const c10::FunctionSchema& schema, const Values& arguments,
                      std::size_t compared) {
    results.resize(std::min(results.size(), compared));
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        if (schema.arguments()[a].name() != "output_mask") continue;
        const auto asked = arguments[a].toBoolList();
        for (std::size_t i = 0; i < results.size() && i < asked.size(); ++i)
            if (!asked[i]) results[i] = at::Tensor();
    }
}

Values mapAll(const Values& values, at::Tensor (*map)(const at::Tensor&)) {
    Values mapped;
    for (const auto& value : values) mapped.push_back(mapTensors(value, map));
    return mapped;
}

at::Tensor fakeOf(const at::Tensor& t) { return t.defined() ? fakeLike(t) : t; }

void foretell(const c10::OperatorHandle& op, const Values& arguments, std::size_t compared, Outcome& outcome) try {
    const Values fakes = mapAll(arguments, fakeOf);
    Values stack = fakes;
    FakeEvaluator evaluator;
    evaluator.run(op, stack);
    reduceToCompared(stack, op.schema(), arguments, compared);
    outcome.foretold = describe(stack, fakes);
    outcome.fallbacks = evaluator.fallbacks();
} catch (const std::exception& e) {
    outcome.foretold = std::string("an error: ") + e.what();
}

}  // namespace

std::string foretell(const std::string& name, const Values& arguments) {
    const Values fakes = mapAll(arguments, fakeOf);
    Values stack = fakes;
    FakeEvaluator().run(operatorNamed(name), stack);
    return describe(stack, fakes);
}

std::optional<Outcome> tryOperator(const std::string& name, Random& random) {
    const auto op = operatorNamed(name);
    const auto known = generators().find(name);
    const Generator generator = known == generators().end() ? Generator{} : known->second;
    Outcome outcome;
    Values arguments;
    try {
        arguments = generator.arguments ? generator.arguments(random) : schemaArguments(op.schema(), random);
        if (arguments.empty()) return std::nullopt;
        outcome.arguments = printed(arguments);
        const Values copies = mapAll(arguments, copyOf);
        Values results = call(generator.kernel ? generator.kernel : name, copies);
        reduceToCompared(results, op.schema(), arguments, generator.compared);
        outcome.real = describe(results, copies);
    } catch (const std::exception&) {
        return std::nullopt;
    }
    foretell(op, arguments, generator.compared, outcome);
    return outcome;
}

Trials tryOperator(const std::string& name, int wanted) {
    Trials trials;
    const auto attempts = static_cast<unsigned>(30 * wanted);
    for (unsigned seed = 1; seed <= attempts && trials.accepted < wanted; ++seed) {
        Random random(seed);
        const auto outcome = tryOperator(name, random);
        if (!outcome) continue;
        ++trials.accepted;
        for (const auto& [op, count] : outcome->fallbacks) trials.fallbacks[op] += count;
        if (outcome->foretold == outcome->real || ++trials.differing > 1) continue;
        trials.firstDifference = "seed " + std::to_string(seed) + ", arguments " + outcome->arguments +
                                 ":\n   foretold " + outcome->foretold + "\n   really   " + outcome->real;
    }
    return trials;
}

}  // namespace aotscope::test

#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

// Operators that models call and no library registers, because they exist only in Python. They are registered here with
// the types of their arguments, so that they can be traced; a definition computes them.

/// Replaces the arguments on top of a stack by results.
using StackFunction = std::function<void(torch::jit::Stack&)>;

/// A gradient by the names of its parameters: "grad" (grad0, grad1, ... for several results), "result" (result0, ...)
/// and arguments of the operator. It returns gradients of the operator's tensors in order; the rest have none.
struct OperatorGradient {
    std::vector<std::string> parameters;
    StackFunction run;
};

struct OperatorDefinition {
    StackFunction body;  ///< on real tensors
    StackFunction fake;  ///< on meta tensors; null: the types in the file, or else the body
    std::optional<OperatorGradient> gradient;
};

/// The operator with this schema, registered at the first call. If an earlier model has registered the name with
/// another schema, it gets another overload. Throws Error for an invalid name.
c10::OperatorHandle registerOperator(const c10::FunctionSchema& schema);

/// The key of a definition: the operator's name, "transformers::grouped_mm_fallback", and its overload, if that has its
/// own function: "quantized_decomposed::quantize_per_tensor.tensor".
std::string definitionKey(const c10::OperatorName& name);

/// From now on, calls of the operators with this key are computed by `definition`; null: they cannot be computed.
void define(const std::string& key, std::shared_ptr<const OperatorDefinition> definition, bool dependsOnData = false);

/// Whether the operator was registered by registerOperator().
bool isRegisteredHere(const c10::OperatorName& name);
std::shared_ptr<const OperatorDefinition> definitionOf(const c10::OperatorName& name);
/// Whether it was defined with `dependsOnData`. Cheap if there are no such operators.
bool definedToDependOnData(const c10::OperatorName& name);

/// The type of a result according to a file.
struct KnownResult {
    std::vector<std::int64_t> sizes, strides;
    at::ScalarType dtype = at::kFloat;
};

/// During its lifetime, calls on this thread of operators without shape functions have these results, lists flattened.
class KnownResultsScope {
public:
    explicit KnownResultsScope(const std::vector<KnownResult>& results);
    ~KnownResultsScope();
    KnownResultsScope(const KnownResultsScope&) = delete;
    KnownResultsScope& operator=(const KnownResultsScope&) = delete;

private:
    const std::vector<KnownResult>* before_;
};

}  // namespace aotscope

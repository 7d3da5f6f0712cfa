#include "execute/batching.h"

#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

#include <array>

namespace aotscope {

namespace {

namespace functorch = at::functorch;

struct BatchingNode {
    std::string_view name;
    Batching what;
    std::size_t arguments;
};

constexpr std::array<BatchingNode, 5> kBatchingNodes = {{
    {"lazy_load_decompositions", Batching::prepare, 0},
    {"_vmap_increment_nesting", Batching::enter, 2},
    {"_vmap_decrement_nesting", Batching::leave, 0},
    {"_add_batch_dim", Batching::add, 3},
    {"_remove_batch_dim", Batching::remove, 4},
}};

functorch::RandomnessType randomness(const c10::IValue& value) {
    const std::string& text = value.toStringRef();
    if (text == "error") return functorch::RandomnessType::Error;
    if (text == "same") return functorch::RandomnessType::Same;
    if (text == "different") return functorch::RandomnessType::Different;
    throw Error("the randomness of a vmap is " + inQuotes(text) + ", expected 'error', 'same' or 'different'");
}

/// The current level of the stack. Levels of a file are those of the exporting process: only the innermost is ever
/// named.
std::int64_t currentLevel() {
    const auto layer = functorch::maybeCurrentDynamicLayer();
    check(layer.has_value(), "a batch dimension outside of vmap");
    return layer->layerId();
}

std::int64_t dimensionOf(const c10::IValue& value, std::int64_t count) {
    const std::int64_t dimension = value.toInt(), whole = dimension < 0 ? dimension + count : dimension;
    if (whole < 0 || whole >= count)
        throw Error("vmap goes over dimension " + std::to_string(dimension) + " of a tensor with " +
                    counted(static_cast<std::size_t>(count), "dimension"));
    return whole;
}

class BatchScope {
public:
    BatchScope(std::int64_t size, functorch::RandomnessType randomness) {
        functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, c10::SymInt(size), randomness);
    }
    ~BatchScope() { functorch::popDynamicLayerAndDeleteMetadata(); }
    BatchScope(const BatchScope&) = delete;
    BatchScope& operator=(const BatchScope&) = delete;
};

at::Tensor add(const torch::jit::Stack& arguments) {
    const at::Tensor& tensor = arguments.at(0).toTensor();
    return functorch::addBatchDim(tensor, dimensionOf(arguments.at(1), tensor.dim()), currentLevel());
}

/// A tensor that does not vary within the batch is expanded.
at::Tensor remove(const torch::jit::Stack& arguments) {
    const at::Tensor& tensor = arguments.at(0).toTensor();
    const std::int64_t to = dimensionOf(arguments.at(3), tensor.dim() + 1);
    const auto* batched = functorch::maybeGetBatchedImpl(tensor);
    if (batched && batched->level() == currentLevel())
        return batched->bdim() == to ? batched->value() : batched->value().movedim(batched->bdim(), to);
    std::vector<std::int64_t> sizes = tensor.sizes().vec();
    sizes.insert(sizes.begin(), arguments.at(2).toInt());
    return to == 0 ? tensor.expand(sizes) : tensor.expand(sizes).movedim(0, to);
}

template <auto perform>
class BatchingKernel final : public StepKernel {
public:
    void call(torch::jit::Stack& stack) const override { stack.assign(1, perform(stack)); }
};

}  // namespace

std::optional<Batching> batchingOf(std::string_view target) {
    constexpr std::string_view prefix = "torch._functorch.predispatch.";
    if (!target.starts_with(prefix)) return std::nullopt;
    for (const BatchingNode& node : kBatchingNodes)
        if (node.name == target.substr(prefix.size())) return node.what;
    throw Error(
        "it belongs to a derivative in forward mode (torch.func.jvp), which cannot be run here; export the "
        "model without it");
}

void requireBatchingArguments(Batching what, std::size_t count) {
    for (const BatchingNode& node : kBatchingNodes)
        if (node.what == what && node.arguments != count)
            throw Error("it takes " + counted(node.arguments, "argument") + ", the exported program gives " +
                        std::to_string(count) + "; save the model again");
}

std::shared_ptr<void> enterBatch(const torch::jit::Stack& arguments) {
    if (functorch::getDynamicLayerStack().size() + 1 >= functorch::kVmapNumLevels)
        throw Error("vmap is nested more deeply than LibTorch can run");
    const std::int64_t size = arguments.at(0).toInt();
    if (size < 0) throw Error("the batch of a vmap has size " + std::to_string(size) + ", expected 0 or more");
    return std::make_shared<BatchScope>(size, randomness(arguments.at(1)));
}

std::shared_ptr<const StepKernel> batchingKernel(Batching what) {
    if (what == Batching::add) return std::make_shared<BatchingKernel<add>>();
    return std::make_shared<BatchingKernel<remove>>();
}

}  // namespace aotscope

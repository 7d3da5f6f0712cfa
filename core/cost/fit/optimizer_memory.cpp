#include "cost/fit/optimizer_memory.h"

#include "support/enumerators.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

// Source: torch/optim/{sgd,adam,_adafactor,_muon}.py of 2.13, by watching the allocator during `step()`, too; adam8bit:
// bitsandbytes/optim/optimizer.py of 0.44 and later; lion: lion_pytorch.py of github.com/google/automl. In all of them
// a state has the parameter's dtype unless its rule says otherwise.

/// Steps are counted in a float32 tensor for each parameter, which is on the CPU for parameters on any device.
std::int64_t stepCounter(const TensorType& parameter) { return parameter.device.name.starts_with("cpu") ? 4 : 0; }

UpdateMemory sgd(const TensorType& p, UpdateOrder /*order*/) { return {.moved = 3 * p.bytes()}; }

/// The buffer takes the place of the gradient.
UpdateMemory momentum(const TensorType& p, UpdateOrder /*order*/) {
    return {.state = p.bytes(), .moved = 6 * p.bytes()};
}

/// The square root of the second moment; in a loop, its quotient beside it, which stays until the next one is there.
UpdateMemory adam(const TensorType& p, UpdateOrder order) {
    UpdateMemory memory{.state = 2 * p.bytes() + stepCounter(p), .moved = 18 * p.bytes()};
    if (order == UpdateOrder::foreach) memory.together = p.bytes();
    else memory.alone = 2 * p.bytes(), memory.left = p.bytes();
    return memory;
}

/// Decays the weights in place.
UpdateMemory adamw(const TensorType& p, UpdateOrder order) {
    UpdateMemory memory = adam(p, order);
    memory.moved += 2 * p.bytes();
    return memory;
}

/// One byte for each element, and a float32 scale for each block of 256; tensors below 4096 elements have float32
/// states. One kernel updates everything in place.
UpdateMemory adam8bit(const TensorType& p, UpdateOrder /*order*/) {
    constexpr std::int64_t kFewest = 4096, kBlock = 256, kScale = 4, kStates = 2;
    const std::int64_t elements = p.numel(), blocks = (elements + kBlock - 1) / kBlock;
    const std::int64_t state = kStates * (elements < kFewest ? kScale * elements : elements + kScale * blocks);
    return {.state = state, .moved = 3 * p.bytes() + 2 * state};
}

/// Of the second moment, means over rows and over columns; the last two dimensions count. The update is as large as the
/// parameter, and beside it are the means of this gradient, and the mean of all rows.
UpdateMemory adafactor(const TensorType& p, UpdateOrder /*order*/) {
    const std::int64_t bytes = p.bytes(), rank = static_cast<std::int64_t>(p.sizes.size());
    UpdateMemory memory{.moved = 12 * bytes};
    if (rank < 2 || bytes == 0) {
        memory.state = bytes;
        memory.alone = 2 * bytes;  // the squared gradient
        memory.left = 2 * bytes;
    } else {
        const std::int64_t rows = p.sizes[p.sizes.size() - 2], columns = p.sizes.back();
        memory.state = bytes / columns + bytes / rows;
        memory.alone = bytes + memory.state + bytes / (rows * columns);
        memory.left = bytes;
    }
    memory.state += stepCounter(p);
    return memory;
}

/// Both products and their sum, whose sign is the update.
UpdateMemory lion(const TensorType& p, UpdateOrder /*order*/) {
    return {.state = p.bytes(), .alone = 3 * p.bytes(), .left = p.bytes(), .moved = 17 * p.bytes()};
}

/// Matrices are orthogonalized by five Newton-Schulz iterations in bfloat16, each of which has the old and new matrix
/// and two of their Gram matrices; all other parameters are left to AdamW.
UpdateMemory muon(const TensorType& p, UpdateOrder order) {
    if (p.sizes.size() != 2) return adamw(p, order);
    constexpr std::int64_t kHalf = 2, kIterations = 5;
    const std::int64_t matrix = kHalf * p.numel(), rows = std::min(p.sizes[0], p.sizes[1]);
    const std::int64_t gram = kHalf * rows * rows;
    const auto n = static_cast<double>(p.numel()), r = static_cast<double>(rows);
    return {.state = p.bytes(),
            .alone = p.bytes() + 2 * matrix + 2 * gram,
            .moved = 9 * p.bytes() + kIterations * (5 * matrix + 6 * gram),
            .products = kIterations * 2 * (2 * r * n + r * r * r)};
}

constexpr std::array<OptimizerFormula, 8> kRules = {{
    {"sgd", "torch.optim.SGD without momentum", sgd, true, 1},
    {"momentum", "torch.optim.SGD with momentum", momentum, true, 3},
    {"adam", "torch.optim.Adam", adam, true, 7},
    {"adamw", "torch.optim.AdamW", adamw, true, 8},
    {"adam8bit", "Adam with block-wise states of 8 bits, as in bitsandbytes", adam8bit, false, 1},
    {"adafactor", "torch.optim.Adafactor", adafactor, false, 16},
    {"lion", "Lion (Chen et al., 2023)", lion, false, 8},
    {"muon", "torch.optim.Muon for matrices, AdamW for all else", muon, true, 21},
}};

/// Tensors that one kernel of a _foreach_ operator updates.
constexpr std::int64_t kTensorsOfKernel = 30;

}  // namespace

std::string_view name(UpdateOrder order) { return spelled(order); }

std::span<const OptimizerFormula> optimizerFormulas() { return kRules; }

std::vector<std::string> optimizerNames() {
    std::vector<std::string> names;
    for (const OptimizerFormula& rule : kRules) names.emplace_back(rule.name);
    return names;
}

const OptimizerFormula& optimizerFormulaNamed(std::string_view name) {
    const auto rule = std::ranges::find(kRules, name, &OptimizerFormula::name);
    if (rule == kRules.end())
        throw UsageError("--optimizer " + inQuotes(name) + ": expected one of " + quotedNames(optimizerNames()));
    return *rule;
}

UpdateOrder usualOrder(const OptimizerFormula& rule, const TensorType& parameter) {
    return rule.hasForeach && parameter.device.name.starts_with("cuda") ? UpdateOrder::foreach : UpdateOrder::loop;
}

OptimizerMemory optimizerMemory(const OptimizerFormula& rule, const std::vector<TensorType>& parameters,
                                UpdateOrder order) {
    OptimizerMemory all;
    std::int64_t together = 0, alone = 0, left = 0, loops = 0;
    for (const TensorType& parameter : parameters) {
        const UpdateMemory memory = rule.of(parameter, order);
        all.states += memory.state;
        all.moved += memory.moved;
        all.products += memory.products;
        together += memory.together;
        alone = std::max(alone, left + memory.alone);
        left = memory.left;
        loops += order == UpdateOrder::loop || memory.alone > 0;
    }
    all.update = std::max(together, alone);
    const std::int64_t others = static_cast<std::int64_t>(parameters.size()) - loops;
    all.launches = rule.kernels * (loops + (others + kTensorsOfKernel - 1) / kTensorsOfKernel);
    return all;
}

}  // namespace aotscope

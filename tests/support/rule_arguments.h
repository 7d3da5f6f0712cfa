#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace aotscope::test {

using Values = std::vector<c10::IValue>;
using Sizes = std::vector<int64_t>;

/// Random arguments, determined by a seed.
class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}

    int64_t number(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
    bool coin() { return number(0, 1) == 1; }
    template <typename T>
    T oneOf(std::initializer_list<T> choices) {
        return *(choices.begin() + number(0, static_cast<int64_t>(choices.size()) - 1));
    }
    Sizes sizes(std::size_t count, int64_t low, int64_t high) {
        Sizes result;
        for (std::size_t i = 0; i < count; ++i) result.push_back(number(low, high));
        return result;
    }
    at::ScalarType floating() { return oneOf({at::kFloat, at::kFloat, at::kDouble, at::kBFloat16}); }

    /// Contiguous, channels-last, with two dimensions swapped, with gaps, or expanded.
    at::Tensor tensor(const Sizes& sizes, at::ScalarType type);
    at::Tensor plain(const Sizes& sizes, at::ScalarType type);
    /// Contiguous or channels-last, for kernels that accept nothing else.
    at::Tensor memoryFormat(const Sizes& sizes, at::ScalarType type);
    c10::IValue maybe(const at::Tensor& t) { return coin() ? c10::IValue(t) : c10::IValue(); }

private:
    std::mt19937 engine_;
};

/// Random arguments for an operator that needs more than its schema says.
struct Generator {
    Values (*arguments)(Random&);
    const char* kernel = nullptr;  ///< another operator with the same arguments and results, for rules of devices
    std::size_t compared = 99;     ///< number of compared results; the others are internal to the kernel
};

using Generators = std::map<std::string, Generator>;
const Generators& generators();

// One file per family.
Generators attentionGenerators();
Generators collectiveGenerators();
Generators convolutionGenerators();
Generators elementwiseGenerators();
Generators indexingGenerators();
Generators linalgGenerators();
Generators lossGenerators();
Generators normalizationGenerators();
Generators optimizerGenerators();
Generators quantizationGenerators();
Generators spatialGenerators();

}  // namespace aotscope::test

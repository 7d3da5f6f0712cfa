#include "ops/decompositions/decomposition_support.h"

#include <ATen/ops/_unsafe_index.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/roll.h>

namespace aotscope {

namespace {

using namespace rules;

Tensor countFrom(std::int64_t start, std::int64_t end, const Tensor& like) {
    return at::arange(start, end, at::TensorOptions().device(like.device()));
}

/// The input positions for every position of the padded dimension: reflected at both ends, without repeating the ends.
Tensor reflected(std::int64_t left, std::int64_t middle, std::int64_t right, const Tensor& like) {
    const Tensor places = countFrom(-left, middle + right, like);
    return minus(middle - 1, at::abs(minus(middle - 1, at::abs(places))));
}
Tensor replicated(std::int64_t left, std::int64_t middle, std::int64_t right, const Tensor& like) {
    return at::clamp(countFrom(-left, middle + right, like), 0, middle - 1);
}

/// `padding` starts with the last dimension.
template <auto places>
Tensor pad(const Tensor& self, const Sizes& padding) {
    const Opmath math({self});
    const Tensor a = math.up(self);
    const auto dims = static_cast<std::int64_t>(padding.size() / 2), first = a.dim() - dims;
    Tensor result = a;
    for (std::int64_t i = 0; i < dims; ++i) {
        const auto at = static_cast<std::size_t>(2 * (dims - 1 - i));
        c10::List<std::optional<Tensor>> indices;
        for (std::int64_t d = 0; d < a.dim(); ++d) indices.push_back(std::nullopt);
        indices.set(static_cast<std::size_t>(first + i), places(padding[at], a.size(first + i), padding[at + 1], a));
        result = at::_unsafe_index(result, indices);
    }
    const auto format = a.is_cpu() ? a.suggest_memory_format() : at::MemoryFormat::Contiguous;
    return math.down(result.contiguous(format));
}

Tensor roll(const Tensor& self, const Sizes& shifts, const Sizes& dims) {
    if (self.numel() == 0) return at::clone(self);
    if (dims.empty() && shifts.size() == 1) return at::roll(self.flatten(), shifts, {0}).view(self.sizes());
    if (dims.size() > 1) {
        const Tensor first = at::roll(self, {shifts[0]}, {dims[0]});
        return at::roll(first, Sizes(shifts.begin() + 1, shifts.end()), Sizes(dims.begin() + 1, dims.end()));
    }
    const std::int64_t dim = wrapDim(dims[0], self.dim()), size = self.size(dim);
    const std::int64_t start = ((size - shifts[0]) % size + size) % size;
    return self.index_select(dim, at::fmod(plus(start, arange(size, self)), size));
}

}  // namespace

std::vector<DecompositionRow> spatialDecompositions() {
    constexpr std::uint8_t both = kCoreAten | kInductor;
    return {
        {"aten.reflection_pad1d.default", "reflection_pad", rule<pad<reflected>>, both},
        {"aten.reflection_pad2d.default", "reflection_pad", rule<pad<reflected>>, both},
        {"aten.reflection_pad3d.default", "reflection_pad", rule<pad<reflected>>, both},
        {"aten.replication_pad1d.default", "replication_pad", rule<pad<replicated>>, both},
        {"aten.replication_pad2d.default", "replication_pad", rule<pad<replicated>>, both},
        {"aten.replication_pad3d.default", "replication_pad", rule<pad<replicated>>, both},
        {"aten.roll.default", "roll", rule<roll>, both},
    };
}

}  // namespace aotscope

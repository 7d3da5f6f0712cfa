#include "support/rule_arguments.h"

#include <ATen/ops/empty.h>

namespace aotscope::test {

namespace {

at::Tensor fill(const at::Tensor& t) {
    if (t.scalar_type() == at::kBool) return t.fill_(1);
    return at::isFloatingType(t.scalar_type()) ? t.uniform_(0.1, 1) : t.zero_();
}

}  // namespace

at::Tensor Random::tensor(const Sizes& sizes, at::ScalarType type) {
    const auto options = at::TensorOptions().dtype(type);
    const auto rank = static_cast<int64_t>(sizes.size());
    at::Tensor t;
    switch (number(0, 4)) {
        case 0:
            if (rank != 4 && rank != 5) return plain(sizes, type);
            t = at::empty(sizes, options.memory_format(rank == 4 ? at::MemoryFormat::ChannelsLast
                                                                 : at::MemoryFormat::ChannelsLast3d));
            break;
        case 1: {
            if (rank < 2) return plain(sizes, type);
            Sizes swapped = sizes;
            const int64_t a = number(0, rank - 1), b = number(0, rank - 1);
            std::swap(swapped[static_cast<std::size_t>(a)], swapped[static_cast<std::size_t>(b)]);
            t = at::empty(swapped, options).transpose(a, b);
            break;
        }
        case 2: {
            if (rank < 1) return plain(sizes, type);
            Sizes wider = sizes;
            const int64_t d = number(0, rank - 1);
            wider[static_cast<std::size_t>(d)] = 2 * wider[static_cast<std::size_t>(d)] + 1;
            t = at::empty(wider, options).slice(d, 1, std::nullopt, 2);
            break;
        }
        case 3: {
            if (rank < 1) return plain(sizes, type);
            Sizes narrow = sizes;
            for (int64_t& size : narrow)
                if (size > 0 && coin()) size = 1;
            return fill(at::empty(narrow, options)).expand(sizes);
        }
        default: return plain(sizes, type);
    }
    return fill(t);
}

at::Tensor Random::memoryFormat(const Sizes& sizes, at::ScalarType type) {
    return sizes.size() == 4 && coin()
               ? fill(at::empty(sizes, at::TensorOptions().dtype(type).memory_format(at::MemoryFormat::ChannelsLast)))
               : plain(sizes, type);
}

at::Tensor Random::plain(const Sizes& sizes, at::ScalarType type) { return fill(at::empty(sizes, type)); }

}  // namespace aotscope::test

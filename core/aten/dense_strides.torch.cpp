#include "aten/dense_strides.h"

#include <algorithm>
#include <numeric>

namespace aotscope {

std::vector<int64_t> denseStridesLike(c10::IntArrayRef like, c10::IntArrayRef sizes) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return like[a] > like[b]; });
    std::vector<int64_t> strides(sizes.size());
    int64_t next = 1;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        strides[*it] = next;
        next *= std::max<int64_t>(sizes[*it], 1);
    }
    return strides;
}

}  // namespace aotscope

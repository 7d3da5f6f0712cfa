#include "compile/fused/cpu/parallel.h"

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/from_blob.h>

namespace aotscope {

void parallelFor(std::int64_t count, std::int64_t grain, c10::function_ref<void(std::int64_t, std::int64_t)> f) {
    if (count <= grain || at::get_num_threads() == 1 || at::in_parallel_region()) return f(0, count);
    // at::parallel_for starts threads only in sources compiled with OpenMP. LibTorch's iterators are: this one iterates
    // over as many bytes as there are positions, and only the addresses are used.
    char* const origin = reinterpret_cast<char*>(64);
    const at::Tensor bytes = at::from_blob(origin, {count}, at::TensorOptions(at::kByte));
    at::TensorIteratorConfig().add_const_input(bytes).build().for_each(
        [&](char** data, const std::int64_t*, std::int64_t size0, std::int64_t size1) {
            const std::int64_t begin = data[0] - origin;
            f(begin, begin + size0 * size1);
        },
        grain);
}

}  // namespace aotscope

#include "benchmarks.h"

#include <ATen/Parallel.h>

namespace aotscope {

int torchThreads() { return at::get_num_threads(); }

}  // namespace aotscope

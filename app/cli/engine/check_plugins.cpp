#include "cli/engine/check_plugins.h"

#include "compile/compilers.h"
#include "partition/plan_function.h"

namespace aotscope {

void checkPlugins(const Options& options) {
    checkCompilers(options.compilers);
    checkPartitionFunction(options.partition.function);
}

}  // namespace aotscope

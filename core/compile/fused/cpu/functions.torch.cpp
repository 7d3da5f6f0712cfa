#include "compile/fused/cpu/functions.h"

#include <ATen/Version.h>

namespace aotscope {

#if defined(__x86_64__)
namespace AVX512 {
const CpuFunctions& functions();
}
namespace AVX2 {
const CpuFunctions& functions();
}
#endif
namespace DEFAULT {
const CpuFunctions& functions();
}

const CpuFunctions& cpuFunctions() {
    static const CpuFunctions& chosen = []() -> const CpuFunctions& {
#if defined(__x86_64__)
        const std::string capability = at::get_cpu_capability();
        if (capability == "AVX512") return AVX512::functions();
        if (capability == "AVX2") return AVX2::functions();
#endif
        return DEFAULT::functions();
    }();
    return chosen;
}

}  // namespace aotscope

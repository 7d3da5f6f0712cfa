#include "compile/fused/cpu_functions.h"

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

std::optional<Lane> laneOf(DType dtype) {
    switch (dtype) {
        case DType::f16:
        case DType::bf16:
        case DType::f32: return Lane::f32;
        case DType::f64: return Lane::f64;
        case DType::b8: return Lane::boolean;
        case DType::u8:
        case DType::i8:
        case DType::i16:
        case DType::i32:
        case DType::i64:
        case DType::u16:
        case DType::u32:
        case DType::u64: return Lane::i64;
        default: return std::nullopt;
    }
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

#include "verify/model_autocast.h"

namespace aotscope {

std::unique_ptr<AutocastScope> modelAutocast(const Options& options) {
    options.use("--autocast");
    const Autocast wanted = options.autocast;
    if (wanted == Autocast::off) return nullptr;
    const bool cpu = wanted == Autocast::cpuBfloat16 || wanted == Autocast::cpuFloat16;
    const bool half = wanted == Autocast::cpuFloat16 || wanted == Autocast::cudaFloat16;
    return std::make_unique<AutocastScope>(cpu ? at::kCPU : at::kCUDA, /*enabled=*/true,
                                           half ? at::kHalf : at::kBFloat16,
                                           /*cache=*/false);
}

}  // namespace aotscope

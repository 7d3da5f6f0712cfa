#include "compile/fused/fused.h"
#include "support/error.h"

namespace aotscope {

namespace {

std::unique_ptr<FusedKernel> makeKernel(const Kernel& kernel, const Device& device) {
    if (device.name == "cpu") return makeCpuKernel(kernel);
    if (device.name.starts_with("cuda")) return makeCudaKernel(kernel);
    throw Error("fused kernels exist for 'cpu' and 'cuda' only");
}

}  // namespace

std::unique_ptr<Compiler> makeFused(const CompilerSettings& settings) {
    GroupingOptions options;
    options.reductions = settings.at("reductions") == "true";
    return makeFused(options, makeKernel);
}

}  // namespace aotscope

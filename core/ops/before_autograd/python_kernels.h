#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aotscope {

/// How this program handles an operator that PyTorch implements in Python at CompositeImplicitAutograd or Autograd.
enum class KernelTreatment : std::uint8_t {
    followed,     ///< by a rule (BeforeAutogradRow), or because LibTorch's own kernel calls the same operations
    cannotOccur,  ///< during tracing
    notFollowed   ///< deliberately
};
std::string_view name(KernelTreatment treatment);

struct PythonKernel {
    const char* op;  ///< "aten.dropout.default"
    KernelTreatment treatment;
    const char* rule;  ///< that implements it, or empty
    const char* why;   ///< where LibTorch's kernel does the same, why it cannot occur or is not followed, and how a
                       ///< rule differs from Python
};

/// All of them in the releases in tests/data/python_kernels, sorted by operator.
const std::vector<PythonKernel>& pythonKernels();

}  // namespace aotscope

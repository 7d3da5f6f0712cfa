#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aotscope {

/// What becomes here of an operator that PyTorch implements in Python at CompositeImplicitAutograd or Autograd.
enum class KernelTreatment : std::uint8_t {
    followed,     ///< by a rule (BeforeAutogradRow), or because LibTorch's own kernel calls the same operations
    cannotOccur,  ///< while a model is traced
    notFollowed   ///< deliberately
};
std::string_view name(KernelTreatment treatment);

struct PythonKernel {
    const char* op;  ///< "aten.dropout.default"
    KernelTreatment treatment;
    const char* rule;  ///< that follows it; empty: none
    const char* why;   ///< where LibTorch's kernel does the same, where it cannot occur or is not followed, and where
                       ///< a rule differs from Python's implementation
};

/// All of them, sorted by operator, of the releases in tests/data/python_kernels.
const std::vector<PythonKernel>& pythonKernels();

}  // namespace aotscope

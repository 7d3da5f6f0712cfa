// Tensors as text, and files of them.
#pragma once

#include "support/text.h"

#include <ATen/core/Tensor.h>

#include <string>

namespace aotscope::test {

inline std::string dataFile(const char* name) { return std::string(AOTSCOPE_SOURCE_DIR "/tests/data/tensors/") + name; }

/// "Float[2, 3][3, 1]: 0 1 2 3 4 5"
inline QString describe(const at::Tensor& tensor) {
    QString text = q(c10::str(tensor.scalar_type(), tensor.sizes(), tensor.strides(), ":"));
    const at::Tensor flat = tensor.detach().contiguous().view({-1});
    if (tensor.is_complex()) {
        const at::Tensor numbers = flat.to(at::kComplexDouble);
        for (int64_t i = 0; i < numbers.numel(); ++i) {
            const auto z = numbers[i].item<c10::complex<double>>();
            text += u" %1%2%3j"_s.arg(z.real()).arg(z.imag() < 0 ? "" : "+").arg(z.imag());
        }
    } else {
        const at::Tensor numbers = flat.to(at::kDouble);
        for (int64_t i = 0; i < numbers.numel(); ++i) text += u" %1"_s.arg(numbers[i].item<double>());
    }
    return text;
}

}  // namespace aotscope::test

#pragma once

#include "load/exported/weights.h"

namespace aotscope {

/// A tensor that a model needs, by name.
struct WantedTensor {
    std::string name;
    std::vector<std::int64_t> sizes;
    DType dtype = DType::f32;
};

/// Throws Error listing the first names that `given` lacks or has with a different shape or dtype.
void requireTensors(const TensorsByName& given, const std::vector<WantedTensor>& wanted);

}  // namespace aotscope

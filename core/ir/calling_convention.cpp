#include "ir/calling_convention.h"

namespace aotscope {

CallingConvention CallingConvention::plain(std::size_t arguments) {
    CallingConvention convention;
    for (std::size_t i = 0; i < arguments; ++i) {
        convention.inputs.push_back({{i}, false, false});
        convention.arguments.push_back({i, std::nullopt});
        convention.duplicateOf.push_back(i);
    }
    return convention;
}

bool CallingConvention::specialised() const {
    for (std::size_t i = 0; i < duplicateOf.size(); ++i)
        if (isDuplicate(i)) return true;
    return false;
}

}  // namespace aotscope

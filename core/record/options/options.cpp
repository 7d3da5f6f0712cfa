#include "record/options/options.h"

#include "support/enumerators.h"

namespace aotscope {

std::string_view name(ModuleMode mode) { return spelled<'-'>(mode); }

std::string_view name(Autocast autocast) {
    using enum Autocast;
    return textFor(autocast, {{off, "off"},
                              {cpuBfloat16, "cpu:bfloat16"},
                              {cpuFloat16, "cpu:float16"},
                              {cudaBfloat16, "cuda:bfloat16"},
                              {cudaFloat16, "cuda:float16"}});
}

}  // namespace aotscope

#include "record/options/options.h"

namespace aotscope {

std::string_view name(ModuleMode mode) {
    switch (mode) {
        case ModuleMode::train: return "train";
        case ModuleMode::eval: return "eval";
        case ModuleMode::asSaved: return "as-saved";
    }
    return {};
}

std::string_view name(Autocast autocast) {
    switch (autocast) {
        case Autocast::off: return "off";
        case Autocast::cpuBfloat16: return "cpu:bfloat16";
        case Autocast::cpuFloat16: return "cpu:float16";
        case Autocast::cudaBfloat16: return "cuda:bfloat16";
        case Autocast::cudaFloat16: return "cuda:float16";
    }
    return {};
}

}  // namespace aotscope

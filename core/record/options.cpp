#include "record/options.h"

namespace aotscope {

std::string_view name(ModuleMode mode) {
    switch (mode) {
        case ModuleMode::train: return "train";
        case ModuleMode::eval: return "eval";
        case ModuleMode::asSaved: return "as-saved";
    }
    return {};
}

}  // namespace aotscope

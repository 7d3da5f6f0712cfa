#include "record/options.h"

namespace aotscope {

std::string_view name(ModuleMode mode) { return mode == ModuleMode::train ? "train" : "eval"; }

}  // namespace aotscope

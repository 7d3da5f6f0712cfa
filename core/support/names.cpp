#include "support/names.h"

namespace aotscope {

std::string quotedNames(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
}

}  // namespace aotscope

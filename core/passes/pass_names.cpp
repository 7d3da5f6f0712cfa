#include "passes/pass_names.h"

namespace aotscope {

std::vector<std::string> passNames() {
    std::vector<std::string> names;
    for (const PassId pass : kPipelinePasses) names.emplace_back(name(pass));
    return names;
}

}  // namespace aotscope

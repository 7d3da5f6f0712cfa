#include "record/options/compiler_choice.h"

namespace aotscope {

std::vector<CompilerUse> usesOf(const CompilerChoice& choice) {
    const auto use = [](GraphKind kind, const std::string& name) { return CompilerUse{kind, name, name, {}}; };
    return {use(GraphKind::forward, choice.forward), use(GraphKind::backward, choice.ofBackward()),
            use(GraphKind::inference, choice.ofInference())};
}

std::vector<CompilerUse> notCompiledYet(std::vector<CompilerUse> uses) {
    for (CompilerUse& use : uses) {
        use.ms = 0;
        use.groups.clear();
    }
    return uses;
}

}  // namespace aotscope

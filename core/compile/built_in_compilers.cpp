#include "compile/built_in_compilers.h"

#include <algorithm>

namespace aotscope {

const std::vector<CompilerInfo>& builtInCompilers() {
    static const std::vector<CompilerInfo> list = {
        {"interpreter", "calls one kernel per operation", {}},
        {"torchscript",
         "builds a TorchScript graph and runs it in TorchScript's interpreter",
         {{"freeze", "true", "fold what depends on constants alone", {"true", "false"}}}},
        {"fused",
         "fuses connected operations and runs each group as one kernel",
         {{"reductions", "true", "fuse reductions too: sums, means, softmax", {"true", "false"}}}},
    };
    return list;
}

bool isBuiltInCompiler(const std::string& name) {
    return std::ranges::any_of(builtInCompilers(), [&](const CompilerInfo& known) { return known.name == name; });
}

}  // namespace aotscope

#include "ops/operator_kinds.h"

#include <algorithm>

namespace aotscope {

const std::array<AllowableKind, 7>& allowableKinds() {
    static const std::array<AllowableKind, 7> kinds = {{
        {OperatorKind::readsFiles, "reads-files", "reads files", "read files, as aten::from_file does"},
        {OperatorKind::writesFiles, "writes-files", "writes files", "write files, as aten::save does"},
        {OperatorKind::loadsCode, "loads-code", "loads native code", "load native code that the file contains"},
        {OperatorKind::network, "network", "uses the network", "use the network"},
        {OperatorKind::collectives, "collectives", "exchanges tensors with other processes",
         "exchange tensors with other processes, as c10d does"},
        {OperatorKind::rawMemory, "raw-memory", "uses memory without any checks",
         "create tensors from memory, sizes or types that are not checked"},
        {OperatorKind::runsAtLoad, "runs-at-load", "runs while the file is loaded",
         "run any of its code while it is loaded, not only the code that rebuilds its tensors"},
    }};
    return kinds;
}

std::optional<OperatorKind> allowableKind(std::string_view name) {
    const auto& kinds = allowableKinds();
    const auto it = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
    return it == kinds.end() ? std::nullopt : std::optional(it->kind);
}

}  // namespace aotscope

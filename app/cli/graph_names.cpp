#include "cli/graph_names.h"

#include "record/compile_record.h"
#include "support/error.h"

namespace aotscope {

std::string graphNames() {
    std::string names;
    for (int i = 0; i < kGraphKinds; ++i) names += (i ? ", " : "") + std::string(name(static_cast<GraphKind>(i)));
    return names;
}

void requireGraphName(const std::string& graph) {
    if (!graphKindFromName(graph)) throw UsageError("--graph " + graph + ": expected one of " + graphNames());
}

}  // namespace aotscope

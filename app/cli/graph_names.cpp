#include "cli/graph_names.h"

#include "record/compile_record.h"
#include "support/enumerators.h"
#include "support/error.h"
#include "support/joined.h"

namespace aotscope {

std::string graphNames(const char* separator) {
    return joined(kEnumerators<GraphKind>, separator, [](GraphKind kind) { return std::string(name(kind)); });
}

void requireGraphName(const std::string& graph) {
    if (!graphKindFromName(graph)) throw UsageError("--graph " + graph + ": expected one of " + graphNames(", "));
}

}  // namespace aotscope

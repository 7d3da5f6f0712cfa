#include "models/pass_titles.h"

#include "panels/graph_pane.h"

namespace aotscope {

QString titleOf(const CompileRecord& record, const PassGraph& graph) {
    const QString kind = titleOf(graph.kind);
    if (graph.pass >= record.passes.size()) return kind;
    const std::string& pass = record.passes[graph.pass].name;
    const bool own = pass == name(graph.kind) || pass == "partition";
    return own ? kind : QObject::tr("%1, after %2").arg(kind, toQString(pass));
}

}  // namespace aotscope

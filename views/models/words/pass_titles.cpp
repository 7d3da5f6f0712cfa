#include "models/words/pass_titles.h"

#include "models/words/to_qstring.h"

#include <QObject>

namespace aotscope {

QString titleOf(GraphKind kind) {
    switch (kind) {
        case GraphKind::source: return QObject::tr("Source");
        case GraphKind::preFunctionalization: return QObject::tr("Forward as Traced");
        case GraphKind::functional: return QObject::tr("Functional");
        case GraphKind::joint: return QObject::tr("Joint");
        case GraphKind::forward: return QObject::tr("Forward");
        case GraphKind::backward: return QObject::tr("Backward");
        case GraphKind::inference: return QObject::tr("Inference");
    }
    return {};
}

QString titleOf(const CompileRecord& record, const PassGraph& graph) {
    QString kind = titleOf(graph.kind);
    if (graph.pass >= record.passes.size()) return kind;
    const PassRecord& pass = record.passes[graph.pass];
    return pass.id == makerOf(graph.kind) ? kind : QObject::tr("%1, after %2").arg(kind, toQString(name(pass)));
}

}  // namespace aotscope

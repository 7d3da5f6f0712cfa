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

QString sentenceOn(GraphKind kind) {
    switch (kind) {
        case GraphKind::source: return QObject::tr("The operations of the model as its file has them.");
        case GraphKind::preFunctionalization:
            return QObject::tr("The forward as it was traced: values may be written in place, and views share memory.");
        case GraphKind::functional:
            return QObject::tr("The forward after functionalization: no operation writes into a value of another.");
        case GraphKind::joint:
            return QObject::tr(
                "Forward and backward in one graph: from inputs and tangents (gradients of the outputs) to outputs and "
                "gradients.");
        case GraphKind::forward:
            return QObject::tr("The compiled forward: returns the outputs, and what it saves for backward.");
        case GraphKind::backward:
            return QObject::tr(
                "The compiled backward: computes gradients from tangents (gradients of the outputs) and what the "
                "forward has saved.");
        case GraphKind::inference: return QObject::tr("The compiled graph of a run without gradients.");
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

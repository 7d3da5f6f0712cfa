#include "window/compile_status.h"

#include <QObject>

namespace aotscope {

void CompileStatus::begin(const QString& title, const QString& model, int firstCompilation) {
    title_ = title;
    model_ = model;
    next_ = current_ = firstCompilation;
}

QString CompileStatus::graphOf(PassId pass) const {
    switch (pass) {
        case PassId::preFunctionalization: return QObject::tr("traced forward graph");
        case PassId::functional:
        case PassId::syntheticBases: return QObject::tr("functional graph");
        case PassId::joint: return QObject::tr("joint graph");
        case PassId::partition: return QObject::tr("forward and backward graphs");
        case PassId::order:
        case PassId::collectives:
        case PassId::compile:
            return inference_ ? QObject::tr("inference graph") : QObject::tr("forward and backward graphs");
        case PassId::inference:
        case PassId::dynamicShapes:
        case PassId::deadCode:
        case PassId::commonSubexpressions:
        case PassId::dropCopies: return inference_ ? QObject::tr("inference graph") : QObject::tr("joint graph");
        default: return {};
    }
}

QString CompileStatus::enter(const QString& stage) {
    const auto pass = enumeratorNamed<PassId>(stage.toStdString());
    if (pass == PassId::preFunctionalization) {  // the first pass
        current_ = next_++;
        inference_ = false;
    }
    inference_ = inference_ || pass == PassId::inference;
    const QString graph = pass ? graphOf(*pass) : QString();
    if (graph.isEmpty()) return title_ + QStringLiteral(": ") + stage;
    return QObject::tr("Compiling %1, compilation %2, %3: %4").arg(model_, QString::number(current_), graph, stage);
}

}  // namespace aotscope

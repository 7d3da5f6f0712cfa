#include "window/compile_status.h"

#include <QObject>

namespace aotscope {

void CompileStatus::begin(const QString& title, const QString& model, int firstCompilation) {
    title_ = title;
    model_ = model;
    next_ = current_ = firstCompilation;
}

QString CompileStatus::enter(const QString& stage) {
    if (stage == QLatin1String("forward-traced")) {  // the first pass
        current_ = next_++;
        inference_ = false;
    }
    inference_ = inference_ || stage == QLatin1String("inference");
    QString graph;
    if (stage == QLatin1String("forward-traced")) graph = QObject::tr("traced forward graph");
    else if (stage == QLatin1String("functional") || stage == QLatin1String("arguments"))
        graph = QObject::tr("functional graph");
    else if (stage == QLatin1String("joint")) graph = QObject::tr("joint graph");
    else if (stage == QLatin1String("partition")) graph = QObject::tr("forward and backward graphs");
    else if (stage == QLatin1String("compile"))
        graph = inference_ ? QObject::tr("inference graph") : QObject::tr("forward and backward graphs");
    else if (stage == QLatin1String("inference") || stage == QLatin1String("dynamic-shapes") ||
             stage == QLatin1String("dead-code") || stage == QLatin1String("common-subexpressions"))
        graph = inference_ ? QObject::tr("inference graph") : QObject::tr("joint graph");
    if (graph.isEmpty()) return title_ + QStringLiteral(": ") + stage;
    return QObject::tr("Compiling %1, compilation %2, %3: %4").arg(model_).arg(current_).arg(graph, stage);
}

}  // namespace aotscope

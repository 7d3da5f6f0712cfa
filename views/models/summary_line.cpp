#include "models/summary_line.h"

#include "models/tables/variant_tables.h"
#include "models/words/to_qstring.h"
#include "record/partition_figures.h"
#include "record/results/graph_times.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QObject>
#include <QStringList>

namespace aotscope {

QString summaryLine(const CompileRecord& record, GraphKind shown, std::size_t operations, bool whatIf,
                    const TimingResult* timing) {
    const QString ops = toQString(counted(operations, "op"));
    QStringList parts{toQString(graphTitle(record, shown))};
    if (record.partition) {
        const PartitionFigures figures = figuresOf(*record.partition);
        const QString saved =
            QObject::tr("saved %1, %2")
                .arg(toQString(counted(figures.savedValues, "value")), toQString(formatBytes(figures.savedBytes))) +
            toQString(keptText(figures));
        parts << QObject::tr("joint %1").arg(ops) << (whatIf ? ofWhatIf(saved) : saved)
              << QObject::tr("recomputed %1").arg(figures.recomputedOps);
    } else if (record.graph(GraphKind::inference)) {
        parts << QObject::tr("inference %1").arg(ops);
    }
    if (record.times.total > 0) parts << QObject::tr("pipeline %1").arg(toQString(formatDuration(record.times.total)));
    if (timing) {
        parts << QObject::tr("forward %1").arg(toQString(formatDuration(graphMs(*timing, false))));
        if (timing->backward)
            parts << QObject::tr("backward %1").arg(toQString(formatDuration(graphMs(*timing, true))));
    }
    return parts.join(QStringLiteral("    "));
}

}  // namespace aotscope

#pragma once

#include "models/tables/table_content.h"
#include "models/variant.h"

namespace aotscope {

/// The numbers of two variants and the operations whose number differs.
TableContent differenceTable(const Variant& before, const Variant& after, const PartitionDifference& difference);
/// The values whose placement differs.
TableContent changedValuesTable(const PartitionDifference& difference);
/// One row for each variant; `shown` marks the one that the graph shows.
TableContent variantTable(const std::vector<Variant>& variants, int shown);
/// What is in memory at one point of the curve, the largest first.
TableContent liveTable(const LiveMemory& memory, std::size_t point);

/// "saved 20 values, 4.1 MB (+1.0 MB); recomputed 3 (-2)": the change in one line.
QString differenceLine(const Variant& before, const Variant& after);
/// The figures of a partition that people look at first, beside those of the one it is compared with.
struct PartitionResult {
    struct Figure {
        QString what, help, after, before, difference;
    };
    QString shown;                ///< "What if: min-cut, memory budget 0.5", "Compiled partition"
    QString before;               ///< what it is compared with
    std::vector<Figure> figures;  ///< as many as kResultFigures, whatever is known
};
inline constexpr int kResultFigures = 4;
/// `whatIf`: `after` is not the compiled partition.
PartitionResult resultOf(const Variant& before, const Variant& after, bool whatIf);
/// "collectives: 1.2 kB sent (+0.4 kB), 20 µs exposed, ...": of `after`; empty if neither communicates.
QString communicationLine(const Variant& before, const Variant& after);
/// What the memory budget allowed and what was made of it; empty without one.
QString budgetLine(const Partition& partition);
/// "+1.0 MB", "+3"; empty if nothing differs.
QString signedBytes(std::int64_t difference);
QString signedNumber(qint64 difference);

/// Says, wherever values of a partition are shown, that it is the one of a what-if and not the compiled one.
QString ofWhatIf(const QString& sentence);

}  // namespace aotscope

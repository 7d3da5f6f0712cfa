#pragma once

#include "models/tables/table_content.h"
#include "models/variant.h"

namespace aotscope {

/// The numbers of two variants and the operations whose number differs.
TableContent differenceTable(const Variant& before, const Variant& after, const PartitionDifference& difference);
/// The values whose placement differs.
TableContent changedValuesTable(const PartitionDifference& difference);
/// A row of the list of runs: a compiled run, or a partition of the joint graph that was only kept under a name.
struct RunRow {
    QString name;
    QString changed;  ///< what differs from the run that it was made from, or from the defaults
    QString verdict;  ///< of its check; empty: not checked
    bool compiled = true;
    bool shown = false;  ///< in the graph
    PartitionOptions options;
    std::shared_ptr<const Partition> partition;  ///< null: not kept
    std::optional<VariantCosts> costs;           ///< nothing: unknown
    std::optional<MeasuredFigures> measured;
};
TableContent runTable(const std::vector<RunRow>& rows);
RunRow runRowOf(const Variant& variant);
/// The contents of memory at one point of the curve, the largest first.
TableContent liveTable(const LiveMemory& memory, std::size_t point);

/// "saved 20 values, 4.1 MB (+1.0 MB); recomputed 3 (-2)": the change in one line.
QString differenceLine(const Variant& before, const Variant& after);
/// The most important figures of a partition, beside those of its baseline.
struct PartitionResult {
    struct Figure {
        QString what, help, after, before, difference;
    };
    QString shown;                ///< "What if: min-cut, memory budget 0.5", "Compiled partition"
    QString before;               ///< the baseline
    std::vector<Figure> figures;  ///< as many as kResultFigures, whatever is known
};
inline constexpr int kResultFigures = 4;
/// `whatIf`: `after` is not the compiled partition.
PartitionResult resultOf(const Variant& before, const Variant& after, bool whatIf);
/// "collectives: 1.2 kB sent (+0.4 kB), 20 µs exposed, ...": of `after`; empty if neither communicates.
QString communicationLine(const Variant& before, const Variant& after);
/// Why values that `after` is told to recompute free no memory: the values saved instead. Empty if memory is freed, or
/// `before` was told the same.
QString savedInsteadLine(const Variant& before, const Variant& after);
/// What the memory budget allowed and how much was used; empty without one.
QString choiceLine(const Partition& partition);
/// "+1.0 MB", "+3"; empty if nothing differs.
QString signedBytes(std::int64_t difference);
QString signedNumber(qint64 difference);

/// Marks values of a shown partition as those of a what-if, not of the compiled one.
QString ofWhatIf(const QString& sentence);

}  // namespace aotscope

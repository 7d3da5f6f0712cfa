#include "controllers/what_if/what_if_answers.h"

#include "models/tables/variant_tables.h"
#include "models/value_placements.h"
#include "models/words/to_qstring.h"

namespace aotscope {

namespace {

/// The baseline for other choices: the same partitioner with the shown options. The shown partition may be Python's
/// own, or of a partitioner that takes no overrides.
Variant baselineOf(const PartitionWhatIf& whatIf, const Variant& shown, const FunctionMetadata& metadata,
                   const NodeTimes& times) {
    if (shown.partition->algorithm == PartitionAlgorithm::minCut) return shown;
    PartitionOptions options = shown.options;
    options.algorithm = PartitionAlgorithm::minCut;
    return makeVariant({}, options, whatIf.partition(options), metadata, times);
}

bool costTheSame(const Variant& a, const Variant& b) {
    return a.figures.savedBytes == b.figures.savedBytes && a.figures.recomputedOps == b.figures.recomputedOps;
}

}  // namespace

QStringList alternativesTo(const PartitionWhatIf& whatIf, const Variant& shown, NodeId node,
                           const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress) {
    const auto placements = placementsOf(whatIf.joint(), *shown.partition);
    const auto placement = placements.find(node);
    QStringList sentences;
    Variant baseline;
    try {
        baseline = baselineOf(whatIf, shown, metadata, times);
    } catch (const Error& e) {
        return {QString::fromUtf8(e.what())};
    }
    if (baseline.partition != shown.partition)
        sentences << QObject::tr("Compared with aotscope's own min-cut partition: %1")
                         .arg(differenceLine(baseline, baseline));
    const auto ask = [&](const QString& what, bool save) {
        progress.throwIfCancelled();
        PartitionOptions options = baseline.options;
        options.cut.mustSave.erase(node);
        options.cut.mustRecompute.erase(node);
        (save ? options.cut.mustSave : options.cut.mustRecompute).insert(node);
        try {
            const Variant other = makeVariant({}, options, whatIf.partition(options), metadata, times);
            sentences << what + QStringLiteral(": ") +
                             (costTheSame(baseline, other) ? QObject::tr("no change in bytes or operations")
                                                           : differenceLine(baseline, other));
        } catch (const UnboundedCut&) {
            sentences << what + QObject::tr(": not possible, because none of its inputs can be saved either");
        } catch (const Error& e) {
            sentences << what + QStringLiteral(": ") + QString::fromUtf8(e.what());
        }
    };
    if (placement == placements.end() || placement->second != ValueDecision::Placement::saved)
        ask(QObject::tr("If saved"), true);
    if (placement == placements.end() || placement->second != ValueDecision::Placement::recomputed)
        ask(QObject::tr("If recomputed"), false);
    return sentences;
}

std::vector<SavedVariant> savedFrom(std::span<const Variant> variants) {
    std::vector<SavedVariant> saved;
    for (const Variant& v : variants) {
        saved.push_back({v.name.toStdString(), v.options, v.partition, {}});
        if (const auto& m = v.measured) saved.back().measured = {m->forwardMs, m->backwardMs, m->peakBytes};
    }
    return saved;
}

std::vector<Variant> variantsFrom(const std::vector<SavedVariant>& saved, const FunctionMetadata& metadata,
                                  const NodeTimes& times) {
    std::vector<Variant> variants;
    for (const SavedVariant& kept : saved) {
        if (!kept.partition) continue;
        variants.push_back(makeVariant(toQString(kept.name), kept.options, kept.partition, metadata, times));
        if (const auto& m = kept.measured) variants.back().measured = {m->forwardMs, m->backwardMs, m->peakBytes, {}};
    }
    return variants;
}

}  // namespace aotscope

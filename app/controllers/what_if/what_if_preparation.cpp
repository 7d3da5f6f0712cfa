#include "controllers/what_if/what_if_preparation.h"

#include "controllers/what_if/what_if_answers.h"
#include "cost/estimated_times.h"
#include "models/words/to_qstring.h"
#include "passes/repartition.h"

#include <QObject>

#include <algorithm>
#include <iterator>

namespace aotscope {

std::shared_ptr<const PartitionWhatIf> whatIfWith(const std::shared_ptr<const Engine>& engine,
                                                  const CompileRecord& record, const MachineModel& machine) {
    return whatIfOn(record, rooflineTimes([machine] { return machine; }, record.costs), plansOf(engine));
}

WhatIfPreparation prepareWhatIf(const std::shared_ptr<const Engine>& engine, const Session& session,
                                const LeftWhatIf& kept, const std::optional<TimingResult>& timing) {
    WhatIfPreparation prepared;
    const auto record = session.record();
    const FunctionMetadata& meta = record->knownMetadata();
    const MachineModel machine = engine->machine(session.options().device);
    NodeTimes times = estimatedTimes(session.options(), *record, machine);
    if (timing) times.learn(*timing);
    prepared.times = std::make_shared<const NodeTimes>(times);
    prepared.whatIf = whatIfWith(engine, *record, machine);
    // The options of a printed partition are unknown.
    const bool printed = record->partition->algorithm == PartitionAlgorithm::printed;
    const PartitionOptions& given = session.options().partition;
    const PartitionOptions own = printed ? optionsOn(*record, given) : prepared.whatIf->byId(given);
    prepared.variants = {makeVariant(QObject::tr("Compiled"), own, record->partition, meta, times)};
    if (timing) prepared.variants.front().measured = measuredFigures(*timing);
    std::ranges::move(variantsFrom(kept.variants, meta, times), std::back_inserter(prepared.variants));
    prepared.sweep = variantsFrom(kept.sweep, meta, times);
    return prepared;
}

}  // namespace aotscope

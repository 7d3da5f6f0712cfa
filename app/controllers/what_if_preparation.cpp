#include "controllers/what_if_preparation.h"

#include "controllers/what_if_answers.h"
#include "cost/runtime_model.h"

#include <QObject>

#include <algorithm>
#include <iterator>

namespace aotscope {

WhatIfPreparation prepareWhatIf(const Session& session, const PartitionOptions& options,
                                const std::optional<TimingResult>& timing) {
    WhatIfPreparation prepared;
    const auto record = session.record();
    const FunctionMetadata& meta = record->knownMetadata();
    const std::string& device = session.options().device;
    NodeTimes times(machineModel(device));
    if (timing) times.learn(*timing);
    prepared.times = std::make_shared<const NodeTimes>(times);
    prepared.whatIf = std::make_shared<const PartitionWhatIf>(record->graph(GraphKind::joint), rooflineTimes(device));
    prepared.variants = {makeVariant(QObject::tr("compiled"), options, record->partition, meta, times)};
    if (timing) prepared.variants.front().measured = measuredFigures(*timing);
    const SessionContent* saved = session.saved();
    if (!saved) return prepared;
    std::ranges::move(variantsFrom(saved->variants, meta, times), std::back_inserter(prepared.variants));
    prepared.sweep = variantsFrom(saved->sweep, meta, times);
    return prepared;
}

}  // namespace aotscope

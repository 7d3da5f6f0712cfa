#include "controllers/what_if_preparation.h"

#include "controllers/what_if_answers.h"
#include "cost/runtime_model.h"

#include <QObject>

#include <algorithm>
#include <iterator>

namespace aotscope {

WhatIfPreparation prepareWhatIf(const Session& session, const PartitionOptions& options) {
    WhatIfPreparation prepared;
    const auto record = session.record();
    const FunctionMetadata& meta = record->knownMetadata();
    const std::string& device = session.options().device;
    NodeTimes times(machineModel(device));
    const SessionContent* saved = session.saved();
    if (saved && saved->timing) times.learn(*saved->timing);
    prepared.times = std::make_shared<const NodeTimes>(times);
    prepared.whatIf = std::make_shared<const PartitionWhatIf>(record->graph(GraphKind::joint), rooflineTimes(device));
    prepared.caution = disturbanceNote(machineModel(device));
    prepared.variants = {makeVariant(QObject::tr("compiled"), options, record->partition, meta, times)};
    if (!saved) return prepared;
    if (saved->timing) prepared.variants.front().measured = measuredFigures(*saved->timing);
    std::ranges::move(variantsFrom(saved->variants, meta, times), std::back_inserter(prepared.variants));
    prepared.sweep = variantsFrom(saved->sweep, meta, times);
    return prepared;
}

}  // namespace aotscope

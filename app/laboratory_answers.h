#pragma once

#include "io/session/content.h"
#include "models/variant.h"
#include "partition/laboratory.h"

#include <QStringList>

namespace aotscope {

/// What it would change to save `node` where `shown` does not, and to recompute it where `shown` does not: a sentence
/// each. Takes two partitions.
QStringList alternativesTo(const PartitionLaboratory& laboratory, const Variant& shown, NodeId node,
                           const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress);

/// The variants and measurements of a session file, behind the compiled variant.
void addSaved(const SessionContent& saved, const FunctionMetadata& metadata, const NodeTimes& times,
              std::vector<Variant>& variants);

}  // namespace aotscope

#pragma once

#include "models/variant.h"
#include "partition/laboratory.h"

#include <QStringList>

namespace aotscope {

/// What it would change to save `node` where `shown` does not, and to recompute it where `shown` does not: a sentence
/// each. Takes two partitions.
QStringList alternativesTo(const PartitionLaboratory& laboratory, const Variant& shown, NodeId node,
                           const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress);

}  // namespace aotscope

#pragma once

#include "io/session/content.h"
#include "models/variant.h"
#include "partition/what_if.h"

#include <QStringList>
#include <span>

namespace aotscope {

/// What it would change to save `node` where `shown` does not, and to recompute it where `shown` does not: a sentence
/// each. Takes two partitions.
QStringList alternativesTo(const PartitionWhatIf& whatIf, const Variant& shown, NodeId node,
                           const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress);

/// As a session file has them, and back. Those without a partition are left out.
std::vector<SavedVariant> savedFrom(std::span<const Variant> variants);
std::vector<Variant> variantsFrom(const std::vector<SavedVariant>& saved, const FunctionMetadata& metadata,
                                  const NodeTimes& times);

}  // namespace aotscope

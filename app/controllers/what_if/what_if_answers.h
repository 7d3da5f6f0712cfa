#pragma once

#include "io/session/content.h"
#include "models/variant.h"
#include "partition/what_if.h"

#include <QStringList>
#include <span>

namespace aotscope {

/// The effects of saving `node` where `shown` does not, and of recomputing it where `shown` does not: a sentence each.
/// Computes two partitions.
QStringList alternativesTo(const PartitionWhatIf& whatIf, const Variant& shown, NodeId node,
                           const FunctionMetadata& metadata, const NodeTimes& times, const Progress& progress);

/// To and from session files. Those without a partition are left out.
std::vector<SavedVariant> savedFrom(std::span<const Variant> variants);
std::vector<Variant> variantsFrom(const std::vector<SavedVariant>& saved, const FunctionMetadata& metadata,
                                  const NodeTimes& times);

}  // namespace aotscope

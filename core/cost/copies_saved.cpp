#include "cost/copies_saved.h"

#include "cost/copy_at_peak.h"
#include "ir/provenance.h"
#include "ops/unneeded_copies.h"
#include "support/formatted.h"
#include "support/names.h"

#include <unordered_set>

namespace aotscope {

namespace {

constexpr std::size_t kNamed = 24;  ///< the others are only counted

std::string nameAndPlace(const Node& copy) {
    const std::string place = placeText(provenanceOf(copy).source.get());
    return "%" + copy.name() + (place.empty() ? "" : " (" + place + ")");
}

}  // namespace

std::string copiesSaved(const CompileRecord& record) {
    const auto joint = record.graph(GraphKind::joint);
    if (!joint || !record.partition) return {};
    std::unordered_set<std::int64_t> saved;  // storages: a view of a copy keeps all of it
    for (const SavedValue& value : record.partition->saved)
        if (const Node* node = joint->findById(value.node); node && node->type.tensor())
            saved.insert(node->type.tensor()->storage);
    std::int64_t bytes = 0;
    std::size_t count = 0;
    std::string names;
    for (const UnneededCopy& found : unneededCopies(*joint)) {
        if (!saved.contains(found.copy->type.tensor()->storage)) continue;
        bytes += found.copy->type.tensor()->bytes();
        if (++count <= kNamed) names += (names.empty() ? "" : ", ") + nameAndPlace(*found.copy);
    }
    if (bytes < kLargeCopy) return {};
    if (count > kNamed) names += " and " + std::to_string(count - kNamed) + " more";
    return formatBytes(bytes) + " of the saved values are " + grouped(count) + (count == 1 ? " copy" : " copies") +
           " that nobody writes into: " + names + "; --drop-copies uses the originals, as eager does";
}

void warnOfCopies(CompileRecord& record) {
    for (std::string warning : {copiesSaved(record), copyAtPeak(record)})
        if (!warning.empty()) record.warnings.push_back(std::move(warning));
}

}  // namespace aotscope

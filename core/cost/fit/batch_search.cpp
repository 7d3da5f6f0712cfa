#include "cost/fit/batch_search.h"

#include "support/error.h"
#include "support/quoted.h"
#include "support/token_reader.h"

#include <algorithm>
#include <map>
#include <set>

namespace aotscope {

namespace {

std::set<std::int64_t> usualSizes(const BatchRange& range, std::int64_t own) {
    std::set<std::int64_t> sizes = {range.min};
    for (std::int64_t size = range.min; size <= range.max; size *= 2) sizes.insert(size);
    if (range.max < BatchRange::kMost) sizes.insert(range.max);
    if (own >= range.min && own <= range.max) sizes.insert(own);
    return sizes;
}

/// Steps that have been computed.
class KnownSteps {
public:
    KnownSteps(std::int64_t limit, const std::function<TrainingStep(std::int64_t)>& stepAt)
        : limit_(limit), stepAt_(stepAt) {}

    bool fits(std::int64_t batch) {
        const auto known = steps_.find(batch);
        const TrainingStep& step = known != steps_.end() ? known->second : steps_[batch] = stepAt_(batch);
        return step.peakBytes() <= limit_;
    }
    BatchStep at(std::int64_t batch) const { return {batch, steps_.at(batch)}; }

private:
    std::int64_t limit_;
    const std::function<TrainingStep(std::int64_t)>& stepAt_;
    std::map<std::int64_t, TrainingStep> steps_;
};

}  // namespace

BatchRange parseBatchRange(const std::string& text) {
    const auto fail = [&] {
        throw UsageError("--batch " + inQuotes(text) + ": expected a number from 1 to " +
                         std::to_string(BatchRange::kMost) +
                         " or a range MIN..MAX of them, which may have a name, "
                         "for example 1..64 or x.0=1..64");
    };
    BatchRange range;
    const auto equals = text.find('=');
    if (equals != std::string::npos) range.name = text.substr(0, equals);
    if (equals == 0) fail();
    const std::string_view sizes = std::string_view(text).substr(equals == std::string::npos ? 0 : equals + 1);
    const auto dots = sizes.find("..");
    const auto min = asNumber<std::int64_t>(sizes.substr(0, dots));
    std::optional<std::int64_t> max = min;
    if (dots != std::string_view::npos) {
        const std::string_view end = sizes.substr(dots + 2);
        max = end.empty() ? std::optional(BatchRange::kMost) : asNumber<std::int64_t>(end);
    }
    if (!min || !max || *min < 1 || *max < *min || *max > BatchRange::kMost) fail();
    range.min = *min;
    range.max = *max;
    return range;
}

BatchRange within(const BatchRange& range, const std::vector<Symbol>& sizes) {
    BatchRange part = range;
    for (const Symbol& size : sizes) {
        part.min = std::max(part.min, size.min <= 2 ? 1 : size.min);
        part.max = std::min(part.max, size.max);
    }
    if (part.min <= part.max) return part;
    throw UsageError("--batch " + std::to_string(range.min) + ".." + std::to_string(range.max) + ": " +
                     sizes.front().origin + " can be " + std::to_string(sizes.front().min) + " to " +
                     std::to_string(sizes.front().max));
}

BatchSearch onlyStep(std::int64_t limit, const TrainingStep& step) {
    BatchSearch found{.limit = limit, .rows = {{0, step}}};
    (step.peakBytes() <= limit ? found.largest : found.next) = found.rows.front();
    return found;
}

BatchSearch searchBatches(const BatchRange& range, std::int64_t own, std::int64_t limit,
                          const std::function<TrainingStep(std::int64_t)>& stepAt) {
    BatchSearch found{.limit = limit};
    KnownSteps steps(limit, stepAt);
    std::set<std::int64_t> shown;
    std::optional<std::int64_t> largest, next;
    for (const std::int64_t size : usualSizes(range, own)) {
        shown.insert(size);
        if (!steps.fits(size)) {
            next = size;
            break;
        }
        largest = size;
    }
    while (largest && next && *next - *largest > 1) {
        const std::int64_t middle = *largest + (*next - *largest) / 2;
        (steps.fits(middle) ? largest : next) = middle;
    }
    for (const auto& size : {largest, next})
        if (size) shown.insert(*size);
    for (const std::int64_t size : shown) found.rows.push_back(steps.at(size));
    if (largest) found.largest = steps.at(*largest);
    if (next) found.next = steps.at(*next);
    return found;
}

}  // namespace aotscope

#pragma once

#include "cost/fit/training_step.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aotscope {

/// Batch sizes to look at, in the syntax of --batch: "1..64", "32", "batch=1..64", "x.0=1..".
struct BatchRange {
    static constexpr std::int64_t kMost = std::int64_t{1} << 20;

    std::string name;  ///< of the size; empty: not given
    std::int64_t min = 1, max = kMost;
};

/// Throws UsageError.
BatchRange parseBatchRange(const std::string& text);

/// A training step with this batch size. `batch` 0: the model has no size that can vary.
struct BatchStep {
    std::int64_t batch = 0;
    TrainingStep step;
};

/// What fits into `limit` bytes.
struct BatchSearch {
    std::int64_t limit = 0;
    std::vector<BatchStep> rows;       ///< by batch, ascending
    std::optional<BatchStep> largest;  ///< that fits; nothing: none does
    std::optional<BatchStep> next;     ///< one more, which does not; nothing: all fit
    std::string size;                  ///< what the batch is: "x.size(0), y.size(0)"; empty: there is none
    std::string note;                  ///< about sizes that cannot vary or are left out; a sentence, or empty
};

/// The part of `range` for which all of `sizes` are compiled: 1 is taken for one more size of the same graphs. Throws
/// UsageError if there is none.
BatchRange within(const BatchRange& range, const std::vector<Symbol>& sizes);

/// For a model without a size that can vary.
BatchSearch onlyStep(std::int64_t limit, const TrainingStep& step);

/// Rows for the smallest batch, those twice as large each, the largest, and `own` if it is among them, until one does
/// not fit; and for the largest that fits and the next one, which it looks for in between. Larger batches need more
/// memory. `stepAt` is called once for each batch.
BatchSearch searchBatches(const BatchRange& range, std::int64_t own, std::int64_t limit,
                          const std::function<TrainingStep(std::int64_t)>& stepAt);

}  // namespace aotscope

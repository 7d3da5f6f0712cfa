#pragma once

#include "load/model_source.h"
#include "record/options/options.h"
#include "support/budget.h"

namespace aotscope {

/// The limits of loading and tracing with `options`: the user's, or derived from the sizes of the model's files and of
/// the inputs. A sample has no memory limit, since it creates its own weights.
Limits limitsFor(const Options& options);

/// During its lifetime, the calling thread reads texts or the session file that the model of `options` is.
class WatchedReading : public Watched {
public:
    explicit WatchedReading(const Options& options);
};

/// See recognise.
ModelSource recogniseModel(const Options& options);

}  // namespace aotscope

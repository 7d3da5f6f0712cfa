#pragma once

#include "record/pass_id.h"

#include <QString>

namespace aotscope {

/// The text of the status bar while the pipeline runs: compilation, model, and graph.
class CompileStatus {
public:
    /// A job begins whose first compilation has this number: 0 for a model that is opened; 1 for a recompilation by a
    /// check. `title` is shown for stages that are not passes.
    void begin(const QString& title, const QString& model, int firstCompilation);
    /// The text for a stage of the job.
    QString enter(const QString& stage);

private:
    /// The graph that a pass works on.
    QString graphOf(PassId pass) const;

    QString title_, model_;
    int next_ = 0, current_ = 0;
    bool inference_ = false;
};

}  // namespace aotscope

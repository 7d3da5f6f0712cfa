#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "controllers/what_if/what_if_state.h"

namespace aotscope {

/// Finds out what the other choices for the selected value would change.
class WhyController : public QObject {
    Q_OBJECT

public:
    /// `state` belongs to the caller and outlives this.
    WhyController(const WhatIfState& state, const Selection* selection, QObject* parent);
    ~WhyController() override;

    /// Another value is selected, or another partition shown.
    void ask();
    bool busy() const { return job_.running(); }
    void cancel() { job_.cancel(); }

Q_SIGNALS:
    /// A sentence for each choice; none: it is being worked out, or there is no other.
    void found(aotscope::NodeId node, const QStringList& alternatives);

private:
    const WhatIfState& state_;
    const Selection* selection_;
    BackgroundJob job_;
};

}  // namespace aotscope

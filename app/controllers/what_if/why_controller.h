#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "controllers/what_if/what_if_state.h"

namespace aotscope {

/// Computes the effects of the other choices for the selected value.
class WhyController : public QObject {
    Q_OBJECT

public:
    /// `state` is owned by the caller and outlives this.
    WhyController(const WhatIfState& state, const Selection* selection, QObject* parent);
    ~WhyController() override;

    /// Another value is selected, or another partition shown.
    void ask();
    bool busy() const { return job_.running(); }
    void cancel() { job_.cancel(); }

Q_SIGNALS:
    /// A sentence for each choice; empty: being computed, or no other choice.
    void found(aotscope::NodeId node, const QStringList& alternatives);

private:
    const WhatIfState& state_;
    const Selection* selection_;
    BackgroundJob job_;
};

}  // namespace aotscope

#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "controllers/what_if_state.h"
#include "panels/why_panel.h"

namespace aotscope {

/// Says why the selected value is saved, recomputed or neither, and what the other choices would change.
class WhyController : public QObject {
    Q_OBJECT

public:
    /// `state` belongs to the caller and outlives this.
    WhyController(const WhatIfState& state, const Selection* selection, QWidget* window);
    ~WhyController() override;

    WhyPanel* panel() const { return panel_; }
    /// Another value is selected, or another partition shown.
    void show();
    bool busy() const { return job_.running(); }
    void cancel() { job_.cancel(); }

private:
    void askForAlternatives(NodeId node);

    const WhatIfState& state_;
    const Selection* selection_;
    WhyPanel* panel_;
    BackgroundJob job_;
};

}  // namespace aotscope

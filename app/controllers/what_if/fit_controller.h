#pragma once

#include "controllers/controller.h"
#include "panels/fit_panel.h"
#include "session/fit/fit_question.h"

#include <map>

namespace aotscope {

/// Answers what the page Fit asks, in the background: for each device, the model is first compiled with a dynamic
/// batch.
class FitController : public Controller {
    Q_OBJECT

public:
    explicit FitController(const Surroundings& around);

    FitPanel* panel() const { return panel_; }
    bool busy() const override { return job_.running(); }
    void setSession(const std::shared_ptr<const Session>& session) override;

public Q_SLOTS:
    /// As often as something else is asked; nothing while the page is not visible.
    void ask();

private:
    struct Answer {
        VaryingBatch batch;
        BatchSearch found;
    };

    bool eventFilter(QObject* object, QEvent* event) override;
    void onDevice();
    void take(const std::string& device, std::int64_t shown, Answer answer);

    FitPanel* panel_;
    BackgroundJob job_;
    std::shared_ptr<const Session> session_;
    std::map<std::string, VaryingBatch> compiled_;  ///< by device
    bool asked_ = false;                            ///< of this session
};

}  // namespace aotscope

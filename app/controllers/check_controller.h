#pragma once

#include "controllers/controller.h"
#include "panels/check_panel.h"

namespace aotscope {

/// Shows the verdict of the check against eager. The previous verdict stays until a run is checked.
class CheckController : public Controller {
    Q_OBJECT

public:
    explicit CheckController(QWidget* parent);

    CheckPanel* panel() const { return panel_; }
    /// Shows the results of a run; `record` may be null: no run.
    void show(const CompileRecord* record, const CheckResult* check, const BisectResult* bisection);

Q_SIGNALS:
    /// Show the first pass and operation that differ.
    void placeAsked();

private:
    CheckPanel* panel_;
    std::string model_;  ///< shown in the panel
};

}  // namespace aotscope

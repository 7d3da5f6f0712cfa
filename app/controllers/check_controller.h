#pragma once

#include "controllers/controller.h"
#include "panels/check_panel.h"

#include <memory>
#include <optional>

namespace aotscope {

/// The verdict of the check against eager. That of the run before stays until this one is checked.
class CheckController : public Controller {
    Q_OBJECT

public:
    explicit CheckController(QWidget* parent);

    CheckPanel* panel() const { return panel_; }
    /// What was found about a run; `record` may be null: there is none.
    void show(const CompileRecord* record, const CheckResult* check, const BisectResult* bisection);

Q_SIGNALS:
    /// The pass and the operation that differ first are to be seen.
    void placeAsked();

private:
    CheckPanel* panel_;
    std::string model_;  ///< that the panel is about
};

}  // namespace aotscope

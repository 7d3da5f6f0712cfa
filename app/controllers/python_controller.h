#pragma once

#include "controllers/controller.h"
#include "panels/tables/table_panel.h"

#include <QAction>
#include <QMenu>

#include <memory>
#include <optional>

namespace aotscope {

/// Copies the inputs, the decompositions and the check of a run as Python code.
class PythonController : public Controller {
    Q_OBJECT

public:
    explicit PythonController(const Surroundings& around);

    void setSession(const std::shared_ptr<const Session>& session) override;
    /// The results for the session; both may be null.
    void setCheck(const CheckResult* check, const BisectResult* bisection);
    void addActionsTo(QMenu* menu);
    QAction* copyInputs() const { return copyInputs_; }
    QAction* copyDecompositions() const { return copyDecompositions_; }
    QAction* copyCheck() const { return copyCheck_; }

private:
    void put(const std::string& lines);
    void enable();

    QAction *copyInputs_, *copyDecompositions_, *copyCheck_;
    std::shared_ptr<const Session> session_;
    std::optional<CheckResult> check_;
    std::optional<BisectResult> bisection_;
};

}  // namespace aotscope

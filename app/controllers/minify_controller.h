#pragma once

#include "controllers/controller.h"
#include "panels/dialogs/minify_dialog.h"
#include "session/session.h"

#include <QAction>
#include <QPointer>

namespace aotscope {

/// Reduces a graph of the open session to the smallest one that still shows a fault, and writes it as a Python program.
class MinifyController : public Controller {
    Q_OBJECT

public:
    /// `job`: shared with everything else that runs the model, one at a time.
    MinifyController(const Surroundings& around, BackgroundJob* job);

    QAction* action() const { return action_; }
    /// Null: no session is open.
    MinifyDialog* dialog() const { return dialog_; }

    void setSession(const std::shared_ptr<const Session>& session) override;
    void saveTo(const QString& file);

private:
    void open();
    void start(const MinifyOptions& wanted);
    void take(const MinifyResult& result);
    void askForFile();

    BackgroundJob* job_;
    QAction* action_;
    QPointer<MinifyDialog> dialog_;
    std::shared_ptr<const Session> session_;
    std::optional<MinifyResult> result_;
    bool minifying_ = false;  ///< the running or last job belongs to this controller
};

}  // namespace aotscope

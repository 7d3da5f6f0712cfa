#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "controllers/settings.h"
#include "panels/scratch_panel.h"
#include "session/session.h"

#include <QAction>
#include <functional>

namespace aotscope {

/// Compiles what is typed on the scratch pad, in the background, and says of what cannot be compiled why. What was
/// compiled last stays.
class ScratchController : public Controller {
    Q_OBJECT

public:
    /// `options`: those of the next run; the model and its inputs are the pad's.
    ScratchController(std::function<Options()> options, Settings* settings, QWidget* window);

    ScratchPanel* panel() const { return panel_; }
    /// Brings the pad to the front.
    QAction* action() const { return action_; }
    bool busy() const override { return job_.running(); }

    void compile();
    /// As a module for torch.jit.load (.pt), or as text.
    void saveTo(const QString& file);

Q_SIGNALS:
    /// The pad is to come to the front.
    void asked();
    void compiled(std::shared_ptr<const Session> session);

private:
    /// The pad comes to the front: what is on it is compiled, unless it has been.
    void begin();
    void take(const std::shared_ptr<const Session>& session);
    void explain(const std::exception_ptr& error);
    void askForFile();

    std::function<Options()> options_;
    Settings* settings_;
    QWidget* window_;
    ScratchPanel* panel_;
    QAction* action_;
    BackgroundJob job_;
};

}  // namespace aotscope

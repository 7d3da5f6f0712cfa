#pragma once

#include "controllers/controller.h"
#include "panels/scratch_panel.h"

#include <QAction>
#include <functional>

namespace aotscope {

/// Compiles the scratch pad in the background and reports errors. The last compiled program stays shown. The line of
/// the selected node is lit, and the nodes of the line that is entered are selected.
class ScratchController : public Controller {
    Q_OBJECT

public:
    /// `options`: of the next run; model and inputs come from the pad.
    ScratchController(const Surroundings& around, std::function<Options()> options);

    ScratchPanel* panel() const { return panel_; }
    /// Brings the pad to the front.
    QAction* action() const { return action_; }
    bool busy() const override { return job_.running(); }
    void setSession(const std::shared_ptr<const Session>& session) override;

    void compile();
    /// Shows and compiles a program. The user's own can be brought back by Undo in the text.
    void open(const QString& code, const QString& inputs);
    /// The pad's text as a model.
    std::string model() const;
    /// As a module for torch.jit.load (.pt), or as text.
    void saveTo(const QString& file);

Q_SIGNALS:
    /// Show the pad.
    void asked();
    void compiled(std::shared_ptr<const Session> session);

private:
    /// The pad is shown: compiles its text, unless already compiled.
    void begin();
    void take(const std::shared_ptr<const Session>& session);
    void explain(const std::exception_ptr& error);
    void askForFile();
    void selectLine(int line);
    void lightLine();

    std::function<Options()> options_;
    ScratchPanel* panel_;
    QAction* action_;
    std::string shown_;  ///< the model of the shown session
    BackgroundJob job_;
};

}  // namespace aotscope

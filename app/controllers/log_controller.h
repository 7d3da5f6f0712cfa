#pragma once

#include "controllers/controller.h"
#include "panels/log_panel.h"

namespace aotscope {

/// The log of the window: what its pipelines did, results and failures; and the file to save it in.
class LogController : public Controller {
    Q_OBJECT

public:
    explicit LogController(const Surroundings& around);

    LogPanel* panel() const { return panel_; }
    /// Adds the passes of a run. Its errors and warnings are added where they are reported.
    void addCompilation(const CompileRecord& record);
    /// A line for each line of `text`.
    void add(LogLevel level, const char* part, const QString& text);

public Q_SLOTS:
    /// Writes the lines that are shown.
    void saveTo(const QString& file);

Q_SIGNALS:
    void saved(const QString& file);

private:
    void askForFile();

    LogPanel* panel_;
};

}  // namespace aotscope

#pragma once

#include "controllers/settings.h"
#include "panels/time_panel.h"
#include "session/session.h"

#include <QAction>
#include <QTabWidget>
#include <memory>
#include <optional>

namespace aotscope {

/// What was timed, as charts and as files.
class TimingController : public QObject {
    Q_OBJECT

public:
    /// `settings`: in which folder files were written last.
    TimingController(QTabWidget* tables, const Settings* settings, QWidget* window);

    TimePanel* flame() const { return flame_; }
    TimePanel* timeline() const { return timeline_; }
    QAction* exportAction() const { return export_; }

    /// `timing`: of this run; none: nothing has been timed yet.
    void show(std::shared_ptr<const CompileRecord> record, const std::optional<TimingResult>& timing);
    void setTheme(const Theme& theme);
    /// Marks the selected node.
    void follow(NodeId node, GraphKind graph);

public Q_SLOTS:
    /// By the file's ending: .json is a Chrome trace, .csv the table of steps, .svg and .png the chart that was seen
    /// last.
    void exportTo(const QString& file);

Q_SIGNALS:
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind graph);
    void exported(const QString& file);
    void failed(std::exception_ptr error);

private:
    void askForFile();

    QTabWidget* tables_;
    const Settings* settings_;
    QWidget* window_;
    TimePanel *flame_, *timeline_;
    QAction* export_;
    std::shared_ptr<const CompileRecord> record_;
    std::optional<TimingResult> timing_;
    Theme theme_ = Theme::light();
};

}  // namespace aotscope

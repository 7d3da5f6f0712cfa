#pragma once

#include "controllers/controller.h"
#include "panels/time_panel.h"
#include "session/session.h"

#include <QAction>
#include <memory>
#include <optional>

namespace aotscope {

/// Measured times as charts, tables and files.
class TimingController : public Controller {
    Q_OBJECT

public:
    explicit TimingController(const Surroundings& around);

    TimePanel* panel() const { return panel_; }
    QAction* exportAction() const { return export_; }
    /// Those that show the flame chart and the timeline.
    const std::vector<QAction*>& openings() const { return openings_; }

    /// `timing`: of this run, on `device`; none: not timed yet.
    void show(std::shared_ptr<const CompileRecord> record, const std::optional<TimingResult>& timing,
              const std::string& device);
    bool busy() const override { return job_.running(); }
    /// Marks the selected node.
    void follow(NodeId node, GraphKind graph);

public Q_SLOTS:
    /// By the file's extension: .json is a Chrome trace, .csv the table of steps, .svg and .png both charts.
    void exportTo(const QString& file);

Q_SIGNALS:
    /// Show the page.
    void asked();
    void exported(const QString& file);

private:
    void addOpening(const char* name, const QString& text, const QKeySequence& key, const QString& tip,
                    TimePanel::Part part);
    void askForFile();

    TimePanel* panel_;
    QAction* export_;
    std::vector<QAction*> openings_;
    std::shared_ptr<const CompileRecord> record_;
    std::optional<TimingResult> timing_;
    NodeId followed_ = kNoNode;  ///< marked in the charts
    GraphKind followedIn_ = GraphKind::joint;
    BackgroundJob job_;
};

}  // namespace aotscope

#pragma once

#include "debug/debugger.h"
#include "passes/breakpoints.h"

#include <QAbstractTableModel>
#include <map>

namespace aotscope {

/// All breakpoints as one table: those of the pipeline, which pause a compilation, then those of the debugger, which
/// pause a run of the compiled graphs. The box in the first column enables one.
class BreakpointModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Kind, Place, Condition, FromHit, Hits, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    const std::vector<Breakpoint>& ofPipeline() const { return pipeline_; }
    const std::vector<DebugBreakpoint>& ofDebugger() const { return debugger_; }
    void setOfPipeline(std::vector<Breakpoint> breakpoints);
    void setOfDebugger(std::vector<DebugBreakpoint> breakpoints);
    /// How often conditions of the debugger have held in the current run; none: no run.
    void setHits(std::map<std::string, int> hits);
    void remove(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// The user has enabled, disabled or removed some.
    void changed();

private:
    bool isOfPipeline(int row) const { return row < static_cast<int>(pipeline_.size()); }
    const Breakpoint& pipelineAt(int row) const { return pipeline_[static_cast<std::size_t>(row)]; }
    const DebugBreakpoint& debuggerAt(int row) const {
        return debugger_[static_cast<std::size_t>(row) - pipeline_.size()];
    }
    QString textAt(int row, int column) const;

    std::vector<Breakpoint> pipeline_;
    std::vector<DebugBreakpoint> debugger_;
    std::map<std::string, int> hits_;  ///< by condition
};

}  // namespace aotscope

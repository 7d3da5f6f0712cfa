#pragma once

#include "debug/debugger.h"

#include <QAbstractTableModel>
#include <map>

namespace aotscope {

/// The steps of a run in the debugger, with the current one marked and the known facts about their values. A run may
/// have 100,000 steps: texts are made when shown, and values are looked up for visible rows.
class StepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Mark, Number, Graph, Value, Operation, Type, Min, Max, Mean, NotFinite, Module, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    /// For a run of these graphs; no steps: no run.
    void setSteps(std::shared_ptr<const CompileRecord> record, std::vector<DebugStep> steps);
    const std::vector<DebugStep>& steps() const { return steps_; }
    /// The step that is executed next; steps().size(): the run has ended. Values from there on are forgotten.
    void setNext(int row);
    int next() const { return next_; }
    int rowOf(const DebugPosition& position) const;
    /// The step of the kernel that computes the node, alone or with others; -1: none.
    int rowOf(GraphKind graph, NodeId node) const;

    /// Executed steps among these rows whose values are not known yet.
    std::vector<int> unknown(int first, int last) const;
    void setFacts(const std::map<int, ValueFacts>& facts);
    /// A value was edited: all may have changed.
    void forgetFacts();
    const ValueFacts* factsOf(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Node* nodeOf(const DebugStep& step) const;
    QString operationsOf(const Node& node, const DebugStep& step) const;
    QString textAt(int row, int column) const;

    std::shared_ptr<const CompileRecord> record_;
    std::vector<DebugStep> steps_;
    std::map<int, ValueFacts> facts_;
    int next_ = 0;
};

}  // namespace aotscope

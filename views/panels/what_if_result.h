#pragma once

#include "models/tables/variant_tables.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace aotscope {

/// The result of what-if: the shown partition, its figures beside those of its baseline, and remarks. The sizes of its
/// parts never change, so that nothing below it moves.
class WhatIfResult : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfResult(QWidget* parent = nullptr);

    /// Actions on the result, beside its heading.
    void addButtons(const std::vector<QAction*>& actions);
    void show(const PartitionResult& result, const QStringList& notes);
    /// Infeasible: the figures are still those of the last partition.
    void showProblem(const QString& text);
    void clear();
    /// All of it as text.
    QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void elideHeading();
    void setNotes(const QString& html);

    struct Row {
        QLabel *what, *after, *before, *difference;
    };
    QHBoxLayout* top_;
    QLabel* heading_;
    Row titles_;
    std::vector<Row> rows_;
    QLabel* notes_;
    QString shown_;  ///< the whole heading
};

}  // namespace aotscope

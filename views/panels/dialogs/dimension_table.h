#pragma once

#include "panels/dialogs/checked_line_edit.h"
#include "program/inputs/input_spec.h"

#include <QGridLayout>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>
#include <vector>

namespace aotscope {

/// Edits named dimensions: name, size in this run, smallest and largest size.
class DimensionTable : public QWidget {
    Q_OBJECT

public:
    explicit DimensionTable(QWidget* parent = nullptr);

    void setDimensions(const std::vector<NamedDimension>& dims);
    void add(const NamedDimension& dimension);
    /// The valid rows; problems are shown at their fields.
    const std::vector<NamedDimension>& dimensions() const { return dims_; }
    /// The first problem; empty: none.
    const QString& problem() const { return problem_; }
    /// Widgets in tab order.
    std::vector<QWidget*> focusOrder() const;

Q_SIGNALS:
    void edited();

private:
    struct Row {
        CheckedLineEdit *name, *hint, *min, *max;
        QToolButton* remove;
    };
    void append(const NamedDimension& dimension);
    void removeRow(const QToolButton* button);
    void read();
    void readRow(const Row& row);

    QGridLayout* grid_;
    QPushButton* add_;
    QWidget* header_[4];
    std::vector<Row> rows_;
    std::vector<NamedDimension> dims_;
    QString problem_;
};

}  // namespace aotscope

#pragma once

#include "panels/dialogs/checked_line_edit.h"
#include "program/inputs/input_spec.h"

#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>
#include <array>
#include <vector>

namespace aotscope {

/// The fields of one tensor in a form of example inputs. They belong to `parent`, as this does.
class TensorFields : public QObject {
    Q_OBJECT

public:
    TensorFields(const QString& name, const LeafSpec& leaf, QWidget* parent);

    /// From left to right.
    std::array<QWidget*, 7> widgets() const { return {shape_, type_, device_, gradient_, fill_, detail_, browse_}; }
    QString shape() const { return shape_->text(); }
    /// Tints the invalid fields. Returns the first problem, as a sentence that names its field; empty: none.
    QString readInto(LeafSpec& leaf, const std::vector<NamedDimension>& dims);

Q_SIGNALS:
    void edited();
    /// The shape is complete: the focus has left its field.
    void shapeEntered();

private:
    void nameFields();
    void fillIn(const LeafSpec& leaf);
    void connectFields();
    void showFieldsOfFill();
    void browse();
    void readType(LeafSpec& leaf);

    QString name_;
    CheckedLineEdit* shape_;
    QComboBox* type_;
    CheckedLineEdit* device_;
    QCheckBox* gradient_;
    QComboBox* fill_;
    CheckedLineEdit* detail_;
    QToolButton* browse_;
};

}  // namespace aotscope

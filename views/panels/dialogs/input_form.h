#pragma once

#include "panels/dialogs/dimension_table.h"
#include "panels/dialogs/tensor_fields.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QStringList>
#include <vector>

namespace aotscope {

/// An input spec as a form: a row for every tensor and number, and the named dimensions. Derived values are shown and
/// kept.
class InputForm : public QScrollArea {
    Q_OBJECT

public:
    explicit InputForm(QWidget* parent = nullptr);

    /// `names`: the model's inputs.
    void setSpec(const InputSpec& spec, const QStringList& names);
    /// The edited spec; valid while problem() is empty.
    const InputSpec& spec() const { return spec_; }
    /// The first problem, as a sentence that names its field; empty: none.
    const QString& problem() const { return problem_; }

Q_SIGNALS:
    void edited();

private:
    struct TensorRow {
        std::size_t value;
        TensorFields* fields;
    };
    struct NumberRow {
        InputItem* item;
        QString name;
        CheckedLineEdit* text;
    };

    QStringList nameValues(const QStringList& names) const;
    void addHeader();
    void orderTabs();
    void addTensor(std::size_t value, const QString& name);
    void addDerived(std::size_t value, const QString& name, const QString& of);
    void addNumbers(InputItem& item, const QString& name);
    void nameDimensions(const TensorRow& row);
    void read();
    static QString readNumber(const NumberRow& row);

    InputSpec spec_;
    QWidget* rowsWidget_ = nullptr;
    QGridLayout* grid_ = nullptr;
    DimensionTable* dimensions_;
    std::vector<TensorRow> tensors_;
    std::vector<NumberRow> numbers_;
    QString problem_;
    int line_ = 0;
    std::size_t orderedDimensions_ = 0;
    bool reading_ = false;
};

}  // namespace aotscope

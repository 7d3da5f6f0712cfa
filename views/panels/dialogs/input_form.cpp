#include "panels/dialogs/input_form.h"

#include "models/words/to_qstring.h"
#include "panels/dialogs/spec_fields.h"
#include "support/error.h"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace aotscope {

namespace {

struct FormColumn {
    enum { Name, Sizes, Type, Device, Gradient, FillColumn, Detail, Browse, Count };
};

/// Calls `visit(item, name)` for `item` and all below it.
template <typename Item, typename Visit>
void forEachItem(Item& item, const QString& name, const Visit& visit) {
    visit(item, name);
    if (auto* list = std::get_if<InputItem::List>(&item.data))
        for (std::size_t i = 0; i < list->size(); ++i)
            forEachItem((*list)[i], name + QStringLiteral("[%1]").arg(i), visit);
    if (auto* dict = std::get_if<InputItem::Dict>(&item.data))
        for (auto& entry : *dict)
            forEachItem(entry.item, name + QStringLiteral("['%1']").arg(toQString(entry.key)), visit);
}

QString inputName(const QStringList& names, std::size_t i) {
    const QString name = names.value(static_cast<qsizetype>(i));
    return name.isEmpty() ? InputForm::tr("input %1").arg(i) : name;
}

QString numberText(const InputItem& item) {
    if (const auto* integer = std::get_if<std::int64_t>(&item.data)) return QString::number(*integer);
    if (const auto* real = std::get_if<double>(&item.data))
        return QString::number(*real, 'g', QLocale::FloatingPointShortest);
    return std::get<bool>(item.data) ? QStringLiteral("true") : QStringLiteral("false");
}

}  // namespace

InputForm::InputForm(QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("inputForm"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(this);
    content->setObjectName(QStringLiteral("inputFormContent"));
    dimensions_ = new DimensionTable(content);
    auto* layout = new QVBoxLayout(content);
    layout->setSpacing(18);
    layout->addStretch();
    layout->addWidget(dimensions_);
    setWidget(content);
    connect(dimensions_, &DimensionTable::edited, this, &InputForm::read);
}

void InputForm::setSpec(const InputSpec& spec, const QStringList& names) {
    reading_ = true;
    spec_ = spec;
    tensors_.clear();
    numbers_.clear();
    delete rowsWidget_;
    rowsWidget_ = new QWidget(widget());
    grid_ = new QGridLayout(rowsWidget_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setColumnStretch(FormColumn::Sizes, 3);
    grid_->setColumnStretch(FormColumn::Detail, 3);
    static_cast<QVBoxLayout*>(widget()->layout())->insertWidget(0, rowsWidget_);
    line_ = 0;
    addHeader();
    const QStringList values = nameValues(names);
    for (std::size_t i = 0; i < spec_.values.size(); ++i) {
        const QString name = values.value(static_cast<qsizetype>(i));
        if (std::holds_alternative<LeafSpec>(spec_.values[i])) addTensor(i, name);
        else addDerived(i, name, values.value(static_cast<qsizetype>(std::get<DerivedSpec>(spec_.values[i]).of)));
    }
    for (std::size_t i = 0; i < spec_.inputs.size(); ++i) addNumbers(spec_.inputs[i], inputName(names, i));
    dimensions_->setDimensions(spec_.dims);
    rowsWidget_->show();
    orderTabs();
    reading_ = false;
    read();
}

/// A value is named after the input that it is, or part of; other values have numbers.
QStringList InputForm::nameValues(const QStringList& names) const {
    QStringList values;
    for (std::size_t i = 0; i < spec_.values.size(); ++i) values << QString();
    for (std::size_t i = 0; i < spec_.inputs.size(); ++i)
        forEachItem(spec_.inputs[i], inputName(names, i), [&](const InputItem& item, const QString& name) {
            if (const auto* tensor = std::get_if<InputItem::TensorRef>(&item.data))
                if (QString& known = values[static_cast<qsizetype>(tensor->value)]; known.isEmpty()) known = name;
        });
    for (qsizetype i = 0; i < values.size(); ++i)
        if (values[i].isEmpty()) values[i] = tr("value %1").arg(i);
    return values;
}

void InputForm::addHeader() {
    const std::array<std::pair<QString, QString>, FormColumn::Count> titles = {
        {{tr("Input"), {}},
         {tr("Shape"), tr("Sizes or dimension names, separated by commas; leave empty for a number")},
         {tr("Type"), {}},
         {tr("Device"), tr("Device of the tensor, such as cpu or cuda:0; leave empty for the run's device")},
         {tr("Gradient"), tr("Whether the tensor requires a gradient")},
         {tr("Fill"), tr("How the elements are generated; random fills use the seed")},
         {},
         {}}};
    for (int column = 0; column < FormColumn::Count; ++column) {
        if (titles[static_cast<std::size_t>(column)].first.isEmpty()) continue;
        auto* label = new QLabel(titles[static_cast<std::size_t>(column)].first, rowsWidget_);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        label->setToolTip(titles[static_cast<std::size_t>(column)].second);
        grid_->addWidget(label, 0, column);
    }
    line_ = 1;
}

/// The tab order follows the lines, whenever their fields were created.
void InputForm::orderTabs() {
    std::vector<QWidget*> widgets{this};
    for (const auto& row : tensors_)
        for (QWidget* widget : row.fields->widgets()) widgets.push_back(widget);
    for (const auto& row : numbers_) widgets.push_back(row.text);
    const auto dimensions = dimensions_->focusOrder();
    orderedDimensions_ = dimensions.size();
    widgets.insert(widgets.end(), dimensions.begin(), dimensions.end());
    for (std::size_t i = 1; i < widgets.size(); ++i) setTabOrder(widgets[i - 1], widgets[i]);
}

void InputForm::addTensor(std::size_t value, const QString& name) {
    const TensorRow row{value, new TensorFields(name, std::get<LeafSpec>(spec_.values[value]), rowsWidget_)};
    int column = FormColumn::Name;
    grid_->addWidget(new QLabel(name, rowsWidget_), line_, column++);
    for (QWidget* field : row.fields->widgets()) grid_->addWidget(field, line_, column++);
    grid_->itemAtPosition(line_, FormColumn::Gradient)->setAlignment(Qt::AlignHCenter);
    ++line_;
    tensors_.push_back(row);
    connect(row.fields, &TensorFields::edited, this, &InputForm::read);
    connect(row.fields, &TensorFields::shapeEntered, this, [this, row] { nameDimensions(row); });
}

void InputForm::addDerived(std::size_t value, const QString& name, const QString& of) {
    auto* text = new QLabel(derivedText(std::get<DerivedSpec>(spec_.values[value]), of), rowsWidget_);
    text->setEnabled(false);
    text->setToolTip(tr("Derived from %1; edit it on the JSON tab").arg(of));
    grid_->addWidget(new QLabel(name, rowsWidget_), line_, FormColumn::Name);
    grid_->addWidget(text, line_++, FormColumn::Sizes, 1, -1);
}

void InputForm::addNumbers(InputItem& top, const QString& topName) {
    forEachItem(top, topName, [&](InputItem& item, const QString& name) {
        const bool isNone = std::holds_alternative<InputItem::None>(item.data);
        const bool isNumber = std::holds_alternative<std::int64_t>(item.data) ||
                              std::holds_alternative<double>(item.data) || std::holds_alternative<bool>(item.data);
        if (!isNone && !isNumber) return;
        grid_->addWidget(new QLabel(name, rowsWidget_), line_, FormColumn::Name);
        if (isNone) {
            auto* none = new QLabel(tr("none"), rowsWidget_);
            none->setEnabled(false);
            grid_->addWidget(none, line_++, FormColumn::Sizes);
            return;
        }
        auto* edit = new CheckedLineEdit(tr("Value of %1").arg(name), rowsWidget_);
        edit->setText(numberText(item));
        grid_->addWidget(edit, line_, FormColumn::Sizes);
        auto* type = new QLabel(std::holds_alternative<double>(item.data) ? tr("a number")
                                : std::holds_alternative<bool>(item.data) ? tr("true or false")
                                                                          : tr("an integer"),
                                rowsWidget_);
        type->setEnabled(false);
        grid_->addWidget(type, line_++, FormColumn::Type);
        numbers_.push_back({&item, name, edit});
        connect(edit, &QLineEdit::textChanged, this, &InputForm::read);
    });
}

/// Unknown names in a shape become dimensions with the previous size.
void InputForm::nameDimensions(const TensorRow& row) {
    const QStringList unknown = unknownDimensions(row.fields->shape(), dimensions_->dimensions());
    if (unknown.isEmpty() || !dimensions_->problem().isEmpty()) return;
    const auto& leaf = std::get<LeafSpec>(spec_.values[row.value]);
    const QStringList parts = row.fields->shape().split(u',');
    for (const QString& name : unknown) {
        NamedDimension dimension;
        dimension.name = name.toStdString();
        for (qsizetype i = 0; i < parts.size() && i < static_cast<qsizetype>(leaf.shape.size()); ++i)
            if (parts[i].trimmed() == name) dimension.hint = leaf.shape[static_cast<std::size_t>(i)];
        dimensions_->add(dimension);
    }
}

void InputForm::read() {
    if (reading_) return;
    if (dimensions_->focusOrder().size() != orderedDimensions_) orderTabs();
    problem_ = dimensions_->problem();
    spec_.dims = dimensions_->dimensions();
    const auto note = [this](const QString& problem) {
        if (problem_.isEmpty()) problem_ = problem;
    };
    for (const auto& row : tensors_)
        note(row.fields->readInto(std::get<LeafSpec>(spec_.values[row.value]), spec_.dims));
    for (const auto& row : numbers_) note(readNumber(row));
    try {
        // Problems of no single field, such as a name in a derivation.
        if (problem_.isEmpty()) parseInputSpec(printInputSpec(spec_), tr("inputs").toStdString());
    } catch (const Error& e) {
        problem_ = toQString(e.what());
    }
    Q_EMIT edited();
}

/// Returns the problem, as a sentence that names the field.
QString InputForm::readNumber(const NumberRow& row) {
    const QString text = row.text->text().trimmed();
    bool ok = false;
    QString problem;
    if (auto* integer = std::get_if<std::int64_t>(&row.item->data)) {
        const auto value = text.toLongLong(&ok);
        if (ok) *integer = value;
        else problem = tr("expected an integer");
    } else if (auto* real = std::get_if<double>(&row.item->data)) {
        const double value = text.toDouble(&ok);
        if (ok) *real = value;
        else problem = tr("expected a number");
    } else {
        ok = text == QLatin1String("true") || text == QLatin1String("false");
        if (ok) row.item->data = text == QLatin1String("true");
        else problem = tr("expected true or false");
    }
    row.text->setProblem(problem);
    return problem.isEmpty() ? QString() : tr("%1, %2: %3").arg(row.name, tr("value"), problem);
}

}  // namespace aotscope

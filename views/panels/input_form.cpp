#include "panels/input_form.h"

#include "canvas/drawn_graph.h"
#include "panels/spec_fields.h"
#include "support/error.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace aotscope {

namespace {

struct FormColumn {
    enum { Name, Sizes, Type, Device, Gradient, FillColumn, Detail, Browse, Count };
};

constexpr std::array kDTypes = {"float32", "float64", "float16", "bfloat16", "int64",     "int32",
                                "int16",   "int8",    "uint8",   "bool",     "complex64", "complex128"};

QString dtypeOfFile() { return InputForm::tr("as in the file"); }

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

/// A value is called after the input that it is, or the part of one; a value that is none of these has a number.
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

/// The Tab key follows the lines, whenever their fields were made.
void InputForm::orderTabs() {
    std::vector<QWidget*> widgets{this};
    for (const auto& row : tensors_)
        for (QWidget* widget :
             {static_cast<QWidget*>(row.shape), static_cast<QWidget*>(row.type), static_cast<QWidget*>(row.device),
              static_cast<QWidget*>(row.gradient), static_cast<QWidget*>(row.fill), static_cast<QWidget*>(row.detail),
              static_cast<QWidget*>(row.browse)})
            widgets.push_back(widget);
    for (const auto& row : numbers_) widgets.push_back(row.text);
    const auto dimensions = dimensions_->focusOrder();
    orderedDimensions_ = dimensions.size();
    widgets.insert(widgets.end(), dimensions.begin(), dimensions.end());
    for (std::size_t i = 1; i < widgets.size(); ++i) setTabOrder(widgets[i - 1], widgets[i]);
}

void InputForm::addTensor(std::size_t value, const QString& name) {
    const auto& leaf = std::get<LeafSpec>(spec_.values[value]);
    TensorRow row{value,
                  name,
                  new CheckedLineEdit(tr("Shape of %1").arg(name), rowsWidget_),
                  new QComboBox(rowsWidget_),
                  new CheckedLineEdit(tr("Device of %1").arg(name), rowsWidget_),
                  new QCheckBox(rowsWidget_),
                  new QComboBox(rowsWidget_),
                  new CheckedLineEdit(tr("Fill parameters of %1").arg(name), rowsWidget_),
                  new QToolButton(rowsWidget_)};
    row.shape->setText(shapeText(leaf));
    row.shape->setMinimumWidth(130);
    for (const char* dtype : kDTypes) row.type->addItem(QLatin1String(dtype));
    const QString dtype = toQString(longName(leaf.dtype));
    if (row.type->findText(dtype) < 0) row.type->addItem(dtype);
    row.type->setCurrentText(dtype);
    row.type->setAccessibleName(tr("Type of %1").arg(name));
    row.device->setText(toQString(leaf.device));
    row.device->setPlaceholderText(tr("run's"));
    row.device->setFixedWidth(70);
    row.gradient->setChecked(leaf.requiresGrad);
    row.gradient->setAccessibleName(tr("%1 requires a gradient").arg(name));
    row.fill->addItems(fillKindNames());
    row.fill->setCurrentIndex(static_cast<int>(fillKind(leaf.fill)));
    row.fill->setAccessibleName(tr("Fill of %1").arg(name));
    row.detail->setText(fillDetail(leaf.fill));
    row.detail->setMinimumWidth(130);
    row.browse->setText(QStringLiteral("…"));
    row.browse->setFocusPolicy(Qt::StrongFocus);
    row.browse->setToolTip(tr("Choose a file"));
    row.browse->setAccessibleName(tr("Choose a file for %1").arg(name));
    // Fields keep their room while they are hidden, so that the columns stay where they are.
    for (QWidget* field : {static_cast<QWidget*>(row.detail), static_cast<QWidget*>(row.browse)}) {
        QSizePolicy policy = field->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        field->setSizePolicy(policy);
    }

    int column = 0;
    grid_->addWidget(new QLabel(name, rowsWidget_), line_, column++);
    for (QWidget* field :
         {static_cast<QWidget*>(row.shape), static_cast<QWidget*>(row.type), static_cast<QWidget*>(row.device),
          static_cast<QWidget*>(row.gradient), static_cast<QWidget*>(row.fill), static_cast<QWidget*>(row.detail),
          static_cast<QWidget*>(row.browse)})
        grid_->addWidget(field, line_, column++);
    grid_->setAlignment(row.gradient, Qt::AlignHCenter);
    ++line_;
    tensors_.push_back(row);
    fillKindChanged(row);
    if (leaf.dtypeOfFile) row.type->setCurrentText(dtypeOfFile());
    else row.type->setCurrentText(dtype);

    for (CheckedLineEdit* edit : {row.shape, row.device, row.detail})
        connect(edit, &QLineEdit::textChanged, this, &InputForm::read);
    connect(row.shape, &QLineEdit::editingFinished, this, [this, row] { nameDimensions(row); });
    connect(row.type, &QComboBox::currentTextChanged, this, &InputForm::read);
    connect(row.gradient, &QCheckBox::toggled, this, &InputForm::read);
    connect(row.fill, &QComboBox::currentIndexChanged, this, [this, row] {
        const QSignalBlocker quiet(row.detail);
        row.detail->clear();
        fillKindChanged(row);
        read();
    });
    connect(row.browse, &QToolButton::clicked, this, [this, row] { browse(row); });
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

/// Which fields a row needs follows from how its tensor is filled.
void InputForm::fillKindChanged(const TensorRow& row) {
    const auto kind = static_cast<FillKind>(row.fill->currentIndex());
    const QString hint = fillDetailHint(kind);
    row.detail->setVisible(!hint.isEmpty());
    row.detail->setPlaceholderText(hint);
    row.browse->setVisible(kind == FillKind::file);
    row.shape->setPlaceholderText(kind == FillKind::file ? dtypeOfFile() : tr("a number"));
    const QSignalBlocker quiet(row.type);
    const int ofFile = row.type->findText(dtypeOfFile());
    if (kind == FillKind::file && ofFile < 0) {
        row.type->insertItem(0, dtypeOfFile());
        row.type->setCurrentIndex(0);
    } else if (kind != FillKind::file && ofFile >= 0) {
        row.type->removeItem(ofFile);
    }
}

/// Names that a shape uses and that are not known yet become dimensions, with the size that was there before.
void InputForm::nameDimensions(const TensorRow& row) {
    const QStringList unknown = unknownDimensions(row.shape->text(), dimensions_->dimensions());
    if (unknown.isEmpty() || !dimensions_->problem().isEmpty()) return;
    const auto& leaf = std::get<LeafSpec>(spec_.values[row.value]);
    const QStringList parts = row.shape->text().split(u',');
    for (const QString& name : unknown) {
        NamedDimension dimension;
        dimension.name = name.toStdString();
        for (qsizetype i = 0; i < parts.size() && i < static_cast<qsizetype>(leaf.shape.size()); ++i)
            if (parts[i].trimmed() == name) dimension.hint = leaf.shape[static_cast<std::size_t>(i)];
        dimensions_->add(dimension);
    }
}

void InputForm::browse(const TensorRow& row) {
    const QString path = QFileDialog::getOpenFileName(this, tr("Tensor for %1").arg(row.name), row.detail->text(),
                                                      tr("Tensors (*.npy *.safetensors *.pt);;All files (*)"));
    if (!path.isEmpty()) row.detail->setText(path);
}

void InputForm::read() {
    if (reading_) return;
    if (dimensions_->focusOrder().size() != orderedDimensions_) orderTabs();
    problem_ = dimensions_->problem();
    spec_.dims = dimensions_->dimensions();
    for (const auto& row : tensors_) readTensor(row);
    for (const auto& row : numbers_) readNumber(row);
    try {
        // What concerns no single field, such as a name in a derivation.
        if (problem_.isEmpty()) parseInputSpec(printInputSpec(spec_), tr("inputs").toStdString());
    } catch (const Error& e) {
        problem_ = toQString(e.what());
    }
    Q_EMIT edited();
}

void InputForm::setProblem(CheckedLineEdit* field, const QString& name, const QString& column, const QString& text) {
    field->setProblem(text);
    if (problem_.isEmpty() && !text.isEmpty()) problem_ = tr("%1, %2: %3").arg(name, column, text);
}

void InputForm::readTensor(const TensorRow& row) {
    auto& leaf = std::get<LeafSpec>(spec_.values[row.value]);
    const auto kind = static_cast<FillKind>(row.fill->currentIndex());
    const auto attempt = [&](CheckedLineEdit* field, const QString& column, auto&& job) {
        QString problem;
        try {
            job();
        } catch (const Error& e) {
            problem = toQString(e.what());
        }
        setProblem(field, row.name, column, problem);
    };
    attempt(row.shape, tr("shape"), [&] {
        leaf.shapeOfFile = kind == FillKind::file && row.shape->text().trimmed().isEmpty();
        if (!leaf.shapeOfFile) return readShape(row.shape->text(), spec_.dims, leaf);
        leaf.shape.clear();
        leaf.dimNames.clear();
    });
    leaf.dtypeOfFile = row.type->currentText() == dtypeOfFile();
    leaf.dtype = leaf.dtypeOfFile ? DType::f32 : *dtypeFromName(row.type->currentText().toStdString());
    const QString type = row.type->currentText();
    const bool real =
        leaf.dtypeOfFile || type.contains(QLatin1String("float")) || type.contains(QLatin1String("complex"));
    row.gradient->setEnabled(real);
    row.gradient->setToolTip(real ? QString() : tr("Only floating-point and complex tensors can require a gradient"));
    leaf.requiresGrad = real && row.gradient->isChecked();
    attempt(row.device, tr("device"), [&] {
        static const QRegularExpression device(QStringLiteral("^([a-z]+(:\\d+)?)?$"));
        const QString text = row.device->text().trimmed();
        if (!device.match(text).hasMatch()) throw Error(tr("a device such as cpu or cuda:0 is expected").toStdString());
        leaf.device = text.toStdString();
    });
    attempt(row.detail, fillKindNames().at(row.fill->currentIndex()), [&] {
        leaf.fill = readFill(kind, row.detail->text());
        if (kind != FillKind::file) return;
        const QString path = row.detail->text().trimmed();
        const QString file =
            path.section(QStringLiteral(".safetensors:"), 0, 0) +
            (path.contains(QLatin1String(".safetensors:")) ? QStringLiteral(".safetensors") : QString());
        if (QFileInfo(file).isAbsolute() && !QFileInfo(file).isFile())
            throw Error(tr("file '%1' does not exist").arg(file).toStdString());
    });
}

void InputForm::readNumber(const NumberRow& row) {
    const QString text = row.text->text().trimmed();
    bool ok = false;
    QString problem;
    if (auto* integer = std::get_if<std::int64_t>(&row.item->data)) {
        const auto value = text.toLongLong(&ok);
        if (ok) *integer = value;
        else problem = tr("an integer is expected");
    } else if (auto* real = std::get_if<double>(&row.item->data)) {
        const double value = text.toDouble(&ok);
        if (ok) *real = value;
        else problem = tr("a number is expected");
    } else {
        ok = text == QLatin1String("true") || text == QLatin1String("false");
        if (ok) row.item->data = text == QLatin1String("true");
        else problem = tr("true or false is expected");
    }
    setProblem(row.text, row.name, tr("value"), problem);
}

}  // namespace aotscope

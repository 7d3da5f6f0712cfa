#include "panels/input_spec_dialog.h"

#include "canvas/drawn_graph.h"
#include "support/error.h"
#include "support/file.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

namespace aotscope {

namespace {

enum Column { Name, Shape, Type, Gradient, FillColumn, ColumnCount };
enum Tab { Form, Json };

constexpr std::array kDTypes = {"float32", "float64", "float16", "bfloat16", "int64",     "int32",
                                "int16",   "int8",    "uint8",   "bool",     "complex64", "complex128"};

QString shapeText(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (auto size : shape) sizes << QString::number(size);
    return sizes.join(QStringLiteral(", "));
}

std::vector<std::int64_t> parseShape(const QString& text) {
    std::vector<std::int64_t> shape;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        bool ok = false;
        const auto size = part.trimmed().toLongLong(&ok);
        if (!ok || size < 0) throw Error("shape '" + text.toStdString() + "': sizes separated by commas are expected");
        shape.push_back(size);
    }
    return shape;
}

/// "randn", "zeros", "randint 0 512", or "(see JSON)" for what only JSON can say.
QString fillText(const Fill& fill) {
    if (const auto* plain = std::get_if<Fill::Plain>(&fill.how)) {
        constexpr std::array names = {"zeros", "ones", "randn", "rand"};
        return QLatin1String(names.at(static_cast<std::size_t>(*plain)));
    }
    if (const auto* range = std::get_if<Fill::Randint>(&fill.how))
        return QStringLiteral("randint %1 %2").arg(range->low).arg(range->high);
    return QStringLiteral("(see JSON)");
}

Fill parseFill(const QString& text, const Fill& before) {
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    if (text == QLatin1String("(see JSON)")) return before;
    if (words.value(0) == QLatin1String("zeros")) return {Fill::Plain::zeros};
    if (words.value(0) == QLatin1String("ones")) return {Fill::Plain::ones};
    if (words.value(0) == QLatin1String("randn")) return {Fill::Plain::randn};
    if (words.value(0) == QLatin1String("rand")) return {Fill::Plain::rand};
    bool low = false, high = false;
    const Fill::Randint range{words.value(1).toLongLong(&low), words.value(2).toLongLong(&high)};
    if (words.value(0) == QLatin1String("randint") && low && high && range.low < range.high) return {range};
    throw Error("fill '" + text.toStdString() + "': zeros, ones, randn, rand or 'randint LOW HIGH' is expected");
}

}  // namespace

InputSpecDialog::InputSpecDialog(const InputSpec& spec, QStringList names, QWidget* parent)
    : QDialog(parent),
      spec_(spec),
      names_(std::move(names)),
      reason_(new QLabel(this)),
      message_(new QLabel(this)),
      tabs_(new QTabWidget(this)),
      form_(new QTableWidget(this)),
      json_(new QPlainTextEdit(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("Example inputs"));
    resize(760, 420);
    form_->setObjectName(QStringLiteral("inputForm"));
    form_->setColumnCount(ColumnCount);
    form_->setHorizontalHeaderLabels({tr("Input"), tr("Shape"), tr("Type"), tr("Requires grad"), tr("Filled with")});
    form_->horizontalHeader()->setSectionResizeMode(Shape, QHeaderView::Stretch);
    form_->verticalHeader()->hide();
    json_->setObjectName(QStringLiteral("inputJson"));
    json_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    tabs_->addTab(form_, tr("Form"));
    tabs_->addTab(json_, tr("JSON"));
    message_->setWordWrap(true);
    reason_->setWordWrap(true);
    reason_->hide();
    auto* open = buttons_->addButton(tr("Open…"), QDialogButtonBox::ActionRole);
    auto* save = buttons_->addButton(tr("Save…"), QDialogButtonBox::ActionRole);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(reason_);
    layout->addWidget(tabs_, 1);
    layout->addWidget(message_);
    layout->addWidget(buttons_);

    connect(tabs_, &QTabWidget::currentChanged, this, &InputSpecDialog::switchTab);
    connect(form_, &QTableWidget::itemChanged, this, &InputSpecDialog::validate);
    connect(json_, &QPlainTextEdit::textChanged, this, &InputSpecDialog::validate);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(open, &QPushButton::clicked, this, &InputSpecDialog::openFile);
    connect(save, &QPushButton::clicked, this, &InputSpecDialog::saveFile);

    fillForm();
    fillJson();
    if (!formCanShow()) tabs_->setCurrentIndex(Json);
    validate();
}

void InputSpecDialog::setReason(const QString& text) {
    reason_->setText(text);
    reason_->show();
}

/// The form has a line for each leaf; derived values and containers are only in the JSON.
bool InputSpecDialog::formCanShow() const {
    return std::all_of(spec_.values.begin(), spec_.values.end(),
                       [](const ValueSpec& v) { return std::holds_alternative<LeafSpec>(v); });
}

/// The model's name of the input that value `i` is; values that are part of a list have none.
QString InputSpecDialog::nameOfValue(std::size_t i) const {
    const auto used = std::find_if(spec_.inputs.begin(), spec_.inputs.end(), [i](const InputItem& item) {
        const auto* tensor = std::get_if<InputItem::TensorRef>(&item.data);
        return tensor && tensor->value == i;
    });
    const QString name = names_.value(used - spec_.inputs.begin());
    return name.isEmpty() ? tr("value %1").arg(i) : name;
}

void InputSpecDialog::fillForm() {
    filling_ = true;
    tabs_->setTabEnabled(Form, formCanShow());
    form_->setRowCount(0);
    for (std::size_t i = 0; formCanShow() && i < spec_.values.size(); ++i) {
        const auto& leaf = std::get<LeafSpec>(spec_.values[i]);
        const int row = static_cast<int>(i);
        form_->insertRow(row);
        auto* name = new QTableWidgetItem(nameOfValue(i));
        name->setFlags(Qt::ItemIsEnabled);
        form_->setItem(row, Name, name);
        form_->setItem(row, Shape, new QTableWidgetItem(shapeText(leaf.shape)));
        auto* type = new QComboBox;
        for (const char* dtype : kDTypes) type->addItem(QLatin1String(dtype));
        const QString dtypeName = toQString(longName(leaf.dtype));
        if (type->findText(dtypeName) < 0) type->addItem(dtypeName);
        type->setCurrentText(dtypeName);
        connect(type, &QComboBox::currentTextChanged, this, &InputSpecDialog::validate);
        form_->setCellWidget(row, Type, type);
        auto* gradient = new QCheckBox;
        gradient->setChecked(leaf.requiresGrad);
        connect(gradient, &QCheckBox::toggled, this, &InputSpecDialog::validate);
        form_->setCellWidget(row, Gradient, gradient);
        form_->setItem(row, FillColumn, new QTableWidgetItem(fillText(leaf.fill)));
    }
    form_->resizeColumnToContents(Name);
    filling_ = false;
}

void InputSpecDialog::fillJson() {
    filling_ = true;
    json_->setPlainText(toQString(printInputSpec(spec_)));
    filling_ = false;
}

void InputSpecDialog::readForm() {
    for (int row = 0; row < form_->rowCount(); ++row) {
        auto& leaf = std::get<LeafSpec>(spec_.values[static_cast<std::size_t>(row)]);
        leaf.shape = parseShape(form_->item(row, Shape)->text());
        leaf.dtype =
            *dtypeFromName(qobject_cast<QComboBox*>(form_->cellWidget(row, Type))->currentText().toStdString());
        leaf.requiresGrad = qobject_cast<QCheckBox*>(form_->cellWidget(row, Gradient))->isChecked();
        leaf.fill = parseFill(form_->item(row, FillColumn)->text(), leaf.fill);
    }
}

void InputSpecDialog::readJson() { spec_ = parseInputSpec(json_->toPlainText().toStdString(), "JSON"); }

void InputSpecDialog::switchTab(int tab) {
    if (tab == Json) fillJson();
    else fillForm();
    validate();
}

/// Takes over what is typed if it makes sense; says what does not.
void InputSpecDialog::validate() {
    if (filling_) return;
    QString problem;
    try {
        if (tabs_->currentIndex() == Json) readJson();
        else readForm();
    } catch (const Error& e) {
        problem = toQString(e.what());
    }
    if (tabs_->currentIndex() == Json && problem.isEmpty()) tabs_->setTabEnabled(Form, formCanShow());
    message_->setText(problem);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
}

void InputSpecDialog::openFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open input spec"), {}, tr("Input specs (*.json)"));
    if (path.isEmpty()) return;
    try {
        spec_ = readInputSpec(path.toStdString());
        fillForm();
        fillJson();
        if (!formCanShow()) tabs_->setCurrentIndex(Json);
        validate();
    } catch (const Error& e) {
        message_->setText(toQString(e.what()));
    }
}

void InputSpecDialog::saveFile() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save input spec"), QStringLiteral("inputs.json"),
                                                      tr("Input specs (*.json)"));
    if (path.isEmpty()) return;
    try {
        writeFileAtomically(path.toStdString(), printInputSpec(spec_) + "\n");
    } catch (const Error& e) {
        message_->setText(toQString(e.what()));
    }
}

}  // namespace aotscope

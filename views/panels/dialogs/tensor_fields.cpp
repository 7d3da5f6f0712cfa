#include "panels/dialogs/tensor_fields.h"

#include "models/words/to_qstring.h"
#include "panels/dialogs/spec_fields.h"
#include "support/error.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSignalBlocker>

namespace aotscope {

namespace {

QString dtypeOfFile() { return TensorFields::tr("as in the file"); }

std::string readDevice(const QString& text) {
    static const QRegularExpression device(QStringLiteral("^([a-z]+(:\\d+)?)?$"));
    if (!device.match(text).hasMatch())
        throw Error(TensorFields::tr("expected a device such as cpu or cuda:0").toStdString());
    return text.toStdString();
}

/// A relative path is resolved against the folder of the spec.
void requireFile(const QString& path) {
    const QString name = QStringLiteral(".safetensors:");  // follows: one of the tensors in the file
    const QFileInfo file(path.contains(name) ? QString(path.section(name, 0, 0) + QStringLiteral(".safetensors"))
                                             : path);
    if (file.isAbsolute() && !file.isFile())
        throw Error(TensorFields::tr("file '%1' does not exist").arg(file.filePath()).toStdString());
}

}  // namespace

TensorFields::TensorFields(const QString& name, const LeafSpec& leaf, QWidget* parent)
    : QObject(parent),
      name_(name),
      shape_(new CheckedLineEdit(tr("Shape of %1").arg(name), parent)),
      type_(new QComboBox(parent)),
      device_(new CheckedLineEdit(tr("Device of %1").arg(name), parent)),
      gradient_(new QCheckBox(parent)),
      fill_(new QComboBox(parent)),
      detail_(new CheckedLineEdit(tr("Fill parameters of %1").arg(name), parent)),
      browse_(new QToolButton(parent)) {
    nameFields();
    fillIn(leaf);
    connectFields();
}

void TensorFields::nameFields() {
    shape_->setMinimumWidth(130);
    type_->setAccessibleName(tr("Type of %1").arg(name_));
    device_->setPlaceholderText(tr("run's"));
    device_->setFixedWidth(70);
    gradient_->setAccessibleName(tr("%1 requires a gradient").arg(name_));
    fill_->setAccessibleName(tr("Fill of %1").arg(name_));
    detail_->setMinimumWidth(130);
    browse_->setText(QStringLiteral("…"));
    browse_->setFocusPolicy(Qt::StrongFocus);
    browse_->setToolTip(tr("Choose a file"));
    browse_->setAccessibleName(tr("Choose a file for %1").arg(name_));
    // Hidden fields keep their room, so that columns stay aligned.
    for (QWidget* field : {static_cast<QWidget*>(detail_), static_cast<QWidget*>(browse_)}) {
        QSizePolicy policy = field->sizePolicy();
        policy.setRetainSizeWhenHidden(true);
        field->setSizePolicy(policy);
    }
}

void TensorFields::fillIn(const LeafSpec& leaf) {
    shape_->setText(shapeText(leaf));
    for (const DType dtype : dtypesInFiles()) type_->addItem(toQString(longName(dtype)));
    const QString dtype = toQString(longName(leaf.dtype));
    if (type_->findText(dtype) < 0) type_->addItem(dtype);
    device_->setText(toQString(leaf.device));
    gradient_->setChecked(leaf.requiresGrad);
    fill_->addItems(fillKindNames());
    fill_->setCurrentIndex(static_cast<int>(fillKind(leaf.fill)));
    detail_->setText(fillDetail(leaf.fill));
    showFieldsOfFill();
    type_->setCurrentText(leaf.dtypeOfFile ? dtypeOfFile() : dtype);
}

void TensorFields::connectFields() {
    for (CheckedLineEdit* edit : {shape_, device_, detail_})
        connect(edit, &QLineEdit::textChanged, this, &TensorFields::edited);
    connect(shape_, &QLineEdit::editingFinished, this, &TensorFields::shapeEntered);
    connect(type_, &QComboBox::currentTextChanged, this, &TensorFields::edited);
    connect(gradient_, &QCheckBox::toggled, this, &TensorFields::edited);
    connect(fill_, &QComboBox::currentIndexChanged, this, [this] {
        const QSignalBlocker quiet(detail_);
        detail_->clear();
        showFieldsOfFill();
        Q_EMIT edited();
    });
    connect(browse_, &QToolButton::clicked, this, &TensorFields::browse);
}

/// The fields depend on how the tensor is filled.
void TensorFields::showFieldsOfFill() {
    const auto kind = static_cast<FillKind>(fill_->currentIndex());
    const QString hint = fillDetailHint(kind);
    detail_->setVisible(!hint.isEmpty());
    detail_->setPlaceholderText(hint);
    browse_->setVisible(kind == FillKind::file);
    shape_->setPlaceholderText(kind == FillKind::file ? dtypeOfFile() : tr("a number"));
    const QSignalBlocker quiet(type_);
    const int ofFile = type_->findText(dtypeOfFile());
    if (kind == FillKind::file && ofFile < 0) {
        type_->insertItem(0, dtypeOfFile());
        type_->setCurrentIndex(0);
    } else if (kind != FillKind::file && ofFile >= 0) {
        type_->removeItem(ofFile);
    }
}

void TensorFields::browse() {
    const QString path = QFileDialog::getOpenFileName(detail_, tr("Tensor for %1").arg(name_), detail_->text(),
                                                      tr("Tensors (*.npy *.safetensors *.pt);;All files (*)"));
    if (!path.isEmpty()) detail_->setText(path);
}

QString TensorFields::readInto(LeafSpec& leaf, const std::vector<NamedDimension>& dims) {
    const auto kind = static_cast<FillKind>(fill_->currentIndex());
    QString first;
    const auto attempt = [&](CheckedLineEdit* field, const QString& column, auto&& job) {
        QString problem;
        try {
            job();
        } catch (const Error& e) {
            problem = toQString(e.what());
        }
        field->setProblem(problem);
        if (first.isEmpty() && !problem.isEmpty()) first = tr("%1, %2: %3").arg(name_, column, problem);
    };
    attempt(shape_, tr("shape"), [&] {
        leaf.shapeOfFile = kind == FillKind::file && shape_->text().trimmed().isEmpty();
        if (!leaf.shapeOfFile) return readShape(shape_->text(), dims, leaf);
        leaf.shape.clear();
        leaf.dimNames.clear();
    });
    readType(leaf);
    attempt(device_, tr("device"), [&] { leaf.device = readDevice(device_->text().trimmed()); });
    attempt(detail_, fillKindNames().at(fill_->currentIndex()), [&] {
        leaf.fill = readFill(kind, detail_->text());
        if (kind == FillKind::file) requireFile(detail_->text().trimmed());
    });
    return first;
}

void TensorFields::readType(LeafSpec& leaf) {
    const QString type = type_->currentText();
    leaf.dtypeOfFile = type == dtypeOfFile();
    leaf.dtype = leaf.dtypeOfFile ? DType::f32 : *dtypeFromName(type.toStdString());
    const bool real =
        leaf.dtypeOfFile || type.contains(QLatin1String("float")) || type.contains(QLatin1String("complex"));
    gradient_->setEnabled(real);
    gradient_->setToolTip(real ? QString() : tr("Only floating-point and complex tensors can require a gradient"));
    leaf.requiresGrad = real && gradient_->isChecked();
}

}  // namespace aotscope

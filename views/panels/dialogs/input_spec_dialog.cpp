#include "panels/dialogs/input_spec_dialog.h"

#include "canvas/drawn_graph.h"
#include "panels/fixed_font.h"
#include "support/error.h"
#include "support/file.h"
#include "support/input_file.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace aotscope {

namespace {

enum Tab { Form, Json };

/// Makes the meaning of the spec independent of its location.
void makePathsAbsolute(InputSpec& spec, const QString& folder) {
    if (folder.isEmpty()) return;
    for (auto& value : spec.values)
        if (auto* leaf = std::get_if<LeafSpec>(&value))
            if (auto* file = std::get_if<Fill::File>(&leaf->fill.how))
                file->path = (std::filesystem::absolute(folder.toStdString()) / file->path).lexically_normal().string();
}

}  // namespace

InputSpecDialog::InputSpecDialog(const InputSpec& spec, QStringList names, QWidget* parent, const QString& folder)
    : QDialog(parent),
      spec_(spec),
      names_(std::move(names)),
      reason_(new QLabel(this)),
      message_(new QLabel(this)),
      tabs_(new QTabWidget(this)),
      form_(new InputForm(this)),
      json_(new QPlainTextEdit(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    makePathsAbsolute(spec_, folder);
    setWindowTitle(tr("Example Inputs"));
    resize(860, 480);
    json_->setObjectName(QStringLiteral("inputJson"));
    json_->setAccessibleName(tr("Input spec as JSON"));
    json_->setFont(fixedFont());
    json_->setTabChangesFocus(true);
    tabs_->addTab(form_, tr("&Form"));
    tabs_->addTab(json_, tr("&JSON"));
    message_->setObjectName(QStringLiteral("inputProblem"));
    message_->setWordWrap(true);
    reason_->setWordWrap(true);
    reason_->hide();
    auto* load = new QPushButton(tr("&Load Spec…"), this);
    auto* save = new QPushButton(tr("&Save Spec As…"), this);
    save->setObjectName(QStringLiteral("saveSpec"));
    for (QPushButton* button : {load, save}) button->setAutoDefault(false);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(load);
    bottom->addWidget(save);
    bottom->addWidget(buttons_, 1);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(reason_);
    layout->addWidget(tabs_, 1);
    layout->addWidget(message_);
    layout->addLayout(bottom);

    connect(tabs_, &QTabWidget::currentChanged, this, &InputSpecDialog::switchTab);
    connect(form_, &InputForm::edited, this, &InputSpecDialog::validate);
    connect(json_, &QPlainTextEdit::textChanged, this, &InputSpecDialog::validate);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(load, &QPushButton::clicked, this, &InputSpecDialog::loadFile);
    connect(save, &QPushButton::clicked, this, &InputSpecDialog::saveFile);
    showSpec();
}

void InputSpecDialog::setReason(const QString& text) {
    reason_->setText(text);
    reason_->show();
}

/// Fills both tabs; invalid text is discarded.
void InputSpecDialog::showSpec() {
    filling_ = true;
    form_->setSpec(spec_, names_);
    json_->setPlainText(toQString(printInputSpec(spec_)));
    filling_ = false;
    validate();
}

void InputSpecDialog::switchTab(int tab) {
    showSpec();
    if (tab == Json) json_->setFocus();
}

/// Applies the text if it is valid; otherwise shows why not.
void InputSpecDialog::validate() {
    if (filling_) return;
    if (tabs_->currentIndex() == Form) {
        if (form_->problem().isEmpty()) spec_ = form_->spec();
        return showProblem(form_->problem());
    }
    try {
        spec_ = parseInputSpec(json_->toPlainText().toStdString(), "JSON");
        showProblem({});
    } catch (const Error& e) {
        showProblem(toQString(e.what()));
    }
}

void InputSpecDialog::showProblem(const QString& text) {
    message_->setText(text.isEmpty() ? QString() : QStringLiteral("⚠ ") + text);
    for (QPushButton* button :
         {buttons_->button(QDialogButtonBox::Ok), findChild<QPushButton*>(QStringLiteral("saveSpec"))}) {
        button->setEnabled(text.isEmpty());
        button->setToolTip(text);
    }
}

void InputSpecDialog::load(const QString& path) {
    try {
        const InputFile regular(path.toStdString());  // a window does not wait for pipes
        spec_ = readInputSpec(path.toStdString());
        makePathsAbsolute(spec_, QFileInfo(path).absolutePath());
        showSpec();
    } catch (const Error& e) {
        message_->setText(QStringLiteral("⚠ ") + toQString(e.what()));
    }
}

void InputSpecDialog::save(const QString& path) {
    try {
        writeFileAtomically(path.toStdString(), printInputSpec(spec_) + "\n");
    } catch (const Error& e) {
        message_->setText(QStringLiteral("⚠ ") + toQString(e.what()));
    }
}

void InputSpecDialog::loadFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Load Input Spec"), {}, tr("Input specs (*.json)"));
    if (!path.isEmpty()) load(path);
}

void InputSpecDialog::saveFile() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Input Spec"), QStringLiteral("inputs.json"),
                                                      tr("Input specs (*.json)"));
    if (!path.isEmpty()) save(path);
}

}  // namespace aotscope

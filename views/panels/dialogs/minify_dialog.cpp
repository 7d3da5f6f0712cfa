#include "panels/dialogs/minify_dialog.h"

#include "models/words/to_qstring.h"
#include "panels/fixed_font.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QVBoxLayout>

namespace aotscope {

MinifyDialog::MinifyDialog(const std::vector<GraphKind>& kinds, QWidget* parent)
    : QDialog(parent),
      kinds_(kinds),
      condition_(new QComboBox(this)),
      graph_(new QComboBox(this)),
      message_(new QLabel(this)),
      text_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("minifyDialog"));
    setWindowTitle(tr("Minify"));
    resize(720, 520);
    condition_->setObjectName(QStringLiteral("minifyCondition"));
    condition_->setEditable(true);
    condition_->addItems({toQString(MinifyOptions().condition), QStringLiteral("check fails"),
                          QStringLiteral("compile fails"), QStringLiteral("run fails"), QStringLiteral("nan"),
                          QStringLiteral("op:exp and has_inf")});
    condition_->setToolTip(
        tr("check fails: the compiler returns other values than the interpreter; nan: an operation "
           "returns one; or a query that finds an operation. Alternatives have | between them"));
    graph_->setObjectName(QStringLiteral("minifyGraph"));
    graph_->addItem(tr("Any compiled graph"));
    for (const GraphKind kind : kinds_) graph_->addItem(toQString(name(kind)));
    message_->setObjectName(QStringLiteral("minifyMessage"));
    message_->setTextFormat(Qt::PlainText);
    message_->setWordWrap(true);
    text_->setReadOnly(true);
    text_->setAccessibleName(tr("Result"));
    text_->setFont(fixedFont());
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* form = new QFormLayout;
    form->addRow(tr("&While"), condition_);
    form->addRow(tr("&Graph"), graph_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    start_ = buttons->addButton(tr("&Start"), QDialogButtonBox::ActionRole);
    save_ = buttons->addButton(tr("Save as &Python…"), QDialogButtonBox::ActionRole);
    save_->setEnabled(false);
    start_->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(message_);
    layout->addWidget(text_, 1);
    layout->addWidget(buttons);
    connect(start_, &QPushButton::clicked, this, &MinifyDialog::startOrStop);
    connect(save_, &QPushButton::clicked, this, &MinifyDialog::saveRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, [this] {
        if (running_) Q_EMIT cancelRequested();
    });
}

void MinifyDialog::startOrStop() {
    if (running_) {
        Q_EMIT cancelRequested();
        return;
    }
    MinifyOptions wanted;
    wanted.condition = condition_->currentText().toStdString();
    if (graph_->currentIndex() > 0) wanted.graph = kinds_[static_cast<std::size_t>(graph_->currentIndex() - 1)];
    text_->clear();
    message_->clear();
    save_->setEnabled(false);
    Q_EMIT startRequested(wanted);
}

void MinifyDialog::setRunning(bool running) {
    running_ = running;
    start_->setText(running ? tr("&Stop") : tr("&Start"));
}

void MinifyDialog::setResult(const QString& text) {
    message_->clear();
    text_->setPlainText(text);
    save_->setEnabled(true);
}

}  // namespace aotscope

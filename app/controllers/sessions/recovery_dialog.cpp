#include "controllers/sessions/recovery_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLocale>
#include <QMessageBox>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace aotscope {

namespace {

bool canBeOpened(const Loss& loss) { return loss.session && loss.session->problem.isEmpty(); }

QString modelOf(const Loss& loss) {
    if (loss.session && !loss.session->model.isEmpty()) return loss.session->model;
    if (loss.report && !loss.report->model.isEmpty()) return loss.report->model;
    return RecoveryDialog::tr("(unknown)");
}

QString momentOf(const Loss& loss) {
    return QLocale().toString(loss.session ? loss.session->written : loss.report->time, QLocale::ShortFormat);
}

QString storyOf(const Loss& loss) {
    QString story = RecoveryDialog::tr("exited without closing it");
    if (loss.report)
        story = loss.report->exception.isEmpty() ? RecoveryDialog::tr("crashed: signal %1").arg(loss.report->signal)
                                                 : RecoveryDialog::tr("crashed: %1").arg(loss.report->exception);
    if (!loss.session) story += RecoveryDialog::tr("; nothing to recover");
    else if (!canBeOpened(loss)) story += RecoveryDialog::tr("; the copy cannot be opened");
    return story;
}

QString tipOf(const Loss& loss) {
    QStringList lines;
    if (loss.session) lines << (loss.session->problem.isEmpty() ? loss.session->file : loss.session->problem);
    if (loss.report && !loss.report->work.isEmpty())
        lines << RecoveryDialog::tr("At the time of the crash: %1").arg(loss.report->work);
    return lines.join(u'\n');
}

}  // namespace

RecoveryDialog::RecoveryDialog(QWidget* parent)
    : QDialog(parent),
      heading_(new QLabel(this)),
      list_(new QTreeWidget(this)),
      report_(new QPlainTextEdit(this)),
      recover_(new QPushButton(tr("&Recover"), this)),
      recoverAll_(new QPushButton(tr("Recover &All"), this)),
      discard_(new QPushButton(tr("&Discard…"), this)),
      showReport_(new QPushButton(tr("Show Re&port"), this)),
      copyReport_(new QPushButton(tr("&Copy Report"), this)) {
    setObjectName(QStringLiteral("recoveryDialog"));
    setWindowTitle(tr("Recover Sessions"));
    resize(720, 320);
    heading_->setWordWrap(true);
    list_->setObjectName(QStringLiteral("losses"));
    list_->setAccessibleName(tr("Lost sessions"));
    list_->setHeaderLabels({tr("Model"), tr("Last saved"), tr("What happened")});
    list_->setRootIsDecorated(false);
    list_->setAllColumnsShowFocus(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setTextElideMode(Qt::ElideRight);
    report_->setObjectName(QStringLiteral("crashReport"));
    report_->setAccessibleName(tr("Crash report"));
    report_->setReadOnly(true);
    report_->setLineWrapMode(QPlainTextEdit::NoWrap);
    report_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    report_->hide();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(heading_);
    layout->addWidget(list_, 1);
    layout->addWidget(report_, 2);
    buildButtons();
    connect(list_, &QTreeWidget::itemSelectionChanged, this, &RecoveryDialog::onSelectionChanged);
    connect(list_, &QTreeWidget::itemDoubleClicked, recover_, &QPushButton::click);  // Return does so by default
}

void RecoveryDialog::buildButtons() {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    for (QPushButton* button : {recover_, recoverAll_}) buttons->addButton(button, QDialogButtonBox::ActionRole);
    for (QPushButton* button : {discard_, showReport_, copyReport_})
        buttons->addButton(button, QDialogButtonBox::ActionRole);
    layout()->addWidget(buttons);
    recover_->setDefault(true);
    recover_->setToolTip(tr("Opens the selected sessions; the recovery copies are kept until you save"));
    recoverAll_->setToolTip(tr("Opens every session, each in a window of its own"));
    discard_->setToolTip(tr("Deletes the selected entries"));
    copyReport_->setToolTip(tr("Copies the crash report for a bug report"));
    showReport_->setCheckable(true);
    for (const auto& [button, name] :
         {std::pair{recover_, "recover"}, std::pair{recoverAll_, "recoverAll"}, std::pair{discard_, "discard"},
          std::pair{showReport_, "showReport"}, std::pair{copyReport_, "copyReport"}})
        button->setObjectName(QLatin1String(name));
    connect(recover_, &QPushButton::clicked, this, [this] { recover(selected()); });
    connect(recoverAll_, &QPushButton::clicked, this, [this] { recover(losses_); });
    connect(discard_, &QPushButton::clicked, this, &RecoveryDialog::askToDiscard);
    connect(showReport_, &QPushButton::toggled, this, &RecoveryDialog::showReport);
    connect(copyReport_, &QPushButton::clicked, this, &RecoveryDialog::copyReport);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* remove = new QShortcut(QKeySequence::Delete, list_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, discard_, &QPushButton::click);
}

void RecoveryDialog::setLosses(std::vector<Loss> losses) {
    losses_ = std::move(losses);
    list_->clear();
    for (const Loss& loss : losses_) {
        auto* item = new QTreeWidgetItem(list_, {modelOf(loss), momentOf(loss), storyOf(loss)});
        for (int column = 0; column < item->columnCount(); ++column) item->setToolTip(column, tipOf(loss));
    }
    for (int column = 0; column < 2; ++column) list_->resizeColumnToContents(column);
    heading_->setText(losses_.empty()
                          ? tr("There are no lost sessions and no crash reports.")
                          : tr("aotscope exited before these sessions were closed. Recovering a session opens "
                               "its last autosaved copy."));
    const auto first = std::ranges::find_if(losses_, canBeOpened);
    const auto row = first == losses_.end() ? 0 : first - losses_.begin();
    if (auto* item = list_->topLevelItem(static_cast<int>(row))) list_->setCurrentItem(item);
    onSelectionChanged();
}

std::vector<Loss> RecoveryDialog::selected() const {
    std::vector<Loss> chosen;
    for (int row = 0; row < list_->topLevelItemCount(); ++row)
        if (list_->topLevelItem(row)->isSelected()) chosen.push_back(losses_[static_cast<std::size_t>(row)]);
    return chosen;
}

QString RecoveryDialog::reportFile() const {
    for (const Loss& loss : selected())
        if (loss.report) return loss.report->file;
    return {};
}

void RecoveryDialog::onSelectionChanged() {
    const auto chosen = selected();
    recover_->setEnabled(std::ranges::any_of(chosen, canBeOpened));
    recoverAll_->setEnabled(std::ranges::any_of(losses_, canBeOpened));
    discard_->setEnabled(!chosen.empty());
    const bool reported = !reportFile().isEmpty();
    copyReport_->setEnabled(reported);
    showReport_->setEnabled(reported);
    if (!reported) showReport_->setChecked(false);
    else if (showReport_->isChecked()) report_->setPlainText(readableCrashReport(reportFile()));
}

void RecoveryDialog::recover(const std::vector<Loss>& losses) {
    QStringList files;
    for (const Loss& loss : losses)
        if (canBeOpened(loss)) files << loss.session->file;
    if (!files.isEmpty()) Q_EMIT recoverRequested(files);
}

void RecoveryDialog::askToDiscard() {
    const auto chosen = selected();
    if (chosen.empty()) return;
    const QString question = chosen.size() == 1
                                 ? tr("Discard '%1' of %2?").arg(modelOf(chosen.front()), momentOf(chosen.front()))
                                 : tr("Discard %1 lost sessions?").arg(chosen.size());
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Discard"), question, QMessageBox::Cancel, this);
    box->setInformativeText(tr("Recovery copies and crash reports are deleted. This cannot be undone."));
    box->setObjectName(QStringLiteral("discardLosses"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(discard, &QPushButton::clicked, this, [this, chosen] { Q_EMIT discardRequested(chosen); });
    box->open();
}

void RecoveryDialog::showReport(bool shown) {
    if (shown) report_->setPlainText(readableCrashReport(reportFile()));
    showReport_->setText(shown ? tr("Hide Re&port") : tr("Show Re&port"));
    report_->setVisible(shown);
    if (shown && height() < 560) resize(std::max(width(), 860), 560);
}

void RecoveryDialog::copyReport() { QApplication::clipboard()->setText(readableCrashReport(reportFile())); }

}  // namespace aotscope

#include "controllers/sessions/recovery_controller.h"

#include "controllers/make_action.h"

#include <algorithm>

namespace aotscope {

namespace {

/// Sessions of windows that have ended, each with the report of its crash, then crashes of windows without a copy.
std::vector<Loss> lossesSince(const QString& lastSeen) {
    std::vector<Loss> losses;
    std::vector<CrashReport> reports = crashReports();
    for (const LostSession& session : RecoveryFile::lost()) {
        const auto report = std::ranges::find(reports, session.file, &CrashReport::recoveryCopy);
        Loss loss{session, std::nullopt};
        if (report != reports.end()) loss.report = *report;
        losses.push_back(loss);
        if (report != reports.end()) reports.erase(report);
    }
    for (const CrashReport& report : reports)
        if (!report.recoveryCopy.isEmpty() && QFileInfo(report.file).fileName() > lastSeen)
            losses.push_back({std::nullopt, report});
    return losses;
}

bool isAbout(const Loss& loss, const QStringList& sessions) {
    return loss.session && sessions.contains(loss.session->file);
}

}  // namespace

RecoveryController::RecoveryController(QWidget* window, std::function<bool()> isFree)
    : QObject(window),
      window_(window),
      isFree_(std::move(isFree)),
      action_(makeAction(this, QStringLiteral("actionRecover"), tr("Reco&ver Sessions…"), {},
                         tr("Lists sessions lost when the program exited or crashed, and crash reports"),
                         [this] { show(); })) {}

void RecoveryController::offer() {
    if (auto losses = lossesSince(settings_.lastCrashSeen()); !losses.empty()) showDialog(std::move(losses));
}

void RecoveryController::show() { showDialog(lossesSince({})); }

void RecoveryController::showDialog(std::vector<Loss> losses) {
    if (!dialog_) {
        dialog_ = new RecoveryDialog(window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &RecoveryDialog::recoverRequested, this, &RecoveryController::recover);
        connect(dialog_, &RecoveryDialog::discardRequested, this, &RecoveryController::discard);
        connect(dialog_, &QDialog::finished, this, &RecoveryController::markSeen);
    }
    dialog_->setLosses(std::move(losses));
    dialog_->show();  // the window can be used meanwhile
    dialog_->raise();
}

void RecoveryController::recover(const QStringList& files) {
    std::vector<Loss> rest = dialog_->losses();
    std::erase_if(rest, [&](const Loss& loss) { return isAbout(loss, files); });
    for (qsizetype i = 0; i < files.size(); ++i) {
        if (i == 0 && isFree_()) Q_EMIT openRequested(files[i]);
        else Q_EMIT openElsewhereRequested(files[i]);
    }
    if (rest.empty()) dialog_->accept();
    else dialog_->setLosses(std::move(rest));
}

void RecoveryController::discard(const std::vector<Loss>& losses) {
    std::vector<Loss> rest = dialog_->losses();
    for (const Loss& loss : losses) {
        if (loss.session) RecoveryFile::remove(loss.session->file);
        if (loss.report) QFile::remove(loss.report->file);
        std::erase_if(rest, [&](const Loss& other) {
            return loss.session ? isAbout(other, {loss.session->file})
                                : !other.session && other.report->file == loss.report->file;
        });
    }
    if (rest.empty()) dialog_->accept();
    else dialog_->setLosses(std::move(rest));
}

void RecoveryController::markSeen() {
    if (const auto reports = crashReports(); !reports.empty())
        settings_.setLastCrashSeen(QFileInfo(reports.front().file).fileName());
}

}  // namespace aotscope

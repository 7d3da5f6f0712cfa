#pragma once

#include "controllers/sessions/recovery.h"
#include "crash/crash_reports.h"

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

#include <optional>

namespace aotscope {

/// What a program that ended unexpectedly has left: a session, a crash report, or both.
struct Loss {
    std::optional<LostSession> session;
    std::optional<CrashReport> report;
};

/// Lists losses and offers actions for each. Does nothing itself.
class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    explicit RecoveryDialog(QWidget* parent = nullptr);
    void setLosses(std::vector<Loss> losses);
    const std::vector<Loss>& losses() const { return losses_; }

Q_SIGNALS:
    void recoverRequested(const QStringList& files);
    void discardRequested(const std::vector<Loss>& losses);

private:
    void buildButtons();
    std::vector<Loss> selected() const;
    void onSelectionChanged();
    void recover(const std::vector<Loss>& losses);
    void askToDiscard();
    void showReport(bool shown);
    void copyReport();
    /// The first that the selected losses have; empty: none.
    QString reportFile() const;

    std::vector<Loss> losses_;
    QLabel* heading_;
    QTreeWidget* list_;
    QPlainTextEdit* report_;
    QPushButton *recover_, *recoverAll_, *discard_, *showReport_, *copyReport_;
};

}  // namespace aotscope

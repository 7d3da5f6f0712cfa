#pragma once

#include "session/remote/session_remote.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace aotscope {

/// Asks for a model on another machine: the machine, then a file in its folders.
class RemoteDialog : public QDialog {
    Q_OBJECT

public:
    /// `hosts`: those used before, the most recent first.
    explicit RemoteDialog(const QStringList& hosts, QWidget* parent = nullptr);

    QComboBox* host() const { return host_; }
    QLineEdit* command() const { return command_; }
    QLineEdit* path() const { return path_; }
    QTreeWidget* entries() const { return entries_; }
    QPushButton* openButton() const { return open_; }
    QString message() const { return message_->text(); }
    /// The typed model, as Options::model names it. Throws UsageError.
    QString model() const;

    /// A folder is being listed; empty: no longer.
    void setStage(const QString& stage);
    void setProblem(const QString& sentence);
    void setFolder(const RemoteFolder& folder);

Q_SIGNALS:
    /// The contents of path()'s folder.
    void folderWanted();
    void cancelRequested();

private:
    void arrange();
    void connectParts();
    void chooseEntry(const QTreeWidgetItem* item);
    void goUp();
    void enable();

    QComboBox* host_;
    QLineEdit *command_, *path_;
    QPushButton *connect_, *up_, *open_;
    QTreeWidget* entries_;
    QLabel* message_;
    QString folder_;  ///< the listed one; empty: none
    bool listing_ = false;
};

}  // namespace aotscope

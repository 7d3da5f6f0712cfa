#pragma once

#include "session/remote/session_remote.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace aotscope {

/// Asks for a model on another machine: the machine, then a file in the folders there.
class RemoteDialog : public QDialog {
    Q_OBJECT

public:
    /// `hosts`: those used before, the last one first.
    explicit RemoteDialog(const QStringList& hosts, QWidget* parent = nullptr);

    QComboBox* host() const { return host_; }
    QLineEdit* command() const { return command_; }
    QLineEdit* path() const { return path_; }
    QTreeWidget* entries() const { return entries_; }
    QPushButton* openButton() const { return open_; }
    QString message() const { return message_->text(); }
    /// What is typed, as Options::model names it. Throws UsageError.
    QString model() const;

    /// A folder is on its way; empty: none is any more.
    void setStage(const QString& stage);
    void setProblem(const QString& sentence);
    void setFolder(const RemoteFolder& folder);

Q_SIGNALS:
    /// The contents of the folder that path() is in.
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
    QString folder_;  ///< that is listed; empty: none
    bool listing_ = false;
};

}  // namespace aotscope

#pragma once

#include "controllers/background_job.h"
#include "controllers/settings.h"
#include "panels/remote_dialog.h"

#include <QAction>
#include <QPointer>
#include <QTimer>

namespace aotscope {

/// Lets people choose a model on another machine, and remembers the machines.
class RemoteController : public QObject {
    Q_OBJECT

public:
    RemoteController(Settings* settings, QWidget* window);
    ~RemoteController() override;

    QAction* action() const { return action_; }
    /// Null: it is closed.
    RemoteDialog* dialog() const { return dialog_; }
    bool busy() const { return job_.running(); }
    /// Watches the connection of the open session.
    void setSession(std::shared_ptr<const Session> session);

Q_SIGNALS:
    /// A model, as Options::model names it.
    void chosen(const QString& model);
    /// The connection of the open session is broken: one sentence.
    void disconnected(const QString& sentence);

private:
    void look();
    void open();
    void list();
    void accept();

    Settings* settings_;
    QWidget* window_;
    QAction* action_;
    QPointer<RemoteDialog> dialog_;
    QString place_;  ///< whose folders these are
    std::shared_ptr<const RemoteFolders> folders_;
    BackgroundJob job_;
    std::shared_ptr<const Session> session_;
    QTimer clock_;           ///< while a session has a connection
    bool connected_ = true;  ///< when last looked at
};

}  // namespace aotscope

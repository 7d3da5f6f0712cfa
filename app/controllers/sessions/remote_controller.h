#pragma once

#include "controllers/background_job.h"
#include "controllers/controller.h"
#include "controllers/settings.h"
#include "panels/dialogs/remote_dialog.h"
#include "remote/engine_link.h"

#include <QAction>
#include <QPointer>

#include <set>

namespace aotscope {

/// Lets the user choose a model on another machine, and remembers the machines.
class RemoteController : public Controller {
    Q_OBJECT

public:
    /// `job`: shared with everything else that runs the model, one at a time.
    RemoteController(BackgroundJob* job, Settings* settings, QWidget* window);
    ~RemoteController() override;

    QAction* action() const { return action_; }
    /// Possible while the connection of the open session is broken, or its engine has ended: the window stays as it is.
    QAction* reconnectAction() const { return reconnect_; }
    /// Null: no session is open.
    RemoteDialog* dialog() const { return dialog_; }
    bool busy() const override { return job_.running(); }
    /// Watches the connection to the engine of the open session, here or on another machine.
    void setSession(const std::shared_ptr<const Session>& session) override;

public Q_SLOTS:
    /// Something has become of a connection. The end of each is told once.
    void heed(const aotscope::EngineLink& link);

Q_SIGNALS:
    /// A model, as Options::model names it.
    void chosen(const QString& model);
    /// The open session is on another machine; empty: on this one. `why`: why the connection is broken.
    void machineChanged(const QString& place, const QString& why);
    /// One sentence: why, and what to do.
    void disconnected(const QString& sentence);
    void reconnected();

private:
    QString machine() const;  ///< of the session; empty: this one
    void showLink();
    void tell(const EngineLink& link);
    void reconnect();
    void open();
    void list();
    void accept();

    BackgroundJob* modelJob_;
    Settings* settings_;
    QWidget* window_;
    QAction *action_, *reconnect_;
    QPointer<RemoteDialog> dialog_;
    QString place_;  ///< whose folders these are
    std::shared_ptr<const RemoteFolders> folders_;
    BackgroundJob job_;
    std::shared_ptr<const Session> session_;
    std::shared_ptr<void> watch_;
    EngineLink link_;               ///< of the session
    std::set<std::uint64_t> told_;  ///< connections whose end was told
};

}  // namespace aotscope

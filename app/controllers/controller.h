#pragma once

#include "controllers/background_job.h"
#include "controllers/selection.h"
#include "controllers/settings.h"
#include "panels/graph/graph_pane.h"
#include "session/engine.h"

#include <QMainWindow>

namespace aotscope {

/// The parts of the window that controllers work with.
struct Surroundings {
    QMainWindow* window;
    std::shared_ptr<const Engine> engine;  ///< runs the models
    Settings* settings;
    GraphPane* pane;  ///< with the graphs of the open session
    Selection* selection;
};

/// Asks where to write a file, in the last folder unless `name` has one. Empty: nowhere. The folder is remembered.
QString askToSave(QWidget* window, Settings& settings, const QString& title, const QString& name,
                  const QString& filter);

/// A feature of the window. The window connects these signals once, for all controllers in its list.
class Controller : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    explicit Controller(const Surroundings& around)
        : QObject(around.window),
          window_(around.window),
          engine_(around.engine),
          settings_(around.settings),
          pane_(around.pane),
          selection_(around.selection) {}

    /// Whether something runs in the background, or is about to.
    virtual bool busy() const;
    /// Called when another session is shown. The base does nothing.
    virtual void setSession(const std::shared_ptr<const Session>& session);

Q_SIGNALS:
    /// A job of this title begins.
    void aboutToStart(const QString& title);
    /// Work of its own has started, entered a stage, or ended.
    void started(const QString& title);
    void stageEntered(const QString& stage);
    void finished();
    /// A sentence for the status bar.
    void said(const QString& sentence);
    void failed(std::exception_ptr error);

protected:
    /// The work and the failures of `worker`, a job or a part of this controller, are its own.
    template <typename Worker>
    void forward(Worker* worker) {
        connect(worker, &Worker::started, this, &Controller::started);
        connect(worker, &Worker::stageEntered, this, &Controller::stageEntered);
        connect(worker, &Worker::finished, this, &Controller::finished);
        connect(worker, &Worker::failed, this, &Controller::failed);
    }
    /// Runs `act`; an error is failed().
    template <typename Act>
    void guarded(Act&& act) {
        try {
            act();
        } catch (...) {
            Q_EMIT failed(std::current_exception());
        }
    }

    QMainWindow* window_ = nullptr;
    std::shared_ptr<const Engine> engine_;
    Settings* settings_ = nullptr;
    GraphPane* pane_ = nullptr;
    Selection* selection_ = nullptr;
};

}  // namespace aotscope

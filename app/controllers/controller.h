#pragma once

#include <QObject>

#include <exception>
#include <memory>

namespace aotscope {

class Engine;
class Session;

/// A feature of the window. The window connects these signals once, for all controllers in its list.
class Controller : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

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
};

}  // namespace aotscope

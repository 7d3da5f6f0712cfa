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
    /// A sentence for the status bar.
    void said(const QString& sentence);
    void failed(std::exception_ptr error);
};

}  // namespace aotscope

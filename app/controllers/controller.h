#pragma once

#include <QObject>

#include <exception>

namespace aotscope {

struct Theme;

/// A feature of the window. The window connects these signals once, for all controllers in its list.
class Controller : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Whether something runs in the background, or is about to.
    virtual bool busy() const;
    virtual void setTheme(const Theme& theme);

Q_SIGNALS:
    /// A job of this title begins.
    void aboutToStart(const QString& title);
    /// A sentence for the status bar.
    void said(const QString& sentence);
    void failed(std::exception_ptr error);
};

}  // namespace aotscope

#pragma once

#include <QObject>

#include <exception>

namespace aotscope {

struct Theme;

/// One thing that the window lets people do. What all of them may have to say goes one way: the window connects it
/// once, for all in its list.
class Controller : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Whether something runs in the background, or is about to. The base: nothing does.
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

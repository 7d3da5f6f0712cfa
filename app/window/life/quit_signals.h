#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace aotscope {

/// Hears that the system or a terminal asks the program to end (SIGTERM, SIGINT, SIGHUP), on the thread of the window.
/// A second request ends it at once.
class QuitSignals : public QObject {
    Q_OBJECT

public:
    explicit QuitSignals(QObject* parent = nullptr);
    /// Ends the program as `signal` would have.
    [[noreturn]] static void endBy(int signal);

Q_SIGNALS:
    void asked(int signal);

private:
    void onReadable();

    QSocketNotifier* notifier_;
};

}  // namespace aotscope

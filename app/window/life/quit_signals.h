#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace aotscope {

/// Receives requests of the system or a terminal to end the program (SIGTERM, SIGINT, SIGHUP) on the thread of the
/// window. A second request ends it at once.
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

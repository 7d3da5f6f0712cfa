#pragma once

#include "support/error.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QProcess>
#include <QString>
#include <atomic>
#include <vector>

namespace aotscope {

/// Why Graphviz made no layout, as a sentence.
class NoLayout : public Error {
public:
    using Error::Error;
};

/// Graphviz's `dot` as a child process that answers one batch of questions after the other, and that can be killed:
/// Graphviz itself can neither be cancelled nor used from several threads.
class DotProcess {
public:
    /// Starts it. `cancelled` may become true at any time.
    explicit DotProcess(const std::atomic<bool>& cancelled);
    ~DotProcess();
    DotProcess(const DotProcess&) = delete;
    DotProcess& operator=(const DotProcess&) = delete;

    /// The answer to each question in the "plain" format. Throws NoLayout if an answer does not arrive in time.
    std::vector<QByteArray> ask(const std::vector<QByteArray>& questions);

private:
    const std::atomic<bool>& cancelled_;
    QProcess process_;
    QElapsedTimer clock_;
    QByteArray unread_;
};

}  // namespace aotscope

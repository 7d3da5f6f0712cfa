#pragma once

#include "support/literals.h"

#include <QFile>
#include <QString>

#include <array>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

namespace aotscope::test {

/// Returns the result of `job`, run in a child process, so that a crash is a finding like any other.
template <typename Job>
QString inChild(Job&& job) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return u"no pipe"_s;
    const pid_t child = fork();
    if (child == 0) {
        alarm(600);  // ends a hanging child
        for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(fatal, SIG_DFL);
        const QByteArray result = job().toUtf8();
        _exit(::write(ends[1], result.constData(), static_cast<std::size_t>(result.size())) == result.size() ? 0 : 1);
    }
    close(ends[1]);
    QFile reader;
    QByteArray result;
    if (reader.open(ends[0], QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) result = reader.readAll();
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? u"killed by signal %1"_s.arg(WTERMSIG(status)) : QString::fromUtf8(result);
}

}  // namespace aotscope::test

#pragma once

#include "app/session_steps.h"
#include "support/fork_request.h"
#include "support/forks.h"
#include "support/program.h"

#include <QDir>
#include <QProcess>

#include <algorithm>
#include <csignal>

namespace aotscope::test {

/// The program window_victim, forked, with its data where this process has its own, and its settings next to it.
class Victim {
public:
    explicit Victim(const QStringList& arguments) {
        static const ForkServer server(WINDOW_VICTIM);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QLatin1String(kServerVariable), QString::fromStdString(server.name()));
        process_.setProcessEnvironment(environment);
        process_.start(forkedProgram(), arguments);
        process_.waitForStarted(kPatience);
    }
    Victim(const Victim&) = delete;
    Victim& operator=(const Victim&) = delete;
    ~Victim() {
        if (process_.state() != QProcess::NotRunning) end(SIGKILL);
    }

    bool waitFor(const char* line) {
        QElapsedTimer clock;
        clock.start();
        while (!lines().contains(line) && clock.elapsed() < kPatience && process_.state() == QProcess::Running)
            process_.waitForReadyRead(1000);
        return lines().contains(line);
    }
    /// Waits for another line that begins like this.
    bool waitForNext(const char* beginning) {
        const auto count = [&] {
            const auto all = lines();
            return std::ranges::count_if(all, [&](const QByteArray& line) { return line.startsWith(beginning); });
        };
        const auto before = count();
        while (count() == before && process_.state() == QProcess::Running)
            if (!process_.waitForReadyRead(kPatience)) break;
        return count() > before;
    }
    void end(int signal) {
        ::kill(static_cast<pid_t>(process_.processId()), signal == SIGKILL ? kKill : signal);
        process_.waitForFinished(kPatience);
    }
    /// The number of the signal that ended it; 0: none.
    int signal() {
        if (process_.state() == QProcess::Running) process_.waitForFinished(kPatience);
        return process_.exitStatus() == QProcess::CrashExit ? process_.exitCode() : 0;
    }
    /// By itself, with success.
    bool ended() const {
        return process_.state() == QProcess::NotRunning && process_.exitStatus() == QProcess::NormalExit &&
               process_.exitCode() == 0;
    }
    QByteArrayList lines() {
        said_ += process_.readAllStandardOutput();
        return said_.left(said_.lastIndexOf('\n') + 1).split('\n');
    }
    QByteArray errors() { return process_.readAllStandardError(); }

private:
    QProcess process_;
    QByteArray said_;
};

/// The number of the mark (see window_victim) in a session's file; -1: none.
inline int markIn(const QString& file) {
    const QString view = q(contentOfFile(file).view);
    return view.contains("mark-"_L1) ? view.section("mark-"_L1, 1, 1).section(u'-', 0, 0).toInt() : -1;
}

}  // namespace aotscope::test

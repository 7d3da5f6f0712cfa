#pragma once

#include "support/literals.h"

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

namespace aotscope::test {

/// The outcome of a run of the program. The code of a crash is the negative number of its signal; a program that runs
/// for ten minutes is ended by SIGALRM.
struct ProgramRun {
    int code = 0;
    QByteArray out, err;
    double cpuSeconds = 0;
    std::int64_t peakBytes = 0;

    /// "exit 1: aotscope: ..." for messages of failed tests.
    QByteArray text() const;
    /// True if stderr has exactly one message.
    bool oneSentence() const;
};

/// Runs the program in a new process, which begins at main(): see fork_server.cpp.
ProgramRun runProgram(const QStringList& arguments);

/// An executable that runs the program in the same way, for commands started by others: see forked_program.cpp.
QString forkedProgram();

/// The JSON object in `path`; may be empty.
QJsonObject readJson(const QString& path);

}  // namespace aotscope::test

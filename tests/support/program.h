#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

namespace aotscope::test {

/// What the program under test did. A crash has the negative number of its signal as the code; what does not end by
/// itself in ten minutes crashes with SIGALRM.
struct ProgramRun {
    int code = 0;
    QByteArray out, err;
    double processorSeconds = 0;
    std::int64_t peakBytes = 0;

    /// "exit 1: aotscope: ..." for messages of failed tests.
    QByteArray text() const;
    /// True if stderr holds exactly one sentence, as a user should see it.
    bool oneSentence() const;
};

/// In a process of its own, which begins at main(): see fork_server.cpp.
ProgramRun runProgram(const QStringList& arguments);

/// The JSON object in `path`; empty if there is none.
QJsonObject readJson(const QString& path);

}  // namespace aotscope::test

#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringList>

namespace aotscope::test {

/// What the program under test did. A crash has the negative number of its signal as the code.
struct ProgramRun {
    int code = 0;
    QByteArray out, err;

    /// "exit 1: aotscope: ..." for messages of failed tests.
    QByteArray text() const;
    /// True if stderr holds exactly one sentence, as a user should see it.
    bool oneSentence() const;
};

ProgramRun runProgram(const QStringList& arguments, int timeoutMs = 300'000);

/// The JSON object in `path`; empty if there is none.
QJsonObject readJson(const QString& path);

}  // namespace aotscope::test

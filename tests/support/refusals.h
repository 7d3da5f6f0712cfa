#pragma once

#include "support/program.h"
#include "support/rows.h"
#include "support/scratch.h"

namespace aotscope::test {

/// The words of `text`; "@name" stands for the path of that file in the test's folder.
inline QStringList argumentsFrom(const QString& text, const Scratch& scratch) {
    QStringList list;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts))
        list << (word.startsWith(u'@') ? scratch.at(word.mid(1)) : word);
    return list;
}

/// For the data of a test of refusals: a function that adds a row of arguments, the exit code, and a part of the error
/// message.
inline auto refusalRows() { return columns<QString, int, QString>("arguments", "code", "sentence"); }

/// Runs the row of refusalRows().
inline void isRefused(const Scratch& scratch) {
    FETCH(QString, arguments, sentence);
    QFETCH(int, code);
    const ProgramRun run = runProgram(argumentsFrom(arguments, scratch));
    QVERIFY2(run.oneSentence() && run.err.contains(sentence.toUtf8()), run.text().constData());
    QCOMPARE(run.code, code);
}

}  // namespace aotscope::test

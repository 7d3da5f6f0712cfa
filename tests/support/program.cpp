#include "support/program.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>

namespace aotscope::test {

QByteArray ProgramRun::text() const { return "exit " + QByteArray::number(code) + ": " + err + out.left(500); }

bool ProgramRun::oneSentence() const {
    return err.startsWith("aotscope: ") && err.endsWith('\n') && err.count('\n') == 1;
}

ProgramRun runProgram(const QStringList& arguments, int timeoutMs) {
    QProcess process;
    process.start(QStringLiteral(AOTSCOPE_PROGRAM), arguments);
    ProgramRun run;
    if (!process.waitForFinished(timeoutMs)) {
        run.code = -1000;
        run.err = process.errorString().toUtf8();
        process.kill();
        process.waitForFinished();
        return run;
    }
    run.code = process.exitStatus() == QProcess::CrashExit ? -process.exitCode() : process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

QJsonObject readJson(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace aotscope::test

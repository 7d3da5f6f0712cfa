// The program with the window becomes the engine, aotscope-engine, for the commands that draw nothing.

#include "test_cli.h"

#include "support/forks.h"
#include "support/patience.h"

#include <QFileInfo>
#include <QProcess>

using namespace aotscope::test;

namespace {

ProgramRun runWithEngine(const QString& engine, const QStringList& arguments,
                         const QString& program = QStringLiteral(AOTSCOPE_PROGRAM)) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"AOTSCOPE_ENGINE"_s, engine);
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.waitForFinished(kPatience);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// In a build without Qt, both are one.
bool isOneProgram() { return QFileInfo(QStringLiteral(AOTSCOPE_PROGRAM)).isSymLink(); }

}  // namespace

void TestCli::everyCommandIsReached() {
    const QString top = QString::fromUtf8(runWithEngine(engineFile(), {u"--help"_s}).out);
    static const QRegularExpression name(u"^  ([a-z]+)  "_s, QRegularExpression::MultilineOption);
    int count = 0;
    for (const auto& command : name.globalMatch(top.section(u"\nSubcommands:\n"_s, 1).section(u"\nExample"_s, 0, 0))) {
        const ProgramRun help = runWithEngine(engineFile(), {command.captured(1), u"--help"_s});
        QVERIFY2(help.code == 0 && help.out.contains("aotscope " + command.captured(1).toUtf8() + " ["),
                 help.text().constData());
        ++count;
    }
    QVERIFY(count > 10);
    const ProgramRun run = runWithEngine(engineFile(), words("run sample:sincos --check"));
    QVERIFY2(run.code == 0 && run.out.contains("equal to eager"), run.text().constData());
}

void TestCli::theEngineDrawsNothing() {
    const QString picture = at(u"engine.svg"_s);
    for (const QStringList& arguments :
         {QStringList{u"export"_s, u"sample:sincos"_s, u"-o"_s, picture},
          QStringList{u"pareto"_s, u"sample:mlp"_s, u"--svg"_s, picture},
          QStringList{u"diff"_s, u"sample:mlp"_s, u"sample:sincos"_s, u"-o"_s, picture}, QStringList()}) {
        const ProgramRun run = runWithEngine(engineFile(), arguments, engineFile());
        QVERIFY2(run.code == 2 && run.oneSentence() && run.err.contains("the program aotscope"),
                 run.text().constData());
    }
    QVERIFY(!QFileInfo::exists(picture));
}

void TestCli::aMissingEngineIsNamed() {
    if (isOneProgram()) QSKIP("SKIPPED: this build has no window");
    const ProgramRun run = runWithEngine(at(u"nowhere"_s), words("run sample:sincos"));
    QVERIFY2(run.code == 1 && run.oneSentence() && run.err.contains("aotscope-engine, which runs models, is missing"),
             run.text().constData());
    QCOMPARE(runWithEngine(at(u"nowhere"_s), words("--version")).code, 0);
    // It would start itself again and again.
    QCOMPARE(runWithEngine(QStringLiteral(AOTSCOPE_PROGRAM), words("run sample:sincos")).err.count("is missing"), 1);
    const ProgramRun typed = runWithEngine(at(u"nowhere"_s), words("rn sample:sincos"));
    QVERIFY2(typed.code == 2 && typed.err.contains("did you mean 'run'?"), typed.text().constData());
    const ProgramRun help = runWithEngine(at(u"nowhere"_s), words("--help"));
    QVERIFY2(help.code == 0 && help.out.contains("\n  run "), help.text().constData());
}

void TestCli::printedGraphsAreDrawnWithoutAnEngine() {
    if (isOneProgram()) QSKIP("SKIPPED: this build has no window");
    const QString log = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log"), drawn = at(u"drawn.txt"_s);
    const QString dead = scratch_.write(u"dead"_s, "#!/bin/sh\nexit 3\n");
    QFile(dead).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    for (const auto& [engine, why] :
         {std::pair(at(u"nowhere"_s), "which runs models, is missing"), std::pair(dead, "cannot start the engine")}) {
        const auto exportOf = [&](const QString& model) {
            return runWithEngine(engine, {u"export"_s, model, u"--graph"_s, u"joint"_s, u"-o"_s, drawn});
        };
        QFile::remove(drawn);
        const ProgramRun run = exportOf(log), refused = exportOf(u"sample:mlp"_s);
        QVERIFY2(run.code == 0, run.text().constData());
        QVERIFY(contentOf(drawn).contains("graph joint"));
        QVERIFY2(refused.code == 1 && refused.oneSentence() && refused.err.contains(why), refused.text().constData());
    }
}

void TestCli::aMissingLibraryIsNamed() {
    if (isOneProgram()) QSKIP("SKIPPED: this build has no window");
    QByteArray program = contentOf(engineFile());
    program.replace(QByteArrayView("libc10.so\0", 10), QByteArrayView("libc11.so\0", 10));
    const QString engine = scratch_.write(u"engine"_s, program);
    QFile(engine).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    const ProgramRun run = runWithEngine(engine, words("run sample:sincos"));
    QVERIFY2(run.code == 1 && run.oneSentence() && run.err.contains("does not find the library 'libc11.so'"),
             run.text().constData());
    QFile::remove(engine);
}

void TestCli::theEngineOfAnotherTorch() {
    const QString usual = at(u"engine"_s);
    QDir(scratch_.path()).mkpath(u"torch2_99"_s);
    const auto writeEngine = [&](const QString& file, const QByteArray& script) {
        QFile::setPermissions(scratch_.write(file, "#!/bin/sh\n" + script + '\n'), QFile::ReadOwner | QFile::ExeOwner);
    };
    writeEngine(u"engine"_s, "exec " + engineFile().toUtf8() + " \"$@\"");
    writeEngine(u"torch2_99/aotscope-engine"_s, "echo \"for 2.99: $*\"");
    for (const char* arguments : {"run sample:sincos --torch 2.99", "train sample:mlp --torch=2.99.1"}) {
        const ProgramRun run = runWithEngine(usual, words(arguments));
        QVERIFY2(run.code == 0 && run.out == "for 2.99: " + QByteArray(arguments) + '\n', run.text().constData());
    }
    for (const char* arguments : {"run sample:sincos --torch 2.98", "diff sample:sincos --against=--torch=2.98"}) {
        const ProgramRun run = runWithEngine(usual, words(arguments));
        QVERIFY2(run.code == 2 && run.oneSentence() && run.err.contains("there is no engine for torch 2.98, only for "),
                 run.text().constData());
    }
    QFile::remove(at(u"torch2_99/aotscope-engine"_s));
    writeEngine(u"torch2_99/aotscope-engine"_s, "exec " + engineFile().toUtf8() + " \"$@\"");
    for (const char* arguments : {"run sample:sincos --torch 2.99", "diff sample:sincos --against=--torch=2.99"}) {
        const ProgramRun run = runWithEngine(usual, words(arguments));
        QVERIFY2(run.code == 0, run.text().constData());
    }
    QFile::remove(usual);
    QDir(at(u"torch2_99"_s)).removeRecursively();
}

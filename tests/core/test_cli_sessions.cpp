// The command line and session files: written by one command, used by another.

#include "io/session/session_file.h"
#include "support/refusals.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QtTest>

namespace aotscope::test::cli_sessions_test {

class TestCliSessions : public QObject {
    Q_OBJECT

    Scratch scratch_;

    ProgramRun run(const QString& arguments) const { return runProgram(argumentsFrom(arguments, scratch_)); }

private Q_SLOTS:
    void initTestCase() {
        const auto made = run(QStringLiteral("run sample:mlp --time 2 --save @mlp.aotscope"));
        QVERIFY2(made.code == 0, made.err.constData());
        QVERIFY(made.out.contains(scratch_.at(QStringLiteral("mlp.aotscope")).toUtf8()));
        QVERIFY(QFile::exists(scratch_.at(QStringLiteral("mlp.aotscope"))));
        const auto compiled =
            run(QStringLiteral("run sample:mlp --save @plugin.aotscope --compiler counting --plugin ") +
                QStringLiteral(PLUGIN_COUNTING));
        QVERIFY2(compiled.code == 0, compiled.err.constData());
    }

    /// Commands give the same output for a model and for its session.
    void answersLikeTheModel_data() {
        QTest::addColumn<QString>("options");
        for (const char* options : {"", "--budget 0.2", "--partition default"})
            QTest::newRow(*options ? options : "(none)") << QString::fromLatin1(options);
    }
    void answersLikeTheModel() {
        QFETCH(QString, options);
        const auto partitionOf = [&](const QString& model) {
            const auto result = run(QStringLiteral("partition %1 %2 --report @report.json").arg(model, options));
            return result.code == 0 ? readJson(scratch_.at(QStringLiteral("report.json")))[QLatin1String("partition")]
                                    : QJsonValue(QString::fromUtf8(result.err));
        };
        const QJsonValue wanted = partitionOf(QStringLiteral("sample:mlp"));
        QVERIFY(wanted.isObject());
        QCOMPARE(partitionOf(QStringLiteral("@mlp.aotscope")), wanted);
    }

    void paretoNeedsNoModel() {
        const auto bytesOf = [&](const QString& model) {
            QStringList bytes;
            run(QStringLiteral("pareto %1 --points 4 --json @points.json").arg(model));
            const auto points = readJson(scratch_.at(QStringLiteral("points.json")))[QLatin1String("points")].toArray();
            for (const auto& point : points)
                bytes << QString::number(point.toObject()[QLatin1String("saved_bytes")].toDouble());
            return bytes;
        };
        const QStringList wanted = bytesOf(QStringLiteral("sample:mlp"));
        QCOMPARE(wanted.size(), 4);
        QVERIFY(QSet<QString>(wanted.begin(), wanted.end()).size() > 1);
        QCOMPARE(bytesOf(QStringLiteral("@mlp.aotscope")), wanted);
    }

    void exportsTheSameGraph() {
        for (const char* graph : {"joint", "forward", "backward", "functional"}) {
            const QString tail = QStringLiteral(" --graph %1 -o @%2.txt").arg(QLatin1String(graph));
            QCOMPARE(run(QStringLiteral("export sample:mlp") + tail.arg(QStringLiteral("model"))).code, 0);
            QCOMPARE(run(QStringLiteral("export @mlp.aotscope") + tail.arg(QStringLiteral("session"))).code, 0);
            QCOMPARE(contentOf(scratch_.at(QStringLiteral("session.txt"))),
                     contentOf(scratch_.at(QStringLiteral("model.txt"))));
        }
    }

    void passesAndDiff() {
        const auto passes = run(QStringLiteral("passes @mlp.aotscope"));
        QCOMPARE(passes.code, 0);
        QVERIFY(passes.out.contains("common-subexpressions"));
        QCOMPARE(run(QStringLiteral("diff @mlp.aotscope sample:mlp --fail-on-change")).code, 0);
        QCOMPARE(run(QStringLiteral("diff @mlp.aotscope sample:aliasing --fail-on-change")).code, 3);
    }

    /// Times that were measured before saving are shown after opening.
    void showsSavedTimes() {
        const auto shown = run(QStringLiteral("run @mlp.aotscope"));
        QCOMPARE(shown.code, 0);
        QVERIFY2(shown.out.contains("median (quartiles) of 2 "), shown.out.constData());
    }

    /// A session that uses a plug-in can be shown without it, and run with it.
    void codeIsLoadedOnlyIfItIsNamedHere() {
        const QString plugin = QStringLiteral(" --plugin " PLUGIN_COUNTING);
        for (const char* command :
             {"passes @plugin.aotscope", "run @plugin.aotscope", "partition @plugin.aotscope --budget 0.2",
              "export @plugin.aotscope -o @plugin.txt", "pareto @plugin.aotscope --points 2"}) {
            const auto shown = run(QString::fromUtf8(command));
            QVERIFY2(shown.code == 0, shown.err.constData());
        }
        const auto checked = run(QStringLiteral("run @plugin.aotscope --check") + plugin);
        QVERIFY2(checked.code == 0, checked.err.constData());
        QVERIFY2(checked.out.endsWith("\ncompilers: forward counting, backward counting\n"), checked.out.constData());
        const auto configured =
            run(QStringLiteral("run @plugin.aotscope --check --compiler-option counting.together=2") + plugin);
        QVERIFY2(configured.code == 0, configured.err.constData());
        QVERIFY2(configured.out.contains("\ncompilers: forward counting ("), configured.out.constData());
    }

    /// A library named by the session is loaded only if the command line names it, too.
    void librariesAreLoadedOnlyIfTheyAreNamedHere() {
        const std::string session = scratch_.at(QStringLiteral("mlp.aotscope")).toStdString();
        SessionContent content = readSessionFile(session).content;
        const QString trap = scratch_.at(QStringLiteral("trap.so")), sprung = trap + QStringLiteral(".loaded");
        QVERIFY(QFile::copy(QStringLiteral(PLUGIN_TRAP), trap));
        content.code.libraries = {trap.toStdString()};
        writeSessionFile(scratch_.at(QStringLiteral("trap.aotscope")).toStdString(), content);
        QCOMPARE(run(QStringLiteral("run @trap.aotscope --check")).code, 0);
        QVERIFY(!QFile::exists(sprung));
        const auto named = run(QStringLiteral("run @trap.aotscope --check --library @trap.so"));
        QVERIFY2(named.code == 0, named.err.constData());
        QVERIFY(QFile::exists(sprung));
    }

    void isCheckedWhereItsModelIs() { QCOMPARE(run(QStringLiteral("run @mlp.aotscope --check")).code, 0); }

    void refusals_data() {
        const auto row = refusalRows();
        row("run @mlp.aotscope --inference", 2, "saved session");
        row("passes @mlp.aotscope --decompose core-aten", 2, "saved session");
        row("run sample:mlp --embed", 2, "--save FILE.aotscope");
        row("run sample:mlp --save @a.aotscope --embed", 2, "not a file that could be put");
        row("run sample:mlp --save @a.aotscope --save @b.aotscope", 2, "one session file");
        row("partition sample:mlp --save @a.aotscope", 2, "only 'aotscope run'");
        row("run sample:mlp --save @missing/a.aotscope", 1, "cannot write");
        row("run @no.aotscope", 1, "no.aotscope");
        const char* plugin = "--plugin '" PLUGIN_COUNTING "'";
        for (const char* command :
             {"run @plugin.aotscope --check", "run @plugin.aotscope --time 1", "train @plugin.aotscope",
              "debug @plugin.aotscope", "pareto @plugin.aotscope --measure",
              "partition @plugin.aotscope --estimator measured --budget 0.5"})
            row(command, 1, plugin);
        row("run @plugin.aotscope --compiler-option fused.reductions=false", 2, "saved session");
        row("run @text.aotscope", 1, "cannot open the session");
    }
    void refusals() {
        scratch_.write(QStringLiteral("text.aotscope"), "this is not a session");
        isRefused(scratch_);
    }
};

AOTSCOPE_TEST(TestCliSessions)

}  // namespace aotscope::test::cli_sessions_test

#include "test_cli_sessions.moc"

// The command line and session files: written by one command, used by another.

#include "io/session/session_file.h"
#include "support/refusals.h"
#include "support/test_program.h"

namespace aotscope::test::cli_sessions_test {

class TestCliSessions : public QObject {
    Q_OBJECT

    Scratch scratch_;

    ProgramRun run(const QString& arguments) const { return runProgram(argumentsFrom(arguments, scratch_)); }

private Q_SLOTS:
    void initTestCase() {
        const auto made = run(u"run sample:mlp --time 2 --save @mlp.aotscope"_s);
        QVERIFY2(made.code == 0, made.err.constData());
        QVERIFY(made.out.contains(scratch_.at(u"mlp.aotscope"_s).toUtf8()));
        QVERIFY(QFile::exists(scratch_.at(u"mlp.aotscope"_s)));
        const auto compiled = run(u"run sample:mlp --save @plugin.aotscope --compiler counting --plugin "_s +
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
            const auto result = run(u"partition %1 %2 --report @report.json"_s.arg(model, options));
            return result.code == 0 ? readJson(scratch_.at(u"report.json"_s))["partition"_L1]
                                    : QJsonValue(QString::fromUtf8(result.err));
        };
        const QJsonValue wanted = partitionOf(u"sample:mlp"_s);
        QVERIFY(wanted.isObject());
        QCOMPARE(partitionOf(u"@mlp.aotscope"_s), wanted);
    }

    void paretoNeedsNoModel() {
        const auto bytesOf = [&](const QString& model) {
            QStringList bytes;
            run(u"pareto %1 --points 4 --json @points.json"_s.arg(model));
            const auto points = readJson(scratch_.at(u"points.json"_s))["points"_L1].toArray();
            for (const auto& point : points) bytes << QString::number(point.toObject()["saved_bytes"_L1].toDouble());
            return bytes;
        };
        const QStringList wanted = bytesOf(u"sample:mlp"_s);
        QCOMPARE(wanted.size(), 4);
        QVERIFY(QSet<QString>(wanted.begin(), wanted.end()).size() > 1);
        QCOMPARE(bytesOf(u"@mlp.aotscope"_s), wanted);
    }

    void exportsTheSameGraph() {
        for (const char* graph : {"joint", "forward", "backward", "functional"}) {
            const QString tail = u" --graph %1 -o @%2.txt"_s.arg(QLatin1String(graph));
            QCOMPARE(run(u"export sample:mlp"_s + tail.arg(u"model"_s)).code, 0);
            QCOMPARE(run(u"export @mlp.aotscope"_s + tail.arg(u"session"_s)).code, 0);
            QCOMPARE(contentOf(scratch_.at(u"session.txt"_s)), contentOf(scratch_.at(u"model.txt"_s)));
        }
    }

    void passesAndDiff() {
        const auto passes = run(u"passes @mlp.aotscope"_s);
        QCOMPARE(passes.code, 0);
        QVERIFY(passes.out.contains("common-subexpressions"));
        QCOMPARE(run(u"diff @mlp.aotscope sample:mlp --fail-on-change"_s).code, 0);
        QCOMPARE(run(u"diff @mlp.aotscope sample:aliasing --fail-on-change"_s).code, 3);
    }

    /// Times that were measured before saving are shown after opening.
    void showsSavedTimes() {
        const auto shown = run(u"run @mlp.aotscope"_s);
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
        const auto checked = run(u"run @plugin.aotscope --check"_s + plugin);
        QVERIFY2(checked.code == 0, checked.err.constData());
        QVERIFY2(checked.out.endsWith("\ncompilers: forward counting, backward counting\n"), checked.out.constData());
        const auto configured = run(u"run @plugin.aotscope --check --compiler-option counting.together=2"_s + plugin);
        QVERIFY2(configured.code == 0, configured.err.constData());
        QVERIFY2(configured.out.contains("\ncompilers: forward counting ("), configured.out.constData());
    }

    /// A library named by the session is loaded only if the command line names it, too.
    void librariesAreLoadedOnlyIfTheyAreNamedHere() {
        const std::string session = scratch_.at(u"mlp.aotscope"_s).toStdString();
        SessionContent content = readSessionFile(session).content;
        const QString trap = scratch_.at(u"trap.so"_s), sprung = trap + u".loaded"_s;
        QVERIFY(QFile::copy(QStringLiteral(PLUGIN_TRAP), trap));
        content.code.libraries = {trap.toStdString()};
        writeSessionFile(scratch_.at(u"trap.aotscope"_s).toStdString(), content);
        QCOMPARE(run(u"run @trap.aotscope --check"_s).code, 0);
        QVERIFY(!QFile::exists(sprung));
        const auto named = run(u"run @trap.aotscope --check --library @trap.so"_s);
        QVERIFY2(named.code == 0, named.err.constData());
        QVERIFY(QFile::exists(sprung));
    }

    void isCheckedWhereItsModelIs() { QCOMPARE(run(u"run @mlp.aotscope --check"_s).code, 0); }

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
        scratch_.write(u"text.aotscope"_s, "this is not a session");
        isRefused(scratch_);
    }
};

AOTSCOPE_TEST(TestCliSessions)

}  // namespace aotscope::test::cli_sessions_test

#include "test_cli_sessions.moc"

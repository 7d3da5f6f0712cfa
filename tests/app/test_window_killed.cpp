// A window that is killed at any time: saved files are intact, and the next start offers the unsaved session.

#include "app/victim.h"
#include "crash/data_folder.h"
#include "support/engines.h"
#include "support/test_program.h"

#include <utime.h>

namespace aotscope::test::window_killed_test {
namespace {

constexpr int kFiles = 3;

/// Checks the files of a killed window against its last output.
struct Told {
    int kept = -1;                               ///< the recovery copy has this mark, or a later one
    std::array<int, kFiles> saved{}, started{};  ///< by file: the last mark that is certainly there, that may be there
    QByteArray last;                             ///< its actions

    explicit Told(const QByteArrayList& lines) {
        for (const QByteArray& line : lines) {
            const QByteArrayList words = line.split(' ');
            if (!line.isEmpty()) last = words.value(0) == "begin" ? words.value(1) : words.value(0);
            if (words[0] == "kept") kept = words[1].toInt();
            // A saved session needs no copy.
            if (words[0] == "opening" || words[0] == "saving") kept = -1;
            if (words[0] == "saving") started.at(words[1].toUInt()) = words[2].toInt();
            if (words[0] == "saved") saved.at(words[1].toUInt()) = words[2].toInt();
        }
    }
};

QStringList leftovers() {
    QStringList names;
    for (const QString& name : QDir(RecoveryFile::folder()).entryList(QDir::Files | QDir::Hidden))
        if (!name.endsWith(QLatin1String(kSessionEnding)) && !name.endsWith(".lock"_L1)) names << name;
    return names;
}

/// Makes the files look old.
void age(const QStringList& names) {
    const utimbuf longAgo{1'600'000'000, 1'600'000'000};
    for (const QString& name : names) ::utime(qPrintable(RecoveryFile::folder() + u'/' + name), &longAgo);
}

}  // namespace

class TestWindowKilled : public QObject {
    Q_OBJECT

    Isolation isolation_;
    int offered_ = 0, temporary_ = 0;

    void checkSaved(const Scratch& saved, const Told& told) {
        for (int i = 0; i < kFiles; ++i) {
            const QString file = saved.at(u"%1.aotscope"_s.arg(i));
            const auto at = static_cast<std::size_t>(i);
            if (!QFile::exists(file)) {
                QCOMPARE(told.saved.at(at), 0);
                continue;
            }
            const int mark = markIn(file);  // throws if it does not open
            QVERIFY2(mark >= told.saved.at(at) && mark <= told.started.at(at),
                     qPrintable(u"%1 has mark %2"_s.arg(file).arg(mark)));
        }
        int sessions = 0;
        for (const QString& name : saved.files()) sessions += name.endsWith(QLatin1String(kSessionEnding));
        QVERIFY(sessions <= kFiles);
    }

    void checkSettings(const Scratch& config) {
        const QString file = config.at(u"aotscope/aotscope.conf"_s);
        const QSettings settings(file, QSettings::IniFormat);
        QCOMPARE(settings.status(), QSettings::NoError);
        for (const QString& model : settings.value("files/recent").toStringList())
            QVERIFY2(model.startsWith("sample:"_L1) || model.endsWith(QLatin1String(kSessionEnding)),
                     qPrintable(model));
    }

    /// The next start offers the lost sessions, one for each model that was open, and they open.
    void checkRecovery(const Told& told) {
        const auto lost = RecoveryFile::lost();
        if (told.kept >= 0) QVERIFY(!lost.empty());
        if (lost.empty()) return;
        int latest = -1;
        for (const LostSession& each : lost) {
            QVERIFY2(each.problem.isEmpty(), qPrintable(each.problem));
            QVERIFY(!each.model.isEmpty() && each.written.isValid());
            latest = std::max(latest, markIn(each.file));
        }
        QVERIFY(latest >= told.kept);
        for (std::size_t i = 1; i < lost.size(); ++i) RecoveryFile::remove(lost[i].file);
        Driver d;
        d.window.recovery()->offer();
        auto* dialog = d.find<RecoveryDialog>("recoveryDialog");
        QVERIFY(dialog && dialog->isVisible());
        const QString model = dialog->findChild<QTreeWidget*>()->topLevelItem(0)->text(0);
        dialog->findChild<QPushButton*>(u"recover"_s)->click();
        QVERIFY(d.settle());
        QVERIFY2(d.window.session() && d.window.session()->saved(), qPrintable(d.lastProblem()));
        QCOMPARE(d.modelName(), model);
        QVERIFY(d.window.isWindowModified());
        d.window.sessionFile()->discard();
        ++offered_;
    }

    void checkLeftovers() {
        const QStringList names = leftovers();
        temporary_ += static_cast<int>(names.size());
        age(QDir(RecoveryFile::folder()).entryList(QDir::Files | QDir::Hidden));
        const RecoveryFile nextStart;
        QVERIFY2(leftovers().isEmpty(), qPrintable(leftovers().join(u' ')));
        QCOMPARE(QDir(RecoveryFile::folder()).entryList({u"*.lock"_s}, QDir::Files).size(), 1);
    }

private Q_SLOTS:
    void atAnyMoment() {
        const int times = qEnvironmentVariableIntValue("AOTSCOPE_FUZZ");
        const int rounds = times > 0 ? 10 * times : 6, longestMs = times > 0 ? 6000 : 2000;
        const auto seed = static_cast<quint32>(std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_SEED")));
        QRandomGenerator random(seed);
        QMap<QByteArray, int> states;
        for (int round = 0; round < rounds; ++round) {
            const Scratch saved, config;
            qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
            Victim victim({u"work"_s, saved.path(), QString::number(random.generate())});
            QVERIFY(victim.waitFor("ready"));
            QTest::qSleep(random.bounded(longestMs));
            // Half of the time, while it writes, which takes only a small part of the time.
            if (round % 2) {
                QVERIFY(victim.waitForNext(round % 4 == 1 ? "saving" : "begin keeping"));
                QTest::qSleep(random.bounded(60));
            }
            victim.end(SIGKILL);
            QCOMPARE(victim.signal(), SIGKILL);
            const Told told(victim.lines());
            ++states[told.last];
            try {
                checkSaved(saved, told);
                checkSettings(config);
                checkRecovery(told);
            } catch (const std::exception& e) {
                QFAIL(e.what());
            }
            checkLeftovers();
            if (QTest::currentTestFailed()) {
                qInfo("seed %u, round %d, after '%s'", seed, round, told.last.constData());
                return;
            }
        }
        QStringList counts;
        for (auto state = states.begin(); state != states.end(); ++state)
            counts << u"%1 %2"_s.arg(q(state.key().toStdString())).arg(state.value());
        qInfo("%d kills (%s): %d recovered, %d temporary files cleaned up", rounds, qPrintable(counts.join(u", "_s)),
              offered_, temporary_);
    }

    void askedToEndWithNothingToLose() {
        Victim victim({u"wait"_s});
        QVERIFY(victim.waitFor("ready"));
        QVERIFY(!QDir(RecoveryFile::folder()).entryList({u"*.aotscope"_s}).isEmpty());
        victim.end(SIGTERM);
        QCOMPARE(victim.signal(), SIGTERM);
        QVERIFY(QDir(RecoveryFile::folder()).entryList({u"*.lock"_s}, QDir::Files).isEmpty());
        QVERIFY(RecoveryFile::lost().empty());
    }

    /// It completes saving, and waits for nothing else.
    void closedWhileItWorks() {
        const Scratch saved;
        const QString file = saved.at(u"last.aotscope"_s);
        Victim victim({u"close"_s, file});
        QCOMPARE(victim.signal(), 0);
        QVERIFY2(victim.ended(), qPrintable(q(victim.errors().toStdString())));
        QCOMPARE(contentOfFile(file).record->model.name, std::string("mlp"));
        QCOMPARE(saved.files(), QStringList{u"last.aotscope"_s});
        QVERIFY(RecoveryFile::lost().empty());
        QVERIFY(leftovers().isEmpty());
    }

    /// Not even an engine that does not notice that its window is gone.
    void noEngineIsLeft_data() {
        const auto row = columns<bool>("stopped");
        row("it works", false);
        row("it stands still", true);
    }
    void noEngineIsLeft() {
        QFETCH(bool, stopped);
        const Scratch scratch, temporary;
        const QByteArray before = qgetenv("TMPDIR");
        const auto restored = qScopeGuard([&] { before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
        qputenv("TMPDIR", temporary.path().toLocal8Bit());
        const auto folders = [&] { return QDir(temporary.path()).entryList({u"aotscope-*"_s}, QDir::Dirs); };
        const Engines engines(scratch, {}, engineFile());
        Victim victim({u"engine"_s, engines.program()});
        QVERIFY(victim.waitFor("ready"));
        QCOMPARE(folders().size(), 1);
        const pid_t engine = engines.last();
        QVERIFY(runs(engine));
        if (stopped) kill(engine, SIGSTOP);
        victim.end(SIGKILL);
        QCOMPARE(victim.signal(), SIGKILL);
        QVERIFY(engines.noneRuns());
        QTRY_COMPARE_WITH_TIMEOUT(folders(), QStringList(), kPatience);
    }

    /// The desktop or the terminal ends the window: it cannot ask, but loses nothing.
    void askedToEnd() {
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            Victim victim({u"wait"_s, u"change"_s});
            QVERIFY(victim.waitFor("ready"));
            victim.end(signal);
            QCOMPARE(victim.signal(), signal);
            const auto lost = RecoveryFile::lost();
            QCOMPARE(lost.size(), 1U);
            QCOMPARE(lost[0].model, u"mlp"_s);
            QCOMPARE(markIn(lost[0].file), 2);  // the very last change
            RecoveryFile::remove(lost[0].file);
        }
    }
};

AOTSCOPE_TEST(TestWindowKilled)

}  // namespace aotscope::test::window_killed_test

#include "test_window_killed.moc"

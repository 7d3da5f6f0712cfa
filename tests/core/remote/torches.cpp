#include "io/differences/run_difference.h"
#include "io/differences/run_difference_text.h"
#include "ir/printer.h"
#include "remote/engine_program.h"
#include "remote/torch_place.h"
#include "session/engine.h"
#include "session/remote/pipe_engine.h"
#include "support/program.h"
#include "support/rows.h"
#include "support/text.h"
#include "test_remote.h"

#include <QDir>
#include <QTest>

using namespace aotscope;
using namespace aotscope::test;

// Engines for several versions of torch, side by side.

namespace {

constexpr const char* kVariable = "AOTSCOPE_ENGINE";

/// Engines beside the one that AOTSCOPE_ENGINE names while this object lives, in folders as in packages; each is the
/// program, and notes that it was started.
class SomeEngines {
public:
    explicit SomeEngines(const Scratch& scratch) : scratch_(scratch), before_(qgetenv(kVariable)) {
        qputenv(kVariable, add(u"usual"_s).toUtf8());
    }
    SomeEngines(const SomeEngines&) = delete;
    SomeEngines& operator=(const SomeEngines&) = delete;
    ~SomeEngines() {
        if (before_.isEmpty()) qunsetenv(kVariable);
        else qputenv(kVariable, before_);
    }

    QString add(const QString& folder) const {
        QDir(scratch_.path()).mkpath(folder);
        const QString program = folder + u"/aotscope-engine"_s;
        QFile::remove(noteOf(folder));
        const QString file = scratch_.write(
            program,
            u"#!/bin/sh\necho started >> %1\nexec %2 \"$@\"\n"_s.arg(noteOf(folder), forkedProgram()).toUtf8());
        QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file;
    }
    /// How often it was.
    qsizetype started(const QString& folder) const {
        return QFile::exists(noteOf(folder)) ? contentOf(noteOf(folder)).count('\n') : 0;
    }

private:
    QString noteOf(const QString& folder) const { return scratch_.at(folder + u"/started"_s); }

    const Scratch& scratch_;
    QByteArray before_;
};

void addTorch(const Scratch& scratch, const QString& folder, const QByteArray& version) {
    QDir(scratch.path()).mkpath(folder);
    scratch.write(folder + u"/version.py"_s, "__all__ = ['__version__', 'debug']\n__version__ = '" + version + "'\n");
}

}  // namespace

void TestRemote::versionsOfTorch_data() {
    const auto row = columns<QString, QString>("text", "version");
    row("2.15", "2.15");
    row("2.15.0", "2.15");
    row("2.15.0a0+git12.3", "2.15");
    row("10.1.x", "10.1");
    for (const char* text : {"2", "2.", ".15", "2.15a", "torch", "2.15/torch", "/opt/2.15"}) row(text, "");
}
void TestRemote::versionsOfTorch() {
    QFETCH(QString, text);
    QFETCH(QString, version);
    QCOMPARE(q(minorVersion(text.toStdString())), version);
}

void TestRemote::findsTorch() {
    const Scratch scratch;
    const auto torchFrom = [&](const char* folder) {
        const auto place = torchIn(scratch.at(QString::fromUtf8(folder)).toStdString());
        return place.empty() ? QString() : q(minorVersionIn(place));
    };
    addTorch(scratch, u"venv/lib/python3.11/site-packages/torch"_s, "2.99.1+cpu");
    QDir(scratch.path()).mkpath(u"libtorch"_s);
    scratch.write(u"libtorch/build-version"_s, "2.98.0+cu130\n");
    scratch.write(u"version.py"_s, QByteArray(1 << 20, ' ') + "__version__ = '2.97.0'\n");
    for (const char* folder : {"venv", "venv/lib/python3.11/site-packages", "venv/lib/python3.11/site-packages/torch"})
        QCOMPARE(torchFrom(folder), u"2.99"_s);
    QCOMPARE(torchFrom("libtorch"), u"2.98"_s);
    QCOMPARE(torchFrom("venv/lib"), QString());
    QCOMPARE(torchFrom("."), QString());
    QCOMPARE(torchFrom("nowhere"), QString());
}

void TestRemote::findsEngines() {
    const Scratch scratch;
    const SomeEngines engines(scratch);
    const QString package = engines.add(u"usual/torch2_99"_s), tree = engines.add(u"build-torch2_98"_s),
                  system = engines.add(u"lib/aotscope/torch2_96"_s);
    const auto programOf = [](const QString& torch) { return q(engineProgram(torch.toStdString()).program.string()); };
    const auto errorFor = [&](const QString& torch) { return errorOf([&] { programOf(torch); }); };
    QCOMPARE(programOf({}), scratch.at(u"usual/aotscope-engine"_s));
    QCOMPARE(programOf(u"2.99"_s), package);
    QCOMPARE(programOf(u"2.99.1"_s), package);
    QCOMPARE(programOf(u"2.98"_s), tree);
    QCOMPARE(programOf(u"2.96"_s), system);
    QCOMPARE(programOf(scratch.at(u"build-torch2_98"_s)), tree);
    addTorch(scratch, u"env/lib/python3.12/site-packages/torch"_s, "2.98.0");
    QCOMPARE(programOf(scratch.at(u"env"_s)), tree);
    for (const char* part : {"--torch 2.97: there is no engine for torch 2.97, only for ",
                             "2.96, 2.98, 2.99; build one with './dev build engine --torch FOLDER'"})
        QVERIFY2(errorFor(u"2.97"_s).contains(QString::fromUtf8(part)), qPrintable(errorFor(u"2.97"_s)));
    QVERIFY2(errorFor(scratch.path()).contains(u"expected a version such as 2.15, or a folder"_s),
             qPrintable(errorFor(scratch.path())));
    QVERIFY(isEngineFor({}, "2.13.0"));
    QVERIFY(isEngineFor("2.13", "2.13.0"));
    QVERIFY(!isEngineFor("2.99", "2.13.0"));
}

void TestRemote::findsTheEngineForTheInstalledTorch() {
    const Scratch scratch;
    const SomeEngines engines(scratch);
    const auto usual = [] { return q(engineProgram().program.string()); };
    const QString older = engines.add(u"site/aotscope/bin/torch2_98"_s),
                  newer = engines.add(u"site/aotscope/bin/torch2_99"_s);
    qputenv(kVariable, scratch.at(u"site/aotscope/bin/aotscope-engine"_s).toUtf8());
    for (const auto& [installed, says] :
         {std::pair{"", "which is not installed in"}, std::pair{"2.97.0", "and PyTorch 2.97 is installed in"}}) {
        if (*installed) addTorch(scratch, u"site/torch"_s, installed);
        const QString error = errorOf(usual);
        QVERIFY2(error.startsWith(u"running models needs PyTorch 2.98 or 2.99, "_s + says), qPrintable(error));
        QVERIFY2(error.contains(u"'pip install torch==2.99.*'"_s), qPrintable(error));
    }
    addTorch(scratch, u"site/torch"_s, "2.98.1+cpu");
    QCOMPARE(usual(), older);
    addTorch(scratch, u"site/torch"_s, "2.99.0");
    QCOMPARE(usual(), newer);
}

void TestRemote::enginesSideBySide() {
    const Scratch scratch;
    const SomeEngines engines(scratch);
    engines.add(u"torch2_99"_s);
    const auto engine = engineIn(engineProgram().program);
    Options options{.model = "sample:mlp", .given = std::make_shared<GivenOptions>()};
    const auto usual = engine->open(options, {});
    QCOMPARE(engines.started(u"torch2_99"_s), 0);
    options.torch = "2.99";
    options.given->add("--torch");
    const auto other = engine->open(options, {}, usual), again = engine->open(options, {}, other);
    QCOMPARE(options.given->unused().size(), std::size_t(0));
    QCOMPARE(engines.started(u"torch2_99"_s), 1);
    QCOMPARE(engines.started(u"usual"_s), 1);
    QVERIFY(other->host() != usual->host() && again->host() == other->host());
    QCOMPARE(q(other->options().torch), u"2.99"_s);
    QVERIFY(usual->check({}).ok && other->check({}).ok);
    QCOMPARE(q(printGraph(*other->record()->graph(GraphKind::joint))),
             q(printGraph(*usual->record()->graph(GraphKind::joint))));
    QVERIFY(errorOf([&] { usual->timeAgainst(*other, {1, 0}, {}); }).contains(u"with the same torch"_s));
    QVERIFY(errorOf([&] { engine->open({.model = "sample:mlp", .torch = "2.97"}, {}); }).startsWith(u"--torch 2.97"_s));
    // An engine opens what another one is for, as in "sweep".
    const auto far = engineHere()->open(options, {});
    QVERIFY(far->host() && far->check({}).ok);
    QCOMPARE(engines.started(u"torch2_99"_s), 2);
    // Where its torch is not of this machine, the option is refused.
    Options remote = optionsFor(u"sample:mlp"_s);
    remote.torch = "2.99";
    remote.given = std::make_shared<GivenOptions>();
    remote.given->add("--torch");
    QVERIFY(engine->open(remote, {})->record()->error.empty());
    QCOMPARE(remote.given->unused().size(), std::size_t(1));
}

void TestRemote::differencesNameTheTorch() {
    const Options options{.model = "sample:mlp"};
    const auto record = engineHere()->open(options, {})->record();
    auto other = std::make_shared<CompileRecord>(*record);
    other->model.torchVersion = "2.99.0";
    const RunDifference difference = compare(comparedRun(options, record), comparedRun(options, other));
    QVERIFY(difference.empty());
    QVERIFY2(differenceText(difference).find(" -> 2.99.0, which does not count\n") != std::string::npos,
             differenceText(difference).c_str());
    QVERIFY(compare(comparedRun(options, record), comparedRun(options, record)).notes.empty());
}

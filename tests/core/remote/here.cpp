#include "debug/debugger.h"
#include "io/session/session_file.h"
#include "ir/printer.h"
#include "program/inputs/input_spec.h"
#include "session/engine.h"
#include "session/remote/pipe_engine.h"
#include "support/engines.h"
#include "support/error.h"
#include "support/refusals.h"
#include "support/text.h"
#include "test_remote.h"

#include <QTest>

#include <csignal>
#include <thread>

using namespace aotscope;
using namespace aotscope::test;

// The engine as another process on this machine.

namespace {

std::shared_ptr<const Engine> engineThere() { return engineIn(forkedProgram().toStdString()); }

}  // namespace

void TestRemote::engineAnswersLikeThisProcess_data() {
    const auto row = columns<QString>("model");
    for (const QString& model : {u"sample:mlp"_s, u"sample:aliasing"_s, u"sample:sincos"_s})
        row(model.toLatin1(), model);
}
void TestRemote::engineAnswersLikeThisProcess() {
    QFETCH(QString, model);
    const Options options{.model = model.toStdString()};
    const auto here = engineHere()->open(options, {}), there = engineThere()->open(options, {});
    for (const auto& [kind, graph] : here->record()->graphs)
        QCOMPARE(q(printGraph(*there->record()->graph(kind))), q(printGraph(*graph)));
    QCOMPARE(q(printInputSpec(there->inputSpec())), q(printInputSpec(here->inputSpec())));
    QCOMPARE(there->inputNames(), here->inputNames());
    QCOMPARE(q(there->whyNotCompiled()), q(here->whyNotCompiled()));
    QCOMPARE(q(there->whyNotExecutable()), q(here->whyNotExecutable()));
    QCOMPARE(q(there->options().model), model);
    QCOMPARE(there->content().model, here->content().model);
    QVERIFY(there->check({}).ok);
    QCOMPARE(there->debug({})->steps().size(), here->debug({})->steps().size());
}

void TestRemote::engineIsAsked() {
    const auto here = engineHere(), there = engineThere();
    QCOMPARE(q(there->torchVersion()), q(here->torchVersion()));
    QCOMPARE(there->devices().size(), here->devices().size());
    QCOMPARE(q(there->whyDeviceCannotRun("cpu")), QString());
    const auto compilers = here->compilers({}), compilersThere = there->compilers({});
    QCOMPARE(compilersThere.size(), compilers.size());
    for (std::size_t i = 0; i < compilers.size(); ++i) {
        QCOMPARE(compilersThere[i].name, compilers[i].name);
        QCOMPARE(compilersThere[i].settings.size(), compilers[i].settings.size());
    }
    QVERIFY(!errorOf([&] { there->compilers({"/no/such/plugin.so"}); }).isEmpty());
    QVERIFY(there->machine("cpu").matrixFlops.perSecond > 1e6);
    const auto rules = here->decompositionRules(), rulesThere = there->decompositionRules();
    QCOMPARE(rulesThere.size(), rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        QCOMPARE(q(rulesThere[i].op + ' ' + rulesThere[i].rule), q(rules[i].op + ' ' + rules[i].rule));
        QCOMPARE(rulesThere[i].sets, rules[i].sets);
    }
    const auto graph = here->open({.model = "sample:mlp"}, {})->record()->graph(GraphKind::joint);
    const auto levels = here->irLevels(graph), levelsThere = there->irLevels(graph);
    QCOMPARE(levelsThere.size(), levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        QCOMPARE(levelsThere[i].name, levels[i].name);
        QCOMPARE(q(printGraph(*levelsThere[i].lowered.graph)), q(printGraph(*levels[i].lowered.graph)));
        QCOMPARE(levelsThere[i].lowered.became, levels[i].lowered.became);
    }
    const QString script = scratch_.at(u"script.pt"_s);
    there->saveScript("script:def f(x): return x + 1", script.toStdString());
    QVERIFY(QFile(script).size() > 0);
}

void TestRemote::engineLoadsPlugins() {
    Options options{.model = "sample:mlp",
                    .compilers = {.forward = "counting", .plugins = {PLUGIN_BROKEN, PLUGIN_COUNTING}}};
    const auto engine = engineThere();
    const auto session = engine->open(options, {});
    QVERIFY(session->check({}).ok);
    // A file names those that are used.
    QCOMPARE(session->content().options.compilers.plugins, std::vector<std::filesystem::path>{PLUGIN_COUNTING});
    options.partition.algorithm = PartitionAlgorithm::planned;
    options.partition.function = PLUGIN_INPUTS_ONLY;
    const auto split = engine->open(options, {}, session);
    QCOMPARE(split->record()->partition->algorithm, PartitionAlgorithm::planned);
    for (const SavedValue& value : split->record()->partition->saved)
        QVERIFY2(value.name.starts_with("primals"), value.name.c_str());
    const auto joint = session->record()->graph(GraphKind::joint);
    QVERIFY(!engine->planByFunction(PLUGIN_INPUTS_ONLY, *joint).empty());
    QVERIFY(errorOf([&] { engine->planByFunction(PLUGIN_COUNTING, *joint); }).contains(u"no partition function"_s));
}

/// A process has only one version of a library.
void TestRemote::rebuiltPluginsNeedAnotherEngine() {
    const QString file = scratch_.at(u"own.so"_s);
    const auto build = [&](const QString& plugin) { return (QFile::remove(file), QFile::copy(plugin, file)); };
    QVERIFY(build(QStringLiteral(PLUGIN_COUNTING)));
    const Engines engines(scratch_);
    const auto engine = engines.start();
    const auto added = [&] { return q(engine->compilers({file.toStdString()}).back().name); };
    QCOMPARE(added(), u"counting"_s);
    Options options{.model = "sample:mlp", .compilers = {.forward = "counting", .plugins = {file.toStdString()}}};
    const auto session = engine->open(options, {});
    QVERIFY(session->check({}).ok && engine->open(options, {}, session)->check({}).ok);
    const std::size_t before = engines.all().size();
    QVERIFY(build(QStringLiteral(PLUGIN_WILD)));
    options.compilers.forward = "wild";
    QVERIFY(engine->open(options, {}, session)->record()->error.empty());
    QCOMPARE(added(), u"wild"_s);
    QCOMPARE(engines.all().size(), before + 1);
}

/// However an engine ends, what was received stays, the job that it carried out fails with one sentence, and the next
/// one runs in another engine.
void TestRemote::engineIsReplaced_data() {
    const auto row = columns<int>("signal");
    row("killed", SIGKILL);
    row("a crash", SIGSEGV);
    row("aborted", SIGABRT);
}
void TestRemote::engineIsReplaced() {
    QFETCH(int, signal);
    const Engines engines(scratch_);
    const auto engine = engines.start();
    const auto session = engine->open({.model = "sample:mlp"}, {});
    const auto joint = session->record()->graph(GraphKind::joint);
    const pid_t first = engines.last();
    int steps = 0;
    const TrainOptions endless{.steps = 100'000'000};
    const QString error = errorOf([&] {
        session->train(endless, {}, [&](const TrainStep&) {
            if (++steps == 2) kill(first, signal);
        });
    });
    QVERIFY2(error.startsWith("the engine is gone: it "_L1) && !error.contains(u'\n'), qPrintable(error));
    QVERIFY2(error.endsWith("; what was received is still here"_L1), qPrintable(error));
    QVERIFY(!runs(first));
    QCOMPARE(session->record()->graph(GraphKind::joint), joint);
    QVERIFY(session->content().record == session->record());
    QVERIFY(session->check({}).ok);
    QVERIFY(engines.last() != first);
    QVERIFY(session->debug({})->steps().size() > 1);
}

void TestRemote::saysWhyNoEngine_data() {
    const auto row = columns<QByteArray, QString>("program", "why");
    row("without LibTorch", "echo 'engine: error while loading shared libraries: libtorch.so' >&2; exit 127",
        u"cannot start the engine: engine: error while loading shared libraries: libtorch.so; it needs LibTorch"_s);
    row("nonsense", "echo nonsense", u"cannot start the engine: it says 'nonsense"_s);
    row("ends", "exit 0", u"cannot start the engine"_s);
}
void TestRemote::saysWhyNoEngine() {
    QFETCH(QByteArray, program);
    QFETCH(QString, why);
    const QString file = scratch_.write(u"no engine"_s, "#!/bin/sh\n" + program + '\n');
    QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const auto engine = engineIn(file.toStdString());
    const QString error = errorOf([&] { engine->open({.model = "sample:mlp"}, {}); });
    QVERIFY2(error.contains(why) && !error.contains(u'\n'), qPrintable(error));
    QCOMPARE(engine->devices().size(), std::size_t(1));
    QCOMPARE(engine->compilers({}).size(), std::size_t(1));
    QVERIFY(engine->decompositionRules().empty());
    QCOMPARE(q(engine->torchVersion()), u"(no answer)"_s);
    QVERIFY(!engine->machine("cpu").assumed.empty());
}

/// What needs no LibTorch is read in another process, too, whatever keeps the engine from starting.
void TestRemote::readsWithoutAnEngine_data() {
    const auto row = columns<QString, QString>("before", "why");
    row("missing", u"export AOTSCOPE_ENGINE=/nowhere"_s,
        u"the program aotscope-engine, which runs models, is missing"_s);
    row("ends", u"case $* in *--without-engine*) ;; *) echo no luck >&2; exit 3; esac"_s,
        u"cannot start the engine: no luck; it needs LibTorch"_s);
}
void TestRemote::readsWithoutAnEngine() {
    FETCH(QString, before, why);
    const QString program = QStringLiteral(AOTSCOPE_PROGRAM);
    if (QFileInfo(program).isSymLink()) QSKIP("SKIPPED: this build has no window");
    const Engines engines(scratch_, before, program);
    const auto engine = engineIn(engines.program().toStdString(), engines.program().toStdString());
    const Options options{.model = AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log"};
    const auto session = engine->open(options, {});
    const auto graphOf = [](const Session& of) { return q(printGraph(*of.record()->graph(GraphKind::joint))); };
    QCOMPARE(graphOf(*session), graphOf(*engineHere()->open(options, {})));
    const QString reason = q(session->whyNotExecutable());
    QVERIFY2(reason.startsWith(why), qPrintable(reason));
    QCOMPARE(errorOf([&] { session->check({}); }), reason);
    QCOMPARE(errorOf([&] { engine->open({.model = "sample:mlp"}, {}); }), u"cannot open 'sample:mlp': "_s + reason);
    QCOMPARE(q(engine->torchVersion()), u"(not found)"_s);
    QCOMPARE(engine->devices().size(), std::size_t{1});
    QVERIFY(engine->compilers({}).size() > 1);
    engines.killLast(SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(!session->link().why.empty(), kPatience);
    QCOMPARE(graphOf(*engine->open(options, {})), graphOf(*session));
}

#include "test_remote.h"

#include "debug/debugger.h"
#include "io/session/session_file.h"
#include "ir/printer.h"
#include "ops/decompositions/decomposition_table.h"
#include "program/inputs/input_spec.h"
#include "remote/frame.h"
#include "remote/program_version.h"
#include "session/remote/session_remote.h"
#include "support/error.h"
#include "support/file.h"
#include "support/program.h"
#include "support/refusals.h"
#include "support/test_program.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

Options localOptions(const QString& model) { return {.model = model.toStdString()}; }

std::shared_ptr<const Session> openLocal(const QString& model) { return Session::open(localOptions(model), {}); }
std::shared_ptr<const Session> openFar(const QString& model) { return Session::open(optionsFor(model), {}); }

QString graphsOf(const CompileRecord& record) {
    QString text;
    for (const auto& [kind, graph] : record.graphs) text += q(name(kind)) + u'\n' + q(printGraph(*graph));
    return text;
}

const QString kMlp = u"sample:mlp"_s;

}  // namespace

namespace aotscope::test {

Options optionsThrough(QString command, const QString& model) {
    command.replace(u"%p"_s, forkedProgram());
    Options options;
    const std::string path = (model.startsWith(u'/') ? model : u'/' + model).toStdString();
    options.model = throughCommand("ssh://there" + path, command.toStdString());
    return options;
}

Options optionsFor(const QString& model) { return optionsThrough(u"%p"_s, model); }

QString inShell(const QString& script) { return u"sh -c \"%1\" aotscope"_s.arg(script); }

}  // namespace aotscope::test

void TestRemote::answersLikeTheModel() {
    for (const QString& model : {kMlp, u"sample:aliasing"_s}) {
        const auto local = openLocal(model), far = openFar(model);
        QCOMPARE(graphsOf(*far->record()), graphsOf(*local->record()));
        QCOMPARE(far->record()->passes.size(), local->record()->passes.size());
        QCOMPARE(q(printInputSpec(far->inputSpec())), q(printInputSpec(local->inputSpec())));
        QCOMPARE(far->inputNames(), local->inputNames());
        QCOMPARE(far->whyNotExecutable(), std::string());
        QCOMPARE(far->whyNotCompiled(), std::string());
        QVERIFY(!far->saved());
        QCOMPARE(q(far->options().model), q(optionsFor(model).model));
        const SessionContent content = far->content();
        QCOMPARE(q(content.options.model), model);
        QCOMPARE(content.model, local->content().model);
    }
}

void TestRemote::runsLikeTheModel() {
    const auto local = openLocal(kMlp), far = openFar(kMlp);
    const CheckResult here = local->check({}), there = far->check({});
    QVERIFY(there.ok && there.backwardRun);
    QCOMPARE(there.values.size(), here.values.size());
    QCOMPARE(there.outputsMaxError, here.outputsMaxError);
    const auto compilers = far->compilers({});
    QCOMPARE(compilers.size(), local->compilers({}).size());
    const TimingResult times = far->time({3, 1}, {});
    QCOMPARE(times.iterations, 3);
    QVERIFY(!times.steps.empty() && times.compiledForwardMs.median > 0);
    QVERIFY(!far->bisect({}).found);
    const std::string values = scratch_.at(u"v.pt"_s).toStdString(), own = scratch_.at(u"o.pt"_s).toStdString();
    far->saveValues(values, {});
    local->saveValues(own, {});
    QCOMPARE(contentOf(q(values)).size(), contentOf(q(own)).size());

    const auto graph = far->record()->graph(GraphKind::forward);
    const auto text = TorchScriptForm::text;
    far->saveTorchScript(*graph, GraphKind::forward, text, values);
    local->saveTorchScript(*local->record()->graph(GraphKind::forward), GraphKind::forward, text, own);
    QCOMPARE(contentOf(q(values)), contentOf(q(own)));
    const GraphExample example = far->example(*graph, GraphKind::forward, ExampleValues::all, {});
    QCOMPARE(q(example.whyNone), QString());
    QCOMPARE(example.inputs.size(), graph->placeholders().size());
    QVERIFY(std::ranges::all_of(example.inputs, &ValueSketch::kept));
    QVERIFY(example.packed.starts_with("PK"));
    QVERIFY(far->example(*graph, GraphKind::forward, ExampleValues::none, {}).packed.empty());
    MinifyOptions wanted;
    wanted.condition = "max>0";
    const MinifyResult smallest = far->minify(wanted, {});
    QVERIFY(smallest.graph && smallest.after.operations < smallest.before.operations);
    QVERIFY(!smallest.example.packed.empty());
}

void TestRemote::errorsComeThrough_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("no sample") << u"sample:none"_s;
    QTest::newRow("no file") << u"/no/such/model.pt2"_s;
    QTest::newRow("no inputs") << u"script:def f(x: List[int]): return len(x)"_s;
}
void TestRemote::errorsComeThrough() {
    QFETCH(QString, model);
    const auto kindOf = [&](const auto& open) {
        try {
            open(model);
            return u"none"_s;
        } catch (const std::exception& e) {
            return QString::fromLatin1(typeid(e).name());
        }
    };
    QCOMPARE(kindOf(openFar), kindOf(openLocal));
    const QString local = errorOf([&] { openLocal(model); });
    const QString far = errorOf([&] { openFar(model); });
    QVERIFY(!local.isEmpty());
    QCOMPARE(far, local);
}

void TestRemote::trainsStepByStep() {
    const auto train = [&](const Session& session) {
        std::vector<double> losses;
        const TrainResult result =
            session.train({.steps = 4}, {}, [&](const TrainStep& step) { losses.push_back(step.compiled.loss); });
        if (result.steps.size() != losses.size()) losses.clear();
        return losses;
    };
    const auto far = train(*openFar(kMlp));
    QCOMPARE(far.size(), std::size_t{4});
    QCOMPARE(far, train(*openLocal(kMlp)));
}

void TestRemote::cancels() {
    const auto session = openFar(kMlp);
    Progress progress;
    int steps = 0;
    QVERIFY_THROWS_EXCEPTION(Cancelled, session->train({.steps = 100'000'000}, progress, [&](const TrainStep&) {
        if (++steps == 2) progress.cancel();
    }));
    QVERIFY(session->check({}).ok);  // after the job there has stopped
    Progress never;
    never.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, Session::open(optionsFor(kMlp), never));
}

/// Another partition of the graphs here needs no connection; to run it, it is compiled there.
void TestRemote::partitionsHere() {
    const QString log = scratch_.at(u"asked"_s);
    Options options = optionsThrough(inShell(u"tee %1 | %p serve --stdio"_s.arg(log)), kMlp);
    const auto far = Session::open(options, {});
    const auto asked = QFileInfo(log).size();
    options.partition.algorithm = PartitionAlgorithm::defaultPartition;
    const auto other = Session::open(options, {}, far);
    QCOMPARE(QFileInfo(log).size(), asked);
    Options here = localOptions(kMlp);
    here.partition = options.partition;
    const auto local = Session::open(here, {});
    QCOMPARE(q(printGraph(*other->record()->graph(GraphKind::forward))),
             q(printGraph(*local->record()->graph(GraphKind::forward))));
    QVERIFY(graphsOf(*other->record()) != graphsOf(*far->record()));
    QVERIFY(other->check({}).ok);
    QVERIFY(QFileInfo(log).size() > asked);
    const auto again = Session::open(optionsThrough(inShell(u"tee %1 | %p serve --stdio"_s.arg(log)), kMlp), {}, other);
    QCOMPARE(graphsOf(*again->record()), graphsOf(*far->record()));
}

void TestRemote::comparesVariants() {
    const auto far = openFar(kMlp);
    Options options = optionsFor(kMlp);
    options.partition.algorithm = PartitionAlgorithm::defaultPartition;
    const auto other = Session::open(options, {}, far);
    const VariantTiming timing = far->timeAgainst(*other, {3, 1}, {});
    QCOMPARE(timing.iterations, 3);
    QVERIFY(timing.step.firstMs.median > 0 && timing.step.secondMs.median > 0);
    const QString error = errorOf([&] { far->timeAgainst(*openLocal(kMlp), {3, 1}, {}); });
    QVERIFY2(error.contains(u"on the same machine"_s), qPrintable(error));
}

void TestRemote::stepsLikeTheModel() {
    const auto describeRun = [](const Session& session) {
        QStringList lines;
        const auto run = session.debug({});
        const auto note = [&] {
            const auto at = run->position();
            lines << u"%1 %2/%3 %4: %5"_s.arg(static_cast<int>(at.graph))
                         .arg(at.step)
                         .arg(at.steps)
                         .arg(at.node)
                         .arg(q(run->lastStop().text));
        };
        const auto steps = run->steps();
        lines << QString::number(steps.size());
        run->setBreakpoints({{"op:relu", 1, true}});
        note();
        run->step({});
        note();
        const auto value = run->value(steps[0].graph, steps[0].node);
        lines << (value ? q(describe(*value)) : u"no value"_s);
        const auto image = run->image(steps[0].graph, steps[0].node, {});
        lines << (image ? QString::number(image->cells.size()) : u"no image"_s);
        lines << q(run->callAsPython(steps[0].graph, steps[0].node, {}));
        run->run({});
        note();
        lines << QString::number(run->state().hits.at(0));
        run->edit(steps[0].graph, steps[0].node, "0");
        note();
        run->stepBack();
        note();
        run->setBreakpoints({});
        run->compareWithEager({});
        lines << QString::number(run->state().comparing);
        run->runTo(steps.back().graph, steps.back().node, {});
        note();
        run->restart();
        run->execute({.verb = DebugVerb::compareWith, .other = session.debug({})}, {});
        run->run({});
        note();
        lines << errorOf([&] { run->setBreakpoints({{"no such query (", 1, true}}); });
        lines << errorOf([&] { run->runTo(GraphKind::forward, 1'000'000, {}); });
        note();
        return lines;
    };
    const QStringList far = describeRun(*openFar(kMlp));
    QVERIFY(far.size() > 15);
    QCOMPARE(far, describeRun(*openLocal(kMlp)));
}

void TestRemote::stopsBetweenPasses() {
    class Watcher final : public PassObserver {
    public:
        void betweenPasses(const CompileRecord& record, std::string_view next, const Progress&) override {
            seen << u"%1 %2"_s.arg(record.passes.size()).arg(q(next));
            if (seen.size() == stopAt) throw Cancelled();
        }
        QStringList seen;
        qsizetype stopAt = 0;
    };
    const auto watched = [](const Options& options) {
        Watcher watcher;
        Session::open(options, {}, nullptr, &watcher);
        return watcher.seen;
    };
    for (const QString& model : {kMlp, u"sample:aliasing"_s}) {
        const QStringList far = watched(optionsFor(model));
        QVERIFY(far.size() > 5);
        QCOMPARE(far, watched(localOptions(model)));
    }
    Watcher watcher;
    watcher.stopAt = 3;
    QVERIFY_THROWS_EXCEPTION(Cancelled, Session::open(optionsFor(kMlp), {}, nullptr, &watcher));
    QCOMPARE(watcher.seen.size(), 3);
}

void TestRemote::opensSessionFiles() {
    const QString file = scratch_.at(u"saved.other"_s);
    SessionContent content = openLocal(kMlp)->content();
    content.check = CheckResult{.ok = true, .backwardRun = true, .outputsMaxError = 0.25};
    content.view = "{}";
    writeSessionFile(file.toStdString(), content);
    const auto far = openFar(file.mid(1));
    QVERIFY(far->saved() && far->ofSessionFile());
    QCOMPARE(far->saved()->check->outputsMaxError, 0.25);
    QCOMPARE(far->saved()->view, std::string("{}"));
    QCOMPARE(graphsOf(*far->record()), graphsOf(*content.record));
    QVERIFY(far->check({}).ok);
    Options options = far->options();
    options.partition.algorithm = PartitionAlgorithm::defaultPartition;
    const auto other = Session::open(options, {}, far);
    QVERIFY(!other->saved() && other->ofSessionFile());
    QVERIFY(!openFar(kMlp)->ofSessionFile());
}

/// A user's table is read here; its file need not exist there.
void TestRemote::takesTablesAlong() {
    const QString file = scratch_.write(u"own.json"_s, R"({"ops": {"aten.t": "core-aten"}})");
    Options options = optionsFor(kMlp);
    options.decompositions = DecompositionTable::load(file.toStdString());
    QVERIFY(QFile::remove(file));
    const auto far = Session::open(options, {});
    QVERIFY(*far->options().decompositions == *options.decompositions);
    QVERIFY(!far->record()->rewrites.empty());
    for (const Rewrite& rewrite : far->record()->rewrites) QCOMPARE(q(rewrite.op), u"aten.t.default"_s);
}

void TestRemote::listsFolders() {
    scratch_.write(u"model of mine.pt2"_s, "12345");
    QVERIFY(QDir(scratch_.path()).mkpath(u"inner/most"_s));
    const RemoteFolders folders(optionsFor(kMlp).model);
    const auto folder = folders.list(scratch_.path().toStdString(), {});
    QCOMPARE(q(folder.path), scratch_.path());
    const auto entry = [&](const char* name) {
        const auto found = std::ranges::find(folder.entries, name, &RemoteEntry::name);
        return found == folder.entries.end() ? RemoteEntry{} : *found;
    };
    QCOMPARE(entry("model of mine.pt2").bytes, std::uint64_t{5});
    QVERIFY(entry("inner").folder && !entry("model of mine.pt2").folder);
    const auto ofFile = folders.list(scratch_.at(u"model of mine.pt2"_s).toStdString(), {});
    QCOMPARE(ofFile.path, folder.path);
    const QString error = errorOf([&] { folders.list("/no/such/folder/x", {}); });
    QVERIFY2(error.contains(u"cannot list the folder '/no/such/folder'"_s), qPrintable(error));
}

void TestRemote::commandLine() {
    const auto run = [&](const QString& arguments) {
        QStringList words = argumentsFrom(arguments, scratch_);
        if (const auto at = words.indexOf(u"FAR"_s); at >= 0) words[at] = u"--remote-command="_s + forkedProgram();
        return runProgram(words);
    };
    const auto report = [&](const QString& model) {
        const ProgramRun made = run(u"run %1 --check --bisect --time 2 --report @r.json --values @v.pt"_s.arg(model));
        QJsonObject found = readJson(scratch_.at(u"r.json"_s));
        QStringList keys = found.keys();
        return keys.join(u' ') + QString::number(made.code) +
               QString::fromUtf8(QJsonDocument(found["partition"_L1].toObject()).toJson());
    };
    QCOMPARE(report(u"FAR ssh://box/sample:mlp"_s), report(kMlp));
    for (const char* command : {"partition", "passes", "export --graph joint -o @j.svg"}) {
        const ProgramRun far = run(u"%1 FAR ssh://box/sample:mlp"_s.arg(QLatin1String(command)));
        QVERIFY2(far.code == 0 && !far.out.isEmpty(), far.text().constData());
    }
    const ProgramRun trained = run(u"train FAR ssh://box/sample:mlp --steps 2"_s);
    QVERIFY2(trained.code == 0, trained.text().constData());
    const ProgramRun against = run(u"run FAR ssh://box/sample:mlp --time 2 --against --partition=default"_s);
    QVERIFY2(against.code == 0, against.text().constData());
    const ProgramRun wrong = run(u"run FAR sample:mlp"_s);
    QVERIFY2(wrong.code == 2 && wrong.oneSentence() && wrong.err.contains("is on this one"), wrong.text().constData());
    const ProgramRun ranks = run(u"run FAR ssh://box/sample:mlp --time 2 --ranks 2 --report @r.json"_s);
    QVERIFY2(ranks.code == 0 && ranks.out.contains("are alike"), ranks.text().constData());
    QCOMPARE(readJson(scratch_.at(u"r.json"_s))["ranks"_L1].toArray().size(), 2);
}

AOTSCOPE_TEST(TestRemote)
#include "test_remote.moc"

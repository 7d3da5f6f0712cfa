// Printed graphs where LibTorch is missing: they are shown and split, but do not run.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "ir/printer.h"
#include "ops/decompositions/decomposition_table.h"
#include "session/open/without_engine.h"
#include "support/text.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

const QString kWhy = u"there is no engine"_s;
const QString kAdvice =
    u" needs LibTorch, which was not found; install it with 'pip install torch==2.13.*', then start aotscope again"_s;

std::shared_ptr<const Session> openWithoutEngine(const Options& options,
                                                 const std::shared_ptr<const Session>& previous = nullptr) {
    return missingEngine(kWhy.toStdString())->open(options, {}, previous);
}

/// All graphs of all passes.
QStringList textsOf(const Session& session) {
    QStringList texts;
    for (const PassRecord& pass : session.record()->passes)
        for (const auto& [kind, graph] : pass.graphs)
            texts << q(name(pass)) + u'\n' + q(printGraph(*graph, Detail::full));
    return texts;
}

QStringList underivedIn(const Session& session) {
    QStringList found;
    for (const std::string& warning : session.record()->warnings)
        if (q(warning).startsWith(u"deriving the strides and types"_s)) found << q(warning);
    return found;
}

}  // namespace

void TestPrintedGraphs::graphsAreTheSameWithoutTheEngine() {
    QStringList paths{dataFolder() + u"passes/plain"_s};
    for (const QString& file : QDir(dataFolder()).entryList({u"*.log"_s, u"*.trace"_s})) paths << dataFolder() + file;
    QVERIFY(paths.size() > 20);
    for (const QString& path : paths) {
        std::shared_ptr<const Session> without;
        for (const std::string& id : openFile(path)->compileIds()) {
            const Options options{.model = path.toStdString(), .compileId = id, .verify = true};
            const auto with = Session::open(options, {});
            without = openWithoutEngine(options, without);
            QCOMPARE(without->compileIds(), with->compileIds());
            QCOMPARE(textsOf(*without), textsOf(*with));
            QCOMPARE(without->record()->warnings, with->record()->warnings);
            QCOMPARE(without->whyNotCompiled(), with->whyNotCompiled());
            QCOMPARE(q(without->whyNotExecutable()), kWhy);
        }
        QCOMPARE(errorOf([&] { (void)without->check({}); }), kWhy);
    }
}

void TestPrintedGraphs::jointGraphsAreSplitWithoutTheEngine() {
    Options options{.model = (dataFolder() + u"mlp.log"_s).toStdString(), .repartition = true, .verify = true};
    const auto without = openWithoutEngine(options);
    QCOMPARE(q(without->record()->error), QString());
    QVERIFY(without->record()->partition);
    QCOMPARE(textsOf(*without), textsOf(*Session::open(options, {})));
    options.decompositions = DecompositionTable::load("core-aten");
    QVERIFY(
        q(openWithoutEngine(options)->record()->error).endsWith(u"replacing operations by simpler ones"_s + kAdvice));
}

void TestPrintedGraphs::oneWarningTellsWhatIsNotDerived() {
    for (const char* path : {"module.txt", "passes/inductor"}) {
        const Options options{.model = (dataFolder() + QLatin1String(path)).toStdString(), .verify = true};
        QCOMPARE(underivedIn(*openWithoutEngine(options)),
                 QStringList(u"deriving the strides and types that the text leaves out from the operations"_s +
                             kAdvice + u"; these strides are shown as contiguous, and these types as unknown"_s));
        QCOMPARE(underivedIn(*Session::open(options, {})), QStringList());
    }
}

void TestPrintedGraphs::modelsNeedTheEngine() {
    const auto whyNot = [](const QString& model) {
        return errorOf([&] { openWithoutEngine({.model = model.toStdString()}); });
    };
    const QString archive = scratch_.write(u"a.pt2"_s, "PK\x03\x04");
    for (const QString& model : {u"sample:mlp"_s, archive})
        QCOMPARE(whyNot(model), u"cannot open '%1': "_s.arg(model) + kWhy);
    const std::pair<const char*, QString> others[] = {
        {"hello\nworld\n", u"it is a text without printed graphs; expected a log"_s},
        {"<!DOCTYPE html><html></html>", u"it is a web page, which a browser opens"_s},
        {R"({"assumptions": [], "compiler": {"settings": {}}})", u"it is a report of aotscope"_s}};
    for (const auto& [content, what] : others) {
        const QString file = scratch_.write(u"a.txt"_s, content);
        QVERIFY2(whyNot(file).startsWith(u"cannot open '%1': "_s.arg(file) + what), qPrintable(whyNot(file)));
    }
    const QString missing = scratch_.at(u"missing.pt2"_s);
    QVERIFY(errorOf([&] {
                openWithoutEngine({.model = missing.toStdString()});
            }).startsWith(u"cannot read '%1': "_s.arg(missing)));
}

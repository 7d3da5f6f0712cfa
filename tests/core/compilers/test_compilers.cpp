// Choosing compilers, plug-ins, and results against eager.

#include "test_compilers.h"

#include "compile/compilers.h"
#include "device/device.h"
#include "load/sample_list.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/models.h"
#include "support/programs.h"
#include "support/test_program.h"
#include "support/text.h"

#include <c10/core/CPUAllocator.h>

#include <dlfcn.h>

using namespace aotscope;
using namespace aotscope::test;

void TestCompilers::initTestCase() {
    prepareDevice("cuda:0");  // a simulated GPU must exist before the first model runs
}

// --- names, settings, plug-ins ---

void TestCompilers::unknownNames_data() {
    columns<QString, QString, QString>("forward", "key", "message");
    const auto row = [](const char* forward, const char* key, const char* message) {
        QTest::newRow(message) << QString::fromLatin1(forward) << QString::fromLatin1(key)
                               << QString::fromLatin1(message);
    };
    row("torchscrpt", "", "; did you mean 'torchscript'?");
    row("inductor", "", "there is no compiler 'inductor' (there are 'interpreter', 'torchscript'");
    row("interpreter", "interpreter.level=1", "the compiler 'interpreter' has no setting 'level'; it has no settings");
    row("interpreter", "torchscript.freez=true", "(there is 'freeze'); did you mean 'freeze'?");
    row("torchscript", "torchscript.freeze=maybe", "torchscript.freeze=maybe: expected one of 'true', 'false'");
    row("torchscript", "nobody.freeze=true", "there is no compiler 'nobody'");
    row("torchscript", "torchscript=true", "has no setting ''");
}
void TestCompilers::unknownNames() {
    FETCH(QString, forward, key, message);
    CompilerChoice choice{.forward = forward.toStdString()};
    if (!key.isEmpty()) choice.settings[key.section(u'=', 0, 0).toStdString()] = key.section(u'=', 1).toStdString();
    const QString error = errorOf([&] { checkCompilers(choice); });
    QVERIFY2(error.contains(message), qPrintable(error));
    QCOMPARE(errorOf([&] { makeCompiler(choice.forward, choice); }), error);
}

void TestCompilers::everySettingAcceptsItsDefault() {
    for (const CompilerInfo& compiler : compilerList({PLUGIN_COUNTING})) {
        CompilerChoice choice{.forward = compiler.name, .plugins = {PLUGIN_COUNTING}};
        for (const auto& setting : compiler.settings)
            choice.settings[compiler.name + "." + setting.name] = setting.standard;
        QCOMPARE(errorOf([&] { checkCompilers(choice); }), QString());
        QCOMPARE(makeCompiler(compiler.name, choice)->name(), compiler.name);
        QVERIFY(!compiler.help.empty());
    }
}

void TestCompilers::otherFilesAreNotPlugins_data() {
    columns<QString, QString>("file", "message");
    Dl_info library{};
    QVERIFY(dladdr(reinterpret_cast<const void*>(&c10::GetCPUAllocator), &library) != 0);
    QTest::newRow("another") << QString::fromLocal8Bit(library.dli_fname)
                             << u"it has no compiler; expected a library with AOTSCOPE_COMPILER_PLUGIN"_s;
    QTest::newRow("missing") << u"/no/such.so"_s << u"no such file; check the path"_s;
    QTest::newRow("text") << QStringLiteral(AOTSCOPE_SOURCE_DIR "/README.md") << u"README.md"_s;
    QTest::newRow("old") << QStringLiteral(PLUGIN_OLD) << u"it was built for 'aotscope compilers 0, LibTorch 1.0.0'"_s;
}
void TestCompilers::otherFilesAreNotPlugins() {
    FETCH(QString, file, message);
    const CompilerChoice choice{.plugins = {file.toStdString()}};
    const QString error = errorOf([&] { checkCompilers(choice); });
    QVERIFY2(error.startsWith(u"plug-in '"_s + file + u"': "_s), qPrintable(error));
    QVERIFY2(error.contains(message), qPrintable(error));
}

void TestCompilers::namesAreUnique() {
    const CompilerChoice choice{.plugins = {PLUGIN_COUNTING, PLUGIN_COUNTING}};
    const QString error = errorOf([&] { checkCompilers(choice); });
    QVERIFY2(error.contains(u"'counting', which another one has"_s), qPrintable(error));
}

void TestCompilers::pluginRunsTheGraphs() {
    const QString file = scratch_.at(u"runs.txt"_s);
    Options options{.model = "sample:mlp",
                    .compilers = {.forward = "counting",
                                  .backward = "interpreter",
                                  .settings = {{"counting.file", file.toStdString()}},
                                  .plugins = {PLUGIN_COUNTING}}};
    auto session = Session::open(options, {});
    QCOMPARE(q(session->record()->error), QString());
    QVERIFY(session->check({}).ok);
    QCOMPARE(contentOf(file), QByteArray("forward 1\n"));
    options.compilers.backward.clear();
    options.compilers.inference = "interpreter";
    session = Session::open(options, {});
    QVERIFY(session->check({}).ok);
    QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\n"));
    options.inference = true;
    QVERIFY(Session::open(options, {})->check({}).ok);
    QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\n"));
    options.compilers.inference.clear();
    QVERIFY(Session::open(options, {})->check({}).ok);
    QCOMPARE(contentOf(file), QByteArray("forward 1\nforward 1\nbackward 1\ninference 1\n"));
}

/// The groups of the backward appear when it is compiled: at its first run.
void TestCompilers::groupsAreThoseOfTheCompiler() {
    const auto session = Session::open(
        {.model = "sample:mlp",
         .compilers = {.forward = "counting", .settings = {{"counting.together", "2"}}, .plugins = {PLUGIN_COUNTING}}},
        {});
    const auto& compiled = session->record()->compilers;
    QVERIFY(compiled.at(0).groups.size() > 1 && compiled.at(1).groups.empty());
    const auto checked = session->check({}).compilers;
    QVERIFY(checked.at(0) == compiled.at(0));
    for (const CompilerUse& use : checked) {
        const GraphKind kind = use.graph;
        QVERIFY(!use.groups.empty());
        for (const auto& group : use.groups)
            for (const NodeId node : group) {
                QVERIFY(session->record()->graph(kind)->findById(node));
                QVERIFY(groupOf(checked, kind, node) == group);
                QVERIFY(!groupOf(checked, GraphKind::joint, node).empty());
                QVERIFY(groupOf(checked, GraphKind::functional, node).empty());
            }
    }
}

// --- all samples and programs, by every compiler ---

void TestCompilers::samplesAreLikeEager_data() {
    columns<QString, QString, bool>("sample", "compiler", "minCut");
    bool turn = false;
    for (const auto& sample : sampleList()) {
        if (!longTests() && isLargeSample(sample.name)) continue;
        turn = !turn;
        bool other = turn;
        for (const CompilerInfo& compiler : compilerList({})) {
            other = !other;
            for (const bool minCut : {false, true})
                if (longTests() || minCut == other)  // each compiler gets half of the samples with each partition
                    QTest::addRow("%s, %s, %s", sample.name.c_str(), compiler.name.c_str(),
                                  minCut ? "min-cut" : "default")
                        << q(sample.name) << q(compiler.name) << minCut;
        }
    }
}
void TestCompilers::samplesAreLikeEager() {
    FETCH(QString, sample, compiler);
    QFETCH(bool, minCut);
    Options options;
    options.model = "sample:" + sample.toStdString();
    options.compilers.forward = compiler.toStdString();
    options.partition.algorithm = minCut ? PartitionAlgorithm::minCut : PartitionAlgorithm::defaultPartition;
    const auto session = Session::open(options, {});
    QCOMPARE(q(session->record()->error), QString());
    const CheckResult check = session->check({});
    QVERIFY2(check.ok, check.details.empty() ? "" : check.details.front().c_str());
    for (const CompilerUse& use : check.compilers) QCOMPARE(q(use.note), QString());
}

void TestCompilers::programsAreLikeEager_data() {
    columns<QString, bool>("program", "keep");
    for (const auto& program : programTexts())
        for (const bool keep : {false, true})
            QTest::addRow("%s%s", program.name.c_str(), keep ? ", kept mutations" : "") << q(program.name) << keep;
}
void TestCompilers::programsAreLikeEager() {
    QFETCH(QString, program);
    QFETCH(bool, keep);
    const ProgramText& text = programText(program.toStdString());
    const Options options{.mode = text.mode, .compilers = {.forward = "torchscript"}, .keepInputMutations = keep};
    const Compiled compiled = compile(text.module(), text.inputs, options);
    QCOMPARE(q(compiled.record().error), QString());
    const CheckResult result = check(compiled);
    QVERIFY2(result.ok, result.details.empty() ? "" : result.details.front().c_str());
    for (const CompilerUse& use : result.compilers) QCOMPARE(q(use.note), QString());
}

AOTSCOPE_TEST(TestCompilers)
#include "test_compilers.moc"

// Native code and operators that a session names: used with consent only.

#include "test_window_sessions.h"

#include "support/hostile/hostile_files.h"
#include "support/hostile/script_archive.h"

#include <QAction>
#include <QMessageBox>

using namespace aotscope;
using namespace aotscope::test;

namespace {

bool consentIsAsked(const Driver& d) {
    const auto* box = d.find<QMessageBox>("consent");
    return box && box->isVisible();
}

/// A session of sample:mlp.
SessionContent sessionOf(const CompilerChoice& compilers) {
    return Session::open({.model = "sample:mlp", .compilers = compilers}, {})->content();
}

}  // namespace

QString TestWindowSessions::copyOf(const char* library, const char* name) const {
    if (!QFile::copy(QString::fromUtf8(library), at(name))) qFatal("cannot copy %s", library);
    return at(name);
}

QString TestWindowSessions::sessionThatNames(const char* name, const QString& plugin) const {
    SessionContent content = sessionOf({"counting", {}, {}, {}, {PLUGIN_COUNTING}});
    content.options.compilers.plugins.clear();
    content.code.plugins = {plugin.toStdString()};
    writeSessionFile(at(name).toStdString(), content);
    return at(name);
}

void TestWindowSessions::plugInIsLoadedWithConsentOnly() {
    const QString plugin = copyOf(PLUGIN_TRAP, "plugin.so");
    const QString file = sessionThatNames("asks.aotscope", plugin);
    Driver d;
    QVERIFY(d.open(file));
    auto* box = d.find<QMessageBox>("consent");
    QVERIFY(box && box->isVisible());
    for (const QString& words : {plugin, u"asks.aotscope"_s, u"with all your permissions"_s})
        QVERIFY2(box->text().contains(words), qPrintable(box->text()));
    QVERIFY(box->defaultButton() == buttonOf(box, "Do Not Load"));
    QVERIFY(d.window.session()->record()->graph(GraphKind::joint));  // shown beside the question
    QVERIFY(!d.find<QAction>("actionCheck")->isEnabled());
    QVERIFY(d.find<QAction>("actionCheck")->toolTip().contains(plugin));
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(d.settle());
    QVERIFY(!QFile::exists(plugin + u".loaded"_s));

    QVERIFY(d.openSample("aliasing"));  // not asked again
    QVERIFY(d.open(file));
    QVERIFY(!consentIsAsked(d));
    QVERIFY(!QFile::exists(plugin + u".loaded"_s));
    QCOMPARE(d.problems()->count(), 0);
    QVERIFY(Settings().compilers().plugins.empty());
}

void TestWindowSessions::consentHoldsForTheFileAsItIs() {
    const QString plugin = copyOf(PLUGIN_COUNTING, "counting.so");
    const QString file = sessionThatNames("consent.aotscope", plugin);
    {
        Driver d;
        QVERIFY(d.open(file));
        buttonOf(d.find<QMessageBox>("consent"), "Load")->click();
        QVERIFY(d.settle());
        QVERIFY(d.window.session()->saved() && !d.window.isWindowModified());
        d.window.check();
        QVERIFY(d.settle());
        QVERIFY2(d.verdict().startsWith("Equal to eager"_L1), qPrintable(d.verdict()));
        QCOMPARE(d.window.session()->check({}).compilers.at(0).used, std::string("counting"));
    }
    Driver d;
    QVERIFY(d.open(file));
    QVERIFY(!consentIsAsked(d));
    QCOMPARE(d.window.session()->whyNotExecutable(), std::string());
    QVERIFY(Settings().compilers().plugins.empty());
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.window.session()->options().compilers.plugins.empty());
    QCOMPARE(d.window.session()->options().compilers.forward, std::string("interpreter"));
    QVERIFY(d.find<QComboBox>("compiler")->findText(u"counting"_s) < 0);

    QFile changed(plugin);
    QVERIFY(changed.open(QIODevice::Append) && changed.write("x") == 1);
    changed.close();
    QVERIFY(d.open(file));
    QVERIFY(consentIsAsked(d));
    QVERIFY(!d.window.session()->whyNotExecutable().empty());
    QVERIFY(d.openSample("aliasing"));  // the question closes with its session
    QVERIFY(!consentIsAsked(d));
}

/// Choices made while a session's plug-in is in use are remembered without the plug-in.
void TestWindowSessions::plugInOfASessionIsNotRemembered() {
    const QString plugin = copyOf(PLUGIN_COUNTING, "mine.so");
    const QString file = sessionThatNames("chosen.aotscope", plugin);
    Driver d;
    QVERIFY(d.open(file));
    buttonOf(d.find<QMessageBox>("consent"), "Load")->click();
    QVERIFY(d.settle());
    const auto choose = [&d](const char* name) {
        auto* box = d.find<QComboBox>("compiler");
        box->setCurrentIndex(box->findText(QString::fromUtf8(name)));
        Q_EMIT box->activated(box->currentIndex());
        return d.settle();
    };
    QVERIFY(choose("torchscript"));
    QVERIFY(choose("counting"));
    d.choosePartition(PartitionAlgorithm::defaultPartition);
    QVERIFY(d.settle());
    QCOMPARE(Settings().compilers().forward, std::string("torchscript"));
    QVERIFY(Settings().compilers().plugins.empty());
}

void TestWindowSessions::aMissingPlugInIsReported() {
    Driver d;
    QVERIFY(d.open(sessionThatNames("missing.aotscope", at("nowhere.so"))));
    QVERIFY(!consentIsAsked(d));
    QVERIFY2(d.lastProblem().contains(at("nowhere.so")) && d.lastProblem().contains("not on this"_L1),
             qPrintable(d.lastProblem()));
    d.window.run();
    QVERIFY(d.settle());
    QCOMPARE(d.problems()->count(), 1);  // once
}

void TestWindowSessions::libraryIsLoadedWithConsentOnly() {
    const QString library = copyOf(PLUGIN_TRAP, "library.so"), sprung = library + u".loaded"_s;
    SessionContent content = sessionOf({});
    content.code.libraries = {library.toStdString()};
    const QString file = at("library.aotscope");
    writeSessionFile(file.toStdString(), content);
    Driver d;
    QVERIFY(d.open(file));
    QVERIFY(consentIsAsked(d));
    d.window.check();  // optional
    QVERIFY(d.settle());
    QVERIFY(!QFile::exists(sprung));
    buttonOf(d.find<QMessageBox>("consent"), "Load")->click();
    QVERIFY(d.settle());
    QVERIFY(!QFile::exists(sprung));  // nothing was compiled yet
    d.window.check();
    QVERIFY(d.settle());
    QVERIFY(QFile::exists(sprung));
    QVERIFY(Settings().libraries().isEmpty());
}

/// Operators with side effects need consent, which holds for this file as long as it is unchanged.
void TestWindowSessions::operatorsAreCalledWithConsentOnly() {
    const QString model = at("reads.pt"), data = scratch_.write(u"data"_s, QByteArray(64, 'v'));
    const InputSpec spec = specFrom(R"([{"shape": [4], "dtype": "float32"}])");
    const auto write = [&](const char* factor) {
        ScriptArchive{modelCode("    y = torch.from_file(\"" + data.toStdString() +
                                "\", False, 4, dtype=6)\n    return torch.mul(x, " + factor + ")\n")}
            .write(model);
    };
    write("2");
    Driver d;
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.open(model, spec));
    auto* box = d.find<QMessageBox>("consent");
    QVERIFY2(box && box->isVisible(), qPrintable(d.lastProblem()));
    for (const char* words : {"'reads.pt'", "aten::from_file", "reads files"})
        QVERIFY2(box->text().contains(QLatin1String(words)), qPrintable(box->text()));
    QVERIFY(box->defaultButton() == buttonOf(box, "Do Not Open"));
    QCOMPARE(d.modelName(), u"aliasing"_s);
    buttonOf(box, "Open Anyway")->click();
    QVERIFY(d.settle());
    QCOMPARE(d.modelName(), u"reads"_s);
    QVERIFY(d.window.session()->options().allow.contains(OperatorKind::readsFiles));
    QVERIFY(d.openSample("aliasing"));
    QVERIFY(d.window.session()->options().allow.empty());
    QVERIFY(d.open(model, spec));  // not asked again
    QCOMPARE(d.modelName(), u"reads"_s);
    QVERIFY(d.openSample("aliasing"));
    write("3");
    QVERIFY(d.open(model, spec));
    QVERIFY(consentIsAsked(d));
    QCOMPARE(d.modelName(), u"aliasing"_s);
    buttonOf(d.find<QMessageBox>("consent"), "Do Not Open")->click();
    QVERIFY(d.open(model, spec));
    QVERIFY(!consentIsAsked(d));
    QCOMPARE(d.modelName(), u"aliasing"_s);
}

/// In the window, all of them are harmless: they load no library and write no file.
void TestWindowSessions::hostileSessionsAreHarmless() {
    const Scratch scratch;
    const auto files = hostileSessions(scratch);
    const QStringList before = scratch.files();
    Driver d;
    for (const HostileFile& hostile : files) {
        d.problems()->clear();
        QVERIFY(d.openSample("aliasing"));
        d.window.openModel(hostile.path);
        QVERIFY2(d.settle(), qPrintable(hostile.name));
        if (!hostile.sentence.isEmpty())
            QVERIFY2(d.lastProblem().contains(hostile.sentence), qPrintable(hostile.name + d.lastProblem()));
        d.window.check();
        QVERIFY2(d.settle(), qPrintable(hostile.name));
        QCOMPARE(scratch.files(), before);
    }
}

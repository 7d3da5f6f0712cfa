// The main window and session files: what is restored, and what the user is asked.

#include "app/session_steps.h"
#include "support/hostile/hostile_files.h"
#include "support/hostile/script_archive.h"

#include <QAction>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QUrl>

#include <sys/stat.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

bool consentIsAsked(const Driver& d) {
    const auto* box = d.find<QMessageBox>("consent");
    return box && box->isVisible();
}

/// A session of sample:mlp.
SessionContent sessionOf(const CompilerChoice& compilers) {
    Options options;
    options.model = "sample:mlp";
    options.compilers = compilers;
    return Session::open(options, {})->content();
}

}  // namespace

class TestWindowSessions : public QObject {
    Q_OBJECT

    Isolation isolation_;
    Scratch scratch_;

    QString at(const char* name) const { return scratch_.at(QString::fromUtf8(name)); }
    QString copyOf(const char* library, const char* name) const {
        if (!QFile::copy(QString::fromUtf8(library), at(name))) qFatal("cannot copy %s", library);
        return at(name);
    }
    /// A session that needs the compiler "counting" from `plugin`.
    QString sessionThatNames(const char* name, const QString& plugin) const {
        SessionContent content = sessionOf({"counting", {}, {}, {}, {PLUGIN_COUNTING}});
        content.options.compilers.plugins.clear();
        content.code.plugins = {plugin.toStdString()};
        writeSessionFile(at(name).toStdString(), content);
        return at(name);
    }

private Q_SLOTS:
    void initTestCase() { initializeTorch(); }
    void init() { isolation_.forget(); }

    void everythingComesBack() {
        const QString file = at("all.aotscope");
        NodeId chosen = kNoNode;
        QPointF centre;
        {
            Driver d;
            QVERIFY(d.openSample("mlp"));
            d.window.time();
            QVERIFY(d.settle());
            d.window.check();
            QVERIFY(d.settle());
            QVERIFY(keepVariant(d, "small", 0));
            d.chooseTab(GraphKind::backward);
            QVERIFY(d.settle());
            chosen =
                d.record()->graph(GraphKind::backward)->at(d.record()->graph(GraphKind::backward)->size() / 2)->id();
            d.clickNode(chosen);
            d.canvas()->resetZoom();
            d.canvas()->zoomBy(1.5);
            d.find<QTabWidget>("tables")->setCurrentWidget(d.table("inputsTable"));
            QVERIFY(saveSession(d, file));
            centre = d.canvas()->mapToScene(d.canvas()->viewport()->rect().center());
        }
        Driver d;
        QVERIFY2(d.open(file), qPrintable(d.lastProblem()));
        QVERIFY(d.window.session()->saved());
        QCOMPARE(d.modelName(), QStringLiteral("mlp"));
        QVERIFY(d.window.timing() && !d.window.timing()->steps.empty());
        QVERIFY(d.table("timingTable")->view()->model()->rowCount() > 0);
        QCOMPARE(d.window.whatIf()->variants()->list().size(), 2U);
        QCOMPARE(d.window.whatIf()->variants()->list()[1].name, QStringLiteral("small"));
        QVERIFY(d.window.whatIf()->variants()->list()[0].measured);
        QCOMPARE(d.pane()->kind(), GraphKind::backward);
        QCOMPARE(d.canvas()->selectedNode(), chosen);
        QCOMPARE(d.find<QTabWidget>("tables")->currentWidget()->objectName(), QStringLiteral("inputsTable"));
        QVERIFY(qAbs(d.canvas()->transform().m11() - 1.5) < 0.01);
        const QPointF now = d.canvas()->mapToScene(d.canvas()->viewport()->rect().center());
        QVERIFY2((now - centre).manhattanLength() < 10,
                 qPrintable(QStringLiteral("%1 %2").arg(now.x()).arg(centre.x())));
        QVERIFY(d.recent().contains(file));
        QVERIFY(!d.window.isWindowModified());
    }

    void marksComeBack() {
        const QString file = at("marks.aotscope");
        const QString values = scratch_.write(QStringLiteral("values.json"), R"({"relu": 1, "relu_1": 5})");
        std::vector<Breakpoint> breakpoints = {{Breakpoint::When::passStarts, "partition", false},
                                               {Breakpoint::When::nodeDies, "op:softmax", true}};
        GraphView::Position there;
        std::size_t marks = 0;
        {
            Driver d;
            QVERIFY(d.openSample("mlp"));
            QVERIFY(saveSession(d, file));
            d.chooseTab(GraphKind::backward);
            QVERIFY(d.settle());
            d.canvas()->resetZoom();
            there = d.canvas()->position();
            d.trigger("actionRemember3");
            QVERIFY(d.window.isWindowModified());
            d.chooseTab(GraphKind::joint);
            d.window.navigation()->breakpoints()->panel()->setBreakpoints(breakpoints);
            d.window.navigation()->colours()->openOverlay(values);
            Q_EMIT d.window.whatIf()->variants()->sweepRequested();
            QVERIFY(d.settle());
            marks = d.window.whatIf()->variants()->pareto()->chart()->marks().size();
            QVERIFY(marks > 2);
            QVERIFY(saveSession(d, file));
            QVERIFY(!d.window.isWindowModified());
        }
        QVERIFY(QFile::remove(values));
        isolation_.forget();
        Driver d;
        QVERIFY(d.open(file));
        QCOMPARE(d.window.navigation()->breakpoints()->panel()->breakpoints(), breakpoints);
        QCOMPARE(d.window.whatIf()->variants()->pareto()->chart()->marks().size(), marks);
        QCOMPARE(d.window.navigation()->colours()->dimension(), std::optional(Dimension::overlay));
        QVERIFY(d.canvas()->graph()->tints.size() >= 3);
        QVERIFY(d.find<QAction>("colourBy-overlay")->isChecked());
        d.trigger("actionGoTo3");
        QVERIFY(d.settle());
        QCOMPARE(d.pane()->kind(), GraphKind::backward);
        QCOMPARE(d.canvas()->position().zoom, there.zoom);
        QVERIFY((d.canvas()->position().centre - there.centre).manhattanLength() < 4);
        QVERIFY(!d.window.isWindowModified());
        // Bookmarks belong to the session: another model does not have them.
        QVERIFY(d.openSample("aliasing"));
        QVERIFY(d.window.navigation()->breakpoints()->panel()->breakpoints() == breakpoints);
        d.trigger("actionGoTo3");
        QVERIFY(d.settle());
        QCOMPARE(d.pane()->kind(), GraphKind::backward);  // as it was
        QVERIFY(d.window.sessionFile()->file().isEmpty());
    }

    /// Partitions share most of their contents.
    void sweptBudgetsTakeLittleRoom() {
        const QString file = at("gpt2.aotscope");
        Driver d;
        QVERIFY(d.openSample("gpt2"));
        QVERIFY(saveSession(d, file));
        const qint64 without = QFileInfo(file).size();
        Q_EMIT d.window.whatIf()->variants()->sweepRequested();
        QVERIFY(d.settle());
        QVERIFY(saveSession(d, file));
        const qint64 with = QFileInfo(file).size();
        const std::size_t points = contentOfFile(file).sweep.size();
        qInfo("gpt2: %lld bytes, with %zu partitions %lld", without, points, with);
        QVERIFY(points > 3);
        QVERIFY(with < 2'000'000);
    }

    void closedModulesAndColoursComeBack() {
        const QString file = at("modules.aotscope");
        std::size_t boxes = 0;
        {
            Driver d;
            QVERIFY(d.openSample("gpt2-tiny"));
            d.trigger("actionCloseAll");
            d.trigger("colourBy-bytes");
            QVERIFY(d.settle());
            boxes = d.canvas()->graph()->nodes.size();
            QVERIFY(saveSession(d, file));
        }
        isolation_.forget();
        Driver d;
        QVERIFY(d.open(file));
        QCOMPARE(d.canvas()->graph()->nodes.size(), boxes);
        QCOMPARE(d.window.navigation()->colours()->dimension(), std::optional(Dimension::bytes));
        QVERIFY(!d.find<QAction>("actionUndo")->isEnabled());  // this is how it opens
        d.trigger("actionOpenAll");
        QVERIFY(d.settle());
        QVERIFY(d.canvas()->graph()->nodes.size() > boxes);
    }

    /// Overrides of a file are not lost when the session is saved before what-if has been prepared.
    void savedRightAfterOpening() {
        const QString file = at("hasty.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(keepVariant(d, "small", 0));
        Q_EMIT d.window.whatIf()->variants()->sweepRequested();
        QVERIFY(d.settle());
        QVERIFY(saveSession(d, file));
        const std::size_t points = contentOfFile(file).sweep.size();
        QVERIFY(points > 1);
        QVERIFY(d.openSample("aliasing"));
        bool early = false;
        const auto saveAtOnce = [&] {
            early = d.window.whatIf()->variants()->list().empty();
            d.window.sessionFile()->saveTo(at("copy.aotscope"));
        };
        connect(d.pane(), &GraphPane::graphChanged, &d.window, saveAtOnce,
                static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
        d.window.openModel(file);
        QVERIFY(d.settle());
        QVERIFY(early);
        const SessionContent copy = contentOfFile(at("copy.aotscope"));
        QCOMPARE(copy.options.model, std::string("sample:mlp"));
        QCOMPARE(copy.variants.size(), 1U);
        QCOMPARE(copy.sweep.size(), points);
    }

    void anEarlierSessionOpens() {
        Driver d;
        const QString file = at("earlier.aotscope");
        QVERIFY(QFile::copy(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/sessions/schema1.aotscope"), file));
        d.window.navigation()->breakpoints()->panel()->setBreakpoints(
            {{Breakpoint::When::passStarts, "partition", false}});
        QVERIFY(d.open(file));
        QCOMPARE(d.modelName(), QStringLiteral("mlp"));
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(d.window.timing());
        QVERIFY(qAbs(d.canvas()->position().zoom - 0.835) < 0.001);
        // It does not mention breakpoints.
        QCOMPARE(d.window.navigation()->breakpoints()->panel()->breakpoints().size(), 1U);
        d.trigger("colourBy-measured");
        QVERIFY(d.settle());
        QVERIFY(!d.canvas()->graph()->tints.empty());
        QVERIFY(saveSession(d, file));
        QVERIFY(d.openSample("aliasing"));
        QVERIFY(d.open(file));
        QCOMPARE(d.window.navigation()->colours()->dimension(), std::optional(Dimension::measured));
    }

    void titleShowsWhatIsNotSaved() {
        const QString file = at("title.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(!d.window.isWindowModified());
        d.window.time();
        QVERIFY(d.settle());
        QVERIFY(d.window.isWindowModified());
        QVERIFY(saveSession(d, file));
        QVERIFY(!d.window.isWindowModified());
        QCOMPARE(d.window.sessionFile()->file(), file);
        QVERIFY(keepVariant(d, "other", 0));
        QVERIFY(d.window.isWindowModified());
        d.trigger("actionSaveSession");  // into the same file, without a question
        QVERIFY(d.settle());
        QVERIFY(!d.window.isWindowModified());
        QCOMPARE(contentOfFile(file).variants.size(), 1U);
    }

    void droppedSessionOpens() {
        const QString file = at("dropped.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        QVERIFY(d.openSample("aliasing"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&d.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent dropped({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&d.window, &dropped);
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), QStringLiteral("mlp"));
        QCOMPARE(d.window.sessionFile()->file(), file);
    }

    /// An opened session is recompiled with other options and then saved to the same file.
    void otherOptionsGoIntoTheSameFile() {
        const QString file = at("options.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        QVERIFY(d.open(file));
        d.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(d.settle());
        QVERIFY(!d.window.session()->saved());
        QVERIFY(d.window.isWindowModified());
        d.trigger("actionSaveSession");
        QVERIFY(d.settle());
        const SessionContent content = contentOfFile(file);
        QCOMPARE(content.options.partition.algorithm, PartitionAlgorithm::defaultPartition);
        QCOMPARE(content.options.model, std::string("sample:mlp"));
    }

    void twoWindowsDoNotLoseEachOthersChanges() {
        const QString file = at("two.aotscope");
        Driver a;
        QVERIFY(a.openSample("mlp"));
        QVERIFY(saveSession(a, file));
        Driver b;
        QVERIFY(b.open(file));
        QVERIFY(keepVariant(a, "of a", 0));
        a.trigger("actionSaveSession");
        QVERIFY(a.settle());
        QVERIFY(keepVariant(b, "of b", 0.5));
        b.trigger("actionSaveSession");
        QVERIFY(b.settle());
        auto* box = b.find<QMessageBox>("changedOnDisk");
        QVERIFY(box && box->isVisible());
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
        QVERIFY(b.window.isWindowModified());
        buttonOf(box, "Replace")->click();
        QVERIFY(b.settle());
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of b"));
        QVERIFY(!b.window.isWindowModified());
    }

    /// Also if the second window has returned to the file's options without reading the file again.
    void aChangeIsNoticedAfterOtherOptions() {
        const QString file = at("back.aotscope");
        Driver a;
        QVERIFY(a.openSample("mlp"));
        QVERIFY(saveSession(a, file));
        Driver b;
        QVERIFY(b.open(file));
        QVERIFY(keepVariant(a, "of a", 0));
        a.trigger("actionSaveSession");
        QVERIFY(a.settle());
        b.choosePartition(PartitionAlgorithm::defaultPartition);
        QVERIFY(b.settle());
        b.choosePartition(PartitionAlgorithm::minCut);
        QVERIFY(b.settle());
        QVERIFY(b.window.session()->saved());
        QVERIFY(keepVariant(b, "of b", 0.5));
        b.trigger("actionSaveSession");
        QVERIFY(b.settle());
        auto* box = b.find<QMessageBox>("changedOnDisk");
        QVERIFY(box && box->isVisible());
        buttonOf(box, "Cancel")->click();
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
        QVERIFY(b.window.isWindowModified());
    }

    /// Closing the second window asks twice; either its changes are saved or it stays open.
    void twoWindowsAreClosed() {
        const QString file = at("closed.aotscope");
        Driver a, b;
        QVERIFY(a.openSample("mlp"));
        QVERIFY(saveSession(a, file));
        QVERIFY(b.open(file));
        QVERIFY(keepVariant(a, "of a", 0));
        QVERIFY(keepVariant(b, "of b", 0.5));
        const auto closeAndSave = [](Driver& d) {
            d.window.close();
            auto* box = d.find<QMessageBox>("unsavedChanges");
            if (!box) return false;
            box->button(QMessageBox::Save)->click();
            QCoreApplication::processEvents();  // saving begins when the question is gone
            return d.settle();
        };
        QVERIFY(closeAndSave(a));
        QVERIFY(!a.window.isVisible());
        for (const char* answer : {"Cancel", "Replace"}) {
            QVERIFY(closeAndSave(b));
            QVERIFY(b.window.isVisible());
            auto* box = b.find<QMessageBox>("changedOnDisk");
            QVERIFY(box && box->isVisible());
            QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of a"));
            buttonOf(box, answer)->click();
            QVERIFY(b.settle());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QVERIFY(!b.window.isVisible());
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("of b"));
    }

    void aReadOnlyFolderKeepsWhatIsThere() {
        const QString file = at("kept.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        QVERIFY(keepVariant(d, "new", 0));
        const QByteArray before = contentOf(file);
        QVERIFY(chmod(qPrintable(scratch_.path()), 0555) == 0);
        // Permissions of folders do not apply to root.
        const bool root = geteuid() == 0, bound = !root || seteuid(65534) == 0;
        d.trigger("actionSaveSession");
        const bool settled = d.settle();
        if (root && bound) QVERIFY(seteuid(0) == 0);
        QVERIFY(chmod(qPrintable(scratch_.path()), 0700) == 0);
        if (!bound) QSKIP("SKIPPED: cannot give up rights");
        QVERIFY(settled);
        QVERIFY2(d.lastProblem().contains(QLatin1String("Permission denied")), qPrintable(d.lastProblem()));
        QCOMPARE(contentOf(file), before);
        QVERIFY(d.window.isWindowModified());
        QCOMPARE(d.window.sessionFile()->file(), file);
        d.trigger("actionSaveSession");  // it can be written again
        QVERIFY(d.settle());
        QCOMPARE(contentOfFile(file).variants.at(0).name, std::string("new"));
    }

    void unwritableFilesAreReported() {
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, at("missing/folder.aotscope")));
        QVERIFY2(d.lastProblem().contains(QLatin1String("cannot write")), qPrintable(d.lastProblem()));
        QVERIFY(d.window.sessionFile()->file().isEmpty());
    }

    void damagedSessionLeavesTheShownOne() {
        const QString file = at("damaged.aotscope");
        Driver d;
        QVERIFY(d.openSample("mlp"));
        QVERIFY(saveSession(d, file));
        const QByteArray whole = contentOf(file);
        QVERIFY(d.openSample("aliasing"));
        scratch_.write(QStringLiteral("damaged.aotscope"), whole.left(whole.size() / 2));
        QVERIFY(d.open(file));
        QVERIFY2(d.lastProblem().contains(QLatin1String("cut off")), qPrintable(d.lastProblem()));
        QCOMPARE(d.modelName(), QStringLiteral("aliasing"));
    }

    // --- native code named by a session ---

    void plugInIsLoadedWithConsentOnly() {
        const QString plugin = copyOf(PLUGIN_TRAP, "plugin.so");
        const QString file = sessionThatNames("asks.aotscope", plugin);
        Driver d;
        QVERIFY(d.open(file));
        auto* box = d.find<QMessageBox>("consent");
        QVERIFY(box && box->isVisible());
        for (const QString& words :
             {plugin, QStringLiteral("asks.aotscope"), QStringLiteral("with all your permissions")})
            QVERIFY2(box->text().contains(words), qPrintable(box->text()));
        QVERIFY(box->defaultButton() == buttonOf(box, "Do Not Load"));
        QVERIFY(d.window.session()->record()->graph(GraphKind::joint));  // shown beside the question
        QVERIFY(!d.find<QAction>("actionCheck")->isEnabled());
        QVERIFY(d.find<QAction>("actionCheck")->toolTip().contains(plugin));
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(d.settle());
        QVERIFY(!QFile::exists(plugin + QStringLiteral(".loaded")));

        QVERIFY(d.openSample("aliasing"));  // nobody is asked twice
        QVERIFY(d.open(file));
        QVERIFY(!consentIsAsked(d));
        QVERIFY(!QFile::exists(plugin + QStringLiteral(".loaded")));
        QCOMPARE(d.problems()->count(), 0);
        QVERIFY(Settings().compilers().plugins.empty());
    }

    void consentHoldsForTheFileAsItIs() {
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
            QVERIFY2(d.lastProblem().contains(QLatin1String("equal to eager")), qPrintable(d.lastProblem()));
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
        QVERIFY(d.find<QComboBox>("compiler")->findText(QStringLiteral("counting")) < 0);

        QFile changed(plugin);
        QVERIFY(changed.open(QIODevice::Append) && changed.write("x") == 1);
        changed.close();
        QVERIFY(d.open(file));
        QVERIFY(consentIsAsked(d));
        QVERIFY(!d.window.session()->whyNotExecutable().empty());
        QVERIFY(d.openSample("aliasing"));  // the question goes with its session
        QVERIFY(!consentIsAsked(d));
    }

    /// Choices made while a session's plug-in is in use are remembered without the plug-in.
    void plugInOfASessionIsNotRemembered() {
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

    void aMissingPlugInIsReported() {
        Driver d;
        QVERIFY(d.open(sessionThatNames("missing.aotscope", at("nowhere.so"))));
        QVERIFY(!consentIsAsked(d));
        QVERIFY2(d.lastProblem().contains(at("nowhere.so")) && d.lastProblem().contains(QLatin1String("not on this")),
                 qPrintable(d.lastProblem()));
        d.window.run();
        QVERIFY(d.settle());
        QCOMPARE(d.problems()->count(), 1);  // once
    }

    void libraryIsLoadedWithConsentOnly() {
        const QString library = copyOf(PLUGIN_TRAP, "library.so"), sprung = library + QStringLiteral(".loaded");
        SessionContent content = sessionOf({});
        content.code.libraries = {library.toStdString()};
        const QString file = at("library.aotscope");
        writeSessionFile(file.toStdString(), content);
        Driver d;
        QVERIFY(d.open(file));
        QVERIFY(consentIsAsked(d));
        d.window.check();  // it can do without
        QVERIFY(d.settle());
        QVERIFY(!QFile::exists(sprung));
        buttonOf(d.find<QMessageBox>("consent"), "Load")->click();
        QVERIFY(d.settle());
        QVERIFY(!QFile::exists(sprung));  // nothing is compiled yet
        d.window.check();
        QVERIFY(d.settle());
        QVERIFY(QFile::exists(sprung));
        QVERIFY(Settings().libraries().isEmpty());
    }

    /// Operators with side effects need consent, which holds for this file as long as it is unchanged.
    void operatorsAreCalledWithConsentOnly() {
        const QString model = at("reads.pt"), data = scratch_.write(QStringLiteral("data"), QByteArray(64, 'v'));
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
        QCOMPARE(d.modelName(), QStringLiteral("aliasing"));
        buttonOf(box, "Open Anyway")->click();
        QVERIFY(d.settle());
        QCOMPARE(d.modelName(), QStringLiteral("reads"));
        QVERIFY(d.window.session()->options().allow.contains(OperatorKind::readsFiles));
        QVERIFY(d.openSample("aliasing"));
        QVERIFY(d.window.session()->options().allow.empty());
        QVERIFY(d.open(model, spec));  // nobody is asked twice
        QCOMPARE(d.modelName(), QStringLiteral("reads"));
        QVERIFY(d.openSample("aliasing"));
        write("3");
        QVERIFY(d.open(model, spec));
        QVERIFY(consentIsAsked(d));
        QCOMPARE(d.modelName(), QStringLiteral("aliasing"));
        buttonOf(d.find<QMessageBox>("consent"), "Do Not Open")->click();
        QVERIFY(d.open(model, spec));
        QVERIFY(!consentIsAsked(d));
        QCOMPARE(d.modelName(), QStringLiteral("aliasing"));
    }

    /// In the window, none of them does harm, loads a library or writes a file.
    void hostileSessionsAreHarmless() {
        const Scratch scratch;
        const auto files = hostileSessions(scratch);
        const QStringList before = scratch.files();
        for (const HostileFile& hostile : files) {
            Driver d;
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
};

QTEST_MAIN(TestWindowSessions)
#include "test_window_sessions.moc"

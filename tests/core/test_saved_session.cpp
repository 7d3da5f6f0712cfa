// A session opened from a file: shown, repartitioned, and run if its model is found.

#include "io/session/model_reference.h"
#include "io/session/session_file.h"
#include "session/open/without_engine.h"
#include "support/same_graph.h"
#include "support/scratch.h"
#include "support/test_program.h"

namespace aotscope::test::saved_session_test {
namespace {

const QString kModel = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/tied_weights.pt2");
const QString kOtherModel = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/pytree.pt2");

std::shared_ptr<const Session> open(const QString& model, const std::shared_ptr<const Session>& previous = nullptr) {
    return Session::open({.model = model.toStdString()}, {}, previous);
}

/// A model in `scratch` and its session next to it.
struct Saved {
    explicit Saved(const Scratch& scratch, bool embed = false)
        : model(scratch.at(u"model.pt2"_s)), path(scratch.at(u"s.aotscope"_s)) {
        if (!QFile::copy(kModel, model)) qFatal("no copy");
        made = open(model);
        SessionContent content = made->content();
        if (embed) content.embeddedModel = model.toStdString();
        writeSessionFile(path.toStdString(), content);
    }
    QString model, path;
    std::shared_ptr<const Session> made;
};

/// A session that was compiled by a plug-in.
QString madeWithPlugIn(const Scratch& scratch) {
    const Options options{
        .model = "sample:mlp",
        .compilers = {.forward = "counting", .settings = {{"counting.together", "2"}}, .plugins = {PLUGIN_COUNTING}}};
    QString path = scratch.at(u"plugin.aotscope"_s);
    writeSessionFile(path.toStdString(), Session::open(options, {})->content());
    return path;
}

QString differenceOfRecords(const CompileRecord& a, const CompileRecord& b) {
    if (a.graphs.size() != b.graphs.size()) return u"graphs"_s;
    for (const auto& [kind, graph] : a.graphs)
        if (QString found = differenceOf(*graph, *b.graph(kind)); !found.isEmpty()) return found;
    return {};
}

}  // namespace

class TestSavedSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsWhatWasSaved() {
        const Scratch scratch;
        const Saved saved(scratch);
        const auto session = open(saved.path);
        QVERIFY(session->saved());
        QCOMPARE(differenceOfRecords(*saved.made->record(), *session->record()), QString());
        QCOMPARE(session->options().model, saved.path.toStdString());
        QCOMPARE(session->inputNames(), saved.made->inputNames());
        QCOMPARE(printInputSpec(session->inputSpec()), printInputSpec(saved.made->inputSpec()));
    }

    /// The options of the file apply, not those of the command line.
    void keepsItsOptions() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        writeSessionFile(path.toStdString(), Session::open({.model = "sample:mlp", .inference = true}, {})->content());
        const auto session = open(path);
        QVERIFY(session->options().inference);
        QVERIFY(session->record()->graph(GraphKind::inference));
    }

    void runsWhereTheModelIs() {
        const Scratch scratch;
        const Saved saved(scratch);
        const auto session = open(saved.path);
        QCOMPARE(session->whyNotExecutable(), std::string());
        QVERIFY(session->check({}).ok);
        QVERIFY(!session->time({1}, {}).steps.empty());
    }

    void findsTheModelNextToTheFile() {
        const Scratch scratch, moved;
        const Saved saved(scratch);
        QVERIFY(QFile::rename(saved.model, moved.at(u"model.pt2"_s)));
        const QString path = moved.at(u"s.aotscope"_s);
        QVERIFY(QFile::rename(saved.path, path));
        QVERIFY(open(path)->check({}).ok);
    }

    void saysThatTheModelIsMissing() {
        const Scratch scratch;
        const Saved saved(scratch);
        QVERIFY(QFile::remove(saved.model));
        const auto session = open(saved.path);
        QVERIFY2(q(session->whyNotExecutable()).contains("not on this machine"_L1),
                 session->whyNotExecutable().c_str());
        QVERIFY(errorOf([&] { session->check({}); }).contains("not on this machine"_L1));
        QCOMPARE(differenceOfRecords(*saved.made->record(), *session->record()), QString());
    }

    void refusesAnotherModelInItsPlace() {
        const Scratch scratch;
        const Saved saved(scratch);
        QFile file(saved.model);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() / 2) && file.write("x", 1) == 1);  // as long as before
        file.close();
        const QString error = errorOf([&] { open(saved.path)->check({}); });
        QVERIFY2(error.contains("content has changed"_L1), qPrintable(error));
    }

    void aModelThatChangedSinceItWasLoadedHasNoHash() {
        const Scratch scratch;
        const QString model = scratch.at(u"model.pt2"_s);
        QVERIFY(QFile::copy(kModel, model));
        const auto session = open(model);
        QFile::remove(model);
        QVERIFY(QFile::copy(kOtherModel, model));
        QFile file(model);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
        QCOMPARE(session->content().model.hash, std::string());
    }

    void embedsItsModel() {
        const Scratch scratch;
        const Saved saved(scratch, true);
        QVERIFY(QFile::remove(saved.model));
        const auto session = open(saved.path);
        QCOMPARE(session->whyNotExecutable(), std::string());
        QVERIFY(session->check({}).ok);
        const QString copy = scratch.at(u"copy.aotscope"_s);
        writeSessionFile(copy.toStdString(), session->content());  // as Save does
        QVERIFY(QFile::remove(saved.path));
        QVERIFY(open(copy)->check({}).ok);
    }

    void removesWhatItUnpacked() {
        const Scratch scratch, temporary;
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", temporary.path().toUtf8());
        const Saved saved(scratch, true);
        QVERIFY(QFile::remove(saved.model));
        const auto session = open(saved.path);
        QVERIFY(session->check({}).ok);
        const auto unpacked = [&] { return QDir(temporary.path()).entryList({u"aotscope-*"_s}, QDir::Dirs); };
        QCOMPARE(unpacked().size(), 1);
        session->removeUnpacked();
        QCOMPARE(unpacked(), QStringList());
        QVERIFY(session->check({}).ok);  // the compiled function still runs
        QVERIFY(errorOf([&] { session->content(); }).contains("is closed"_L1));
        QCOMPARE(unpacked(), QStringList());
        before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    }

    /// Neither what-if nor --partition needs the model.
    void isRepartitionedWithoutItsModel() {
        const Scratch scratch;
        const Saved saved(scratch);
        Options options{.model = saved.model.toStdString(), .partition = {.memoryBudget = 0}};
        const auto wanted = Session::open(options, {})->record();
        QVERIFY(QFile::remove(saved.model));

        options.model = saved.path.toStdString();
        options.repartition = true;
        QCOMPARE(differenceOfRecords(*wanted, *Session::open(options, {})->record()), QString());

        const auto session = open(saved.path);
        Options changed = session->options();
        changed.partition.memoryBudget = 0;
        const auto again = Session::open(changed, {}, session);
        QVERIFY(!again->saved());
        QCOMPARE(differenceOfRecords(*wanted, *again->record()), QString());
        QVERIFY(Session::open(session->options(), {}, again)->saved());  // and back

        changed.inference = true;
        QVERIFY(errorOf([&] { Session::open(changed, {}, session); }).contains("not on this machine"_L1));
    }

    void isShownAndRepartitionedWithoutTheEngine() {
        const Scratch scratch;
        const Saved saved(scratch);
        Options options{.model = saved.model.toStdString(), .partition = {.memoryBudget = 0}};
        const auto wanted = Session::open(options, {})->record();

        const QString why = u"there is no engine"_s;
        const auto none = missingEngine(why.toStdString());
        const auto session = none->open({.model = saved.path.toStdString()}, {});
        QVERIFY(session->saved());
        QCOMPARE(differenceOfRecords(*session->record(), *saved.made->record()), QString());
        QCOMPARE(QString::fromStdString(session->whyNotExecutable()), why);
        QCOMPARE(QString::fromStdString(session->whyNotCompiled()), why);

        Options changed = session->options();
        changed.partition.memoryBudget = 0;
        const auto again = none->open(changed, {}, session);
        QCOMPARE(differenceOfRecords(*wanted, *again->record()), QString());
        changed.inference = true;
        QCOMPARE(errorOf([&] { none->open(changed, {}, session); }), why);
        QCOMPARE(errorOf([&] { (void)session->check({}); }), why);
        // The engine takes over what was opened without it.
        QVERIFY(Session::open(changed, {}, session)->check({}).ok);
    }

    void repartitioningByMinCutIsThatOfThePipeline() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        for (const char* model : {"sample:mlp", "sample:resnet18"}) {
            Options options{.model = model};
            const auto wanted = Session::open(options, {})->record();
            options.partition.algorithm = PartitionAlgorithm::defaultPartition;
            writeSessionFile(path.toStdString(), Session::open(options, {})->content());
            options.model = path.toStdString();
            options.partition.algorithm = PartitionAlgorithm::minCut;
            options.repartition = true;
            QCOMPARE(differenceOfRecords(*wanted, *Session::open(options, {})->record()), QString());
        }
    }

    void isCompiledAgainWithOtherOptions() {
        const Scratch scratch;
        const Saved saved(scratch);
        const auto session = open(saved.path);
        Options changed = session->options();
        changed.inference = true;
        const auto again = Session::open(changed, {}, session);
        QVERIFY(again->record()->graph(GraphKind::inference));
        QCOMPARE(again->options().model, saved.path.toStdString());
        QVERIFY(again->check({}).ok);
        // If saved again, it is a session of the model, not of the session file.
        QCOMPARE(again->content().options.model, saved.model.toStdString());
        QCOMPARE(again->content().model, session->content().model);
    }

    /// Plug-ins of a session are named, but loaded only if the options for opening it name them, too.
    void plugInsAreNotLoaded() {
        const Scratch scratch;
        const QString path = madeWithPlugIn(scratch);
        const auto session = open(path);
        QVERIFY(session->options().compilers.plugins.empty());
        QCOMPARE(session->options().compilers.forward, std::string("counting"));
        QVERIFY(session->record()->graph(GraphKind::backward));
        const QString why = q(session->whyNotExecutable());
        for (const char* words :
             {"'counting'", "not loaded", "--plugin '" PLUGIN_COUNTING "'", "--compiler-option 'counting.together=2'"})
            QVERIFY2(why.contains(QLatin1String(words)), qPrintable(why));
        QCOMPARE(errorOf([&] { session->check({}); }), why);
        QCOMPARE(errorOf([&] { session->time({1}, {}); }), why);
        QCOMPARE(errorOf([&] { session->debug({}); }), why);
        QCOMPARE(errorOf([&] { session->train({}, {}, nullptr); }), why);
        QVERIFY(session->content().code.plugins.size() == 1);  // saving it again loses nothing

        Options changed = session->options();  // only the joint graph is needed
        changed.partition.memoryBudget = 0;
        QVERIFY(Session::open(changed, {}, session)->record()->partition->savedUniqueBytes() !=
                session->record()->partition->savedUniqueBytes());
        changed.seed = 1;
        QCOMPARE(errorOf([&] { Session::open(changed, {}, session); }), why);
        changed.compilers = {};
        QVERIFY(Session::open(changed, {}, session)->check({}).ok);
    }

    void plugInsOfTheUserAreUsed() {
        const Scratch scratch;
        Options options{.model = madeWithPlugIn(scratch).toStdString(), .compilers = {.plugins = {PLUGIN_COUNTING}}};
        const QString why = q(Session::open(options, {})->whyNotExecutable());
        QVERIFY2(why.contains("settings of a compiler"_L1) && !why.contains("--plugin"_L1), qPrintable(why));
        options.compilers.settings = {{"counting.together", "3"}};  // the user's own value counts
        const auto session = Session::open(options, {});
        QCOMPARE(session->whyNotExecutable(), std::string());
        QCOMPARE(session->check({}).compilers.at(0).used, std::string("counting"));
        QCOMPARE(session->options().compilers.settings.at("counting.together"), std::string("3"));
        QVERIFY(session->saved());
        QVERIFY(Session::open(session->options(), {}, session)->saved());  // nothing else has changed
    }

    void libraryIsNamedWhereTheModelCannotBeLoaded() {
        const Scratch scratch;
        const Saved saved(scratch);
        SessionContent content = saved.made->content();
        content.code.libraries = {"/x/operators.so"};
        writeSessionFile(saved.path.toStdString(), content);
        QVERIFY(open(saved.path)->check({}).ok);  // not needed

        const QString broken = scratch.write(u"broken.pt2"_s, "no model");
        content.model = {broken.toStdString(), 8, modelHash(broken.toStdString())};
        writeSessionFile(saved.path.toStdString(), content);
        const QString error = errorOf([&] { open(saved.path)->check({}); });
        QVERIFY2(error.contains("--library '/x/operators.so'"_L1), qPrintable(error));
        const Options options{.model = saved.path.toStdString(), .libraries = {"/x/operators.so"}};
        QVERIFY(errorOf([&] { Session::open(options, {})->check({}); }).contains("cannot load library"_L1));
    }

    void aSessionIsNoModel() {
        const Scratch scratch;
        const Saved saved(scratch);
        const QString other = scratch.at(u"other.aotscope"_s);
        QVERIFY(QFile::copy(saved.path, other));
        SessionContent content = saved.made->content();
        content.model = {other.toStdString(), static_cast<std::uint64_t>(QFileInfo(other).size()),
                         modelHash(other.toStdString())};
        writeSessionFile(saved.path.toStdString(), content);
        const QString error = errorOf([&] { open(saved.path)->check({}); });
        QVERIFY2(error.contains("as its model"_L1), qPrintable(error));
    }

    /// A session may name any file of the user, but without the hash of its content it cannot use the file.
    void filesOfUnknownContentAreNeitherRunNorEmbedded() {
        const Scratch scratch;
        const Saved saved(scratch);
        SessionContent content = saved.made->content();
        content.model.hash.clear();
        writeSessionFile(saved.path.toStdString(), content);
        const auto session = open(saved.path);
        QVERIFY(q(session->whyNotExecutable()).contains("has no hash of its model"_L1));
        SessionContent again = session->content();
        QVERIFY(errorOf([&] { embedModel(again); }).contains("its content has changed"_L1));
        QVERIFY(again.embeddedModel.empty());
        again.model.hash = saved.made->content().model.hash;
        embedModel(again);
        QCOMPARE(q(again.embeddedModel.string()), saved.model);
    }

    /// Like the log, as long as it exists.
    void printedGraphsRun() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        const QString log =
            scratch.write(u"mlp.log"_s, contentOf(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/mlp.log")));
        const auto made = open(log);
        writeSessionFile(path.toStdString(), made->content());
        const auto session = open(path);
        QCOMPARE(differenceOfRecords(*made->record(), *session->record()), QString());
        QCOMPARE(session->whyNotCompiled(), made->whyNotCompiled());
        QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
        QVERIFY(session->check({}).ok);
        QVERIFY(QFile::remove(log));
        const std::string why = open(path)->whyNotExecutable();
        QVERIFY2(why.find("is not on this machine") != std::string::npos, why.c_str());
        QVERIFY2(why.find("--embed") != std::string::npos, why.c_str());
    }

    void graphsWithoutSizesAreShownOnly() {
        const Scratch scratch;
        const QString path = scratch.at(u"s.aotscope"_s);
        const auto made = open(QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/dynamic.log"));
        writeSessionFile(path.toStdString(), made->content());
        const auto session = open(path);
        QCOMPARE(session->whyNotExecutable(), made->whyNotCompiled());
        QCOMPARE(differenceOfRecords(*made->record(), *session->record()), QString());
    }
};

AOTSCOPE_TEST(TestSavedSession)

}  // namespace aotscope::test::saved_session_test

#include "test_saved_session.moc"

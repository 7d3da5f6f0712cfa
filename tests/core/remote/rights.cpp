// What an engine on this machine may do: only what the user has allowed, and the files that people ask for come out.

#include "ops/operator_kinds.h"
#include "program/inputs/short_inputs.h"
#include "remote/connection.h"
#include "remote/engine_program.h"
#include "session/engine.h"
#include "session/remote/message_fields.h"
#include "support/confinement.h"
#include "support/engines.h"
#include "support/error.h"
#include "support/forks.h"
#include "test_remote.h"

#include <QDirIterator>
#include <QScopeGuard>

#include <sys/resource.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

const Options kModel{.model = "sample:mlp"};
const Options kAllowed{.model = "sample:mlp", .allow = {OperatorKind::writesFiles}};
const std::string kScript = "script:def f(x): return x + 1";

/// Of all threads: "1", or "0 1" if they differ.
QByteArray statusOf(pid_t process, const QByteArray& key) {
    QByteArrayList values;
    QDirIterator threads(u"/proc/%1/task"_s.arg(process), QDir::Dirs | QDir::NoDotAndDotDot);
    while (threads.hasNext()) {
        QFile status(threads.next() + u"/status"_s);
        if (!status.open(QFile::ReadOnly)) continue;  // the thread has ended
        for (const QByteArray& line : status.readAll().split('\n')) {
            const QByteArray value = line.mid(key.size() + 1).trimmed();
            if (line.startsWith(key + ':') && !values.contains(value)) values << value;
        }
    }
    return values.join(' ');
}

rlim_t limitOf(pid_t process, __rlimit_resource what) {
    rlimit limit{};
    prlimit(process, what, nullptr, &limit);
    return limit.rlim_cur;
}

}  // namespace

void TestRemote::enginesAreConfined() {
    const Engines engines(scratch_, {}, engineFile());
    const auto engine = engines.start();
    QVERIFY(engine->open(kModel, {})->check({}).ok);
    const pid_t first = engines.last();
    QCOMPARE(limitOf(first, RLIMIT_CORE), rlim_t{0});
    if (engine->devices().back().help.starts_with("a simulated")) QVERIFY(limitOf(first, RLIMIT_DATA) != RLIM_INFINITY);
    QVERIFY(engine->open(kAllowed, {})->check({}).ok);
    const pid_t second = engines.last();
    QVERIFY(second != first);
    QVERIFY(engine->open(kModel, {})->check({}).ok);
    QCOMPARE(engines.all().size(), std::size_t{2});
    if (!confinement().seccomp) QSKIP(confinementText().c_str());
    QCOMPARE(statusOf(first, "NoNewPrivs"), QByteArray("1"));
    QCOMPARE(statusOf(first, "Seccomp"), QByteArray("2"));
    QVERIFY(statusOf(second, "NoNewPrivs").contains("0"));
}

void TestRemote::confinedEnginesWriteNothingElse() {
    if (!confinement().landlock) QSKIP(confinementText().c_str());
    const QString file = scratch_.at(u"beside.pt"_s);
    const auto save = [&](EngineRights rights) {
        Connection connection(EngineStart{forkedProgram().toStdString()}.served(rights), {});
        nlohmann::json with = session_format::about(kScript);
        with["into"] = file.toStdString();
        return errorOf([&] { connection.call("script", with, {}); });
    };
    const QString error = save(EngineRights::confined);
    QVERIFY2(error.startsWith(u"cannot write"_s), qPrintable(error));
    QVERIFY(!QFile::exists(file));
    QCOMPARE(save(EngineRights::asTheUser), QString());
    QVERIFY(QFile::exists(file));
}

/// They are written where the engine may write, and copied from there.
void TestRemote::enginesWriteWhatPeopleAskFor() {
    const QByteArray before = qgetenv("TMPDIR");
    const auto restored = qScopeGuard([&] { before.isEmpty() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before); });
    const Scratch temporary, files;
    qputenv("TMPDIR", temporary.path().toLocal8Bit());
    const auto folders = [&] { return QDir(temporary.path()).entryList({u"aotscope-*"_s}, QDir::Dirs); };
    {
        const auto engine = engineIn(forkedProgram().toStdString());
        const auto session = engine->open(kModel, {});
        const auto save = [&](const QString& name, const auto& write) {
            const std::string path = files.at(name).toStdString();
            write(*session, path);
            return contentOf(files.at(name)).size();
        };
        const auto values = [](const Session& of, const std::string& path) { of.executable({}).saveValues(path, {}); };
        QVERIFY(save(u"values.pt"_s, values) > 0);
        const auto graph = session->record()->graph(GraphKind::forward);
        QVERIFY(save(u"graph.ts"_s, [&](const Session& of, const std::string& path) {
                    of.executable({}).saveTorchScript(*graph, GraphKind::forward, TorchScriptForm::module, path);
                }) > 0);
        QVERIFY(QFile::link(files.at(u"values.pt"_s), files.at(u"link.pt"_s)));
        QFile::remove(files.at(u"values.pt"_s));
        QVERIFY(save(u"link.pt"_s, values) > 0);
        QVERIFY(QFile::exists(files.at(u"values.pt"_s)));
        const QString error = errorOf([&] { values(*session, "/no/such/folder/values.pt"); });
        QVERIFY2(error.startsWith("cannot write '/no/such/folder/values.pt'"_L1), qPrintable(error));
        QVERIFY(!session->example(*graph, GraphKind::forward, ExampleValues::all, {}).packed.empty());
        QCOMPARE(folders().size(), 1);
        QCOMPARE(QDir(temporary.at(folders().front())).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 QStringList());
    }
    QTRY_COMPARE_WITH_TIMEOUT(folders(), QStringList(), kPatience);
}

void TestRemote::allowedOperatorsWrite() {
    const QString target = scratch_.at(u"written"_s);
    const auto engine = engineIn(forkedProgram().toStdString());
    Options options{.model = "script:def f(x):\n    torch.save(torch.tensor([1.0]), '" + target.toStdString() +
                             "')\n    return x * 2\n",
                    .inputs = parseShortInputs("f32[4]", "inputs")};
    QVERIFY(!errorOf([&] { engine->open(options, {}); }).isEmpty());
    QVERIFY(!QFile::exists(target));
    options.allow = {OperatorKind::writesFiles};
    QCOMPARE(q(engine->open(options, {})->record()->error), QString());
    QVERIFY(QFile::exists(target));
}

/// They run in different engines, but are timed in one.
void TestRemote::enginesAreTimedTogether() {
    const auto engine = engineIn(forkedProgram().toStdString());
    const auto confined = engine->open(kModel, {}), free = engine->open(kAllowed, {});
    QVERIFY(confined->host() != free->host());
    QCOMPARE(confined->timeAgainst(*free, {1, 0}, {}).iterations, 1);
    QCOMPARE(free->timeAgainst(*confined, {1, 0}, {}).iterations, 1);
}

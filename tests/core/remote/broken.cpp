// Connections that are refused, cut, or stalled.

#include "test_remote.h"

#include "io/session/session_file.h"
#include "record/partition.h"
#include "remote/frame.h"
#include "remote/program_version.h"
#include "session/engine.h"
#include "session/serve/serve.h"
#include "support/engines.h"
#include "support/error.h"
#include "support/text.h"

#include <csignal>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using nlohmann::json;

/// The process id on the other side, which its command writes to a file.
pid_t processIn(const QString& file) {
    for (int i = 0; i < kPatience / 10; ++i) {
        if (QFile::exists(file))
            if (const int number = contentOf(file).trimmed().toInt()) return number;
        QTest::qWait(10);
    }
    qFatal("no process");
}

bool isThere(pid_t process) { return kill(process, 0) == 0; }

/// False: it still exists.
bool isGoneSoon(pid_t process) {
    for (int i = 0; i < kPatience / 10 && isThere(process); ++i) QTest::qWait(10);
    return !isThere(process);
}

}  // namespace

/// A byte now and then is not an answer.
void TestRemote::givesUpDrops() {
    const QString command = inShell(u"cat %1; printf '\\0\\0\\1'; while sleep 1; do printf x; done"_s.arg(
        scratch_.write(u"drops"_s, QByteArray::fromStdString(greeting()))));
    const QString error = errorOf([&] { Session::open(optionsThrough(command, u"sample:mlp"_s), {}); });
    QVERIFY2(error.contains("silent for ten seconds"_L1), qPrintable(error));
}

void TestRemote::refusesStarts_data() {
    const auto row = columns<QString, QString>("command", "why");
    row("no program", u"/no/such/program"_s, "cannot run '/no/such/program': No such file");
    row("refused", inShell(u"echo ssh: connect to host box: Connection refused >&2; exit 255"_s),
        "ssh: connect to host box: Connection refused (exit code 255)");
    row("not found", inShell(u"aotscope-is-not-here"_s), "has no program 'aotscope' in its PATH");
    row("too old", inShell(u"%p --stdio-is-not-known serve --stdio"_s), "is too old");
    row("silent end", inShell(u"exit 0"_s), "the command for it has ended");
    row("a greeting", inShell(u"echo Hello"_s), "it says 'Hello\\n'");
    row("garbage", inShell(u"yes"_s), "does not answer like aotscope (it says 'y\\ny\\n");
    row("a damaged message", inShell(u"printf '\\n#aotscope frames follow#\\n\\0\\0\\0\\1x'; cat"_s),
        "it sends a message that is damaged");
    row("cut greeting", inShell(u"printf '\\n#aotscope frames follow#\\n\\0\\0'"_s), "cannot start aotscope");
    row("another version", QString(), "has version '0.0.1' there and version '");
    row("stands still", inShell(u"cat > /dev/null"_s), "no answer from aotscope");
}
void TestRemote::refusesStarts() {
    FETCH(QString, command, why);
    if (command.isEmpty()) {
        const std::string bytes = std::string(kFrameStart) + frameOf({{"hello", {{"version", "0.0.1"}}}});
        command = inShell(u"cat %1; cat"_s.arg(scratch_.write(u"hello"_s, QByteArray::fromStdString(bytes))));
    }
    QElapsedTimer timer;
    timer.start();
    const QString error = errorOf([&] { Session::open(optionsThrough(command, u"sample:mlp"_s), {}); });
    QVERIFY2(error.contains(why), qPrintable(error));
    const QString said = error.section("': "_L1, 1);  // after the command
    QVERIFY2(!error.contains(u'\n') && !said.contains("frames follow"_L1), qPrintable(error));
}

void TestRemote::refusesAnswers_data() {
    columns<QByteArray, QString>("answer", "why");
    const auto row = [](const char* name, json answer, const char* why) {
        const bool answers = answer.is_object() && !answer.contains("id");
        std::string frames;
        for (const int id : {1, 2}) {
            if (answers) answer["id"] = id;
            frames += frameOf(answer);
        }
        QTest::newRow(name) << QByteArray::fromStdString(frames) << QString::fromUtf8(why);
    };
    const auto error = [](const char* kind, const char* text) {
        return json{{"error", {{"kind", kind}, {"text", text}}}};
    };
    row("a list", json::array(), "it sends a message: expected an object, found []");
    row("an id of text", {{"id", "1"}}, "it sends 'id': expected a number from 0 on, found \"1\"");
    row("a negative id", {{"id", -1}}, "it sends 'id': expected a number from 0 on, found -1");
    row("nothing", json::object(), "' is damaged: sends a message without 'result'");
    row("a stage of numbers", {{"stage", 5}}, "' is damaged: sends 'stage': expected a string, found 5");
    row("an error of nothing", {{"error", nullptr}}, "' is damaged: sends a message without 'kind'");
    row("an error without words", error("error", ""), "' is damaged: sends an error without a text");
    row("no input spec",
        {{"error", {{"kind", "inputs"}, {"text", "x"}, {"suggestion", "["}, {"names", json::array()}}}},
        "' is damaged: sends an input spec: it is not valid JSON");
    row("an error for terminals", error("error", "\x1b[31m"), "\x1b[31m");  // escaped when shown
    row("a version of tomorrow", {{"hello", {{"version", "99.0"}}}}, "has version '99.0' there");
    row("no result", {{"result", nullptr}}, "' is damaged: sends a message without");
    row("passes that nobody wants", {{"event", 5}}, "' is damaged: sends a message");
}
void TestRemote::refusesAnswers() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, why);
    const QString command = inShell(u"cat %1; head -c 4 > /dev/null; cat %2; cat > /dev/null"_s.arg(
        scratch_.write(u"greeting"_s, QByteArray::fromStdString(greeting())), scratch_.write(u"answer"_s, answer)));
    const QString error = errorOf([&] { Session::open(optionsThrough(command, u"sample:mlp"_s), {}); });
    QVERIFY2(error.contains(why), qPrintable(error));
}

/// Its first two requests are about itself and to open the model, in any order.
void TestRemote::refusesAnswersOfAnEngine() {
    QFETCH(QByteArray, answer);
    QFETCH(QString, why);
    const Engines engines(scratch_, u"cat %1; head -c 4 > /dev/null; while cat %2; do sleep 0.02; done; exit"_s.arg(
                                        scratch_.write(u"greeting"_s, QByteArray::fromStdString(greeting())),
                                        scratch_.write(u"answer"_s, answer)));
    const auto engine = engines.start();
    const QString error = errorOf([&] { engine->open({.model = "sample:mlp"}, {}); });
    QVERIFY2(error.contains(why.replace("' is damaged"_L1, "the engine is damaged"_L1)), qPrintable(error));
}

void TestRemote::refusesRequests() {
    QFile in(scratch_.write(u"request"_s, QByteArray::fromHex("ffffffff"))), out(u"/dev/null"_s);
    QVERIFY(in.open(QFile::ReadOnly) && out.open(QFile::WriteOnly));
    const QString error = errorOf([&] { serve(engineHere(), in.handle(), out.handle()); });
    QVERIFY2(error.startsWith("the standard input announces a message of 4.29 GB"_L1), qPrintable(error));
}

void TestRemote::saysWhatSshNeeds_data() {
    const auto row = columns<QString, QString>("said", "advice");
    row("a password", "me@box: Permission denied (publickey,password).", "(exit code 255); set up a key or ssh-agent");
    row("a host key", "Host key verification failed.", "(exit code 255); call 'ssh -p 2200 me@box' in a terminal once");
    row("no route", "ssh: connect to host box port 2200: No route to host",
        "No route to host (exit code 255); try 'ssh -p 2200 me@box' in a");
}
void TestRemote::saysWhatSshNeeds() {
    FETCH(QString, said, advice);
    const QByteArray before = qgetenv("PATH");
    const QString ssh = scratch_.write(u"ssh"_s, "#!/bin/sh\necho '" + said.toUtf8() + "' >&2\nexit 255\n");
    QVERIFY(QFile::setPermissions(ssh, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("PATH", scratch_.path().toUtf8() + ':' + before);
    const Options options{.model = "ssh://me@box:2200/model.pt2"};
    const QString error = errorOf([&] { Session::open(options, {}); });
    qputenv("PATH", before);
    QVERIFY2(error.contains(said) && error.contains(advice) && !error.contains(u'\n'), qPrintable(error));
}

/// Whatever is missing at the end: an error or a session, and never more than was received.
void TestRemote::cutEverywhere() {
    const auto whole = Session::open(optionsFor(u"sample:sincos"_s), {});
    int opened = 0, refused = 0;
    for (int bytes = 1; bytes < 60'000; bytes = bytes * 5 / 3 + 3) {
        const QString cut = inShell(u"%p serve --stdio | { dd bs=1 count=%1 status=none; kill -9 0; }"_s.arg(bytes));
        const QString error = errorOf([&] {
            const auto session = Session::open(optionsThrough(cut, u"sample:sincos"_s), {});
            ++opened;
            QVERIFY(
                sameStructure(*session->record()->graph(GraphKind::joint), *whole->record()->graph(GraphKind::joint)));
            session->check({});
            session->time({}, {});
        });
        if (error.isEmpty()) continue;
        ++refused;
        QVERIFY2(error.contains(u"aotscope"_s) && !error.contains(u'\n'), qPrintable(error));
    }
    QVERIFY(refused > 10);
    QVERIFY(opened > 0);
}

void TestRemote::connectsAgain() {
    const QString file = scratch_.at(u"connects"_s);
    const auto session =
        Session::open(optionsThrough(inShell(u"echo $$ > %1; exec %p serve --stdio"_s.arg(file)), u"sample:mlp"_s), {});
    const pid_t first = processIn(file);
    QVERIFY(session->check({}).ok);
    QCOMPARE(q(session->link().why), QString());
    std::mutex mutex;
    std::vector<EngineLink> told;
    auto watch = session->watch([&](const EngineLink& link) {
        const std::scoped_lock lock(mutex);
        told.push_back(link);
    });
    const auto joint = session->record()->graph(GraphKind::joint);
    kill(first, SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(!session->link().why.empty(), kPatience);
    QVERIFY2(q(session->link().why).contains(u"is broken: the command for it was ended by signal 9"_s),
             session->link().why.c_str());
    QCOMPARE(session->record()->graph(GraphKind::joint), joint);
    QVERIFY(session->content().record == session->record());
    const EngineLink end = session->link();
    const auto isTold = [&] {
        const std::scoped_lock lock(mutex);
        return !told.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatience);
    QFile::remove(file);
    QVERIFY(session->check({}).ok);
    QVERIFY(processIn(file) != first);
    QCOMPARE(q(session->link().why), QString());
    watch.reset();
    QVERIFY((told == std::vector{end, session->link()}));
    QVERIFY(session->link().connection > end.connection);
}

void TestRemote::leavesNothingBehind() {
    const QString file = scratch_.at(u"leaves"_s);
    auto session = Session::open(
        optionsThrough(inShell(u"echo $$ > %1; exec %p serve --stdio"_s.arg(file)), u"sample:sincos"_s), {});
    const pid_t process = processIn(file);
    QVERIFY(isThere(process));
    session.reset();
    QVERIFY(!isThere(process));  // reaped
}

/// Whoever waits for the end of a pipe would otherwise wait for the process, too, as libraries do while a window
/// starts.
void TestRemote::takesNoDescriptors() {
    constexpr int high = 100;
    const int kept = ::fcntl(STDERR_FILENO, F_DUPFD, high);  // without FD_CLOEXEC
    QVERIFY(kept >= high);
    const QString file = scratch_.at(u"descriptors"_s);
    Session::open(
        optionsThrough(inShell(u"ls /proc/$$/fd > %1; exec %p serve --stdio"_s.arg(file)), u"sample:sincos"_s), {});
    ::close(kept);
    const auto numbers = contentOf(file).simplified().split(' ');
    QVERIFY(numbers.contains("2"));
    QVERIFY2(!numbers.contains(QByteArray::number(kept)), contentOf(file).constData());
}

/// The other side ends with its input, even during a job.
void TestRemote::endsWithItsInput() {
    const QString file = scratch_.at(u"ends"_s);
    // Data from here goes through a process of its own, which can be killed alone.
    const auto session = Session::open(
        optionsThrough(
            inShell(u"exec 3<&0; mkfifo %1.in; cat <&3 > %1.in & echo $! > %1.cat; %p serve --stdio < %1.in & "
                    "echo $! > %1; wait"_s.arg(file)),
            u"sample:mlp"_s),
        {});
    const pid_t serving = processIn(file), feeding = processIn(file + u".cat"_s);
    const TrainOptions endless{.steps = 100'000'000};
    int steps = 0;
    const QString error = errorOf([&] {
        session->train(endless, {}, [&](const TrainStep&) {
            if (++steps == 3) kill(feeding, SIGKILL);
        });
    });
    QVERIFY2(error.contains(u"is broken"_s), qPrintable(error));
    QVERIFY(isGoneSoon(serving));
}

/// A command that neither ends with its input nor on request does not outlive us, even if we are killed.
void TestRemote::endsWithTheProgram() {
    const QString file = scratch_.at(u"stubborn"_s), asked = file + u".asked"_s;
    QString stubborn = inShell(
        u"trap '' TERM; echo $$ > %1; tee %1.asked | %p serve --stdio; "
        "while :; do sleep 0.1; done"_s.arg(file));
    stubborn.replace(u"%p"_s, QStringLiteral(AOTSCOPE_PROGRAM));
    QProcess program;
    program.start(QStringLiteral(AOTSCOPE_PROGRAM), {u"train"_s, u"--steps"_s, u"100000000"_s, u"--remote-command"_s,
                                                     stubborn, u"ssh://there/sample:mlp"_s});
    const pid_t far = processIn(file);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(asked).size() > 0, kPatience);
    QVERIFY(runs(far));
    program.kill();
    QVERIFY(program.waitForFinished());
    QTRY_VERIFY_WITH_TIMEOUT(!runs(far), kPatience);
}

/// A session file of unknown origin names the place of its model. That starts nothing.
void TestRemote::filesNameNoCommand() {
    const auto local = Session::open({.model = "sample:mlp"}, {});
    SessionContent content = local->content();
    const QString trace = scratch_.at(u"was-run"_s);
    for (const QString& model :
         {QString::fromStdString(throughCommand("ssh://box/sample:mlp", "touch " + trace.toStdString())),
          u"ssh://box/sample:mlp"_s}) {
        content.options.model = model.toStdString();
        for (const bool known : {false, true}) {
            if (known) content.model = {model.toStdString(), 0, "f00"};
            const std::string path = scratch_.at(u"forged.aotscope"_s).toStdString();
            writeSessionFile(path, content);
            const auto session = Session::open({.model = path}, {});
            const QString error = errorOf([&] { session->check({}); });
            QVERIFY2(error.contains(u"not on this machine"_s) || error.contains(u"has no hash"_s), qPrintable(error));
        }
    }
    QVERIFY(!QFile::exists(trace));
}

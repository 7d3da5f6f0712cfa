// All ranks of a program on another machine, stepped together.

#include "test_remote.h"

#include "debug/rank_values.h"
#include "debug/stepped_ranks_text.h"
#include "io/session/document.h"
#include "io/session/packed.h"
#include "remote/connection.h"
#include "remote/program_version.h"
#include "remote/remote_options.h"
#include "session/ranks/rank_runs.h"
#include "session/remote/message_fields.h"
#include "session/remote/remote_debugger.h"
#include "support/engines.h"
#include "support/error.h"
#include "support/fork_request.h"
#include "support/program.h"
#include "support/text.h"

#include <array>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aotscope;
using namespace aotscope::test;
using nlohmann::json;

namespace {

QString modelOf(const char* name) {
    return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + QLatin1String(name);
}

Options here(const QString& model) { return {.model = model.toStdString()}; }

std::shared_ptr<Debugger> stepped(const Options& options, std::size_t count) {
    return compileRanks(options, count, {})->debug({});
}

/// All visible state of a run that goes through a user's actions.
QStringList seenOf(const Options& options, std::size_t count) {
    QStringList lines;
    const auto run = stepped(options, count);
    const auto note = [&] {
        const Node* node = run->stoppedAt();
        lines << q(name(run->lastStop().reason)) + u": "_s + q(run->lastStop().text) << q(positionsText(*run))
              << QString::number(run->state().shown) << (node ? q(node->name()) : QString());
        for (const std::size_t rank : run->state().stoppedBy) lines << QString::number(rank);
        // Uninitialized memory has arbitrary values.
        if (node && node->op().find("empty") == std::string::npos)
            lines << q(rankValuesText(run->values(run->lastStop().graph, node->name())));
    };
    note();
    run->step({});
    note();
    const Node* input = run->record(1).graph(GraphKind::forward)->placeholders().back();
    run->show(1);
    run->edit(GraphKind::forward, input->id(), "1000");
    const auto image = run->image(GraphKind::forward, input->id(), {});
    lines << (image ? QString::number(image->cells.size()) : u"no image"_s);
    note();
    run->setBreakpoints({{"op:mm"}});
    for (int i = 0; i < 3; ++i) run->run({});
    note();
    lines << QString::number(run->state().hits.at(0)) << QString::number(run->state().breakpoints.size());
    const auto places = run->state().ranks;
    run->setBreakpoints({});
    run->execute({.verb = DebugVerb::goTo, .places = places}, {});
    note();
    run->stepBack();
    note();
    run->compareWithEager({});
    run->run({});
    note();
    if (const Node* node = run->stoppedAt()) lines << q(run->callAsPython(run->lastStop().graph, node->id(), {}));
    lines << QString::number(run->state().comparing);
    run->execute({.verb = DebugVerb::stopComparing}, {});
    run->show(1);
    run->runTo(GraphKind::forward, input->id(), {});
    note();
    if (count > 2) run->runToNotFinite({});  // values to be received by a stage are arbitrary until then
    note();
    run->restart();
    run->execute({.verb = DebugVerb::stepOverModule}, {});
    note();
    for (const std::size_t rank : {std::size_t{0}, count})
        lines << errorOf([&] { run->show(rank); }) << QString::number(run->state().shown);
    lines << errorOf([&] { run->runTo(GraphKind::forward, 1'000'000, {}); });
    lines << errorOf([&] { run->setBreakpoints({{"no such query (", 1, true}}); });
    note();
    for (const RankDifference& each : compareValues(*run, {})) lines << q(each.among) << q(each.each.back().text);
    return lines;
}

// --- a dishonest other side ---

/// Answers requests in order, however their bytes arrive; pings are not requests.
class OtherSide {
public:
    OtherSide(Scratch& scratch, std::vector<json> answers)
        : requests_(fifo(scratch, u"requests"_s)),
          answers_(fifo(scratch, u"answers"_s)),
          thread_([this, answers = std::move(answers)] { answer(answers); }) {}
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;
    ~OtherSide() {
        ::close(::open(requests_.constData(), O_RDWR | O_CLOEXEC));  // in case nobody has connected
        thread_.join();
    }

    QString command() const {
        return inShell(u"cat %1 & exec cat > %2"_s.arg(QString::fromUtf8(answers_), QString::fromUtf8(requests_)));
    }

private:
    static QByteArray fifo(Scratch& scratch, const QString& name) {
        const QByteArray path = scratch.at(name).toUtf8();
        ::unlink(path.constData());
        if (::mkfifo(path.constData(), 0600) != 0) throw Error("cannot make a FIFO");
        return path;
    }

    void answer(const std::vector<json>& answers) const {
        const int in = ::open(requests_.constData(), O_RDONLY | O_CLOEXEC);
        const int out = ::open(answers_.constData(), O_RDWR | O_CLOEXEC);
        const auto say = [out](const std::string& bytes) { writeAll(out, bytes, std::chrono::seconds(30)); };
        say(greeting());
        FrameReader frames(FrameReader::From::here, {});
        std::array<char, 65536> piece;
        std::size_t next = 0;
        for (ssize_t count = 0; (count = ::read(in, piece.data(), piece.size())) > 0;) {
            frames.add({piece.data(), static_cast<std::size_t>(count)});
            while (const auto message = frames.next())
                if (message->contains("do") && next < answers.size())
                    say(frameOf({{"id", message->at("id")}, {"result", answers[next++]}}));
        }
        ::close(in);
        ::close(out);
    }

    QByteArray requests_, answers_;
    std::thread thread_;
};

template <typename T>
json asked(const char* command, const T& about) {
    return {{"command", command}, {"about", bytesJson(session_format::packed(about))}, {"rank", 0U}};
}

/// Its honest answers: of a compilation, of a debugger at its start, and of a step.
std::vector<json> honestAnswers(const QString& model) {
    const auto compiled = compileRanks(here(model), 2, {});
    json ranks = json::array();
    for (const RankRun& run : compiled->runs()) {
        SessionContent content;
        content.record = run.session->record();
        ranks.push_back({{"session", bytesJson(encodeSession(std::move(content)))}});
    }
    const auto run = compiled->debug({});
    json start = startOfDebugger(*run);
    json stepped = answerOfDebugger(*run, nullptr, asked("execute", DebugCommand{DebugVerb::step}), {});
    return {{{"ranks", std::move(ranks)}}, std::move(start), stepped, std::move(stepped)};
}

template <typename T>
void change(json& answer, const char* key, void (*how)(T&)) {
    T value = session_format::unpacked<T>(bytesOf(answer, key));
    how(value);
    answer[key] = bytesJson(session_format::packed(value));
}
void changeState(json& answer, void (*how)(DebugState&)) { change(answer, "state", how); }
void changeSteps(json& answer, void (*how)(std::vector<std::vector<DebugStep>>&)) { change(answer, "steps", how); }

struct Damage {
    const char* name;
    std::size_t answer;
    void (*make)(json& answer);
    const char* why;
};
constexpr Damage kDamages[] = {
    {"a rank too few", 0, [](json& a) { a["ranks"].erase(std::size_t{1}); }, "it has 1 rank"},
    {"a rank too many", 0, [](json& a) { a["ranks"].push_back(a["ranks"][0]); }, "too many ranks"},
    {"ranks that are none", 0, [](json& a) { a["ranks"] = 7; }, "damaged"},
    {"a rank without graphs", 0, [](json& a) { a["ranks"][1]["session"] = bytesJson("x"); }, "damaged"},
    {"steps too few", 1, [](json& a) { changeSteps(a, [](auto& steps) { steps.pop_back(); }); }, "the steps of 1 rank"},
    {"steps too many", 1, [](json& a) { changeSteps(a, [](auto& steps) { steps.push_back(steps[0]); }); },
     "the steps of 3 ranks"},
    {"steps that are none", 1, [](json& a) { a["steps"] = "none"; }, "sends 'steps': expected bytes"},
    {"a step of no node", 1, [](json& a) { changeSteps(a, [](auto& steps) { steps[1].front().node = 1'000'000; }); },
     "a node that the graph does not have"},
    {"no state", 1, [](json& a) { a.erase("state"); }, "without 'state'"},
    {"no state of ranks", 2, [](json& a) { changeState(a, [](DebugState& s) { s.ranks.clear(); }); }, "other ranks"},
    {"a text as the state", 2, [](json& a) { a["state"] = "started"; }, "sends 'state': expected bytes"},
    {"hits of nothing", 2, [](json& a) { changeState(a, [](DebugState& s) {
                                             s.hits = {1, 2};
                                         }); },
     "unknown breakpoints"},
    {"a position too few", 2, [](json& a) { changeState(a, [](DebugState& s) { s.ranks.pop_back(); }); },
     "other ranks"},
    {"a shown rank that is none", 2, [](json& a) { changeState(a, [](DebugState& s) { s.shown = 2; }); },
     "other ranks"},
    {"a stop for no rank", 2, [](json& a) { changeState(a, [](DebugState& s) { s.stoppedBy = {99}; }); },
     "a rank that is not there"},
    {"a position at no node", 2,
     [](json& a) { changeState(a, [](DebugState& s) { s.ranks[1].position.node = 1'000'000; }); },
     "a node that the graph does not have"},
    {"a position in no graph", 2,
     [](json& a) { changeState(a, [](DebugState& s) { s.ranks[0].position.graph = GraphKind::inference; }); },
     "a graph that the run does not have"},
    {"a step behind the last", 2,
     [](json& a) { changeState(a, [](DebugState& s) { s.ranks[0].position.step = 999; }); }, "behind the last one"},
};

}  // namespace

void TestRemote::stepsRanksLikeHere_data() {
    columns<QString, int>("model", "count");
    QTest::newRow("tensor parallel") << modelOf("mlp_tensor.pt2") << 4;
    QTest::newRow("stages of a pipeline") << modelOf("mlp_stages.{rank}.pt2") << 2;
}
void TestRemote::stepsRanksLikeHere() {
    QFETCH(QString, model);
    QFETCH(int, count);
    const QStringList far = seenOf(optionsFor(model), static_cast<std::size_t>(count));
    QVERIFY(far.size() > 40);
    QCOMPARE(far, seenOf(here(model), static_cast<std::size_t>(count)));
}

/// Received data stays; another run comes to the same places.
void TestRemote::goesOnAfterACut() {
    const QString file = scratch_.at(u"ranks-process"_s);
    const Options options =
        optionsThrough(inShell(u"echo $$ > %1; exec %p serve --stdio"_s.arg(file)), modelOf("mlp_fsdp.pt2"));
    const auto run = stepped(options, 4);
    for (int i = 0; i < 5; ++i) run->step({});
    kill(contentOf(file).trimmed().toInt(), kKill);
    std::string there, text;
    QString why;
    while (why.isEmpty()) {  // it may still answer
        there = positionsText(*run);
        text = run->lastStop().text;
        why = errorOf([&] { run->step({}); });
    }
    QVERIFY2(why.contains(u"is broken"_s) && why.count(u'\n') == 0, qPrintable(why));
    run->show(3);
    QCOMPARE(positionsText(*run), there);
    QCOMPARE(run->lastStop().text, text);
    QVERIFY(!run->steps().empty());
    const auto again = stepped(options, 4);
    again->execute({.verb = DebugVerb::goTo, .places = run->state().ranks}, {});
    QCOMPARE(positionsText(*again), there);
    again->run({});
    QCOMPARE(again->lastStop().reason, DebugStop::Reason::ended);
}

void TestRemote::commandsOfRanks_data() {
    columns<QString, int>("arguments", "code");
    QTest::newRow("eager") << "debug mlp_fsdp.pt2 --ranks 4 --against-eager --watch wait_tensor" << 0;
    QTest::newRow("JSON") << "debug mlp_fsdp.pt2 --ranks 4 --break op:all_gather --json" << 0;
    QTest::newRow("not a number") << "debug mlp_fsdp.pt2 --ranks 4 --set x=nan --first-nan" << 3;
    QTest::newRow("another model") << "debug mlp_fsdp.pt2 --ranks 4 --partition default --against SAME" << 0;
    QTest::newRow("one rank") << "debug mlp_fsdp.pt2 --partition default --against SAME" << 0;
    QTest::newRow("stages") << "debug mlp_stages.{rank}.pt2 --ranks 2 --against-eager" << 0;
    QTest::newRow("a world that does not fit") << "debug mlp_fsdp.pt2 --ranks 3" << 1;
    QTest::newRow("values") << "ranks mlp_tensor.pt2 --ranks 4 --values --weights mlp_tensor.{rank}.pt" << 0;
    QTest::newRow("values as JSON") << "ranks mlp_fsdp.pt2 --ranks 4 --values --json" << 0;
    QTest::newRow("bisected") << "run mlp_fsdp.pt2 --ranks 4 --check --bisect --plugin " PLUGIN_BROKEN
                                 " --compiler broken --compiler-option broken.how=value --compiler-option "
                                 "broken.at=aten.mm.default"
                              << 3;
    QTest::newRow("too many") << "debug mlp_fsdp.pt2 --ranks 257" << 2;
}
/// The output is that of the same command on this machine.
void TestRemote::commandsOfRanks() {
    QFETCH(QString, arguments);
    QFETCH(int, code);
    QStringList local, far;
    for (const QString& word : arguments.split(u' ')) {
        const bool isData = word.contains(u".pt"_s) && !word.startsWith(u'/');
        const QString file = isData ? modelOf(word.toUtf8().constData()) : word;
        const bool isModel = local.size() == 1;
        local << (word == u"SAME"_s ? local[1] : file);
        far << (isModel ? u"ssh://box"_s + file : local.back());
        if (isModel) far << u"--remote-command"_s << QStringLiteral(AOTSCOPE_PROGRAM);
    }
    const ProgramRun there = runProgram(far), same = runProgram(local);
    QVERIFY2(there.code == code, there.text().constData());
    const auto withoutTimes = [](const QByteArray& text) {
        return QString::fromUtf8(text).replace(QRegularExpression(u"[0-9.]+ [nµm]?s\\b"_s), QString()).simplified();
    };
    QCOMPARE(withoutTimes(there.out), withoutTimes(same.out));
    QCOMPARE(there.err, same.err);
}

void TestRemote::refusesAnswersAboutRanks_data() {
    QTest::addColumn<int>("damage");
    for (std::size_t i = 0; i < std::size(kDamages); ++i) QTest::newRow(kDamages[i].name) << static_cast<int>(i);
}
void TestRemote::refusesAnswersAboutRanks() {
    QFETCH(int, damage);
    const Damage& made = kDamages[damage];
    const QString model = modelOf("mlp_tensor.pt2");
    static const std::vector<json> honest = honestAnswers(model);
    std::vector<json> answers = honest;
    for (std::size_t i = made.answer; i < answers.size(); ++i)
        if (i == made.answer || made.answer == 2) made.make(answers[i]);
    const OtherSide other(scratch_, std::move(answers));
    const Options options = optionsThrough(other.command(), model);
    const QString error = errorOf([&] { stepped(options, 2)->step({}); });
    QVERIFY2(error.contains(u"is damaged: "_s), qPrintable(error));
    QVERIFY2(error.contains(QLatin1String(made.why)) && !error.contains(u'\n'), qPrintable(error));
}

void TestRemote::refusesRequestsAboutRanks() {
    const QString model = modelOf("mlp_tensor.pt2");
    Options options = here(model);
    Connection connection(remoteModel(optionsFor(model).model), {});
    const auto refusal = [&](const char* what, const json& with) {
        return errorOf([&] { connection.call(what, with, {}); });
    };
    const auto compiled =
        connection.call("compileRanks", {{"options", allOptionsJson(options)}, {"count", 2}, {"numbered", false}}, {});
    const auto started = connection.call("debugRanks", {{"ranks", compiled.id}}, {});
    const auto told = [&](const char* what, const auto& about) {
        json command = asked(what, about);
        command["debugger"] = started.id;
        return command;
    };
    const json command = told("execute", DebugCommand{DebugVerb::step});
    QCOMPARE(refusal("command", command), QString());
    const auto with = [&](const char* key, const json& value) {
        json changed = command;
        changed[key] = value;
        return changed;
    };
    const auto goTo = [&](std::vector<RankPlace> places) {
        return told("execute", DebugCommand{.verb = DebugVerb::goTo, .places = std::move(places)});
    };
    const auto execute = [&](const json& verb) {
        json document = json::from_cbor(session_format::packed(DebugCommand{}));
        document["value"]["verb"] = verb;
        return with("about", bytesJson(cborOf(document)));
    };
    const RankPlace behind{{GraphKind::backward, 1'000'000, 0, kNoNode}, "others"};
    for (const auto& [error, why] : {
             std::pair(refusal("debugRanks", {{"ranks", 77}}), "the ranks no longer exist"),
             std::pair(refusal("debugRanks", json::object()), "without 'ranks'"),
             std::pair(refusal("compileRanks", {{"options", allOptionsJson(options)}, {"count", 2}}), "'numbered'"),
             std::pair(
                 refusal("compileRanks",
                         {{"options", allOptionsJson(options)}, {"count", 1'000'000'000'000}, {"numbered", false}}),
                 "expected 1 to 256"),
             std::pair(refusal("command", with("rank", 2)), "there is no rank 2"),
             std::pair(refusal("command", with("rank", "first")), "sends 'rank': expected a number"),
             std::pair(refusal("command", with("debugger", 77)), "the run of the debugger is over"),
             std::pair(refusal("command", with("command", "fly")), "the debugger has no command 'fly'"),
             std::pair(refusal("command", with("about", 7)), "sends 'about': expected bytes"),
             std::pair(refusal("command", execute("fly")), "no known name"),
             std::pair(refusal("command", execute(99)), "no known kind"),
             std::pair(refusal("command", execute("compareWith")), "no run to compare with"),
             std::pair(refusal("command", goTo(std::vector<RankPlace>(1))), "places of 1 rank;"),
             std::pair(refusal("command", told("values", std::vector<Debugger::ValuePlace>{{{}, 1, 9}})), "no rank 9"),
             std::pair(refusal("command", told("values", std::vector<RankPlace>(2))), ""),
         })
        QVERIFY2(!error.isEmpty() && error.contains(QLatin1String(why)) && !error.contains(u'\n'), qPrintable(error));
    QCOMPARE(refusal("command", goTo({behind, behind})), QString());  // the end
    QCOMPARE(refusal("command", command), QString());
    connection.drop(started.id);
    QVERIFY(refusal("command", command).contains(u"is over"_s));
}

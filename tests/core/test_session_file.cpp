// Session files: saved content is restored, and damaged files are refused.

#include "io/session/document.h"
#include "io/session/session_file.h"
#include "load/model_source.h"
#include "load/sample_list.h"
#include "ops/decompositions/decomposition_table.h"
#include "session/session.h"
#include "support/child.h"
#include "support/file.h"
#include "support/graph_files.h"
#include "support/long_tests.h"
#include "support/mutations.h"
#include "support/processor_clock.h"
#include "support/same_graph.h"
#include "support/scratch.h"
#include "support/test_program.h"

#include <caffe2/serialize/inline_container.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>

namespace aotscope::test::session_file_test {
namespace {

const QString kData = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/");

std::shared_ptr<const Session> opened(const QString& model, Options options = {}) {
    options.model = model.toStdString();
    return Session::open(options, {});
}

std::vector<std::shared_ptr<const Graph>> graphsOf(const SessionContent& content) {
    std::vector<std::shared_ptr<const Graph>> graphs;
    for (const PassRecord& pass : content.record->passes)
        for (const auto& [kind, graph] : pass.graphs) graphs.push_back(graph);
    for (const auto& [kind, graph] : content.record->graphs) graphs.push_back(graph);
    for (const SavedVariant& variant : content.variants)
        for (const auto& graph : {variant.partition->forward, variant.partition->backward}) graphs.push_back(graph);
    return graphs;
}

/// The difference between a content and what is read back after writing it; empty: none.
QString lostOnTheWay(const SessionContent& content, const SessionContent& back) {
    const auto before = graphsOf(content), after = graphsOf(back);
    if (before.size() != after.size()) return u"%1 graphs for %2"_s.arg(after.size()).arg(before.size());
    std::map<const Graph*, const Graph*> pairs;  // a graph shared by passes is shared again
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (pairs.emplace(before[i].get(), after[i].get()).first->second != after[i].get())
            return u"graph %1 is not shared any more"_s.arg(i);
        if (const QString found = differenceOf(*before[i], *after[i]); !found.isEmpty())
            return u"graph %1, %2"_s.arg(i).arg(found);
    }
    return encodeSession(content) == encodeSession(back) ? QString() : u"some field"_s;
}

QString roundTrip(const SessionContent& content) {
    QString lost;
    const QString error = errorOf([&] { lost = lostOnTheWay(content, decodeSession(encodeSession(content))); });
    return error + lost;
}

/// A small session with every possible content.
SessionContent fullContent() {
    static const SessionContent content = [] {
        SessionContent full = opened(u"sample:mlp"_s)->content();
        const auto session = opened(u"sample:mlp"_s);
        full.check = session->check({});
        full.timing = session->time({2}, {});
        full.bisect = session->bisect({});
        full.training = session->train({.steps = 2}, {}, {});
        full.training->steps.back().compiled.loss = std::numeric_limits<double>::quiet_NaN();
        full.variants.push_back({"other", {}, full.record->partition, SavedVariant::Measured{1.5, 2.5, 1000}});
        full.sweep.push_back({"budget 0.50", {}, full.record->partition, {}});
        full.view = R"({"graph":"joint"})";
        return full;
    }();
    return content;
}

QString savedAt(const Scratch& scratch, const SessionContent& content) {
    QString path = scratch.at(u"a.aotscope"_s);
    writeSessionFile(path.toStdString(), content);
    return path;
}

QString errorOfReading(const QString& path) {
    return errorOf([&] { readSessionFile(path.toStdString()); });
}

}  // namespace

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samplesComeBack_data() {
        columns<QString, bool>("model", "inference");
        for (const auto& sample : sampleList())
            for (const bool inference : {false, true})
                if (longTests() || !isLargeSample(sample.name))
                    QTest::addRow("%s%s", sample.name.c_str(), inference ? ", inference" : "")
                        << u"sample:"_s + q(sample.name) << inference;
    }
    void samplesComeBack() {
        QFETCH(QString, model);
        QFETCH(bool, inference);
        const Options options{.inference = inference};
        QCOMPARE(roundTrip(opened(model, options)->content()), QString());
    }

    void filesComeBack_data() {
        QTest::addColumn<QString>("file");
        const auto add = [](const char* folder, const QStringList& endings) {
            for (const QString& file : QDir(kData + QLatin1String(folder)).entryList(endings, QDir::Files))
                QTest::addRow("%s", qPrintable(file)) << kData + QLatin1String(folder) + u'/' + file;
        };
        add("exported", {u"*.pt2"_s});
        add("printed", {u"*.log"_s, u"*.trace"_s, u"*.txt"_s});
    }
    void filesComeBack() {
        QFETCH(QString, file);
        QCOMPARE(roundTrip(opened(file)->content()), QString());
    }

    void graphTextsComeBack_data() { rowsOf("name", {"chain", "every_argument", "every_type", "full_detail"}); }
    void graphTextsComeBack() {
        QFETCH(QString, name);
        SessionContent content;
        auto record = std::make_shared<CompileRecord>();
        record->graphs[GraphKind::joint] = parseSound(graphText(qPrintable(name)));
        content.record = record;
        QCOMPARE(roundTrip(content), QString());
    }

    void varyingSizesComeBack() {
        const Options options{.dynamic = {{"x.0", 2, 64}}};
        const SessionContent content = opened(u"sample:mlp"_s, options)->content();
        QVERIFY(!content.record->symbols.empty());
        QCOMPARE(roundTrip(content), QString());
    }

    void recompilationsComeBack() {
        const Scratch scratch;
        const Options options{.dynamic = {{"x.0", 2, 64}}, .checkSizes = {{{"x.0", 100}}}};
        const auto session = opened(u"sample:mlp"_s, options);
        SessionContent content = session->content();
        content.check = session->check({});
        QCOMPARE(content.check->recompilations.size(), std::size_t{1});
        const SessionContent back = readSessionFile(savedAt(scratch, content).toStdString()).content;
        QCOMPARE(lostOnTheWay(content, back), QString());
        const Recompilation& recompilation = back.check->recompilations.at(0);
        QCOMPARE(q(recompilation.reason), u"s0 (x.size(0)) is 100, expected at most 64"_s);
        QCOMPARE(recompilation.record->compilation, std::size_t{1});
        QVERIFY(sameStructure(*recompilation.record->graph(GraphKind::joint),
                              *content.check->recompilations[0].record->graph(GraphKind::joint)));
    }

    void resultsAndVariantsComeBack() {
        const Scratch scratch;
        const SessionContent content = fullContent();
        const SessionContent back = readSessionFile(savedAt(scratch, content).toStdString()).content;
        QCOMPARE(lostOnTheWay(content, back), QString());
        QCOMPARE(back.timing->steps.size(), content.timing->steps.size());
        QVERIFY(!back.timing->steps.empty());
        QCOMPARE(back.check->ok, true);
        QCOMPARE(back.training->steps.size(), std::size_t{2});
        QCOMPARE(back.training->steps[0].compiled.loss, content.training->steps[0].compiled.loss);
        QVERIFY(std::isnan(back.training->steps[1].compiled.loss));
        QCOMPARE(back.variants.at(0).name, std::string("other"));
        QCOMPARE(back.variants.at(0).partition, back.record->partition);  // shared as before
        QCOMPARE(back.variants.at(0).measured->peakBytes, 1000);
        QCOMPARE(back.sweep.at(0).name, std::string("budget 0.50"));
        QCOMPARE(back.sweep.at(0).partition, back.record->partition);
        QCOMPARE(back.view, content.view);
        QVERIFY(back.record->partition->network);
        QCOMPARE(back.record->partition->forward, back.record->graph(GraphKind::forward));
    }

    void gpt2IsQuickAndSmall() {
        const Scratch scratch;
        const SessionContent content = opened(u"sample:gpt2"_s)->content();
        const ProcessorClock saving;
        const QString path = savedAt(scratch, content);
        const double saved = saving.milliseconds();
        const ProcessorClock reading;
        const SessionContent back = readSessionFile(path.toStdString()).content;
        const double read = reading.milliseconds();
        qInfo("gpt2: saved in %.0f ms, opened in %.0f ms, %lld bytes", saved, read, QFileInfo(path).size());
        QCOMPARE(lostOnTheWay(content, back), QString());
        QVERIFY(saved < 3000 && read < 3000);  // 300 ms each on a quiet machine
        QVERIFY(QFileInfo(path).size() < 2'000'000);
    }

    void isRecognised() {
        const Scratch scratch;
        const QString path = savedAt(scratch, fullContent());
        QVERIFY(recognise(path.toStdString()) == ModelSource::session);
        const QString other = scratch.at(u"renamed.zip"_s);
        QVERIFY(QFile::copy(path, other));
        QVERIFY(recognise(other.toStdString()) == ModelSource::session);
        QVERIFY(recognise((kData + u"exported/pytree.pt2"_s).toStdString()) != ModelSource::session);
        QVERIFY(recognise("sample:mlp") != ModelSource::session);
        QVERIFY(recognise(scratch.write(u"cut.pt"_s, "PK\x03\x04 and no more").toStdString()) != ModelSource::session);
        QVERIFY(recognise(scratch.write(u"text.aotscope"_s, "no session").toStdString()) == ModelSource::session);
        QVERIFY2(errorOfReading(scratch.at(u"text.aotscope"_s)).contains("zip archive"_L1),
                 qPrintable(errorOfReading(scratch.at(u"text.aotscope"_s))));
    }

    void othersAreRecognised_data() {
        const auto row = columns<QString, ModelSource>("model", "source");
        row("sample", u"sample:mlp"_s, ModelSource::sample);
        row("code", u"script:def f(x): return x"_s, ModelSource::script);
        row("remote", u"ssh://box/run.aotscope"_s, ModelSource::remote);
        row("folder", kData, ModelSource::folder);
        row("pattern", kData + u"printed/*.txt"_s, ModelSource::pattern);
        row("log", kData + u"trace_logs/rank_0.log"_s, ModelSource::trace);
        row("printed", kData + u"printed/exported.txt"_s, ModelSource::text);
        row("program", kData + u"exported/pytree.pt2"_s, ModelSource::program);
        row("missing", u"missing.log"_s, ModelSource::program);
    }
    void othersAreRecognised() {
        QFETCH(QString, model);
        QFETCH(ModelSource, source);
        QVERIFY(recognise(model.toStdString()) == source);
    }

    void newerFileIsRefused() {
        const Scratch scratch;
        const QString path = scratch.at(u"newer.aotscope"_s);
        const auto write = [&](const std::string& summary) {
            caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
            writer.writeRecord("session.json", summary.data(), summary.size());
            writer.writeEndOfFile();
        };
        write(R"({"format": "aotscope session", "schema": 99})");
        const QString error = errorOfReading(path);
        QVERIFY2(error.contains("newer version of aotscope"_L1) && error.contains("99"_L1), qPrintable(error));
        write("{}");
        QVERIFY2(errorOfReading(path).contains("version"_L1), qPrintable(errorOfReading(path)));
    }

    /// Unknown fields, written by a newer version in the same schema, are skipped; missing ones get their defaults.
    void unknownAndMissingFields() {
        auto document = nlohmann::json::from_cbor(encodeSession(fullContent()));
        document["session"]["tomorrow"] = {1, 2, 3};
        document["session"].erase("timing");
        document["session"].erase("view");
        const auto bytes = nlohmann::json::to_cbor(document);
        const SessionContent back = decodeSession({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        QVERIFY(!back.timing && back.view.empty());
        QVERIFY(back.record->partition);
    }

    /// Native code is restored as names, not as options.
    void codeIsOnlyNamed() {
        SessionContent content = fullContent();
        content.options.libraries = {"/x/operators.so"};
        content.options.allow = {OperatorKind::writesFiles};
        content.options.compilers.forward = "mine";
        content.options.compilers.plugins = {"/x/mine.so"};
        content.options.compilers.settings = {{"mine.file", "/x/log"}, {"fused.reductions", "false"}};
        const SessionContent back = decodeSession(encodeSession(content));
        QVERIFY(back.options.libraries.empty() && back.options.compilers.plugins.empty());
        QVERIFY(back.options.allow.empty());
        QCOMPARE(back.options.compilers.forward, std::string("mine"));
        QCOMPARE(back.options.compilers.settings.size(), 1U);
        const RequestedCode wanted{{"/x/operators.so"}, {"/x/mine.so"}, {{"mine.file", "/x/log"}}};
        QVERIFY(back.code == wanted);
        QVERIFY(decodeSession(encodeSession(back)).code == wanted);
    }

    /// Earlier versions stored it among the options.
    void codeOfEarlierVersionsIsOnlyNamed() {
        auto document = nlohmann::json::from_cbor(encodeSession(fullContent()));
        auto& options = document["session"]["options"];
        document["session"].erase("code");
        options["libraries"] = {"/x/operators.so"};
        options["compilers"]["plugins"] = {"/x/mine.so"};
        options["compilers"]["settings"] = nlohmann::json::array({nlohmann::json::array({"mine.file", "/x/log"})});
        options["allow"] = 0xffff;
        const auto bytes = nlohmann::json::to_cbor(document);
        const SessionContent back = decodeSession({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        QVERIFY(back.options.libraries.empty() && back.options.compilers.plugins.empty());
        QVERIFY(back.options.compilers.settings.empty() && back.options.allow.empty());
        QVERIFY(back.code == (RequestedCode{{"/x/operators.so"}, {"/x/mine.so"}, {{"mine.file", "/x/log"}}}));
    }

    /// Also where its file does not exist.
    void tablesOfUsersComeBack() {
        SessionContent content = fullContent();
        const DecompositionTable own{"/x/own.json", "core-aten", {{"aten.t", "keep"}, {"aten.gelu", "inductor"}}};
        content.options.decompositions = std::make_shared<DecompositionTable>(own);
        const Options back = decodeSession(encodeSession(content)).options;
        QVERIFY(back.decompositions && *back.decompositions == own);
        QVERIFY(sameOptions(back, content.options));
        DecompositionTable edited = own;
        edited.choices.erase("aten.t");
        content.options.decompositions = std::make_shared<DecompositionTable>(edited);
        QVERIFY(!sameOptions(back, content.options));
    }

    /// Earlier versions stored their names.
    void tablesOfEarlierVersionsAreFound() {
        auto document = nlohmann::json::from_cbor(encodeSession(fullContent()));
        document["session"]["options"].erase("decompositions");
        const auto tableCalled = [&](const char* name) {
            document["session"]["decompositions"] = name;
            const auto bytes = nlohmann::json::to_cbor(document);
            return decodeSession({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).options.decompositions;
        };
        QVERIFY(*tableCalled("prims") == *DecompositionTable::load("prims"));
        QVERIFY(!tableCalled("") && !tableCalled("/x/own.json"));
    }

    /// Version 0.1 stored them by id.
    void overridesOfEarlierVersionsAreNamed() {
        SessionContent content = fullContent();
        const Graph& joint = *content.record->graph(GraphKind::joint);
        PartitionOptions& partition = content.options.partition;
        partition.cut.mustSave = {joint.findByName("relu")->id()};
        partition.cut.mustRecompute = {joint.findByName("addmm")->id(), 1'000'000};
        partition.save = {"relu"};
        const PartitionOptions back = decodeSession(encodeSession(content)).options.partition;
        QVERIFY(back.cut.mustSave.empty() && back.cut.mustRecompute.empty());
        QCOMPARE(back.save, std::vector<std::string>{"relu"});
        QCOMPARE(back.recompute, std::vector<std::string>{"addmm"});
    }

    void modelOutsideOfItsFolderIsRefused() {
        const Scratch scratch, folder;
        const QString path = scratch.at(u"a.aotscope"_s);
        for (const std::string record : {"model/../../x.pt2", "model/.."}) {
            {
                caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
                writer.writeRecord(record, "model", 5);
                writer.writeEndOfFile();
            }
            QVERIFY(errorOf([&] {
                        extractModel(path.toStdString(), record, folder.path().toStdString());
                    }).contains("impossible name"_L1));
        }
        QVERIFY(folder.files().isEmpty());
    }

    void modelIsUnpackedIntoItsFolder_data() {
        columns<QString, QString>("record", "file");
        const auto row = [](const QString& record, const char* file) {
            QTest::newRow(qPrintable(record.left(40))) << record << QString::fromUtf8(file);
        };
        row(u"model/a.pt2"_s, "a.pt2");
        row(u"model/a/b.pt2"_s, "b.pt2");
        row(u"model/a/."_s, "model");
        row(u"model/a\nb"_s, "model");
        row(u"model/"_s + QString(250, u'a'), "model");
    }
    void modelIsUnpackedIntoItsFolder() {
        FETCH(QString, record, file);
        const Scratch scratch, folder;
        const QString path = scratch.at(u"a.aotscope"_s);
        caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
        writer.writeRecord(record.toStdString(), "model", 5);
        writer.writeEndOfFile();
        const auto unpacked = extractModel(path.toStdString(), record.toStdString(), folder.path().toStdString());
        QCOMPARE(q(unpacked.string()), folder.at(file));
        QCOMPARE(folder.files(), QStringList{file});
        QCOMPARE(contentOf(folder.at(file)), QByteArray("model"));
    }

    /// Views rely on the graphs of a record.
    void missingGraphsAreRefused() {
        const auto whole = nlohmann::json::from_cbor(encodeSession(fullContent()));
        const auto errorAfter = [&](auto&& damage) {
            auto document = whole;
            damage(document);
            const auto bytes = nlohmann::json::to_cbor(document);
            return errorOf([&] { decodeSession({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); });
        };
        QCOMPARE(errorAfter([](auto&) {}), QString());
        QCOMPARE(errorAfter([](auto& document) { document["shared"]["records"][0]["graphs"][0][1] = -1; }),
                 u"its content is damaged: a graph is missing"_s);
        QCOMPARE(errorAfter([](auto& document) { document["shared"]["records"][0]["passes"][2]["graphs"][0][1] = -1; }),
                 u"its content is damaged: a graph is missing"_s);
        QCOMPARE(errorAfter([](auto& document) { document["shared"]["partitions"][0]["backward"] = -1; }),
                 u"its content is damaged: a partition lacks one of its graphs"_s);
        QVERIFY(errorAfter([](auto& document) {
                    document["session"]["options"]["device"] = "cuda:99999999999999999999";
                }).contains("is unknown"_L1));
    }

    /// The verdict of a check is shown without the values.
    void contradictoryChecksAreRefused() {
        SessionContent content = fullContent();
        content.check->values.front().equal = false;
        QCOMPARE(errorOf([&] { decodeSession(encodeSession(content)); }),
                 u"its content is damaged: its check says that everything is equal, and that something differs"_s);
        content.check->ok = false;
        QCOMPARE(errorOf([&] { decodeSession(encodeSession(content)); }), QString());
    }

    /// A file of a version without sweeps, bookmarks and breakpoints.
    void filesOfEarlierVersionsOpen() {
        const SessionContent content = readSessionFile((kData + u"sessions/schema1.aotscope"_s).toStdString()).content;
        QCOMPARE(content.record->model.name, std::string("mlp"));
        QCOMPARE(content.record->graph(GraphKind::joint)->callCount(), 32U);
        QVERIFY(content.record->partition->network);
        std::map<std::string_view, int> bans;
        for (const ValueDecision& decision : content.record->partition->decisions)
            for (const BanReason reason : decision.bans) ++bans[describe(reason)];
        QCOMPARE(bans, (std::map<std::string_view, int>{{"primal input", 7},
                                                        {"not in recomputable allowlist", 3},
                                                        {"materialized in backward", 3},
                                                        {"reduction op", 2}}));
        QVERIFY(content.timing && !content.timing->steps.empty());
        QVERIFY(QString::fromStdString(content.view).contains("\"zoom\":0.83"_L1));
        QVERIFY(content.sweep.empty());
        QCOMPARE(roundTrip(content), QString());
    }

    void truncatedFileIsRefused() {
        const Scratch scratch;
        const QByteArray whole = contentOf(savedAt(scratch, fullContent()));
        for (int part = 0; part < 64; ++part) {
            const QString path = scratch.write(u"cut.aotscope"_s, whole.left(whole.size() * part / 64));
            const QString error = inChild([&] { return errorOfReading(path); });
            QVERIFY2(error.startsWith("cannot open the session '"_L1) && !error.contains(u'\n'),
                     qPrintable(u"%1/64: %2"_s.arg(part).arg(error)));
        }
    }

    void damagedFileIsRefused() {
        const Scratch scratch;
        const QByteArray whole = contentOf(savedAt(scratch, fullContent()));
        int refused = 0;
        Random64 random(7);
        const int rounds = 200 * std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ"));
        for (int i = 0; i < rounds; ++i) {
            const QByteArray damaged = i % 4 == 0   ? zipFieldChanged(whole, random)
                                       : i % 4 == 1 ? recordChanged(whole, random)
                                                    : flipped(whole, random);
            const QString path = scratch.write(u"damaged.aotscope"_s, damaged);
            const QString error = inChild([&] { return errorOfReading(path); });
            QVERIFY2(error.isEmpty() || error.startsWith("cannot open the session '"_L1),
                     qPrintable(u"round %1: %2"_s.arg(i).arg(error)));
            refused += !error.isEmpty();
        }
        QVERIFY2(refused > rounds / 2, qPrintable(QString::number(refused)));
    }

    /// Damage that checksums do not show: each number, text or list of the document is replaced by another.
    void wrongContentIsRefused() {
        const std::string whole = encodeSession(fullContent());
        Random64 random(11);
        int refused = 0;
        const int rounds = 400 * std::max(1, qEnvironmentVariableIntValue("AOTSCOPE_FUZZ"));
        for (int i = 0; i < rounds; ++i) {
            std::string damaged = whole;
            for (int k = 0; k < 1 + i % 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
            const QString error = inChild([&] { return errorOf([&] { decodeSession(damaged); }); });
            QVERIFY2(!error.startsWith("killed"_L1) && !error.startsWith("not an Error"_L1),
                     qPrintable(u"round %1: %2"_s.arg(i).arg(error)));
            refused += !error.isEmpty();
        }
        QVERIFY2(refused > rounds / 10, qPrintable(QString::number(refused)));
    }

    void deepNestingIsRefused() {
        const std::string nested(200'000, static_cast<char>(0x81));  // nested lists of one element
        QVERIFY(inChild([&] {
                    return errorOf([&] { decodeSession(nested); });
                }).contains("nests its values more than 100 levels deep"_L1));
    }
};

AOTSCOPE_TEST(TestSessionFile)

}  // namespace aotscope::test::session_file_test

#include "test_session_file.moc"

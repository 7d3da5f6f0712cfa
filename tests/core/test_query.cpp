// The query language: terms, their combinations, errors, garbage, and speed.

#include "ir/subgraphs.h"
#include "query/search.h"
#include "support/processor_clock.h"
#include "support/test_program.h"
#include "support/text.h"

#include <random>

namespace aotscope::test::query_test {
namespace {

constexpr std::string_view kJoint = R"(graph joint
  %w : f32[4, 4] = placeholder(parameter)  ; id=0 label="layer.weight"
  %n : i64[] = placeholder(buffer)  ; id=1 label="norm.steps"
  %x : f32[2, 4] = placeholder(input)  ; id=2 label="x"
  %g : f32[2, 4] = placeholder(tangent)  ; id=3 stage=backward
  %mm : f32[2, 4] = aten.mm.default(%x, %w)  ; id=4 seq=1 module="h.0.attn" type="Attention"
  %addmm : f32[2, 4] = aten.addmm.default(%x, %mm, %w)  ; id=5 seq=2 module="h.1.mlp" type="MLP"
  %relu_ : f32[2, 4] = aten.relu_.default(%addmm)  ; id=6 seq=3 module="h.1.mlp" type="MLP"
  %view : f16[1, 2, 4] = aten.view.default(%relu_, [1, 2, 4])  ; id=7 seq=4
  %rand : f64[1000, 1000] = aten.rand.default([1000, 1000])  ; id=8
  %mul : f32[2, 4] = aten.mul.Tensor(%g, %mm)  ; id=9 stage=backward seq=1 fn="MmBackward0" forward=4
  %layer : (f32[2, 4], f32[2, 1]) = aten.native_layer_norm.default(%mul, [4])  ; id=10 stage=backward
  return [%view : output "output 0", %layer : gradient "layer.weight"]
)";

/// A record around the graph: %mm is saved, %relu_ recomputed, the input %n mutated.
std::shared_ptr<CompileRecord> record() {
    auto record = std::make_shared<CompileRecord>();
    const std::shared_ptr<const Graph> joint = parseSound(kJoint);
    record->graphs[GraphKind::joint] = joint;
    PassRecord pass;
    pass.id = PassId::joint;
    pass.changed = true;
    pass.graphs.emplace_back(GraphKind::joint, joint);
    record->passes.push_back(pass);
    auto metadata = std::make_shared<FunctionMetadata>();
    metadata->inputs.resize(3);
    metadata->inputs[1].mutatesData = true;
    record->metadata = record->graphMetadata = metadata;
    auto partition = std::make_shared<Partition>();
    ValueDecision saved, recomputed;
    saved.node = 4;
    saved.placement = ValueDecision::Placement::saved;
    saved.bans = {BanReason::computeIntensive};
    saved.distance = 5;
    recomputed.node = 6;
    recomputed.placement = ValueDecision::Placement::recomputed;
    partition->decisions = {saved, recomputed};
    SavedValue value;
    value.node = 4;
    partition->saved = {value};
    partition->recomputed = {{6, "relu_", "aten.relu_.default", 32}};
    record->partition = partition;
    return record;
}

QString found(const CompileRecord& record, const char* query, const TimingResult* timing = nullptr) {
    QStringList names;
    const SearchResult result = search(record, Query::parse(query), timing, {});
    for (const SearchGroup& group : result.groups)
        for (const NodeId id : group.nodes) names << q(findNode(*group.where.graph, id)->name());
    return names.join(u' ');
}

}  // namespace

class TestQuery : public QObject {
    Q_OBJECT

    static auto foundRows() { return columns<QString, QString>("query", "expected"); }
    static void findsExpected() {
        FETCH(QString, query, expected);
        QCOMPARE(found(*record(), query.toUtf8()), expected);
    }

private Q_SLOTS:
    void findsTexts_data() {
        const auto row = foundRows();
        row("mm", "mm addmm mul");  // the last one by its autograd node
        row("%mm", "mm addmm mul");
        row("\"MMback\"", "mul");
        row("/^mm$/", "mm");
        row("/^(MM|relu).*$/", "mm relu_ mul");
        row("weight", "w");
        row("h.1", "addmm relu_");
        row("op:mm", "mm addmm");
        row("op=mm", "mm");
        row("op=aten.mm", "mm");
        row("op=aten.mm.default", "mm");
        row("op:/mm.*lt$/", "mm addmm");
        row("op!=mm stage:forward call", "addmm relu_ view rand");
        row("name:relu", "relu_");
        row("module:h.1 type:MLP", "addmm relu_");
        row("module:/h\\.\\d\\.a/", "mm");
        row("label:weight or label:steps", "w n");
        row("autograd:MmBack", "mul");
        row("family:matrix", "mm addmm");
        row("stage:back", "g mul layer");
        row("role:parameter", "w");
        row("graph:joint input", "w n x g");
        row("graph:forward", "");
        row("fate:saved", "mm");
    }
    void findsTexts() { findsExpected(); }

    /// Operations of subgraphs are hits of their own, after the node that runs them.
    void findsWhatSubgraphsRun_data() {
        const auto row = foundRows();
        row("op:tanh", "u");
        row("op:mm", "mm y");
        row("op:cos", "");
        row("op:tanh or op:mm", "mm y u");
        row("op:map", "d");
        // Facts about the node of the graph count, but say nothing about its subgraphs.
        row("saved", "c");
        row("saved op:tanh", "u");
    }
    void findsWhatSubgraphsRun() {
        FETCH(QString, query, expected);
        CompileRecord record;
        const std::shared_ptr<const Graph> joint = parseSound(
            "graph joint\n  %p : b8[] = placeholder\n  %x : f32[2, 2] = placeholder\n"
            "  %mm : f32[2, 2] = aten.mm.default(%x, %x)\n"
            "  %c : (f32[2, 2]) = higher_order.cond(%p, @a, @b, [%mm])\n"
            "  %item : f32[2, 2] = operator.getitem(%c, 0)\n  return [%item : output]\n"
            "graph joint.a\n  %v : f32[2, 2] = placeholder\n  %y : f32[2, 2] = aten.mm.default(%v, %v)\n"
            "  return [%y : output]\n"
            "graph joint.b\n  %v : f32[2, 2] = placeholder\n  %d : (f32[2, 2]) = higher_order.map_impl(@c, [%v], [])\n"
            "  %y : f32[2, 2] = operator.getitem(%d, 0)\n  return [%y : output]\n"
            "graph joint.b.c\n  %v : f32[2] = placeholder\n  %u : f32[2] = aten.tanh.default(%v)\n"
            "  return [%u : output]");
        record.graphs[GraphKind::joint] = joint;
        PassRecord pass;
        pass.id = PassId::joint;
        pass.graphs.emplace_back(GraphKind::joint, joint);
        record.passes.push_back(pass);
        auto partition = std::make_shared<Partition>();
        partition->saved.emplace_back().node = joint->findByName("c")->id();
        record.partition = partition;
        QCOMPARE(found(record, query.toUtf8()), expected);
    }

    void findsSizesAndNumbers_data() {
        const auto row = foundRows();
        row("shape:2x4 call", "mm addmm relu_ mul layer");
        row("shape:[2,4] op:mm", "mm addmm");
        row("shape:\"[2, 1]\"", "layer");
        row("shape:[2, 1]", "layer");
        row("shape:*x*x*", "view");
        row("shape:1000x...", "rand");
        row("shape:...x4 -shape:...x2x4", "w");
        row("shape:[] ", "n");
        row("dtype:f16", "view");
        row("dtype:torch.float64", "rand");
        row("dtype:int", "n");
        row("dtype:float stage:backward", "g mul layer");
        row("dtype!=f32 call", "view rand");
        row("bytes>1M", "rand");
        row("bytes>=8MB", "rand");
        row("bytes>8MB", "");
        row("bytes:>7.5MiB", "rand");
        row("bytes<16", "n");
        row("bytes:8", "n");
        row("users>1", "w x mm");
        row("users>=2 op:mm", "mm");
        row("users!=0 call", "mm addmm relu_ view mul layer");
        row("inputs=3", "addmm");
        row("rank=3", "view");
        row("numel>=1M", "rand");
        row("id=9", "mul");
        row("distance=5", "mm");
        row("line=1", "");
    }
    void findsSizesAndNumbers() { findsExpected(); }

    void findsProperties_data() {
        const auto row = foundRows();
        row("saved", "mm");
        row("recomputed", "relu_");
        row("saved or recomputed", "mm relu_");
        row("banned", "mm");
        row("mutates", "n relu_");
        row("random", "rand");
        row("outside_core", "relu_");
        row("view call", "view");
        row("output", "view layer");
        row("parameter | buffer", "w n");
        row("tangent", "g");
        row("unused", "n rand");
        row("not call", "w n x g");
        row("-call -tangent", "w n x");
        row("! call", "");  // looks for "!"
        row("!call buffer", "n");
        row("not not saved", "mm");
        row("(saved or recomputed) and not module:attn", "relu_");
        row("saved or recomputed module:attn", "mm");  // and binds closer than or
        row("NOT saved AND op:mm OR random", "addmm rand");
        row("((((saved))))", "mm");
        row("\"saved\"", "");  // text, not a property
        row("name:\"relu_\"", "relu_");
    }
    void findsProperties() { findsExpected(); }

    void findsTimedNodes() {
        TimingResult timing;
        StepTime step;
        step.graph = GraphKind::forward;
        step.node = 4;
        step.medianUs = 150;
        timing.steps = {step};
        const auto r = record();
        QCOMPARE(found(*r, "time>100", &timing), u"mm"_s);
        QCOMPARE(found(*r, "time>0.1ms", &timing), u"mm"_s);
        QCOMPARE(found(*r, "time>1s", &timing), QString());
        QCOMPARE(found(*r, "time>0"), QString());
    }

    void errors_data() {
        const auto row = columns<QString, int, QString>("query", "at", "says");
        row("", 0, "expected text, /an expression/, a property such as saved, or a keyword");
        row("saved and", 9, "found the end");
        row("(saved", 6, "expected a ')' for the '(' at character 1, found the end");
        row("saved)", 5, "no parenthesis is open");
        row("shap:8", 0, "expected a keyword (shape), or quotes around text that has a ':' in it, found 'shap'");
        row("aten::mm", 0, "or quotes around text that has a ':' in it, found 'aten'");
        row("dtype:f31", 6, "expected an element type such as f32, bool or i64");
        row("shape:axb", 6, "expected sizes such as 8x512");
        row("bytes>big", 6, "expected a number such as 100, 1.5M or 4KiB, found 'big'");
        row("users>1M", 6, "expected a number, found '1M'");
        row("op>mm", 2, "expected ':', '=' or '!=' after 'op', which is not a number, found '>'");
        row("op:", 3, "expected text after 'op:', found the end");
        row("stage:left", 6, "expected one of forward, backward, found 'left'");
        row("/a[/", 0, "expected a regular expression");
        row("name:/(/", 5, "expected a regular expression");
        row("/a\\9999999999/", 0, "expected a regular expression");
        row("/a{3,99999999999999999999}/", 0, "expected a regular expression");
        row("/abc", 4, "expected a closing / for the one at character 1");
        row("\"abc", 4, "expected a closing \" for the one at character 1");
        row("saved or or", 9, "expected a term");
        row("not", 3, "found the end");
    }
    void errors() {
        FETCH(QString, query, says);
        QFETCH(int, at);
        try {
            Query::parse(query.toStdString());
            QFAIL("the query was read");
        } catch (const QueryError& e) {
            QVERIFY2(q(e.what()).contains(says), e.what());
            QCOMPARE(static_cast<int>(e.at), at);
        }
    }

    void everySuggestedWordIsUnderstood() {
        for (const QueryWord& word : queryWords()) {
            QVERIFY(!word.help.empty());
            if (word.text == "not" || word.text == "or" || word.text == "and") continue;
            QCOMPARE(errorOf([&] { Query::parse(word.example); }), QString());
            for (const std::string& value : word.values)
                QCOMPARE(errorOf([&] { Query::parse(word.text + '"' + value + '"'); }), QString());
        }
    }

    void valuesCanBeAskedForWhereThereAreSome() {
        const auto r = record();
        QueryFacts facts = RecordFacts(*r).of(*r->graph(GraphKind::joint), GraphKind::joint)[4];
        ValueFacts value;
        value.elements = 4;
        value.nans = 1;
        value.min = -20;
        value.max = 3;
        value.absMax = 20;
        const auto holds = [&](const char* query) { return Query::parseWithValues(query).matches(facts); };
        for (const char* query : {"has_nan", "absmax>10", "min<-1e1 and op:mm", "nans=1", "infs=0 saved"}) {
            facts.value = nullptr;
            QVERIFY2(!holds(query), query);
            facts.value = &value;
            QVERIFY2(holds(query), query);
            QVERIFY(Query::parseWithValues(query).readsValues());
        }
        for (const char* query : {"has_inf", "max>3", "has_nan op:add", "mean>1"}) QVERIFY2(!holds(query), query);
        QVERIFY(!Query::parseWithValues("op:mm").readsValues());
        value.nans = 4;  // no element is finite: there is no largest
        QVERIFY(!holds("max<100") && holds("has_nan"));
        for (const QueryWord& word : queryWordsWithValues())
            if (word.text != "not" && word.text != "or" && word.text != "and")
                QCOMPARE(errorOf([&] { Query::parseWithValues(word.example); }), QString());
        QVERIFY(queryWordsWithValues().size() > queryWords().size());
        QVERIFY(errorOf([] { Query::parse("absmax>3"); }).contains(u"keyword"_s));
    }

    void garbageIsReported() {
        const std::vector<std::string> pieces = {"(",         ")",      "not ",   "and ", "or ",    ":",      "=",
                                                 "!=",        ">",      "<",      "\"",   "/",      "\\",     "op",
                                                 "op:",       "%",      "bytes>", "1M",   "9e999",  "shape:", "8x",
                                                 "...",       "[",      "]",      "*",    "(a*)*b", "saved",  "-",
                                                 "!",         " ",      "dtype:", "f32",  "\xC3",   "\xFF",   "\x01",
                                                 "{9999999}", "stage:", "\n"};
        std::mt19937 random(7);
        const auto r = record();
        const RecordFacts facts(*r);
        const auto nodes = facts.of(*r->graph(GraphKind::joint), GraphKind::joint);
        int read = 0;
        for (int i = 0; i < 20'000; ++i) {
            std::string text;
            const auto length = random() % 12;
            for (unsigned k = 0; k < length; ++k) text += pieces[random() % pieces.size()];
            if (i % 3 == 0)
                for (unsigned k = 0; k < 4; ++k) text += static_cast<char>(random() % 256);
            try {
                const Query query = Query::parse(text);
                for (const QueryFacts& node : nodes) (void)query.matches(node);
                ++read;
            } catch (const QueryError& e) {
                QVERIFY(e.at <= text.size() && e.at + e.length <= text.size() + 1);
            }
        }
        QVERIFY(read > 1000);
        QVERIFY(errorOf([] { Query::parse(std::string(1000, '(')); }).contains(u"at most 100"_s));
        QVERIFY(errorOf([] { Query::parse(std::string(10'000, 'a')); }).contains(u"4000 characters"_s));
    }

    void anExpressionCannotTakeForever() {
        std::string text = "graph long\n  %" + std::string(3000, 'a') + " : f32[1] = placeholder(input)\n  return []\n";
        CompileRecord r;
        r.graphs[GraphKind::source] = parseSound(text);
        const ProcessorClock clock;
        for (const char* query : {"/(a*)*b/", "/(a+)+$b/", "/(a|aa)+c/", "/((a*)*)*c/"}) found(r, query);
        QVERIFY2(clock.milliseconds() < 10'000, qPrintable(QString::number(clock.milliseconds())));
    }

    void everyPassIsSearchedOnce() {
        const auto r = record();
        PassRecord idle = r->passes.front();
        idle.changed = false;
        const std::shared_ptr<const Graph> copy = idle.graphs.front().second->clone();
        idle.graphs.front().second = copy;
        r->passes.push_back(idle);
        r->graphs[GraphKind::joint] = copy;
        QCOMPARE(graphsOf(*r).size(), std::size_t{1});
        QCOMPARE(graphsOf(*r).front().graph, copy);  // the final one, which the window shows
        PassRecord busy = idle;
        busy.changed = true;
        busy.graphs.front().second = copy->clone();
        r->passes.push_back(busy);
        QCOMPARE(graphsOf(*r).size(), std::size_t{2});
        QCOMPARE(search(*r, Query::parse("op=mm"), nullptr, {}).groups.size(), std::size_t{2});
    }

    void tenThousandNodesTakeLittleTime_data() {
        rowsOf("query", {"n9", "op:add module:h.1 bytes>10 users>0", "(saved or n12) -shape:2x2 dtype:f32",
                         "unused or stage:backward or family:pointwise"});
    }
    void tenThousandNodesTakeLittleTime() {
        QFETCH(QString, query);
        std::string text = "graph chain\n  %x : f32[4] = placeholder(input)\n", last = "x";
        for (int i = 0; i < 10'000; ++i) {
            const std::string name = "n" + std::to_string(i);
            text += "  %" + name + " : f32[4] = aten.add.Tensor(%" + last + ", %x)  ; module=\"transformer.h." +
                    std::to_string(i / 200) + ".attn\"\n";
            last = name;
        }
        CompileRecord r;
        r.graphs[GraphKind::functional] = parseSound(text + "  return [%" + last + " : output]\n");
        const Query parsed = Query::parse(query.toStdString());
        const ProcessorClock clock;
        const SearchResult result = search(r, parsed, nullptr, {});
        const double ms = clock.milliseconds();
        QVERIFY(result.hits > 0);
        qInfo("%zu hits in %.1f ms", result.hits, ms);
        QVERIFY(ms < 1000);  // 10 on a quiet machine
    }
};

AOTSCOPE_TEST(TestQuery)

}  // namespace aotscope::test::query_test

#include "test_query.moc"

// Graphs exported by aotscope, opened again.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "io/report.h"
#include "ir/provenance.h"
#include "ir/subgraphs.h"
#include "load/printed/exported_graph.h"
#include "support/json/json_text.h"
#include "support/text.h"

#include <nlohmann/json.hpp>

using namespace aotscope;
using namespace aotscope::test;

void TestPrintedGraphs::exportedGraphsAreTheSameAgain_data() {
    rowsOf("model", {"sample:mlp", "sample:gpt2-tiny", "sample:bert-tiny", "sample:mutations", "sample:aliasing"});
    for (const char* file :
         {"batch_norm.log", "attention.trace", "checkpoint.log", "dynamic.trace", "control_flow.trace"})
        QTest::newRow(file) << dataFolder() + q(file);
}
void TestPrintedGraphs::exportedGraphsAreTheSameAgain() {
    QFETCH(QString, model);
    const auto record = Session::open({.model = model.toStdString()}, {})->record();
    QVERIFY(record->graphs.size() > 1);
    for (const auto& [kind, graph] : record->graphs) {
        if (kind == GraphKind::source) continue;  // TorchScript or TorchDynamo: not a graph of ours
        const std::string text = printWithProvenance(*graph), json = jsonText(graphJson(*graph));
        QVERIFY(looksLikeExportedGraph(text) && looksLikeExportedGraph(json));
        const auto ofText = parseExportedGraph(text, "t"), ofJson = parseExportedGraph(json, "j");
        QCOMPARE(q(printWithProvenance(*ofText)), q(text));
        if (subgraphsOf(*graph).empty()) QCOMPARE(q(jsonText(graphJson(*ofJson))), q(json));
        for (const auto& content : {text, json}) {
            const auto session = openFile(scratch_.write(u"again"_s, QByteArray::fromStdString(content)));
            QVERIFY(session);
            const auto again = session->record()->graph(kind);
            QVERIFY(again);
            QVERIFY(sameStructure(*again, *graph));
        }
    }
}

void TestPrintedGraphs::exportedGraphsRunAndSplit() {
    const auto record = Session::open({.model = "sample:mlp"}, {})->record();
    const auto joint = record->graph(GraphKind::joint);
    const QString file = scratch_.write(u"joint.json"_s, QByteArray::fromStdString(jsonText(graphJson(*joint))));
    const auto session = openFile(file);
    QCOMPARE(q(session->record()->model.kind), u"exported graph"_s);
    QVERIFY2(session->whyNotExecutable().empty(), session->whyNotExecutable().c_str());
    QVERIFY(session->check({}).ok);
    const auto split = repartitioned(file, {}, PartitionAlgorithm::minCut);
    QVERIFY2(split->error.empty(), split->error.c_str());
    QCOMPARE(split->partition->saved.size(), record->partition->saved.size());
}

void TestPrintedGraphs::brokenExportsAreRefused_data() {
    const auto row = columns<QByteArray, QString>("content", "error");
    row("cut text", "graph joint\n  %x : f32[2] = placeholder\n", "line");
    row("unknown node", "graph joint\n  %y : f32[2] = aten.sin.default(%x)\n  return [%y]\n", "a node defined above");
    row("cut JSON", R"({"graph": "joint", "nodes": [)", "not valid JSON");
    row("no text", R"({"graph": "joint", "nodes": []})", "the key 'text' is missing");
    row("no list", R"({"graph": "joint", "nodes": 3, "text": "graph joint\n  return []"})",
        "nodes: expected one entry for each of the 1 nodes of its text, found 3");
    row("other nodes", R"({"graph": "joint", "nodes": [], "text": "graph joint\n  return []"})",
        "nodes: expected one entry for each of the 1 nodes of its text, found []");
    row("other name", R"({"graph": "joint", "nodes": [{"name": "x", "id": 0}], "text": "graph joint\n  return []"})",
        "nodes[0]: expected the node 'output' of its text");
    row("id", R"({"graph": "g", "nodes": [{"name": "output", "id": 99999999999}], "text": "graph g\n  return []"})",
        "nodes[0].id: expected a number from 0 to 2^30, found 99999999999");
    row("type", R"({"graph": "g", "nodes": [{"name": "output", "id": "x"}], "text": "graph g\n  return []"})",
        "nodes[0].id: expected an integer, found \"x\"");
    row("deep",
        R"({"graph": "g", "nodes": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[)",
        "");
}
void TestPrintedGraphs::brokenExportsAreRefused() {
    QFETCH(QByteArray, content);
    QFETCH(QString, error);
    const QString found = errorOf([&] { openFile(scratch_.write(u"broken"_s, content)); });
    QVERIFY2(!found.isEmpty() && found.contains(error) && !found.startsWith("not an Error"_L1), qPrintable(found));
}

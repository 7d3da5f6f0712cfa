// Changes planted in facts, in printed graphs and in bodies.

#include "test_differences.h"

#include "compared_runs.h"
#include "support/scratch.h"
#include "support/test_program.h"

using namespace aotscope;
using namespace aotscope::test;

void TestDifferences::plantedInFacts_data() {
    columns<QString, QString>("model", "place");
    QTest::addColumn<QString>("value");  // JSON; empty: removed
    QTest::addColumn<QString>("named");
    const auto row = [](const char* model, const char* place, const char* value, const char* named) {
        QTest::addRow("%s %s", model, place) << model << place << value << named;
    };
    row("mlp", "/options/partitioning/memory_budget", "0.5", "partitioning.memory_budget: 1.0 -> 0.5");
    row("mlp", "/options/decompose", "\"core-aten\"", "option decompose: ");
    row("mlp", "/options/inference", "true", "inference: false -> true");
    row("mlp", "/options/seed", "7", "option seed");
    row("mlp", "/inputs/0/requires_grad", "false", "inputs[0].requires_grad: true -> false");
    row("mlp", "/inputs/0/role", "\"buffer\"", "inputs[0].role");
    row("mutations", "/metadata/inputs/1/mutates_data", "false", "metadata.inputs[1].mutates_data: true -> false");
    row("mutations", "/metadata/inputs/2/after", "\"f32[6, 4]\"", "metadata.inputs[2].after");
    row("mutations", "/metadata/inputs/0/mutation_type", "\"MUTATED_IN_GRAPH\"", "metadata.inputs[0].mutation_type");
    row("aliasing", "/metadata/outputs/0/type", "\"planted\"", "metadata.outputs[0].type");
    row("aliasing", "/metadata/outputs/0/base_idx", "5", "metadata.outputs[0].base_idx");
    row("mlp", "/metadata/traced_tangents/0", "\"f64[32, 10]\"", "metadata.traced_tangents[0]");
    row("mlp", "/metadata/needs_autograd", "false", "metadata.needs_autograd: true -> false");
    row("mlp", "/guards/-", "{\"text\": \"s0 >= 2\", \"kind\": \"size\"}", "guard s0 >= 2: none -> there");
    row("mlp", "/symbols/-", "{\"name\": \"s9\", \"hint\": 8, \"min\": 2}", "symbol s9");
    row("mlp", "/passes/2", "", "pass ");
    row("mlp", "/passes/1/changed", "null", ": changed");
    row("mlp", "/partition/algorithm", "\"planted\"", "partitioner: ");
    row("gpt2-tiny", "/partition/decisions/40/reason", "\"planted\"", ": reason: ");
    row("gpt2-tiny", "/partition/decisions/40/fate", "\"planted\"", ": fate: ");
    row("gpt2-tiny", "/partition/decisions/40/overruled", "[\"planted\"]", ": overruled: ");
    row("gpt2-tiny", "/partition/saved/3/donated", "null", "donated");
    row("gpt2-tiny", "/partition/saved/3", "", "no longer");
    row("gpt2-tiny", "/decompositions/-", "{\"op\": \"aten.x.default\", \"rule\": \"x\", \"count\": 2}",
        "decomposition of aten.x.default by x");
    row("mlp", "/fallbacks/aten.x.default", "2", "fallbacks.aten.x.default: none -> 2");
    row("mlp", "/graphs/backward", "", "backward graph: there -> none");
}
void TestDifferences::plantedInFacts() {
    QFETCH(const QString, model);
    QFETCH(const QString, place);
    QFETCH(const QString, value);
    QFETCH(const QString, named);
    const json report = sample(model.toStdString()).report();
    json other = report;
    const json::json_pointer pointer(place.toStdString());
    if (!value.isEmpty()) other[pointer] = json::parse(value.toStdString());
    else if (json& owner = other[pointer.parent_pointer()]; owner.is_array())
        owner.erase(owner.begin() + std::stoi(pointer.back()));
    else owner.erase(pointer.back());
    const RunDifference difference = compare(comparedReport(report, "a"), comparedReport(other, "b"));
    QVERIFY2(!difference.empty() && described(difference).contains(named), qPrintable(described(difference)));
    ++planted_;
    QVERIFY(compare(comparedReport(report, "a"), comparedReport(other, "b"),
                    aspectsOf(difference) | AspectSet{Aspect::partition})
                .empty());
}
void TestDifferences::plantedInPrintedGraphs_data() {
    columns<QString, QString, QString, QString>("file", "from", "to", "node");
    const auto row = [](const char* file, const char* from, const char* to, const char* node) {
        QTest::addRow("%s %s", file, to) << file << from << to << node;
    };
    row("plain.txt", "(1+2j)", "(1+3j)", "%mul");
    row("plain.txt", "nan, pin", "0.0, pin", "%new_full");
    row("plain.txt", "[1, 1], [0, 0], [1, 1]", "[1, 1], [1, 0], [1, 1]", "%convolution");
    row("plain.txt", "dtype = torch.bfloat16", "dtype = torch.float16", "%_to_copy");
    row("plain.txt", "_to_copy: \"bf16[", "_to_copy: \"f16[", "%_to_copy");
    row("plain.txt", "full: \"f32[1]\" = torch.ops.aten.full.default([1], -inf, device = device(type='cpu')",
        "full: \"f32[1]\" = torch.ops.aten.full.default([1], -inf, device = device(type='cuda', index=0)", "%full");
    row("plain.txt", "split[1]", "split[2]", "%getitem_1");
    row("plain.txt", "new_full.default(x_1", "new_full.default(y_1", "%new_full");
    row("plain.txt", "[getitem, getitem_1, getitem_2])", "[getitem_1, getitem, getitem_2])", "return");
    row("plain.txt", "torch.channels_last", "torch.contiguous_format", "%_to_copy");
    row("plain.txt", "aten.mul.Tensor(zeros, ", "aten.add.Tensor(zeros, ", "%mul");
    row("passes/step", "f32[8, 8][1, 8]cpu\" = torch.ops.aten.t.default(parameters_1)",
        "f32[8, 8][8, 1]cpu\" = torch.ops.aten.t.default(parameters_1)", "%t");
    row("passes/step", "aten.addmm.default(parameters_2, x_1, t)",
        "aten.addmm.default(parameters_2, x_1, t, beta = 0.5)", "%addmm");
    row("passes/step", "aten.relu.default(addmm)", "aten.gelu.default(addmm)", "%relu");
}
/// In a file, or in the last pass of a folder.
void TestDifferences::plantedInPrintedGraphs() {
    QFETCH(const QString, file);
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QString, node);
    const Scratch scratch;
    const QString original = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/printed/") + file;
    const QString copy = scratch.at(QFileInfo(file).fileName());
    int replaced = 0;
    const auto plant = [&](const QString& source, const QString& target, bool change) {
        QString text = QString::fromUtf8(contentOf(source));
        if (change && text.contains(from)) ++replaced;
        if (change) text.replace(from, to);
        QFile out(target);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text.toUtf8()) > 0);
    };
    if (QFileInfo(original).isDir()) {
        QVERIFY(QDir().mkpath(copy));
        const QStringList files = QDir(original).entryList(QDir::Files);
        for (const QString& each : files)
            plant(original + u'/' + each, copy + u'/' + each, each == "after_view_to_reshape_6.txt"_L1);
    } else {
        plant(original, copy, true);
    }
    QCOMPARE(replaced, 1);
    const ComparedRun before = opened(original.toStdString()).run(), after = opened(copy.toStdString()).run();
    const RunDifference difference = compare(before, after);
    QVERIFY2(!difference.empty() && described(difference).contains(node), qPrintable(described(difference)));
    ++planted_;
    QVERIFY(compare(before, opened(original.toStdString()).run()).empty());
}

/// A body of a conditional is part of the node that runs it.
void TestDifferences::plantedInBodies() {
    const char* head =
        "graph g\n  %p : b8[] = placeholder\n  %c : (f32[1]) = higher_order.cond(%p, @a, @b, [])\n"
        "  return [%p : output]\ngraph g.a\n  %x : f32[1] = aten.ones.default([1])\n";
    const char* tail = "\n  return [%y : output]\ngraph g.b\n  %x : f32[1] = aten.ones.default([1])\n  return [%x]\n";
    const auto runOf = [&](const char* line) {
        auto record = std::make_shared<CompileRecord>();
        record->graphs[GraphKind::inference] = parseSound(std::string(head) + line + tail);
        return comparedRun({}, record);
    };
    const char* line = "  %y : f32[1] = aten.mul.Tensor(%x, 2.0)";
    QVERIFY(compare(runOf(line), runOf(line)).empty());
    const RunDifference constant = compare(runOf(line), runOf("  %y : f32[1] = aten.mul.Tensor(%x, 3.0)"));
    QVERIFY2(described(constant).contains(u"in @a %y: arguments (%x, 2.0) -> (%x, 3.0)"_s),
             qPrintable(described(constant)));
    QVERIFY(!compare(runOf(line), runOf("  %y : f64[1] = aten.mul.Tensor(%x, 2.0)")).empty());
    QVERIFY(!compare(runOf(line), runOf("  %y : f32[1] = aten.add.Tensor(%x, 2.0)")).empty());
}

AOTSCOPE_TEST(TestDifferences)
#include "test_differences.moc"

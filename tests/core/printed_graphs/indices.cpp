// Integers generated for a printed graph are within the bounds of what they index.

#include "printed_files.h"
#include "test_printed_graphs.h"

#include "program/inputs/input_spec.h"
#include "verify/check.h"

using namespace aotscope;
using namespace aotscope::test;

namespace {

/// A joint graph of integers "ids", a boolean "p" and a table of 40 rows: `lines` make %index of the integers.
QByteArray lookup(const char* lines, const char* graphs = "") {
    return QByteArray(
               "graph joint\n"
               "  %table : f32[40, 4] = placeholder(parameter)\n"
               "  %ids : i64[5, 3] = placeholder(input)\n"
               "  %p : b8[] = placeholder(input)\n") +
           lines +
           "  %embedding : f32[5, 3, 4] = aten.embedding.default(%table, %index)\n"
           "  return [%embedding : output \"output 0\", %p : output \"output 1\"]\n" +
           graphs;
}

}  // namespace

void TestPrintedGraphs::indicesFitTheirTables_data() {
    const auto row = columns<QByteArray, qint64, qint64>("text", "low", "high");
    row("an offset for each field",
        lookup("  %arange : i64[3] = aten.arange.default(3)\n"
               "  %mul : i64[3] = aten.mul.Tensor(%arange, 10)\n"
               "  %index : i64[5, 3] = aten.add.Tensor(%ids, %mul)\n"),
        qint64{0}, qint64{20});
    row("the offset first",
        lookup("  %arange : i64[3] = aten.arange.start_step(3, 0, -1)\n"
               "  %index : i64[5, 3] = aten.sub.Tensor(%ids, %arange)\n"),
        qint64{3}, qint64{41});
    row("a multiple",
        lookup("  %mul : i64[5, 3] = aten.mul.Tensor(%ids, 4)\n"
               "  %index : i64[5, 3] = aten.add.Tensor(%mul, 3)\n"),
        qint64{0}, qint64{10});
    row("from the end", lookup("  %index : i64[5, 3] = aten.rsub.Scalar(%ids, 44)\n"), qint64{5}, qint64{45});
    row("from the end, as tensors",
        lookup("  %full : i64[5, 3] = aten.full.default([5, 3], 20)\n"
               "  %mul : i64[5, 3] = aten.mul.Tensor(%ids, 2)\n"
               "  %index : i64[5, 3] = aten.sub.Tensor(%full, %mul)\n"),
        qint64{0}, qint64{11});
    row("two tables",
        lookup("  %small : f32[9, 2] = aten.zeros.default([9, 2])\n"
               "  %select : i64[3] = aten.select.int(%ids, 0, 0)\n"
               "  %rows : f32[3, 2] = aten.index_select.default(%small, 0, %select)\n"
               "  %index : i64[5, 3] = aten.view.default(%ids, [5, 3])\n"),
        qint64{0}, qint64{9});
    row("in the branches of cond, and after them",
        lookup("  %cond : (i64[5, 3], f32[5, 3, 2]) = higher_order.cond(%p, @one, @other, [%ids])\n"
               "  %index : i64[5, 3] = operator.getitem(%cond, 0)\n",
               "graph joint.one\n"
               "  %a : i64[5, 3] = placeholder\n"
               "  %add : i64[5, 3] = aten.add.Tensor(%a, 2)\n"
               "  %zeros : f32[30, 2] = aten.zeros.default([30, 2])\n"
               "  %embedding : f32[5, 3, 2] = aten.embedding.default(%zeros, %a)\n"
               "  return [%add : output, %embedding : output]\n"
               "graph joint.other\n"
               "  %a : i64[5, 3] = placeholder\n"
               "  %sub : i64[5, 3] = aten.sub.Tensor(%a, 1)\n"
               "  %zeros : f32[20, 2] = aten.zeros.default([20, 2])\n"
               "  %embedding : f32[5, 3, 2] = aten.embedding.default(%zeros, %sub)\n"
               "  return [%sub : output, %embedding : output]\n"),
        qint64{1}, qint64{21});
}
void TestPrintedGraphs::indicesFitTheirTables() {
    QFETCH(QByteArray, text);
    FETCH(qint64, low, high);
    const auto session = openFile(scratch_.write(u"lookup.txt"_s, text));
    const InputSpec spec = session->inputSpec();
    const auto& range = std::get<Fill::Randint>(std::get<LeafSpec>(spec.values[1]).fill.how);
    QCOMPARE(qint64{range.low}, low);
    QCOMPARE(qint64{range.high}, high);
    QVERIFY(session->check({}).ok);
}

/// The number of nonzero elements is not printed: with numbers that differ from the program's, later sizes are wrong.
void TestPrintedGraphs::inputsThatDoNotFitAreNamed() {
    const QString file = scratch_.write(u"nonzero.txt"_s,
                                        "graph joint\n"
                                        "  %x : f32[7] = placeholder(input)\n"
                                        "  %nonzero : i64[2, 1] = aten.nonzero.default(%x)\n"
                                        "  %view : i64[2] = aten.view.default(%nonzero, [2])\n"
                                        "  return [%view : output \"output 0\"]\n");
    const QString error = errorOf([&] { openFile(file)->check({}); });
    QVERIFY2(error.contains(u"the inputs are generated from the printed types"_s), qPrintable(error));
    QVERIFY2(error.endsWith(u"give the program's own with --inputs FILE"_s), qPrintable(error));
}

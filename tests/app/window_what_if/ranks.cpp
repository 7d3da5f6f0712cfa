// Ranks of a distributed program: stepped together, and compared.

#include "app/debug_driver.h"
#include "support/scratch.h"
#include "test_window_what_if.h"

#include <QStandardItemModel>

using namespace aotscope;
using namespace aotscope::test;

namespace {

using Reason = DebugStop::Reason;

QString rankFile(const char* name) {
    return QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/distributed/") + QString::fromUtf8(name);
}

}  // namespace

void TestWindowWhatIf::ranksAreSteppedTogether() {
    // The files of the other ranks are beside it.
    Debugging d(rankFile("mlp_fsdp.pt2"), std::filesystem::path(rankFile("mlp_fsdp.0.inputs.pt").toStdString()));
    QVERIFY(d.opened);
    QVERIFY(d.values()->count()->isVisible());
    QCOMPARE(d.values()->rankCount(), std::size_t{4});  // according to its all-gathers
    QVERIFY(d.addBreakpoint("op:all_gather_into_tensor"));
    QVERIFY(d.command("actionDebugRun"));
    QCOMPARE(d.stop().reason, Reason::breakpoint);
    QVERIFY2(d.values()->state().contains(u"stopped as well: ranks 1, 2, 3"_s), qPrintable(d.values()->state()));
    d.breakpoints()->view()->selectRow(0);
    d.breakpoints()->toggleSelected();
    QVERIFY(d.command("actionDebugRun"));
    QCOMPARE(d.stop().reason, Reason::ended);
    // Gathered values are the same everywhere; each rank has an input of its own.
    QVERIFY(d.select(GraphKind::forward, d.node(GraphKind::forward, "wait_tensor")->id()));
    QCOMPARE(d.rows().size(), std::size_t{4});
    QCOMPARE(d.values()->legend()->plainText(), u"equal on all 4 ranks"_s);
    const Node* input = d.record()->graph(GraphKind::forward)->placeholders().back();
    QVERIFY(d.select(GraphKind::forward, input->id()));
    QCOMPARE(d.rows()[3].cells[1].text, u"3"_s);
    QVERIFY2(d.rows()[3].cells[2].text.startsWith(u"[0, 0] is "_s), qPrintable(d.rows()[3].cells[2].text));
    QVERIFY(d.values()->legend()->plainText().startsWith(u"rank 0; rank 1: [0, 0] is "_s));
    // One of them has the details, by its row or its name.
    const QString first = d.values()->firstText();
    QCOMPARE(d.table("watchTable")->view()->currentIndex().row(), 0);
    d.table("watchTable")->view()->selectRow(2);
    QVERIFY(d.settle());
    QCOMPARE(d.values()->ranks()->currentIndex(), 2);
    QVERIFY(d.values()->shownName().endsWith(u" on rank 2"_s));
    QVERIFY(d.values()->firstText() != first);
    QCOMPARE(d.table("watchTable")->view()->currentIndex().row(), 2);
    d.values()->ranks()->setCurrentIndex(0);
    QVERIFY(d.settle());
    QCOMPARE(d.values()->firstText(), first);
    // The other partition computes the same on all ranks.
    QVERIFY(d.command("actionDebugRestart"));
    d.trigger("actionDebugOther");
    QVERIFY(d.settle());
    QVERIFY(d.command("actionDebugRun"));
    QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
    d.trigger("actionDebugOther");
    QVERIFY(d.settle());
    // One rank as before.
    QVERIFY(d.setRanks(1));
    QVERIFY(d.select(GraphKind::forward, input->id()));
    QCOMPARE(d.rows().size(), std::size_t{1});
    QVERIFY(!d.values()->ranks()->isVisible() && !d.values()->legend()->isVisible());
}

void TestWindowWhatIf::ranksAreEditedAndFound() {
    Debugging d(rankFile("mlp_tensor.pt2"));
    QVERIFY(d.opened);
    QCOMPARE(d.values()->rankCount(), std::size_t{1});  // nothing says how many there are
    d.trigger("actionDebugRanks");
    QVERIFY(d.values()->count()->hasFocus());
    QVERIFY(d.setRanks(4));
    const Node* reduce = d.calls(GraphKind::forward, "_c10d_functional.all_reduce.default").front();
    QVERIFY(d.select(GraphKind::forward, reduce->id()));
    QVERIFY(d.command("actionDebugTo"));
    QCOMPARE(d.position().node, reduce->id());
    const Node* part = reduce->args()[0].node();
    d.values()->ranks()->setCurrentIndex(3);
    QVERIFY(d.settle());
    QVERIFY(d.select(GraphKind::forward, part->id()));
    QVERIFY(d.edit("[0, 1] = 77"));
    QVERIFY(d.select(GraphKind::forward, part->id()));
    QVERIFY2(d.values()->legend()->plainText().startsWith(u"ranks 0, 1, 2; rank 3: [0, 1] is 77, not "_s),
             qPrintable(d.values()->legend()->plainText()));
    d.trigger("actionDebugEager");
    QVERIFY(d.settle());
    d.values()->ranks()->setCurrentIndex(0);
    QVERIFY(d.settle());
    QVERIFY(d.command("actionDebugRun"));
    QCOMPARE(d.stop().reason, Reason::difference);
    QCOMPARE(d.stop().node, part->id());
    QCOMPARE(d.values()->ranks()->currentIndex(), 3);
    QVERIFY2(d.values()->state().contains(u"rank 3: "_s), qPrintable(d.values()->state()));
    QVERIFY(d.command("actionDebugRestart"));
    QCOMPARE(d.position().step, std::size_t{0});
    QVERIFY(d.command("actionDebugRun"));
    QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
    // A cancelled command leaves the run where it was.
    QVERIFY(d.command("actionDebugRestart"));
    d.trigger("actionDebugRun");
    d.window.cancel();
    QVERIFY(d.settle());
    QVERIFY(d.debugger()->state());
    QVERIFY(d.command("actionDebugRun"));
    QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
    // The number of ranks is kept with the model.
    d.trigger("actionRun");
    QVERIFY(d.settle());
    QCOMPARE(d.values()->rankCount(), std::size_t{4});
    QVERIFY(d.openSample("mlp"));
    QVERIFY(!d.values()->count()->isVisible());
    QVERIFY(!d.find<QAction>("actionDebugRanks")->isEnabled());
}

void TestWindowWhatIf::stagesOfAPipelineAreSteppedTogether() {
    Debugging d(rankFile("mlp_stages.0.pt2"));
    QVERIFY(d.opened && d.setRanks(2));
    const auto* names = qobject_cast<QStandardItemModel*>(d.values()->ranks()->model());
    QVERIFY(names->item(0)->isEnabled() && !names->item(1)->isEnabled());  // mlp_stages.1.pt2
    QVERIFY(d.command("actionDebugStep"));
    QVERIFY2(d.values()->state().contains(u"\nrank 0: "_s), qPrintable(d.values()->state()));
    QVERIFY(d.command("actionDebugRun"));
    QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
}

void TestWindowWhatIf::ranksThatDoNotFitSayWhy() {
    const Scratch scratch;
    for (const auto& [rank, reduction] : {std::pair(0, "sum"), std::pair(1, "max")})
        scratch.write(u"rank%1.py"_s.arg(rank), QByteArray("def f(x):\n  return ops._c10d_functional.wait_tensor("
                                                           "ops._c10d_functional.all_reduce(x, \"") +
                                                    reduction + "\", \"0\"))\n");
    Debugging d(scratch.at(u"rank0.py"_s), specFrom(R"([{"shape": [4]}])"));
    QVERIFY2(d.opened, qPrintable(d.lastProblem()));
    QVERIFY(d.setRanks(2));
    QVERIFY(d.command("actionDebugRun"));
    QCOMPARE(d.stop().reason, Reason::failed);
    QVERIFY2(d.values()->state().contains(u"rank 1 calls %all_reduce, all_reduce (max) of Float[4]"_s),
             qPrintable(d.values()->state()));
    QVERIFY(d.command("actionDebugRestart"));
    QCOMPARE(d.position().step, std::size_t{0});
    QVERIFY(d.setRanks(3));  // rank0.py for all, because there is no rank2.py
    QVERIFY2(d.lastProblem().isEmpty(), qPrintable(d.lastProblem()));
    QVERIFY(d.command("actionDebugRun"));
    QVERIFY2(d.stop().reason == Reason::ended, d.stop().text.c_str());
}

void TestWindowWhatIf::ranksAreCompared() {
    Driver d;
    QVERIFY(d.open(rankFile("mlp_fsdp.pt2")));
    d.window.compare()->compareRanks({rankFile("mlp_tensor.pt2")});
    QVERIFY(d.settle());
    const auto row = [&](const char* aspect) {
        const auto& rows = d.table("comparedRuns")->content().rows;
        return std::ranges::find_if(rows, [&](const auto& r) { return r.cells[0].text == QLatin1String(aspect); });
    };
    QVERIFY(d.table("comparedRuns")->isVisible());
    QCOMPARE(row("graphs")->cells[1].mark, TableContent::Mark::bad);
    QCOMPARE(row("values")->cells[1].text, u"equal before the graphs differ"_s);
    // The first difference is selected, with the values of the ranks beside it.
    const auto& places = d.table("comparedNodes")->content().rows;
    QCOMPARE(places.size(), std::size_t{2});
    QCOMPARE(places[0].cells[0].text, u"mlp_fsdp.pt2"_s);
    const NodeId first = row("collectives")->node;
    QVERIFY(first != kNoNode);
    d.chooseRowOf("comparedRuns", first);
    QVERIFY(d.settle());
    QCOMPARE(d.window.selection().node(), first);
    QVERIFY2(places[0].cells[1].text.contains(u"all-gather"_s), qPrintable(places[0].cells[1].text));
    // The same as in a report.
    const Scratch scratch;
    d.window.compare()->compareRanks({scratch.at(u"report.json"_s)});
    QVERIFY(d.settle());
    QVERIFY(d.lastProblem().contains(u"report.json"_s));
    QCOMPARE(row("graphs")->cells[1].mark, TableContent::Mark::bad);  // stays
    d.trigger("actionStopComparing");
    QVERIFY(d.table("comparedRuns")->content().rows.empty());
}

void TestWindowWhatIf::logsOfRanksAreCompared() {
    const QString logs = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/trace_logs/");
    const Scratch scratch;
    for (const char* name : {"rank_0.log", "rank_1.log", "story.log"})
        QVERIFY(QFile::copy(logs + QString::fromUtf8(name), scratch.at(QString::fromUtf8(name))));
    QVERIFY(QFile::copy(logs + u"dtensor/dtensor.log"_s, scratch.at(u"dtensor.log"_s)));
    const QString leftOut = u"Left out: dtensor.log (another log of rank 0); story.log (of no rank)."_s;
    Driver d;
    QVERIFY(d.open(scratch.at(u"rank_0.log"_s)));
    const auto* note = d.find<QLabel>("traceNote");
    QVERIFY2(note->text().contains(u"The 2 ranks in this folder differ first in compilation 1/0"_s),
             qPrintable(note->text()));
    QVERIFY2(note->text().contains(leftOut), qPrintable(note->text()));
    // A folder has all ranks: no further ones are asked for.
    QVERIFY(d.open(scratch.path()));
    d.trigger("actionCompareRanks");
    QVERIFY(d.settle());
    const TablePanel* table = d.table("comparedRuns");
    QVERIFY2(table->content().summary.contains(u"2 ranks differ."_s) && table->content().summary.contains(leftOut),
             qPrintable(table->content().summary));
    const auto& rows = table->content().rows;
    const auto found = std::ranges::find_if(rows, [](const auto& r) {
        return r.cells[1].text.startsWith("collective 2 of group"_L1) && r.cells[2].text == "1/0"_L1;
    });
    QVERIFY(found != rows.end());
    Q_EMIT table->view()->activated(table->view()->model()->index(static_cast<int>(found - rows.begin()), 0));
    QVERIFY(d.settle());
    QVERIFY(d.window.session()->options().compileId.ends_with("1/0"));
    QVERIFY(!d.table("comparedRuns")->content().rows.empty());  // of the same log
    QVERIFY(d.openSample("mlp"));
    QVERIFY(d.table("comparedRuns")->content().rows.empty());
}

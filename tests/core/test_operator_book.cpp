// What operations took on a machine: signatures, the book that keeps them, and its file.

#include "cost/book/book_file.h"
#include "cost/book/record_costs.h"
#include "cost/book/record_operations.h"
#include "cost/book/signature.h"
#include "cost/node_figures.h"
#include "io/tables/operator_cost_table.h"
#include "ir/parser.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"
#include "verify/measure/operators_alone.h"

#include <sys/wait.h>
#include <unistd.h>

#include <limits>

namespace aotscope::test::operator_book_test {
namespace {

const CalibratedMachine kMachine{"some processor", 4, 0, "2.13.0", "cpu"};

std::unique_ptr<Graph> graphOf(const std::string& inputs, const std::string& call) {
    return parseGraph("graph g\n" + inputs + "  %y : f32[2, 2] = " + call + "\n  return [%y : output \"y\"]\n");
}

std::string signatureIn(const std::string& inputs, const std::string& call) {
    return signatureOf(*graphOf(inputs, call)->findByName("y"));
}

constexpr const char* kTwo = "  %a : f32[4, 8] = placeholder\n  %b : f32[8, 2] = placeholder\n";

OperatorEntry entryOf(std::string signature, double us, std::int64_t innerBytes = 0) {
    OperatorEntry entry{.signature = std::move(signature), .threads = 1, .us = us};
    entry.lowerUs = us - 0.25;
    entry.upperUs = us + 0.25;
    entry.innerBytes = innerBytes;
    entry.bytes = 100;
    entry.resultBytes = {0, 1 << 20};
    entry.rooflineUs = us;
    entry.day = 20000;
    return entry;
}

OperatorBook bookOf(const std::vector<OperatorEntry>& entries) {
    OperatorBook book;
    for (const OperatorEntry& entry : entries) book.add(entry);
    return book;
}

QString fileIn(const Scratch& scratch) { return scratch.at(u"book.txt"_s); }
std::filesystem::path pathIn(const Scratch& scratch) { return fileIn(scratch).toStdString(); }

/// A product of `rows` rows.
std::unique_ptr<Graph> product(int rows) {
    const std::string n = std::to_string(rows);
    return parseGraph("graph g\n  %a : f32[" + n +
                      ", 64] = placeholder\n  %b : f32[64, 64] = placeholder\n  %y : f32[" + n +
                      ", 64] = aten.mm.default(%a, %b)\n  return [%y : output \"y\"]\n");
}

}  // namespace

class TestOperatorBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void signatureTellsWhatMatters() {
        QCOMPARE(q(signatureIn(kTwo, "aten.mm.default(%a, %b)")), u"aten.mm.default(f32[4, 8], f32[8, 2])"_s);
        const std::string plain = "  %x : f32[2, 2] = placeholder\n";
        const auto of = [&](const char* call) { return signatureIn(plain, call); };
        // Not what values are called, or by how much they are scaled; but what chooses among kernels.
        QCOMPARE(of("aten.mul.Tensor(%x, 0.3)"), of("aten.mul.Tensor(%x, 0.7)"));
        QCOMPARE(of("aten.relu.default(%x)"), signatureIn("  %z : f32[2, 2] = placeholder\n", "aten.relu.default(%z)"));
        QVERIFY(of("aten.pow.Tensor_Scalar(%x, 2.0)") != of("aten.pow.Tensor_Scalar(%x, 0.7)"));
        QVERIFY(of("aten.sum.dim_IntList(%x, [0])") != of("aten.sum.dim_IntList(%x, [1])"));
        QVERIFY(of("aten.add.Tensor(%x, %x)") != of("aten.sub.Tensor(%x, %x)"));
        for (const char* other : {"f32[2, 3]", "f64[2, 2]", "f32[2, 2][1, 2]", "f32[2, 2, 1]"})
            QVERIFY2(signatureIn(std::string("  %x : ") + other + " = placeholder\n", "aten.relu.default(%x)") !=
                         of("aten.relu.default(%x)"),
                     other);
        QVERIFY(signatureIn("  %x : (f32[2, 2], f32[2]) = placeholder\n", "operator.getitem(%x, 0)").empty());
        const auto literal = [&](int letters) {
            return of(
                ("aten.relu.default(%x, \"" + std::string(static_cast<std::size_t>(letters), 'a') + "\")").c_str());
        };
        QVERIFY(!literal(30).empty() && literal(3000).empty());
    }

    void numberStandsForTheSignature() {
        const auto graph = graphOf(kTwo, "aten.mm.default(%a, %b)");
        const Node& node = *graph->findByName("y");
        QCOMPARE(signatureNumber(node), signatureNumber(signatureOf(node)));
        QVERIFY(signatureNumber(node) != 0);
        QCOMPARE(signatureNumber(*graph->findByName("a")), 0ULL);
        QCOMPARE(signatureNumber(std::string_view()), 0ULL);
    }

    /// It is a distance, and the same kind of call is nearer than any other.
    void distanceGrowsWithDifference() {
        const std::vector<std::string> signatures = {
            "aten.mm.default(f32[4, 8], f32[8, 2])", "aten.mm.default(f32[8, 8], f32[8, 2])",
            "aten.mm.default(f32[4096, 8], f32[8, 2])", "aten.mm.default(f64[4, 8], f64[8, 2])",
            "aten.mm.default(f32[4, 8], f32[8, 2][1, 8])"};
        for (const std::string& a : signatures)
            for (const std::string& b : signatures) {
                QCOMPARE(signatureDistance(a, b), signatureDistance(b, a));
                QCOMPARE(signatureDistance(a, b) == 0, a == b);
            }
        for (std::size_t i = 1; i < signatures.size(); ++i)
            QVERIFY(signatureDistance(signatures[0], signatures[i - 1]) <
                        signatureDistance(signatures[0], signatures[i]) ||
                    i == 4);
    }

    void nearestIsScaledByTheRoofline() {
        const auto small = product(64), large = product(256), huge = product(1 << 20);
        OperatorEntry entry = aotscope::entryOf(*small->findByName("y"));
        entry.us = 30;
        entry.innerBytes = 1000;
        const OperatorBook book = bookOf({entry});
        const KnownCost same = book.costOf(*small->findByName("y"), 1), near = book.costOf(*large->findByName("y"), 1);
        QCOMPARE(same.time, CostBasis::measured);
        QCOMPARE(*same.us, 30.0);
        QCOMPARE(near.time, CostBasis::near);
        QCOMPARE(near.bytes, CostBasis::near);
        const double scale = aotscope::entryOf(*large->findByName("y")).rooflineUs / entry.rooflineUs;
        QVERIFY(scale > 1 && std::abs(*near.us - 30 * scale) < 1e-9);
        QVERIFY(*near.innerBytes > 1000);
        QVERIFY(!book.costOf(*huge->findByName("y"), 1).us);  // it says nothing about that
        // Another number of threads is near.
        QCOMPARE(book.costOf(*small->findByName("y"), 2).time, CostBasis::near);
        QCOMPARE(*book.costOf(*small->findByName("y"), 2).us, 30.0);
    }

    void betterOfTwoIsKept() {
        const std::string signature = "aten.relu.default(f32[4])";
        OperatorEntry quiet = entryOf(signature, 5, 16), busy = entryOf(signature, 9, 32),
                      later = entryOf(signature, 6, 48);
        busy.waiting = 3;
        OperatorBook book = bookOf({quiet, busy});
        QCOMPARE(*book.find(signature, 1)->us, 5.0);
        QCOMPARE(*book.find(signature, 1)->innerBytes, 32);
        book.add(later);
        QCOMPARE(*book.find(signature, 1)->us, 6.0);
        OperatorEntry partial{.signature = signature, .threads = 1};
        book.add(partial);
        QCOMPARE(*book.find(signature, 1)->us, 6.0);
        QCOMPARE(*book.find(signature, 1)->innerBytes, 48);
        QCOMPARE(book.entries().size(), 1U);
    }

    void bookIsBounded() {
        OperatorBook book, more;
        for (std::size_t i = 0; i < 2 * OperatorBook::kMost; ++i) {
            OperatorEntry entry = entryOf("aten.relu.default(f32[" + std::to_string(i) + "])", 1);
            entry.day = static_cast<std::int64_t>(i);
            book.add(std::move(entry));
            QVERIFY(book.entries().size() <= 2 * OperatorBook::kMost);
        }
        more.add(book);
        QCOMPARE(more.entries().size(), OperatorBook::kMost);
        QVERIFY(more.find("aten.relu.default(f32[" + std::to_string(2 * OperatorBook::kMost - 1) + "])", 1));
        QVERIFY(!more.find("aten.relu.default(f32[0])", 1));
        QVERIFY(bookText(more, kMachine).size() < 32 << 20);
    }

    void fileReadsBack() {
        const Scratch scratch;
        OperatorEntry untimed{.signature = "aten.sum.default(f32[3])", .threads = 8};
        untimed.innerBytes = 12;
        const OperatorBook book = bookOf({entryOf("aten.mm.default(f32[4, 8], f32[8, 2])", 1.0 / 3, 1 << 20), untimed});
        QCOMPARE(addToBook(pathIn(scratch), kMachine, book).entries(), book.entries());
        const KeptBook kept = readBook(pathIn(scratch), kMachine);
        QVERIFY2(kept.note.empty(), kept.note.c_str());
        QCOMPARE(kept.book.entries(), book.entries());
        CalibratedMachine other = kMachine;
        other.threads = 3;
        QCOMPARE(readBook(pathIn(scratch), other).book.entries(), book.entries());
        other.torch = "2.14.0";
        QVERIFY(readBook(pathIn(scratch), other).book.entries().empty());
        QVERIFY(!readBook(pathIn(scratch), other).note.empty());
        QVERIFY(bookFile(other) != bookFile(kMachine));
    }

    void damagedFilesAreIgnored_data() {
        const auto row = columns<QByteArray, int>("content", "entries");
        const QByteArray whole = QByteArray::fromStdString(
            bookText(bookOf({entryOf("aten.mm.default(f32[4])", 2), entryOf("aten.mm.default(f32[8])", 4)}), kMachine));
        row("half written", whole.first(whole.size() - 3), 1);
        row("empty", "", 0);
        row("foreign",
            "\x7f"
            "ELF",
            0);
        row("binary", QByteArray(100'000, '\0'), 0);
        row("newer", QByteArray(whole).replace("operators 1", "operators 2"), 0);
        row("of no machine", QByteArray(whole).replace("{", "["), 0);
        row("deep", "aotscope operators 1\n" + QByteArray(1'000'000, '[') + "\n", 0);
        row("impossible", QByteArray(whole).replace("\t20000", "\t-1"), 0);
        row("one line", QByteArray(whole).replace("(f32[4])", "("), 1);
    }
    void damagedFilesAreIgnored() {
        QFETCH(QByteArray, content);
        QFETCH(int, entries);
        const Scratch scratch;
        scratch.write(u"book.txt"_s, content);
        const KeptBook kept = readBook(pathIn(scratch), kMachine);
        QCOMPARE(static_cast<int>(kept.book.entries().size()), entries);
        QVERIFY2(!kept.note.empty() && kept.note.find('\n') == std::string::npos, kept.note.c_str());
        // The next measurement replaces it.
        addToBook(pathIn(scratch), kMachine, bookOf({entryOf("aten.add.Tensor(f32[4])", 2)}));
        QCOMPARE(static_cast<int>(readBook(pathIn(scratch), kMachine).book.entries().size()), entries + 1);
        QVERIFY(readBook(pathIn(scratch), kMachine).note.empty());
    }

    void hugeFileIsNotRead() {
        const Scratch scratch;
        QFile file(scratch.write(u"book.txt"_s, ""));
        QVERIFY(file.resize(qint64{3} << 30));  // without taking room on the disk
        QVERIFY(readBook(pathIn(scratch), kMachine).book.entries().empty());
        QVERIFY(!readBook(pathIn(scratch), kMachine).note.empty());
    }

    /// Neither loses what the other one adds, and no reader ever sees a part.
    void processesShareIt() {
        const Scratch scratch;
        constexpr int kProcesses = 4, kEach = 20;
        std::vector<pid_t> children;
        for (int process = 0; process < kProcesses; ++process) {
            const pid_t child = ::fork();
            if (child == 0) {
                for (int i = 0; i < kEach; ++i)
                    addToBook(
                        pathIn(scratch), kMachine,
                        bookOf({entryOf("aten.relu.default(f32[" + std::to_string(process * kEach + i) + "])", 1)}));
                ::_exit(readBook(pathIn(scratch), kMachine).note.empty() ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            QCOMPARE(status, 0);
        }
        QCOMPARE(readBook(pathIn(scratch), kMachine).book.entries().size(), std::size_t{kProcesses} * kEach);
    }

    /// Whoever is killed while it writes leaves the old book or the new one, and its lock goes with it.
    void crashLeavesABook() {
        const Scratch scratch;
        const OperatorBook first = bookOf({entryOf("aten.relu.default(f32[1])", 1)});
        addToBook(pathIn(scratch), kMachine, first);
        for (int i = 0; i < 5; ++i) {
            const pid_t child = ::fork();
            if (child == 0)
                for (int n = 2;; ++n)
                    addToBook(pathIn(scratch), kMachine,
                              bookOf({entryOf("aten.relu.default(f32[" + std::to_string(n) + "])", 1)}));
            ::usleep(20'000);
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            const KeptBook kept = readBook(pathIn(scratch), kMachine);
            QVERIFY2(kept.note.empty(), kept.note.c_str());
            QVERIFY(kept.book.find("aten.relu.default(f32[1])", 1));
        }
        addToBook(pathIn(scratch), kMachine, bookOf({entryOf("aten.neg.default(f32[1])", 1)}));
        QVERIFY(readBook(pathIn(scratch), kMachine).book.find("aten.neg.default(f32[1])", 1));
    }

    void unwritableFolderIsNoError() {
        const OperatorBook news = bookOf({entryOf("aten.relu.default(f32[1])", 1)});
        QCOMPARE(addToBook("/proc/nowhere/book.txt", kMachine, news).entries(), news.entries());
    }

    void timedStepsBecomeEntries() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseGraph(
            "graph g\n  %x : f32[4] = placeholder\n  %a : f32[4] = aten.relu.default(%x)\n"
            "  %b : f32[4] = aten.relu.default(%a)\n  %c : f32[4] = aten.neg.default(%b)\n  return [%c : output "
            "\"y\"]\n");
        const Graph& graph = *record.graphs.at(GraphKind::inference);
        TimingResult timing;
        timing.load = {1.5, 2, 2};
        for (const auto& [name, us, inner] :
             {std::tuple("a", 2.0, std::int64_t{8}), std::tuple("b", 4.0, std::int64_t{16}),
              std::tuple("c", 7.0, std::int64_t{-1})}) {
            StepTime step{GraphKind::inference, timing.steps.size(), graph.findByName(name)->id(), name, "op", us};
            step.innerBytes = inner;
            timing.steps.push_back(step);
        }
        QVERIFY(entriesOf(timing, record).empty());  // nobody says that the interpreter ran it
        timing.compilers = {{GraphKind::inference, "interpreter", "interpreter", ""}};
        const OperatorBook book = bookOf(entriesOf(timing, record));
        QCOMPARE(book.entries().size(), 2U);
        const OperatorEntry& relu = *book.find("aten.relu.default(f32[4])", 2);
        QCOMPARE(*relu.us, 3.0);
        QCOMPARE(*relu.innerBytes, 16);
        QCOMPARE(relu.waiting, 1.5);
        QVERIFY(!book.find("aten.neg.default(f32[4])", 2)->innerBytes);
        const OperatorCosts costs = costsIn(book, record, 2);
        QCOMPARE(costs.known.size(), 2U);
        const NodeFigure<double> time = timeOf(*graph.findByName("b"), usualCpu(), costs);
        QCOMPARE(time.value, 0.003);
        QCOMPARE(time.basis, CostBasis::measured);
        QCOMPARE(innerBytesOf(*graph.findByName("c"), costs).basis, CostBasis::estimated);
        // Operations outside of groups run as in the interpreter.
        timing.compilers = {
            {GraphKind::inference, "fused", "fused", "", {{timing.steps[0].node, timing.steps[1].node}}}};
        const std::vector<OperatorEntry> single = entriesOf(timing, record);
        QCOMPARE(single.size(), 1U);
        QCOMPARE(q(single[0].signature), u"aten.neg.default(f32[4])"_s);
        timing.compilers = {{GraphKind::inference, "torchscript", "torchscript", ""}};
        QVERIFY(entriesOf(timing, record).empty());
    }

    /// What a library keeps for its backward has an empty type; at other sizes, it is as much larger as all operands.
    void opaqueMemoryIsScaled() {
        const auto layerOf = [](const char* rows) {
            const std::string x = std::string("f32[") + rows + ", 8]";
            return parseGraph("graph g\n  %x : " + x + " = placeholder\n  %y : (" + x +
                              ", u8[0]) = aten.mkldnn_rnn_layer.default(%x)\n  return []");
        };
        const auto four = layerOf("4"), twelve = layerOf("12");
        OperatorEntry entry = aotscope::entryOf(*four->findByName("y"));
        entry.innerBytes = 100;
        entry.resultBytes = {200, 1000};
        const OperatorBook book = bookOf({entry});
        QVERIFY(book.costOf(*four->findByName("y"), 1).resultBytes == entry.resultBytes);
        const KnownCost near = book.costOf(*twelve->findByName("y"), 1);
        QCOMPARE(near.bytes, CostBasis::near);
        QCOMPARE(*near.innerBytes, 300);
        QVERIFY(near.resultBytes == (std::vector<std::int64_t>{0, 3000}));
    }

    /// A recurrent layer's backward reads what its library has kept, beyond what any type says.
    void opaqueMemoryIsNotMadeUp() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseGraph(
            "graph g\n  %x : f32[2] = placeholder\n  %w : u8[0] = placeholder\n"
            "  %a : f32[2] = aten.mkldnn_rnn_layer_backward.default(%x, %w)\n  return [%a : output]");
        bool kept = false;
        const MeasuredOperators found =
            measureAlone(record, OperatorBook(), "cpu", [&](const OperatorEntry&) { kept = true; }, {});
        QVERIFY(!kept && found.measured == 0);
        QCOMPARE(found.left.size(), 1U);
        QVERIFY2(found.left[0].why.ends_with("only its library knows"), found.left[0].why.c_str());
    }

    /// As often as they run, each signature once, in all that collects operations.
    void operationsOfSubgraphs() {
        CompileRecord record;
        record.graphs[GraphKind::inference] = parseGraph(
            "graph g\n  %x : f32[5, 2] = placeholder\n  %v : f32[2] = placeholder\n"
            "  %a : f32[2] = aten.relu.default(%v)\n"
            "  %m : (f32[5, 2]) = higher_order.map_impl(@step, [%x], [])\n"
            "  %n : (f32[5, 2]) = higher_order.map_impl(@step, [%x], [])\n  return [%a : output \"y\"]\n"
            "graph g.step\n  %v : f32[2] = placeholder\n  %a : f32[2] = aten.relu.default(%v)\n"
            "  %b : f32[2] = aten.relu.default(%a)\n  %c : f32[2] = aten.neg.default(%b)\n  return [%c : output]");
        const std::vector<AlikeOperations> found = operationsIn(record, GraphsOf::runs);
        QCOMPARE(found.size(), 2U);
        QCOMPARE(q(found[0].node->op()), u"aten.relu.default"_s);
        QCOMPARE(found[0].calls, 1 + 2 * 5 * 2);
        QCOMPARE(found[1].calls, 2 * 5);
        const OperatorBook book = bookOf({entryOf("aten.neg.default(f32[2])", 1, 24)});
        const OperatorCosts costs = costsIn(book, record, 1);
        QCOMPARE(costs.known.size(), 1U);
        QCOMPARE(operatorCostTable(record, usualCpu()).rows.size(), 2U);
        std::vector<std::string> measured;
        measureAlone(record, OperatorBook(), "cpu",
                     [&](const OperatorEntry& entry) { measured.push_back(entry.signature); }, {});
        QCOMPARE(measured.size(), 2U);
    }
};

AOTSCOPE_TEST(TestOperatorBook)

}  // namespace aotscope::test::operator_book_test

#include "test_operator_book.moc"

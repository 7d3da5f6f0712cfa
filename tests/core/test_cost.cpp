// Operation counts, byte counts and time estimates.

#include "core/counted_ops.h"
#include "cost/calibration.h"
#include "cost/flops.h"
#include "cost/known_machines.h"
#include "cost/runtime_model.h"
#include "cost/variant_costs.h"
#include "io/cost_text.h"
#include "ir/parser.h"
#include "session/session.h"
#include "support/scratch.h"
#include "support/test_program.h"
#include "support/text.h"

#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>

namespace aotscope::test::cost_test {
namespace {

TensorType tensor(Sizes sizes) {
    TensorType type;
    type.strides = contiguousStrides(sizes);
    type.sizes = std::move(sizes);
    return type;
}

std::vector<Argument> convolutionArguments(std::vector<Argument> operands, const CountedOp& counted) {
    const auto numbers = [](std::int64_t n) { return Argument(Argument::List{n, n}); };
    operands.push_back(Argument());  // bias
    for (auto& argument : {numbers(1), numbers(0), numbers(1), Argument(counted.transposed), numbers(0), Argument(1)})
        operands.push_back(argument);
    Argument::List mask(counted.mask.begin(), counted.mask.end());
    if (!mask.empty()) operands.emplace_back(mask);
    return operands;
}

const Node* makeNode(Graph& graph, const CountedOp& counted) {
    std::vector<Argument> operands;
    for (const Sizes& sizes : counted.operands)
        operands.emplace_back(graph.addPlaceholder("x", ValueType{tensor(sizes)}));
    const bool convolution = std::string_view(counted.op).starts_with("aten.convolution");
    return graph.addCall(counted.op, convolution ? convolutionArguments(operands, counted) : operands, {},
                         ValueType{tensor(counted.result)});
}

/// An attention kernel over five packed sequences of up to 16 queries and 20 keys.
std::int64_t packedFlops(const char* op, const std::vector<Sizes>& operands, std::size_t borders) {
    Graph graph("packed");
    std::vector<Argument> arguments;
    for (const Sizes& sizes : operands) arguments.emplace_back(graph.addPlaceholder("x", ValueType{tensor(sizes)}));
    while (arguments.size() < borders) arguments.emplace_back();
    for (int i = 0; i < 2; ++i) arguments.emplace_back(graph.addPlaceholder("starts", ValueType{tensor({6})}));
    arguments.emplace_back(16);
    arguments.emplace_back(20);
    return flopCount(*graph.addCall(op, arguments, {}, ValueType{tensor({50, 4, 32})}));
}

/// One operation of each kind.
constexpr const char* kKinds = R"g(graph kinds
  %x : f32[8, 16]<0, 0, 512> = placeholder(input)
  %i : i64[4]<1, 0, 32> = placeholder(input)
  %m : b8[8, 16]<2, 0, 128> = placeholder(input)
  %view : f32[128]<0, 0, 512> = aten.view.default(%x, [128])
  %add : f32[8, 16]<3, 0, 512> = aten.add.Tensor(%x, %x)
  %exp : f32[8, 16]<4, 0, 512> = aten.exp.default(%x)
  %sum : f32[16]<5, 0, 64> = aten.sum.dim_IntList(%x, [0])
  %rows : f32[4, 16]<6, 0, 256> = aten.embedding.default(%x, %i)
  %t : f32[16, 8][1, 16]<0, 0, 512> = aten.t.default(%x)
  %mm : f32[8, 8]<7, 0, 256> = aten.mm.default(%x, %t)
  %masked : f32[8, 16]<8, 0, 512> = aten.mul.Tensor(%x, %m)
  %copy : f32[16, 8]<9, 0, 512> = aten.clone.default(%t)
  %wide : f32[8, 4, 16][16, 0, 1]<0, 0, 512> = aten.expand.default(%x, [8, 4, 16])
  %repeated : f32[8, 4, 16]<10, 0, 2048> = aten.clone.default(%wide)
  %drop : (f32[8, 16]<11, 0, 512>, b8[8, 16]<12, 0, 128>) = aten.native_dropout.default(%x, 0.5, True)
  return [%add : output]
)g";

struct ExpectedCost {
    const char* node;
    WorkKind kind;
    std::int64_t flops, elements, read, written;
};

const std::vector<ExpectedCost> kExpectedCosts = {
    {"x", WorkKind::none, 0, 0, 0, 0},
    {"view", WorkKind::none, 0, 0, 0, 0},
    {"add", WorkKind::memory, 0, 128, 512, 512},
    {"exp", WorkKind::transcendental, 0, 128, 512, 512},
    {"sum", WorkKind::reduction, 0, 128, 512, 64},
    {"rows", WorkKind::memory, 0, 64, 256 + 32, 256},
    {"mm", WorkKind::matrix, std::int64_t{2} * 8 * 16 * 8, 64, 1024, 256},
    {"masked", WorkKind::conversion, 0, 128, 512 + 128, 512},
    {"copy", WorkKind::memory, 0, 128, 512, 512},
    {"repeated", WorkKind::memory, 0, 512, 512, 2048},
    {"drop", WorkKind::random, 0, 128, 512, 512 + 128},
};

/// With these rates, units of each kind of work take different powers of ten of seconds.
MachineModel plainMachine() {
    MachineModel machine;
    machine.bytes = {1, 1e3, 2, 1e3};
    machine.matrixFlops = {0.5, 1e2};
    machine.transcendentals = {0, 1e1};
    machine.overhead = 0.001;
    machine.viewOverhead = 0.0001;
    return machine;
}

const CalibratedMachine kMachine = {"a CPU", 8, 4, "2.13", "cpu"};

double msOf(const Graph& graph, const char* node) { return estimatedMs(*graph.findByName(node), plainMachine()); }

}  // namespace

class TestCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void operationsAreCountedAsPyTorchCountsThem_data() {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < kCountedOps.size(); ++i)
            QTest::addRow("%s %zu", kCountedOps[i].op, i) << static_cast<int>(i);
    }
    void operationsAreCountedAsPyTorchCountsThem() {
        QFETCH(int, row);
        const CountedOp& counted = kCountedOps[static_cast<std::size_t>(row)];
        Graph graph("counted");
        QCOMPARE(flopCount(*makeNode(graph, counted)), counted.flops);
    }

    void packedSequencesCountAsTheLongest() {
        const Sizes q{50, 4, 32}, k{70, 4, 32}, v{70, 4, 8};
        QCOMPARE(packedFlops("aten._flash_attention_forward.default", {q, k, v}, 3), 512000);
        QCOMPARE(packedFlops("aten._flash_attention_backward.default", {q, q, k, k}, 6), 2048000);
        const Sizes qs{1, 50, 4, 32}, ks{1, 70, 4, 32};
        QCOMPARE(packedFlops("aten._efficient_attention_forward.default", {qs, ks, ks}, 4), 819200);
        QCOMPARE(packedFlops("aten._efficient_attention_backward.default", {qs, qs, ks, ks}, 6), 2048000);
    }

    void theMachineDoesWhatPyTorchDoesNotCount() {
        Graph graph("uncounted");
        const CountedOp attention{"aten._scaled_dot_product_flash_attention_for_cpu.default",
                                  {{2, 4, 16, 32}, {2, 4, 16, 32}, {2, 4, 16, 32}},
                                  {2, 4, 16, 32},
                                  false,
                                  {},
                                  262144};
        const CountedOp vector{"aten.mv.default", {{3, 4}, {4}}, {3}, false, {}, 24};
        const CountedOp grouped{"aten.convolution_backward.default",
                                {{2, 8, 16, 16}, {2, 8, 16, 16}, {8, 1, 3, 3}},
                                {},
                                false,
                                {true, true, false},
                                std::int64_t{2} * 73728};
        for (const CountedOp& op : {attention, vector, grouped})
            QCOMPARE(arithmeticOperations(*makeNode(graph, op)), op.flops);
        QCOMPARE(arithmeticOperations(*makeNode(graph, kCountedOps.front())), kCountedOps.front().flops);
    }

    /// As PyTorch's counter: for a cond the more expensive branch; for others every step.
    void subgraphsCountAsOftenAsTheyRun() {
        const auto graph = parseGraph(
            "graph g\n  %p : b8[] = placeholder\n  %x : f32[5, 2, 3] = placeholder\n  %w : f32[3, 4] = placeholder\n"
            "  %c : (f32[2, 4]) = higher_order.cond(%p, @one, @two, [%x, %w])\n"
            "  %m : (f32[5, 2, 4]) = higher_order.map_impl(@step, [%x], [%w])\n"
            "  return [%p : output]\n"
            "graph g.one\n  %v : f32[2, 3] = placeholder\n  %w : f32[3, 4] = placeholder\n"
            "  %y : f32[2, 4] = aten.mm.default(%v, %w)\n  return [%y : output]\n"
            "graph g.two\n  %v : f32[2, 3] = placeholder\n  %w : f32[3, 4] = placeholder\n"
            "  %y : f32[2, 4] = aten.mm.default(%v, %w)\n  %z : f32[2, 4] = aten.mm.default(%v, %w)\n"
            "  return [%y : output]\n"
            "graph g.step\n  %v : f32[2, 3] = placeholder\n  %w : f32[3, 4] = placeholder\n"
            "  %y : f32[2, 4] = aten.mm.default(%v, %w)\n  return [%y : output]");
        constexpr std::int64_t product = std::int64_t{2} * 2 * 3 * 4;
        QCOMPARE(flopCount(*graph->findByName("c")), 2 * product);
        QCOMPARE(flopCount(*graph->findByName("m")), 5 * product);
        QCOMPARE(arithmeticOperations(*graph->findByName("m")), 5 * product);
        const double step = msOf(**graph->findByName("m")->args()[0].subgraph(), "y");
        QCOMPARE(msOf(*graph, "m"), 1 + 5 * step);  // and the time of a call
    }

    void workFollowsFromTypes_data() {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(kExpectedCosts.size()); ++i)
            QTest::newRow(kExpectedCosts[static_cast<std::size_t>(i)].node) << i;
    }
    void workFollowsFromTypes() {
        QFETCH(int, row);
        const ExpectedCost& expected = kExpectedCosts[static_cast<std::size_t>(row)];
        const auto graph = parseGraph(kKinds);
        const NodeCost cost = costOf(*graph->findByName(expected.node));
        QCOMPARE(cost.kind, expected.kind);
        QCOMPARE(cost.flops, expected.flops);
        QCOMPARE(cost.elements, expected.elements);
        QCOMPARE(cost.bytesRead, expected.read);
        QCOMPARE(cost.bytesWritten, expected.written);
    }

    void copiesThatTransposeAreStrided() {
        const auto graph = parseGraph(kKinds);
        QVERIFY(costOf(*graph->findByName("copy")).strided);
        QVERIFY(!costOf(*graph->findByName("repeated")).strided);
        QVERIFY(!costOf(*graph->findByName("add")).strided);
    }

    void theSlowerOfArithmeticAndMemoryCounts() {
        const auto graph = parseGraph(kKinds);
        QCOMPARE(msOf(*graph, "x"), 0.0);
        QCOMPARE(msOf(*graph, "view"), 0.1);
        QCOMPARE(msOf(*graph, "add"), 1 + 1024.0);
        QCOMPARE(msOf(*graph, "exp"), 1 + 12800.0);
        QCOMPARE(msOf(*graph, "mm"), 1 + 500 + 20480.0);
    }

    void bandwidthFallsWithSize() {
        const Bandwidth bandwidth{1e3, 4e6, 1e5, 1e6};
        QCOMPARE(bandwidth.seconds(0), 0.0);
        QCOMPARE(bandwidth.seconds(100), 100 / 4e6);
        QCOMPARE(bandwidth.seconds(1e6), 1.0);
        QVERIFY(std::abs(bandwidth.seconds(1e4) - 1e4 / 2e6) < 1e-9);
    }

    /// For each measurement the second shortest time counts, and for all measurements the median.
    void repetitionsOfAQuietMachineAgree() {
        QCOMPARE(disagreementOf({{2, 2, 9}}), 1.0);
        QCOMPARE(disagreementOf({{3, 9, 2}, {1, 1.1, 5}, {4, 8, 8}}), 1.5);
        MachineModel machine;
        QVERIFY(!machine.disturbed() && disturbanceNote(machine).empty());
        machine.disagreement = 2;
        QVERIFY(machine.disturbed());
        QVERIFY(q(disturbanceNote(machine)).contains(u"unreliable"_s));
    }

    /// Runs that lose a core all the time are equally long: they agree.
    void aMachineThatWaitsIsNotQuiet() {
        MachineModel machine = plainMachine();
        machine.disagreement = 1.02;
        machine.waiting = 28;
        QVERIFY(machine.disturbed());
    }

    /// For better or worse, window and command line use the same.
    void aDisturbedCalibrationReplacesNoOther() {
        MachineModel quiet = plainMachine(), busy = plainMachine();
        busy.waiting = 28;
        busy.overhead = 5;
        MachineModel usual = assumedGpu();
        usual.overhead = 7;
        const Recalibration kept = betterOf(quiet, busy, usual);
        QCOMPARE(kept.machine.overhead, quiet.overhead);
        QVERIFY2(kept.note.find("the earlier calibration stays") != std::string::npos, kept.note.c_str());
        for (const auto& earlier : std::vector<std::optional<MachineModel>>{{}, busy, quiet}) {
            const Recalibration taken = betterOf(earlier, quiet, usual);
            QCOMPARE(taken.machine.overhead, quiet.overhead);
            QVERIFY(taken.note.empty());
        }
    }

    /// Not even the first one: its estimates would be anything.
    void aDisturbedCalibrationIsNotUsed() {
        MachineModel busy = plainMachine();
        busy.waiting = 28;
        busy.overhead = 5;
        for (const auto& earlier : std::vector<std::optional<MachineModel>>{{}, busy}) {
            const Recalibration refused = betterOf(earlier, busy, assumedGpu());
            QCOMPARE(refused.machine.overhead, assumedGpu().overhead);
            QCOMPARE(refused.machine.waiting, 28.0);
            QVERIFY(refused.machine.disturbed() && refused.machine.assumed.empty());
            QVERIFY2(refused.note.find("not used") != std::string::npos, refused.note.c_str());
            QVERIFY(disturbanceNote(refused.machine).find("a common machine") != std::string::npos);
        }
        QVERIFY(!usualCpu().disturbed());
    }

    /// The rates of a machine that nobody measured have the order of those that were.
    void theUsualCpuIsPlausible() {
        const Scratch scratch;
        const std::filesystem::path file = scratch.at(u"a.json"_s).toStdString();
        writeCalibration(file, kMachine, usualCpu());
        QVERIFY(readCalibration(file, kMachine));
    }

    /// A quarter more than the CPU time is too much; fewer threads are no disturbance, but other times.
    void timesKnowTheLoad() {
        QVERIFY(disturbanceNote(MachineLoad{}).empty());
        QVERIFY(disturbanceNote(MachineLoad{1.2, 2, 2}).empty());
        QCOMPARE(disturbanceNote(MachineLoad{4, 2, 2}),
                 std::string("times are unreliable: other programs were busy, and the measuring thread had a core for "
                             "only 25 % of the time"));
        QVERIFY(!MachineLoad({1, 1, 8}).disturbed());
        QCOMPARE(disturbanceNote(MachineLoad{1, 1, 8}),
                 std::string("measured on 1 of 8 threads, because other programs occupied the other cores"));
        QVERIFY(disturbanceNote(MachineLoad{4, 1, 2}).find("; measured on 1 of 2") != std::string::npos);
    }

    void whoeverWaitsForACoreIsFound() {
        cpu_set_t all, one;
        QCOMPARE(sched_getaffinity(0, sizeof all, &all), 0);
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
        QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);  // threads that start now share this core
        std::atomic<bool> done = false;
        std::vector<std::thread> others;
        for (int i = 0; i < 3; ++i)
            others.emplace_back([&] {
                while (!done) {}
            });
        const MachineModel crowded = calibrate("cpu");
        done = true;
        for (std::thread& other : others) other.join();
        QCOMPARE(sched_setaffinity(0, sizeof all, &all), 0);
        QVERIFY2(crowded.waiting > kMostDisturbance, qPrintable(QString::number(crowded.waiting)));
    }

    void calibrationsAreKept() {
        const Scratch scratch;
        const std::filesystem::path file = scratch.at(u"cache/aotscope/a.json"_s).toStdString();
        QVERIFY(!readCalibration(file, kMachine));
        writeCalibration(file, kMachine, plainMachine());
        const auto kept = readCalibration(file, kMachine);
        QVERIFY(kept);
        QCOMPARE(kept->matrixFlops.latency, 0.5);
        QCOMPARE(kept->matrixFlops.perSecond, 1e2);
        QCOMPARE(kept->bytes.largeBytes, 2.0);
        QCOMPARE(kept->viewOverhead, 0.0001);
        for (const auto& change : std::vector<std::function<void(CalibratedMachine&)>>{
                 [](auto& m) { m.cpu = "another"; }, [](auto& m) { m.cores = 2; }, [](auto& m) { m.threads = 1; },
                 [](auto& m) { m.torch = "2.0"; }, [](auto& m) { m.device = "cuda:0"; }}) {
            CalibratedMachine other = kMachine;
            change(other);
            QVERIFY(!readCalibration(file, other));
            QVERIFY(calibrationFile(other) != calibrationFile(kMachine));
        }
        writeCalibration("/proc/nowhere/a.json", kMachine, plainMachine());  // has no remark
    }

    void damagedCalibrationsAreIgnored_data() {
        const auto row = columns<QString, QString>("from", "to");
        row("no JSON", "{", "");
        row("another version", "\"version\": 2", "\"version\": 1");
        row("no version", "\"version\": 2", "\"v\": 2");
        row("a text", "\"overhead\": 0.001", "\"overhead\": \"0.001\"");
        row("negative", "\"overhead\": 0.001", "\"overhead\": -0.001");
        row("endless", "\"overhead\": 0.001", "\"overhead\": 1e300");
        row("missing", "\"overhead\"", "\"over\"");
        row("null", "\"overhead\": 0.001", "\"overhead\": null");
        row("no rate", "\"matrix_flops_per_second\": 100.0", "\"matrix_flops_per_second\": 0");
        row("the same sizes", "\"large_bytes\": 2.0", "\"large_bytes\": 1.0");
        row("disturbed", "\"disagreement\": 1.0", "\"disagreement\": 3.0");
        row("waited", "\"waiting\": 1.0", "\"waiting\": 30.0");
        row("deep", "\"overhead\": 0.001", "\"overhead\": [[[[[[[[0.001]]]]]]]]");
    }
    void damagedCalibrationsAreIgnored() {
        FETCH(QString, from, to);
        const Scratch scratch;
        const QString name = u"a.json"_s;
        const std::filesystem::path file = scratch.at(name).toStdString();
        writeCalibration(file, kMachine, plainMachine());
        QByteArray text = contentOf(scratch.at(name));
        QVERIFY(text.contains(from.toUtf8()));
        scratch.write(name, text.replace(from.toUtf8(), to.toUtf8()));
        QVERIFY(!readCalibration(file, kMachine));
        scratch.write(name, contentOf(scratch.at(name)) + QByteArray(100'000, ' '));
        QVERIFY(!readCalibration(file, kMachine));
    }

    /// By threads and by copies alike, and not before an estimate is needed.
    void theMachineIsAskedForOnce() {
        const auto graph = parseGraph(kKinds);
        const Node& add = *graph->findByName("add");
        std::atomic<int> asked = 0;
        const RuntimeModel model = rooflineTimes([&] {
            ++asked;
            return plainMachine();
        });
        QCOMPARE(asked.load(), 0);
        std::atomic<int> equal = 0;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i)
                threads.emplace_back([&, copy = model] { equal += copy.roofline(add) == msOf(*graph, "add"); });
        }
        QCOMPARE(equal.load(), 8);
        QCOMPARE(asked.load(), 1);
    }

    /// Operations of a graph, as they were timed, add up to the time of the graph; a kernel's nodes share its time.
    void measuredTimesReplaceEstimates() {
        const auto graph = parseGraph(kKinds);
        const Node &add = *graph->findByName("add"), &exp = *graph->findByName("exp"), &mm = *graph->findByName("mm"),
                   &sum = *graph->findByName("sum");
        MachineModel machine = plainMachine();
        machine.disagreement = 2;
        NodeTimes times(machine);
        QCOMPARE(times.basis(), TimeBasis::unreliable);
        QVERIFY(!times.caution().empty());
        times.setMachine(plainMachine());
        QCOMPARE(times.basis(), TimeBasis::estimated);
        QVERIFY(times.caution().empty());
        QCOMPARE(times.ms(add), msOf(*graph, "add"));

        TimingResult timing;
        timing.backward = true;
        timing.compiledForwardMs = spreadOf({10});
        timing.compiledBackwardMs = spreadOf({2});
        timing.steps = {{GraphKind::forward, 0, add.id(), "add", "op", 3000},
                        {GraphKind::forward, 1, exp.id(), "exp", "op", 5000},
                        {GraphKind::backward, 0, add.id(), "add", "op", 4000}};
        timing.compilers = {{GraphKind::forward, "fused", "fused", "", {{mm.id(), exp.id()}}}};
        times.learn(timing);
        QCOMPARE(times.basis(), TimeBasis::measured);
        QCOMPARE(times.ms(add, false), 3.0);
        QCOMPARE(times.ms(add, true), 2.0);  // no longer than its graph
        QCOMPARE(times.ms(add), 2.5);
        QCOMPARE(times.ms(exp, false), 2.5);
        QCOMPARE(times.ms(mm, false), 2.5);
        QCOMPARE(times.ms(mm, true), 2.5);
        QCOMPARE(times.ms(sum, false), 0.0);
        const auto backward = parseGraph("graph backward\n  %saved : f32[2] = placeholder(saved)\n  return [%saved]\n");
        Node& saved = *backward->findByName("saved");
        timing.steps.front().node = saved.id();
        NodeTimes others(machine);
        others.learn(timing);
        QCOMPARE(others.ms(saved, true), 0.0);  // it was computed in the forward
        QCOMPARE(times.overheadMs(false), 2.0);
        QCOMPARE(times.overheadMs(true), 0.0);
        QCOMPARE(timeText(1.234, TimeBasis::measured), std::string("1.23 ms"));
        QCOMPARE(timeText(1.234, TimeBasis::estimated), std::string("1.2 ms"));
        QCOMPARE(timeText(1.234, TimeBasis::unreliable), std::string("unreliable"));
    }

    void calibrationFindsPlausibleRates() {
        const MachineModel machine = calibrate("cpu");
        QVERIFY(machine.disagreement >= 1 && machine.calibrationMs > 0);
        QCOMPARE(machineModel().overhead, machineModel().overhead);
        for (const Pace& pace :
             {machine.matrixFlops, machine.convolutionFlops, machine.convolutionBackwardFlops, machine.batchedFlops,
              machine.attentionFlops, machine.batchNorms, machine.heavyFunctions, machine.transcendentals,
              machine.randomNumbers, machine.reductions, machine.windows, machine.conversions, machine.stridedBytes}) {
            QVERIFY(pace.latency >= 0 && pace.latency < 1);
            QVERIFY(pace.perSecond > 1e4 && pace.perSecond < 1e16);
        }
        QVERIFY(machine.bytes.small > 1e7 && machine.bytes.large > 1e7 && machine.freshBytes > 1e7);
        QVERIFY(machine.matrixFlops.perSecond > machine.transcendentals.perSecond);
        QVERIFY(machine.overhead > 0 && machine.overhead < 0.01);
    }
};

AOTSCOPE_TEST(TestCost)

}  // namespace aotscope::test::cost_test

#include "test_cost.moc"

#include "cost/exchange_links.h"

#include "aten/random_state.h"
#include "compile/compiler.h"
#include "cost/communication.h"
#include "distributed/rank_turns.h"
#include "distributed/world.h"
#include "ir/parser.h"
#include "record/results/statistics.h"

#include <ATen/ops/ones.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string_view>

namespace aotscope {

namespace {

constexpr std::int64_t kFewElements = 64, kManyElements = 1 << 19;  ///< per rank; gathered

std::string vectorType(std::int64_t elements) { return " : f32[" + std::to_string(elements) + "] = "; }

std::string waitText(const std::string& name, const std::string& type) {
    return "%" + name + "_w" + type + "_c10d_functional.wait_tensor.default(%" + name + ")\n";
}

std::string gatherText(const std::string& name, const std::string& of, std::int64_t elements, std::size_t ranks) {
    const auto count = static_cast<std::int64_t>(ranks);
    const std::string type = vectorType(elements * count);
    return "%" + name + type + "_c10d_functional.all_gather_into_tensor.default(%" + of + ", " + std::to_string(count) +
           ", \"0\")\n" + waitText(name, type);
}

/// The gradient of a gather.
std::string reduceText(const std::string& name, const std::string& of, std::size_t ranks) {
    const std::string type = vectorType(kFewElements);
    return "%" + name + type + "_c10d_functional.reduce_scatter_tensor.default(%" + of + ", \"sum\", " +
           std::to_string(ranks) + ", \"0\")\n" + waitText(name, type);
}

/// A small transformer block, a loss and its gradient, in pieces: ranks communicate before each.
constexpr std::array<std::string_view, 6> kBlock = {
    R"(%n1 : f32[2, 4, 16] = aten.pow.Tensor_Scalar(%x, 2)
%n2 : f32[2, 4, 1] = aten.mean.dim(%n1, [-1], True)
%n3 : f32[2, 4, 1] = aten.add.Tensor(%n2, 1e-05)
%n4 : f32[2, 4, 1] = aten.rsqrt.default(%n3)
%n5 : f32[2, 4, 16] = aten.mul.Tensor(%x, %n4)
)",
    R"(%q1 : f32[16, 16] = aten.t.default(%w)
%q2 : f32[8, 16] = aten.view.default(%n5, [8, 16])
%q3 : f32[8, 16] = aten.mm.default(%q2, %q1)
%q4 : f32[2, 4, 2, 8] = aten.view.default(%q3, [2, 4, 2, 8])
%q5 : f32[2, 2, 4, 8] = aten.transpose.int(%q4, 1, 2)
%r1 : f32[2, 2, 4, 4] = aten.slice.Tensor(%q5, -1, 0, 4)
)",
    R"(%r2 : f32[2, 2, 4, 4] = aten.slice.Tensor(%q5, -1, 4, 8)
%r3 : f32[2, 2, 4, 4] = aten.mul.Tensor(%r1, %r2)
%r4 : f32[2, 2, 4, 4] = aten.sub.Tensor(%r3, %r2)
%r5 : f32[2, 2, 4, 8] = aten.cat.default([%r3, %r4], -1)
%k1 : f32[4, 4, 8] = aten.view.default(%r5, [4, 4, 8])
%k2 : f32[4, 8, 4] = aten.transpose.int(%k1, 1, 2)
)",
    R"(%k3 : f32[4, 4, 4] = aten.bmm.default(%k1, %k2)
%k4 : f32[4, 4, 4] = aten.div.Tensor(%k3, 2.8)
%k5 : f32[4, 4, 4] = aten._softmax.default(%k4, -1, False)
%k6 : f32[4, 4, 8] = aten.bmm.default(%k5, %k1)
%o1 : f32[2, 2, 4, 8] = aten.view.default(%k6, [2, 2, 4, 8])
%o2 : f32[2, 4, 2, 8] = aten.transpose.int(%o1, 1, 2)
)",
    R"(%o3 : f32[2, 4, 2, 8] = aten.clone.default(%o2, memory_format=torch.contiguous_format)
%o4 : f32[8, 16] = aten.view.default(%o3, [8, 16])
%o5 : f32[8, 16] = aten.mm.default(%o4, %q1)
%o6 : f32[2, 4, 16] = aten.view.default(%o5, [2, 4, 16])
%o7 : f32[2, 4, 16] = aten.add.Tensor(%x, %o6)
%f1 : f32[8, 16] = aten.view.default(%o7, [8, 16])
)",
    R"(%f2 : f32[8, 16] = aten.mm.default(%f1, %q1)
%f3 : f32[8, 16] = aten.sigmoid.default(%f2)
%f4 : f32[8, 16] = aten.mul.Tensor(%f2, %f3)
%f5 : f32[8, 16] = aten.mm.default(%f4, %w)
%s1 : f32[16] = aten.sum.dim_IntList(%f5, [0])
%s2 : f32[8, 16] = aten.sub.Tensor(%f5, %s1)
%l1 : f32[8, 16] = aten.pow.Tensor_Scalar(%s2, 2)
%l2 : f32[] = aten.mean.default(%l1)
%l3 : f32[8, 16][0, 0] = aten.expand.default(%l2, [8, 16])
%l4 : f32[8, 16] = aten.div.Scalar(%l3, 128)
%l5 : f32[8, 16] = aten.mul.Scalar(%s2, 2.0)
%l6 : f32[8, 16] = aten.mul.Tensor(%l4, %l5)
)"};

constexpr std::string_view kInputs = "%x : f32[2, 4, 16] = placeholder(input)\n%w : f32[16, 16] = placeholder(input)\n";

std::string smallGraph(std::size_t ranks) {
    std::string text = "graph small\n%part" + vectorType(kFewElements) + "placeholder(input)\n" + std::string(kInputs);
    std::string results = "%l6";
    for (std::size_t i = 0; i < kBlock.size(); i += 2) {
        const std::string gather = "g" + std::to_string(i), reduce = "e" + std::to_string(i);
        text += gatherText(gather, "part", kFewElements, ranks);
        text += kBlock[i];
        text += reduceText(reduce, gather + "_w", ranks);
        text += kBlock[i + 1];
        results += ", %" + reduce + "_w";
    }
    return text + "return [" + results + "]\n";
}

std::string largeGraph(std::int64_t elements, std::size_t ranks) {
    return "graph large\n%part" + vectorType(elements) + "placeholder(input)\n" + std::string(kInputs) +
           gatherText("g", "part", elements, ranks) + "return [%g_w]\n";
}

/// How long the steps of a graph take on the calling rank, without the turns of others.
class OwnStepTimes final : public StepObserver {
public:
    explicit OwnStepTimes(std::size_t steps) : seconds_(steps) {}

    void arguments(c10::ArrayRef<c10::IValue>) override { last_ = ownTime(); }
    void before(std::size_t) override {}
    void after(std::size_t step) override {
        const auto now = ownTime();
        seconds_[step].push_back(std::chrono::duration<double>(now - last_).count());
        last_ = now;
    }
    void forget() {
        for (auto& seconds : seconds_) seconds.clear();
    }
    double median(std::size_t step) const { return spreadOf(seconds_[step]).median; }

private:
    std::vector<std::vector<double>> seconds_;
    std::chrono::steady_clock::time_point last_;
};

/// The time of one reading of the clock, as timing measures and subtracts it.
double secondsOfClock() {
    constexpr int marks = 100;
    const auto start = ownTime();
    for (int i = 0; i < marks; ++i) (void)ownTime();
    return std::chrono::duration<double>(ownTime() - start).count() / (marks + 1);
}

/// The mean time of steps of one kind, in seconds: measured, and by the model.
class StepMean {
public:
    void add(double measured, double estimated) { measured_ += measured, estimated_ += estimated, ++count_; }
    /// The overhead of a call with which the model matches the measurement.
    double corrected(double overhead) const {
        return std::max(0.0, overhead + (measured_ - estimated_) / std::max(1, count_));
    }

private:
    double measured_ = 0, estimated_ = 0;
    int count_ = 0;
};

struct StepSeconds {
    double exchanging = 0;  ///< of a collective and its wait
    StepMean operations, views;
};

class MeasuredGraph {
public:
    MeasuredGraph(const std::string& text, std::int64_t elements)
        : graph_(parseGraph(text)),
          compiled_(makeInterpreter()->compile(*graph_, {})),
          elements_(elements),
          medians_(compiled_->steps().size()) {}

    /// Runs of one rank; those before forget() are not counted.
    class Runs {
    public:
        explicit Runs(MeasuredGraph& graph)
            : graph_(graph),
              inputs_({at::ones({graph.elements_}), at::ones({2, 4, 16}), at::ones({16, 16}).div_(16)}),
              times_(graph.medians_.size()) {}
        void runOnce() {
            std::vector<c10::IValue> arguments = inputs_;
            graph_.compiled_->run(arguments, &times_);
        }
        void forget() { times_.forget(); }
        void finish() {
            graph_.clock_ = std::min(graph_.clock_, secondsOfClock());
            for (std::size_t step = 0; step < graph_.medians_.size(); ++step)
                graph_.medians_[step].push_back(times_.median(step));
        }

    private:
        MeasuredGraph& graph_;
        const std::vector<c10::IValue> inputs_;
        OwnStepTimes times_;
    };

    StepSeconds sum(const MachineModel& machine) const {
        StepSeconds sum;
        double collectives = 0;
        for (std::size_t step = 0; step < medians_.size(); ++step) {
            const Node& node = *graph_->findById(compiled_->steps()[step]);
            const double seconds = std::max(0.0, spreadOf(medians_[step]).median - clock_);
            if (communicates(node.op())) {
                sum.exchanging += seconds;
                if (!isWait(node)) ++collectives;
                continue;
            }
            (costOf(node).kind == WorkKind::none ? sum.views : sum.operations)
                .add(seconds, estimatedMs(node, machine) / 1000);
        }
        sum.exchanging /= std::max(1.0, collectives);
        return sum;
    }

private:
    std::unique_ptr<Graph> graph_;
    std::shared_ptr<const CompiledGraph> compiled_;
    std::int64_t elements_;
    std::vector<std::vector<double>> medians_;  ///< by step, of each rank and repetition
    double clock_ = 1;
};

/// Runs of one rank. The graphs alternate, so that each finds caches full of other data, as in a training step.
void runInTurn(std::span<MeasuredGraph> graphs, std::size_t ranks) {
    // More runs for few ranks, whose medians are less reliable.
    const std::size_t runs = std::clamp<std::size_t>(200 / ranks, 4, 50), warmUps = std::min<std::size_t>(runs, 10);
    std::vector<MeasuredGraph::Runs> all(graphs.begin(), graphs.end());
    for (std::size_t i = 0; i < runs + warmUps; ++i)
        for (MeasuredGraph::Runs& one : all) {
            if (i == warmUps) one.forget();
            one.runOnce();
        }
    for (MeasuredGraph::Runs& one : all) one.finish();
}

void measureOnce(std::span<MeasuredGraph> graphs, std::size_t ranks, ExchangedIn how) {
    if (how == ExchangedIn::absentWorld) {
        const WorldScope scope(std::make_shared<World>(WorldShape{ranks, 0, {}}));
        return runInTurn(graphs, ranks);
    }
    RankTurns({ranks, 0, {}}, saveRandomState, RankThreads::onOneCpu).run([&](std::size_t) {
        runInTurn(graphs, ranks);
    });
}

double bytesOfGather(std::int64_t elements, std::size_t ranks) {
    Collective call;
    call.kind = CollectiveKind::allGather;
    call.inputBytes = elements * static_cast<std::int64_t>(sizeof(float));
    call.resultBytes = call.inputBytes * static_cast<std::int64_t>(ranks);
    return static_cast<double>(bytesAtMeeting(call, static_cast<std::int64_t>(ranks)));
}

}  // namespace

ProcessCosts costsOfThisProcess(std::size_t ranks, ExchangedIn how, const MachineModel& machine) {
    const auto count = static_cast<std::int64_t>(ranks);
    ProcessCosts costs{{"this process", std::max<std::int64_t>(count, 1), {0, 1e12}, {0, 1e12}, true}, machine};
    const std::int64_t many = std::max(kManyElements / std::max<std::int64_t>(count, 1), 2 * kFewElements);
    std::vector<MeasuredGraph> graphs;
    graphs.emplace_back(smallGraph(ranks), kFewElements);
    if (ranks > 1) graphs.emplace_back(largeGraph(many, ranks), many);
    // Several times, since other programs may disturb each of them differently.
    for (int repetitions = ranks <= 16 ? 3 : 1; repetitions > 0; --repetitions) measureOnce(graphs, ranks, how);
    const StepSeconds small = graphs.front().sum(machine);
    costs.machine.overhead = small.operations.corrected(machine.overhead);
    costs.machine.viewOverhead = small.views.corrected(machine.viewOverhead);
    if (ranks < 2) return costs;
    const StepSeconds large = graphs.back().sum(machine);
    Link& link = costs.links.within;
    link.bytesPerSecond = (bytesOfGather(many, ranks) - bytesOfGather(kFewElements, ranks)) /
                          std::max(large.exchanging - small.exchanging, 1e-9);
    link.latencyUs = std::max(0.0, small.exchanging - bytesOfGather(kFewElements, ranks) / link.bytesPerSecond) * 1e6;
    costs.links.between = link;
    return costs;
}

}  // namespace aotscope

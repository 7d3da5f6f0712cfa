#include "cost/exchange_links.h"

#include "aten/random_state.h"
#include "compile/compiler.h"
#include "cost/communication.h"
#include "distributed/rank_turns.h"
#include "distributed/world.h"
#include "ir/parser.h"
#include "record/statistics.h"

#include <ATen/ops/ones.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace aotscope {

namespace {

constexpr std::int64_t kFewElements = 64, kManyElements = 1 << 19;  ///< that a rank has; that are gathered

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

/// A gather, and the reduction that is its gradient.
std::string exchangesText(const std::string& name, std::size_t ranks) {
    const std::string type = vectorType(kFewElements), back = name + "_r";
    return gatherText(name, "part", kFewElements, ranks) + "%" + back + type +
           "_c10d_functional.reduce_scatter_tensor.default(%" + name + "_w, \"sum\", " + std::to_string(ranks) +
           ", \"0\")\n" + waitText(back, type);
}

/// A small transformer block.
constexpr std::string_view kBlock = R"(%n1 : f32[2, 4, 16] = aten.pow.Tensor_Scalar(%x, 2)
%n2 : f32[2, 4, 1] = aten.mean.dim(%n1, [-1], True)
%n3 : f32[2, 4, 1] = aten.add.Tensor(%n2, 1e-05)
%n4 : f32[2, 4, 1] = aten.rsqrt.default(%n3)
%n5 : f32[2, 4, 16] = aten.mul.Tensor(%x, %n4)
%q1 : f32[16, 16] = aten.t.default(%w)
%q2 : f32[8, 16] = aten.view.default(%n5, [8, 16])
%q3 : f32[8, 16] = aten.mm.default(%q2, %q1)
%q4 : f32[2, 4, 2, 8] = aten.view.default(%q3, [2, 4, 2, 8])
%q5 : f32[2, 2, 4, 8] = aten.transpose.int(%q4, 1, 2)
%r1 : f32[2, 2, 4, 4] = aten.slice.Tensor(%q5, -1, 0, 4)
%r2 : f32[2, 2, 4, 4] = aten.slice.Tensor(%q5, -1, 4, 8)
%r3 : f32[2, 2, 4, 4] = aten.mul.Tensor(%r1, %r2)
%r4 : f32[2, 2, 4, 4] = aten.sub.Tensor(%r3, %r2)
%r5 : f32[2, 2, 4, 8] = aten.cat.default([%r3, %r4], -1)
%k1 : f32[4, 4, 8] = aten.view.default(%r5, [4, 4, 8])
%k2 : f32[4, 8, 4] = aten.transpose.int(%k1, 1, 2)
%k3 : f32[4, 4, 4] = aten.bmm.default(%k1, %k2)
%k4 : f32[4, 4, 4] = aten.div.Tensor(%k3, 2.8)
%k5 : f32[4, 4, 4] = aten._softmax.default(%k4, -1, False)
%k6 : f32[4, 4, 8] = aten.bmm.default(%k5, %k1)
%o1 : f32[2, 2, 4, 8] = aten.view.default(%k6, [2, 2, 4, 8])
%o2 : f32[2, 4, 2, 8] = aten.transpose.int(%o1, 1, 2)
%o3 : f32[2, 4, 2, 8] = aten.clone.default(%o2, memory_format=torch.contiguous_format)
%o4 : f32[8, 16] = aten.view.default(%o3, [8, 16])
%o5 : f32[8, 16] = aten.mm.default(%o4, %q1)
%o6 : f32[2, 4, 16] = aten.view.default(%o5, [2, 4, 16])
%o7 : f32[2, 4, 16] = aten.add.Tensor(%x, %o6)
%f1 : f32[8, 16] = aten.view.default(%o7, [8, 16])
%f2 : f32[8, 16] = aten.mm.default(%f1, %q1)
%f3 : f32[8, 16] = aten.sigmoid.default(%f2)
%f4 : f32[8, 16] = aten.mul.Tensor(%f2, %f3)
%f5 : f32[8, 16] = aten.mm.default(%f4, %w)
%s1 : f32[16] = aten.sum.dim_IntList(%f5, [0])
%s2 : f32[8, 16] = aten.sub.Tensor(%f5, %s1)
)";

constexpr std::string_view kInputs = "%x : f32[2, 4, 16] = placeholder(input)\n%w : f32[16, 16] = placeholder(input)\n";

std::string smallGraph(std::size_t ranks) {
    std::string text = "graph small\n%part" + vectorType(kFewElements) + "placeholder(input)\n" + std::string(kInputs);
    for (const char* name : {"g1", "g2", "g3"}) text += exchangesText(name, ranks);
    return text + std::string(kBlock) + "return [%s2, %g1_r_w, %g2_r_w, %g3_r_w]\n";
}

std::string largeGraph(std::int64_t elements, std::size_t ranks) {
    return "graph large\n%part" + vectorType(elements) + "placeholder(input)\n" + std::string(kInputs) +
           gatherText("g", "part", elements, ranks) + "return [%g_w]\n";
}

/// How long the steps of a graph take the calling rank, without the turns of others.
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

/// The shortest, as that of timing is, which is left out of times.
double secondsOfClock() {
    constexpr int marks = 100;
    const auto start = ownTime();
    for (int i = 0; i < marks; ++i) (void)ownTime();
    return std::chrono::duration<double>(ownTime() - start).count() / (marks + 1);
}

struct StepSeconds {
    double exchanging = 0;  ///< of a collective and its wait
    double computing = 0;   ///< of an operation
    double estimated = 0;   ///< of the same, by the model
};

class MeasuredGraph {
public:
    MeasuredGraph(const std::string& text, std::int64_t elements, std::size_t ranks)
        : graph_(parseGraph(text)),
          compiled_(makeInterpreter()->compile(*graph_, {})),
          elements_(elements),
          ranks_(ranks),
          medians_(compiled_->steps().size()) {}

    /// Several times, for each of which other programs may do something else.
    StepSeconds measure(ExchangedIn how, const MachineModel& machine) {
        const int repetitions = ranks_ <= 16 ? 3 : 1;
        for (int i = 0; i < repetitions; ++i) measureOnce(how);
        return sum(machine);
    }

private:
    void measureOnce(ExchangedIn how) {
        if (how == ExchangedIn::absentWorld) {
            const WorldScope scope(std::make_shared<World>(WorldShape{ranks_, 0, {}}));
            run();
        } else {
            RankTurns({ranks_, 0, {}}, [] {
                return [state = RandomState()] { state.restore(); };
            }).run([&](std::size_t) { run(); });
        }
    }

    /// More often where there are few, whose medians say less.
    void run() {
        const std::size_t runs = std::clamp<std::size_t>(400 / ranks_, 4, 100),
                          warmUps = std::min<std::size_t>(runs, 10);
        const at::Tensor part = at::ones({elements_}), x = at::ones({2, 4, 16}), w = at::ones({16, 16}).div_(16);
        OwnStepTimes mine(compiled_->steps().size());
        for (std::size_t i = 0; i < runs + warmUps; ++i) {
            if (i == warmUps) mine.forget();
            std::vector<c10::IValue> arguments = {part, x, w};
            compiled_->run(arguments, &mine);
        }
        clock_ = std::min(clock_, secondsOfClock());
        for (std::size_t step = 0; step < medians_.size(); ++step) medians_[step].push_back(mine.median(step));
    }

    StepSeconds sum(const MachineModel& machine) const {
        StepSeconds mean;
        double collectives = 0, operations = 0;
        for (std::size_t step = 0; step < medians_.size(); ++step) {
            const Node& node = *graph_->findById(compiled_->steps()[step]);
            const double seconds = std::max(0.0, spreadOf(medians_[step]).median - clock_);
            if (communicates(node.op())) {
                mean.exchanging += seconds;
                if (!isWait(node)) ++collectives;
                continue;
            }
            ++operations;
            mean.computing += seconds;
            mean.estimated += estimatedMs(node, machine) / 1000;
        }
        mean.exchanging /= std::max(1.0, collectives);
        mean.computing /= std::max(1.0, operations);
        mean.estimated /= std::max(1.0, operations);
        return mean;
    }

    std::unique_ptr<Graph> graph_;
    std::shared_ptr<const CompiledGraph> compiled_;
    std::int64_t elements_;
    std::size_t ranks_;
    std::vector<std::vector<double>> medians_;  ///< by step, of each rank and repetition
    double clock_ = 1;
};

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
    const StepSeconds small = MeasuredGraph(smallGraph(ranks), kFewElements, ranks).measure(how, machine);
    const double beside = std::max(0.0, small.computing - small.estimated);
    costs.machine.overhead += beside;
    costs.machine.viewOverhead += beside;
    if (ranks < 2) return costs;
    const std::int64_t many = std::max(kManyElements / count, 2 * kFewElements);
    const StepSeconds large = MeasuredGraph(largeGraph(many, ranks), many, ranks).measure(how, machine);
    Link& link = costs.links.within;
    link.bytesPerSecond = (bytesOfGather(many, ranks) - bytesOfGather(kFewElements, ranks)) /
                          std::max(large.exchanging - small.exchanging, 1e-9);
    link.latencyUs = std::max(0.0, small.exchanging - bytesOfGather(kFewElements, ranks) / link.bytesPerSecond) * 1e6;
    costs.links.between = link;
    return costs;
}

}  // namespace aotscope

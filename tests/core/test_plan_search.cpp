// Plans under a limit of memory: search and proof against all choices.

#include "partition/plan/plan_proof.h"
#include "support/long_tests.h"
#include "support/test_program.h"

#include <algorithm>
#include <random>

namespace aotscope::test::plan_search_test {
namespace {

/// A forward of `size` operations, each of which reads up to three earlier ones, and a backward in reverse order, each
/// operation of which reads what the forward's read and made.
StepProblem randomStep(std::mt19937_64& random, int size) {
    const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    StepProblem model;
    model.slots.assign(static_cast<std::size_t>(size) + 2, -1);
    model.during.assign(model.slots.size(), 0);
    model.between = model.during;
    model.forwardInner.assign(static_cast<std::size_t>(size), 0);
    for (int i = 0; i < size; ++i) {
        StepDecision decision;
        decision.node = i;
        decision.ms = 1 + upTo(20);
        decision.innerBytes = upTo(4) == 0 ? upTo(50) : 0;
        decision.mayRunAgain = upTo(8) != 0;
        decision.makes = {i};
        StepBlock block;
        block.bytes = 10 + upTo(90);
        block.decision = i;
        block.value = i;
        block.made = block.lastUse = i;
        block.output = i + 1 == size;
        model.forwardInner[static_cast<std::size_t>(i)] = decision.innerBytes;
        const int slot = size - i;
        std::vector<int> from;
        for (int k = 0; k < 1 + upTo(3) && i > 0; ++k) from.push_back(std::max(0, i - 1 - upTo(1 + upTo(6))));
        std::ranges::sort(from);
        from.erase(std::unique(from.begin(), from.end()), from.end());
        for (const int f : from) {
            decision.reads.push_back({f, false});
            StepBlock& read = model.blocks[static_cast<std::size_t>(f)];
            read.lastUse = i;
            read.again.push_back({i, false});
            if (upTo(3) != 0) read.backward.push_back({slot, false});
        }
        if (upTo(2) == 0) block.backward.push_back({slot, false});
        if (block.output) block.lastUse = size;
        model.during[static_cast<std::size_t>(slot)] = 20 + upTo(60);
        model.between[static_cast<std::size_t>(slot)] = upTo(20);
        model.decisions.push_back(std::move(decision));
        model.blocks.push_back(std::move(block));
    }
    return model;
}

/// The best of all choices; nothing: none fits.
std::optional<StepOutcome> bestOfAll(StepSimulator& simulator, std::int64_t limit) {
    const StepProblem& model = simulator.model();
    std::optional<StepOutcome> best;
    const std::size_t size = model.decisions.size();
    for (unsigned mask = 0; mask < 1U << size; ++mask) {
        StepChoice choice(size);
        bool possible = true;
        for (std::size_t d = 0; d < size; ++d) {
            choice[d] = static_cast<char>(mask >> d & 1U);
            possible = possible && (!choice[d] || model.decisions[d].mayRunAgain);
        }
        if (!possible) continue;
        const StepOutcome outcome = simulator.run(choice);
        if (outcome.peak <= limit && (!best || outcome.ms < best->ms)) best = outcome;
    }
    return best;
}

struct Counts {
    int feasible = 0, found = 0, near = 0, proved = 0, wrong = 0;
};

}  // namespace

class TestPlanSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allChoices() {
        std::mt19937_64 random(7);
        Counts counts;
        const auto solver = highsSolver();
        for (int graph = 0; graph < (longTests() ? 300 : 60); ++graph) {
            const StepProblem model = randomStep(random, longTests() ? 8 + graph % 7 : 8 + graph % 4);
            StepSimulator simulator(model);
            const std::int64_t all = simulator.run(model.keepAll()).peak;
            const std::int64_t limit = all * (60 + graph % 4 * 10) / 100;
            const auto best = bestOfAll(simulator, limit);
            PlanSearch search(model, limit);
            search.first({});
            if (!search.best()) search.lower(500, {});
            for (int round = 0; round < 30; ++round) search.again({});
            QVERIFY(!search.best() || best);
            if (best) {
                ++counts.feasible;
                counts.found += search.best().has_value();
                counts.near += search.best() && search.best()->outcome.ms <= best->ms * 1.01 + 1e-9;
                QVERIFY(boundAtBorder(simulator, limit) <= best->ms + 1e-3);
            }
            if (!solver) continue;
            const PlanBound bound = proveBest(search, limit, *solver, 10, {});
            if (!best) QVERIFY(!search.best());
            else
                QVERIFY2(bound.status != PlanBound::Status::infeasible && bound.ms <= best->ms + 1e-3,
                         qPrintable(QString::number(graph)));
            if (bound.status == PlanBound::Status::optimal) {
                ++counts.proved;
                QVERIFY(std::abs(search.best()->outcome.ms - best->ms) < 1e-3);
            }
        }
        qInfo("%d feasible, %d found, %d near, %d proved", counts.feasible, counts.found, counts.near, counts.proved);
        QVERIFY(counts.feasible >= 30);
        QVERIFY(counts.near >= counts.feasible * 95 / 100);
    }
};

AOTSCOPE_TEST(TestPlanSearch)

}  // namespace aotscope::test::plan_search_test

#include "test_plan_search.moc"

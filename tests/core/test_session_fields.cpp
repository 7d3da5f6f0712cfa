// The fields and enumerations of session files: all of a struct's members are written, in numbers that stay.

#include "io/session/document.h"
#include "io/session/record_fields.h"
#include "io/session/session_file.h"
#include "support/field_count.h"
#include "support/test_program.h"

#include <QtTest>

namespace aotscope::test::session_fields_test {
namespace {

/// Counts the fields in a list of fields.
struct Counter {
    std::size_t count = 0;
    template <typename T>
    void operator()(const char*, T&) {
        ++count;
    }
};

template <typename T>
std::size_t namedFields() {
    Counter counter;
    T value{};
    session_format::fields(counter, value);
    return counter.count;
}

}  // namespace

#define COMPARE_FIELDS(T, without) QCOMPARE(namedFields<T>() + (without), memberCount<T>())

class TestSessionFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A new member of a struct must be added to its list.
    void everyFieldIsListed() {
        COMPARE_FIELDS(InputInfo, 0U);
        COMPARE_FIELDS(OutputInfo, 0U);
        COMPARE_FIELDS(GraphInput, 0U);
        COMPARE_FIELDS(ArgumentSource, 0U);
        COMPARE_FIELDS(CallingConvention, 0U);
        COMPARE_FIELDS(FunctionMetadata, 0U);
        COMPARE_FIELDS(ValueDecision, 0U);
        COMPARE_FIELDS(CutNetwork::Vertex, 0U);
        COMPARE_FIELDS(CutNetwork::Edge, 0U);
        COMPARE_FIELDS(CutNetwork, 0U);
        COMPARE_FIELDS(PathStep, 0U);
        COMPARE_FIELDS(BudgetOutcome::Item, 0U);
        COMPARE_FIELDS(BudgetOutcome, 0U);
        COMPARE_FIELDS(SavedValue, 0U);
        COMPARE_FIELDS(RecomputedValue, 0U);
        COMPARE_FIELDS(Partition, 0U);
        COMPARE_FIELDS(MinCutOptions, 0U);
        COMPARE_FIELDS(PartitionOptions, 0U);
        COMPARE_FIELDS(DynamicRange, 0U);
        COMPARE_FIELDS(CompilerChoice, 1U);  // plug-ins: a file only names them
        // Inputs, decompositions and libraries are stored separately; permissions, limits and what was typed are not.
        COMPARE_FIELDS(Options, 6U);
        COMPARE_FIELDS(CompilerUse, 0U);
        COMPARE_FIELDS(Rewrite, 0U);
        COMPARE_FIELDS(Guard, 0U);
        COMPARE_FIELDS(FakeMismatch, 0U);
        COMPARE_FIELDS(CrossCheckReport, 0U);
        COMPARE_FIELDS(CompileTimes, 0U);
        COMPARE_FIELDS(ModelInfo, 0U);
        COMPARE_FIELDS(Symbol, 0U);
        COMPARE_FIELDS(PassRecord, 0U);
        COMPARE_FIELDS(CompileRecord, 0U);
        COMPARE_FIELDS(Difference, 0U);
        COMPARE_FIELDS(SizeCheck, 0U);
        COMPARE_FIELDS(Recompilation, 0U);
        COMPARE_FIELDS(CheckResult, 0U);
        COMPARE_FIELDS(BisectResult, 0U);
        COMPARE_FIELDS(Spread, 0U);
        COMPARE_FIELDS(Ratio, 0U);
        COMPARE_FIELDS(GraphTime, 0U);
        COMPARE_FIELDS(StepTime, 0U);
        COMPARE_FIELDS(TimingResult, 0U);
    }

    /// Enumerations are stored as numbers: a new value before the last one needs a new schema.
    void enumerationsAreThoseOfTheSchema() {
        using namespace session_format;
        QCOMPARE(kSessionSchema, 1);
        const std::vector<int> counts = {kValuesOf<Role>,
                                         kValuesOf<GraphKind>,
                                         kValuesOf<MatchBy>,
                                         kValuesOf<MutationType>,
                                         kValuesOf<OutputType>,
                                         kValuesOf<Guard::Kind>,
                                         kValuesOf<BanReason>,
                                         kValuesOf<NoSaveReason>,
                                         kValuesOf<Exemption>,
                                         kValuesOf<ValueDecision::Placement>,
                                         kValuesOf<CutNetwork::EdgeKind>,
                                         kValuesOf<BudgetOutcome::Cut>,
                                         kValuesOf<SavedValue::Kind>,
                                         kValuesOf<PartitionAlgorithm>,
                                         kValuesOf<KnapsackSolver>,
                                         kValuesOf<RuntimeEstimator>,
                                         kValuesOf<ModuleMode>,
                                         kValuesOf<Autocast>,
                                         kValuesOf<Dialect>,
                                         kValuesOf<Difference::Kind>,
                                         static_cast<int>(SavedOutput::aliased) + 1,
                                         static_cast<int>(NodeKind::output) + 1};
        QCOMPARE(counts, (std::vector<int>{12, 7, 2, 3, 8, 3, 16, 3, 8, 4, 7, 5, 3, 3, 4, 4, 3, 5, 2, 8, 3, 4}));
    }
};

AOTSCOPE_TEST(TestSessionFields)

}  // namespace aotscope::test::session_fields_test

#include "test_session_fields.moc"

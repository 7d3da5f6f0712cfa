// The fields and enumerations of session files: all of a struct's members are written, and enumerators by names
// that stay.

#include "io/session/document.h"
#include "io/session/packed.h"
#include "io/session/record_fields.h"
#include "io/session/session_file.h"
#include "ir/parser.h"
#include "ops/op_table.h"
#include "support/field_count.h"
#include "support/test_program.h"

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

/// The names of an enumeration's values, in the order of the numbers that files of schema 1 have.
template <typename E>
QString wordsInFiles() {
    QStringList words;
    for (const E value : session_format::kNumbered<E>) {
        const std::string_view word = session_format::kNamesOf<E>.at(static_cast<std::size_t>(value));
        words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    }
    return words.join(u' ');
}

}  // namespace

#define COMPARE_FIELDS(T, without) QCOMPARE(namedFields<T>() + (without), memberCount<T>())

class TestSessionFields : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Also those that came after 64-bit unsigned integers.
    void everyDtypeIsReadAgain() {
        int known = 0;
        for (int number = 0; number < 128; ++number) {
            const auto dtype = static_cast<DType>(number);
            if (dtypeFromName(shortName(dtype)) != dtype) continue;
            ++known;
            const std::shared_ptr<const Graph> graph = parseGraph("graph g\n  %x : " + std::string(shortName(dtype)) +
                                                                  "[2] = placeholder\n  return [%x : output \"y\"]\n");
            const auto again = session_format::unpacked<std::shared_ptr<const Graph>>(session_format::packed(graph));
            QCOMPARE(again->placeholders().front()->type.tensor()->dtype, dtype);
        }
        QVERIFY(known > 40);
    }

    /// Documents describe operators that their graphs call and the table lacks, and cannot change the table.
    void operatorsAreDescribed() {
        using Shared = std::shared_ptr<const Graph>;
        using nlohmann::json;
        const Shared graph = parseGraph(
            "graph g\n  %x : f32[2] = placeholder\n  %y : f32[2] = elsewhere.keep_.default(%x)\n"
            "  %z : f32[2] = aten.relu.default(%y)\n  return [%z : output \"z\"]\n");
        json document = json::from_cbor(session_format::packed(graph));
        json& operators = document["tables"]["operators"];
        QVERIFY(operators.is_null());
        QVERIFY(isMutating("elsewhere.keep_.default"));  // by its name
        operators =
            json::array({"aten.relu.default self!", "elsewhere.keep_.default& x", "elsewhere.uncalled_.default x"});
        std::string bytes;
        json::to_cbor(document, bytes);
        const auto again = session_format::unpacked<Shared>(bytes);
        QVERIFY(!isMutating("elsewhere.keep_.default") && opTags("elsewhere.keep_.default") == kView);
        QVERIFY(!isMutating("aten.relu.default") && isMutating("elsewhere.uncalled_.default"));
        operators = json::array({"elsewhere.keep_.default& x"});
        QVERIFY(json::from_cbor(session_format::packed(again)) == document);
    }

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
        COMPARE_FIELDS(PartitionOptions, 1U);  // a partition function: no file may cause code to be loaded
        COMPARE_FIELDS(DynamicRange, 0U);
        COMPARE_FIELDS(CompilerChoice, 1U);  // plug-ins: a file only names them
        COMPARE_FIELDS(DecompositionTable, 0U);
        // Inputs and libraries are stored separately; permissions, limits, typed options and the torch are not.
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
        COMPARE_FIELDS(KnownCost, 0U);
        COMPARE_FIELDS(OperatorCosts, 0U);
        COMPARE_FIELDS(CompileRecord, 0U);
        COMPARE_FIELDS(Difference, 0U);
        COMPARE_FIELDS(SizeCheck, 0U);
        COMPARE_FIELDS(Recompilation, 0U);
        COMPARE_FIELDS(CheckResult, 0U);
        COMPARE_FIELDS(BisectResult, 1U);  // the pass is written as one text
        COMPARE_FIELDS(Spread, 0U);
        COMPARE_FIELDS(Ratio, 0U);
        COMPARE_FIELDS(GraphTime, 0U);
        COMPARE_FIELDS(StepTime, 0U);
        COMPARE_FIELDS(MachineLoad, 0U);
        COMPARE_FIELDS(TimingResult, 0U);
    }

    /// Files of schema 1 have the numbers of enumerators, later ones their names: neither changes.
    void enumeratorsAreThoseOfFiles() {
        QCOMPARE(kSessionSchema, 2);
        QCOMPARE(static_cast<int>(SavedOutput::aliased), 2);
        QCOMPARE(static_cast<int>(NodeKind::output), 3);
        QCOMPARE(wordsInFiles<Role>(),
                 u"none parameter buffer userInput syntheticBase tangent mutatedInput userOutput "
                 "intermediateBase saved savedSymint gradient"_s);
        QCOMPARE(wordsInFiles<GraphKind>(),
                 u"source preFunctionalization functional joint forward backward inference"_s);
        QCOMPARE(wordsInFiles<MatchBy>(), u"id structure"_s);
        QCOMPARE(wordsInFiles<MutationType>(), u"notMutated inGraph outOfGraph"_s);
        QCOMPARE(wordsInFiles<OutputType>(),
                 u"nonAlias aliasOfInput isInput aliasOfIntermediateSaveAsOutput aliasOfIntermediate "
                 "aliasOfIntermediateBaseIsUserOutput unsafeViewAlias customFunctionView"_s);
        QCOMPARE(wordsInFiles<Guard::Kind>(), u"value shape size"_s);
        QCOMPARE(wordsInFiles<BanReason>(),
                 u"primalInput forwardSeed mustSave clonedInput notAllowListed randomOp computeIntensive "
                 "materializedInBackward reduction usedFarApart longFusibleChain tagged regionBorder "
                 "collective effect mutationSource"_s);
        QCOMPARE(wordsInFiles<NoSaveReason>(), u"none view nonTensor"_s);
        QCOMPARE(wordsInFiles<Exemption>(),
                 u"none view element mustRecompute budget symbolicReal freshCopy checkpointed planned"_s);
        QCOMPARE(wordsInFiles<ValueDecision::Placement>(), u"forwardOnly saved recomputed backwardOnly"_s);
        QCOMPARE(wordsInFiles<CutNetwork::EdgeKind>(),
                 u"banned value use alias inBackward mustRecompute neededBackward"_s);
        QCOMPARE(wordsInFiles<BudgetOutcome::Cut>(), u"fastest wider widest knapsack inputsOnly"_s);
        QCOMPARE(wordsInFiles<SavedValue::Kind>(), u"activation input symint"_s);
        QCOMPARE(wordsInFiles<PartitionAlgorithm>(), u"defaultPartition minCut printed planned"_s);
        QCOMPARE(wordsInFiles<KnapsackSolver>(), u"dynamicProgramming greedy exact slidingHirschberg"_s);
        QCOMPARE(wordsInFiles<RuntimeEstimator>(), u"flops testing roofline measured"_s);
        QCOMPARE(wordsInFiles<OperationOrdering>(), u"traced memory"_s);
        QCOMPARE(wordsInFiles<CostBasis>(), u"measured near estimated"_s);
        QCOMPARE(wordsInFiles<ModuleMode>(), u"train eval asSaved"_s);
        QCOMPARE(wordsInFiles<Autocast>(), u"off cpuBfloat16 cpuFloat16 cudaBfloat16 cudaFloat16"_s);
        QCOMPARE(wordsInFiles<Dialect>(), u"python libtorch"_s);
        QCOMPARE(wordsInFiles<Difference::Kind>(), u"value shape strides offset aliasing version memory presence"_s);
        QCOMPARE(wordsInFiles<CheckedValue::Kind>(), u"output gradient input"_s);
        QCOMPARE(wordsInFiles<PassId>(),
                 u"source pre-grad forward-traced functional arguments inference joint decompose dynamic-shapes "
                 "dead-code common-subexpressions partition compile post-grad printed collectives drop-copies order"_s);
    }
};

AOTSCOPE_TEST(TestSessionFields)

}  // namespace aotscope::test::session_fields_test

#include "test_session_fields.moc"

// Texts that users write, and those that the program writes and reads back.

#include "cost/book/book_file.h"
#include "cost/profile/join_profile.h"
#include "debug/conditions.h"
#include "distributed/links.h"
#include "fuzz/expect.h"
#include "fuzz/fuzz_targets.h"
#include "fuzz/memory_file.h"
#include "io/overlay.h"
#include "io/ranks/rank_comparison.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/symbolic.h"
#include "ir/verifier.h"
#include "load/profile/profile_reader.h"
#include "ops/decompositions/decomposition.h"
#include "program/inputs/input_spec.h"
#include "program/inputs/short_inputs.h"
#include "query/query.h"
#include "record/options/plan_file.h"
#include "record/sweep_list.h"
#include "support/error.h"
#include "support/json/bounded_json.h"

#include <memory>

namespace aotscope::fuzz {

namespace {

/// Nodes of several kinds for queries.
const Graph& someGraph() {
    static const std::unique_ptr<Graph> graph = parseGraph(
        "graph some\n"
        "  %x : f32[4, 3] = placeholder(input)\n"
        "  %w : f32[3, 2] = placeholder(parameter)\n"
        "  %mm_1 : f32[4, 2] = aten.mm.default(%x, %w)\n"
        "  %relu : f32[4, 2] = aten.relu.default(%mm_1)\n"
        "  return [%relu : output]\n");
    return *graph;
}

std::vector<QueryFacts> someFacts() {
    static const ValueFacts value{"f32[4, 2]", {4, 2}, true, false, 8, 1, 0, 2, -1, 3, 0.5, 1, 3, {4, 4}, {1, 2}};
    std::vector<QueryFacts> facts;
    for (const Node* node : someGraph().nodes()) facts.push_back({.node = node, .value = &value});
    return facts;
}

}  // namespace

void fuzzGraphText(std::string_view bytes) {
    const auto graph = parseGraph(bytes);
    verifyGraph(*graph);
    printGraph(*graph);
    const std::string text = printGraph(*graph, Detail::full);
    expect(printGraph(*parseGraph(text), Detail::full) == text, "a printed graph reads back as another one");
}

void fuzzSweep(std::string_view bytes) {
    for (const SweepRun& run : sweepRuns(bytes))
        expect(run.place >= 1 && run.place <= bytes.size(), "a run is nowhere");
}

/// As one of the ranks that are compared.
void fuzzReport(std::string_view bytes) {
    nlohmann::json report;
    try {
        report = parseBounded(bytes);
    } catch (const nlohmann::json::exception&) {
        throw Error("no JSON");
    }
    const ComparedRank rank = rankOfReport(report, "report");
    expect(differencesOf({rank, rank}).empty(), "a report differs from itself");
}

void fuzzSymbolic(std::string_view bytes) {
    const SymExpr expression = parseSymExpr(bytes);
    const std::string text = expression.text();
    const SymExpr again = parseSymExpr(text);
    expect(again.text() == text, "a printed expression reads back as another one");
    const SymbolValues values = {{"s0", 8}, {"s1", -3}, {"s97", INT64_MAX}};
    expect(expression.evaluate(values) == again.evaluate(values), "an expression that was read back has another value");
}

void fuzzInputSpec(std::string_view bytes) {
    const InputSpec spec = parseInputSpec(bytes, "spec");
    const std::string text = printInputSpec(spec);
    expect(printInputSpec(parseInputSpec(text, "spec")) == text, "a printed spec reads back as another one");
}

void fuzzShortInputs(std::string_view bytes) {
    const std::string text = printInputSpec(parseShortInputs(bytes, "inputs"));
    expect(printInputSpec(parseInputSpec(text, "spec")) == text, "short inputs read back as others");
}

void fuzzOverlay(std::string_view bytes) {
    const Overlay overlay = parseOverlay(bytes, "overlay");
    const std::string text = overlayJson(overlay);
    expect(overlayJson(parseOverlay(text, "overlay")) == text, "a printed overlay reads back as another one");
    requireOverlap(overlay, someGraph(), GraphKind::joint);
}

void fuzzOperatorBook(std::string_view bytes) {
    const CalibratedMachine machine{"cpu", 2, 0, "2.13.0", "cpu"};
    const OperatorBook book = bookIn(bytes, machine).book;
    const std::string text = bookText(book, machine);
    const KeptBook again = bookIn(text, machine);
    expect(again.note.empty() && again.book.entries() == book.entries(),
           "a book that was written reads back as another");
    for (const Node* node : someGraph().nodes()) {
        const KnownCost cost = book.costOf(*node, 2);
        expect(!cost.us || *cost.us >= 0, "an operation takes less than no time");
        expect(!cost.innerBytes || *cost.innerBytes >= 0, "an operation takes less than no memory");
    }
}

void fuzzDecompositionTable(std::string_view bytes) {
    const MemoryFile file(bytes);
    const auto table = DecompositionTable::load(file.path().string());
    expect(table != nullptr, "a file of decompositions is not a table");
    table->entries(allDecompositionRules());
    table->requireFit(allDecompositionRules());
}

void fuzzPlan(std::string_view bytes) {
    const MemoryFile file(bytes);
    const std::vector<std::string> names = readPlan(file.path());
    const MemoryFile written(nlohmann::json{{"saved", names}}.dump());
    expect(readPlan(written.path()) == names, "the names of a plan read back as others");
}

void fuzzProfile(std::string_view bytes) {
    const Profile profile = parseProfile(bytes, "profile");
    for (std::size_t i = 0; i < profile.operations.size(); ++i) {
        const CpuOperation& operation = profile.operations[i];
        expect(operation.parent < static_cast<std::int32_t>(i), "an operation is called by a later one");
        expect(operation.end > static_cast<std::int32_t>(i), "an operation ends before it begins");
        expect(operation.selfUs >= 0 && operation.selfUs <= operation.us, "an operation takes less than what is in it");
    }
    CompileRecord record;
    record.graphs[GraphKind::inference] = someGraph().clone();
    const JoinedProfile joined = joinProfile(profile, record);
    expect(!(joined.joinedMs > 1.001 * joined.kernelMs), "more was joined than there is");
}

void fuzzLinks(std::string_view bytes) {
    const Links links = linksInJson(bytes, "links");
    const Links again = linksNamed(links.name);
    expect(again.ranksPerNode == links.ranksPerNode && again.within.bytesPerSecond == links.within.bytesPerSecond &&
               again.between.latencyUs == links.between.latencyUs,
           "links read back as others");
}

void fuzzQuery(std::string_view bytes) {
    // A text may be a query of nodes, of values, or both.
    const Query withValues = Query::parseWithValues(bytes);
    for (const QueryFacts& facts : someFacts()) withValues.matches(facts);
    const Query query = Query::parse(bytes);
    for (const QueryFacts& facts : someFacts()) query.matches(facts);
}

void fuzzCondition(std::string_view bytes) {
    Conditions conditions;
    conditions.set({{std::string(bytes)}});
    conditions.before(someFacts());
    for (const QueryFacts& facts : someFacts()) conditions.after(facts);
}

}  // namespace aotscope::fuzz

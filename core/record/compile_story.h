#pragma once

#include "record/trace_log.h"

namespace aotscope {

/// A condition on inputs that a compilation checks, from Dynamo's tree of guards.
struct LoggedGuard {
    std::string type;    ///< "TENSOR_MATCH"
    std::string check;   ///< the condition, as Python code
    std::string source;  ///< the value that it checks: "L['x']"
    std::string why;     ///< the line of code that caused it, as logged
};

/// One guard of an earlier compilation that failed.
struct FailedGuard {
    std::string earlier;  ///< the compile id; empty: not in the log
    std::string check;    ///< "tensor 'x' size mismatch at index 0. expected 3, actual 4"
    CodePlace place;      ///< the line of code that caused it
    std::string hint;
};

/// Why Dynamo broke the graph.
struct GraphBreak {
    CodePlace place;     ///< in the user's code
    std::string reason;  ///< one line
    std::string explanation, hint, context, link;
    std::vector<CodePlace> stack;  ///< outermost first
    std::uint32_t attempt = 0;
};

/// The result of a cache lookup.
struct CacheEvent {
    enum class State : std::uint8_t { hit, miss, bypass, failure };

    std::string cache;  ///< "AOTAutograd", "FX graph"
    State state = State::miss;
    std::string reason;  ///< for a bypass or failure
    std::string key;
    double savedMs = 0;    ///< for a hit
    std::string keyParts;  ///< the number of components of the key, as text, or empty
    std::uint64_t line = 0;
};
std::string_view nameOf(CacheEvent::State state);

/// A span of compile time.
struct CompileSpan {
    std::string name;
    double start = 0, length = 0;  ///< microseconds
    int depth = 0;
    std::string detail;  ///< arguments, one per line
};

/// A symbol for a size, and its origin.
struct LoggedSymbol {
    std::string symbol, value, range, source;
    CodePlace place;
};
/// A condition on symbols, or a symbol that was specialized.
struct LoggedShapeGuard {
    std::string condition;
    CodePlace place;
    bool specialized = false;
};

/// The min-cut partitioner's log (`min_cut_information`).
struct LoggedMinCut {
    double memoryBudget = 1;
    double savedGb = 0, leastGb = 0, mostGb = 0, runtime = 0;
    std::size_t nodes = 0;
    std::vector<std::string> saved;                       ///< in the solution with the most recomputation
    std::vector<std::string> keptByKnapsack, recomputed;  ///< of the nodes that a budget decides
};

/// A kernel or call in Inductor's code, and the operations that it comes from.
struct GeneratedCall {
    std::string text;                    ///< "cpp_fused_relu_sin_0(buf0, buf1)"
    std::size_t line = 0;                ///< in the code
    std::vector<std::string> nodes;      ///< in the post-grad graph, if Inductor tracked them
    std::vector<std::string> sources;    ///< in Dynamo's graph, from a comment
    std::vector<std::string> operators;  ///< "aten.addmm"
    std::vector<CodePlace> places;       ///< in the user's code
};

/// Everything that a log says about one compilation besides its graphs.
struct CompileStory {
    std::vector<CodePlace> stack;  ///< the callers, outermost first
    std::vector<FailedGuard> recompiledFor;
    std::vector<GraphBreak> breaks;
    std::vector<std::string> restarts;  ///< why Dynamo restarted, other than graph breaks
    std::vector<CacheEvent> caches;
    std::vector<LoggedGuard> guards;
    std::vector<LoggedSymbol> symbols;
    std::vector<LoggedShapeGuard> shapeGuards;
    std::vector<std::string> collectives;  ///< in the order of Inductor's schedule
    std::optional<LoggedMinCut> minCut;
    std::vector<CompileSpan> spans;
    std::vector<std::pair<std::string, std::string>> metrics;  ///< informative ones, in log order
    double seconds = 0;                                        ///< of the whole compilation; 0: not logged
    std::optional<std::int64_t> guardCount, operatorCount, nodeCount, inputCount;  ///< counted by Python
    bool countsBreaks = false;  ///< from a version that logs every graph break
    std::string failure;        ///< the type and reason of an error, or empty
    CodePlace failurePlace;
    std::vector<LogProblem> problems;
};

}  // namespace aotscope

#pragma once

#include "passes/generalize.h"
#include "record/compile_record.h"
#include "support/progress.h"
#include "trace/trace.h"

#include <functional>

namespace aotscope {

/// The dynamic sizes of a function's inputs.
struct DynamicShapes {
    std::vector<Symbol> symbols;          ///< with the declared ranges
    std::vector<SymbolBinding> bindings;  ///< every dimension with the size of a symbol; inputs are leaves
    /// The function with example inputs of other sizes, good for tracing only: they need not have memory.
    std::function<FlatFunction(const SymbolValues&)> functionAt;

    bool empty() const { return symbols.empty(); }
    SymbolValues hints() const;
};

/// The graphs of one trace in which sizes occur.
struct TracedProgram {
    std::shared_ptr<const Graph> preFunctionalization, functional;
    std::shared_ptr<const Graph> joint;  ///< or the decomposed graph of an inference; null if `functional` is compiled
    ConstantTable constants;             ///< of the graph to be compiled
    FunctionMetadata metadata, graphMetadata;  ///< of the arguments; of the graph's inputs
};

/// Finds out for which sizes a program does the same as for its example, by tracing it at other sizes.
class ShapeExploration {
public:
    ShapeExploration(const DynamicShapes& declared, const Program& program, TracedProgram example,
                     const TraceOptions& options, const Progress& progress);

    /// Joins symbols that only vary together. Narrows the ranges: towards both ends, and to multiples where only these
    /// work. A symbol whose neighbours all behave differently is fixed at its hint.
    void run();
    /// Traces at enough sizes to tell expressions apart. Throws Inexpressible for a symbol that varies only while
    /// another one does not.
    void takeSamples();
    /// Fixes one of symbols() at its hint, and says why in a guard.
    void fix(const std::string& symbol, std::string reason);

    const std::vector<Symbol>& symbols() const { return symbols_; }  ///< those that vary, with narrowed ranges
    const std::vector<Symbol>& fixed() const { return fixed_; }      ///< those that only work at their hints
    std::vector<SymbolBinding> bindings() const;                     ///< of symbols(), those of equal ones included
    const std::vector<Guard>& guards() const { return guards_; }
    const std::vector<SizeCondition>& conditions() const { return conditions_; }
    /// Values of the constants that are integers, in the example and in every trace.
    std::map<std::string, std::vector<std::int64_t>> numbers() const;
    /// Sizes at which the program was traced, the example first, and what came out.
    const std::vector<SymbolValues>& samples() const { return samples_; }
    const std::vector<const TracedProgram*>& traces() const { return traces_; }  ///< one fewer: without the example

private:
    struct Probe {
        std::optional<TracedProgram> traced;
        std::string difference;  ///< empty: the same as the example
    };
    SymbolValues complete(const SymbolValues& values) const;
    using Positions = std::vector<std::size_t>;  ///< among candidates_, ascending
    void join();
    void absorb(Symbol& symbol, std::size_t position);
    Positions partnersOf(std::size_t first);
    Positions needed(Positions group);
    bool varyTogether(const Positions& group);
    bool shareDimension(const Symbol& a, const Symbol& b) const;
    bool works(const Symbol& symbol, std::int64_t step);
    const Probe& probe(const SymbolValues& values);
    const Probe& probe(const Symbol& symbol, std::int64_t value);
    bool same(const Symbol& symbol, std::int64_t value) { return probe(symbol, value).difference.empty(); }
    std::int64_t findStep(const Symbol& symbol);
    std::int64_t findEnd(const Symbol& symbol, std::int64_t step, std::int64_t end);
    bool narrow(Symbol& symbol);
    void narrowEnds(Symbol& symbol, std::int64_t step);
    void keepTraced(Symbol& symbol, std::int64_t step);
    void guard(const Symbol& symbol, const std::string& condition, std::string reason);
    std::string whyNot(const Symbol& symbol, std::int64_t value);
    void takeSample(const SymbolValues& values);
    void takeNeighbours();
    std::string lastMoved(const SymbolValues& values) const;

    const DynamicShapes& declared_;
    TracedProgram example_;
    bool branches_;  ///< the program's course can follow from sizes
    TraceOptions options_;
    const Progress& progress_;
    std::vector<Symbol> candidates_;  ///< as declared, equal ones joined
    std::vector<Symbol> symbols_, fixed_;
    std::vector<Guard> guards_;
    std::vector<SizeCondition> conditions_;
    std::vector<SymbolValues> samples_;
    std::vector<const TracedProgram*> traces_;
    SymbolValues hints_;
    std::map<std::string, std::int64_t> steps_;
    std::map<SymbolValues, Probe> probes_;
};

}  // namespace aotscope

#pragma once

#include "passes/generalize.h"
#include "record/compile_record.h"
#include "support/progress.h"
#include "trace/trace.h"

#include <functional>

namespace aotscope {

/// The dynamic sizes of a function's inputs.
struct DynamicShapes {
    std::vector<Symbol> symbols;          ///< with declared ranges
    std::vector<SymbolBinding> bindings;  ///< every dimension with the size of a symbol; inputs are leaves
    /// The function with example inputs of other sizes, for tracing only: they need not have memory.
    std::function<FlatFunction(const SymbolValues&)> functionAt;

    bool empty() const { return symbols.empty(); }
    SymbolValues hints() const;
};

/// The graphs of one trace that contain sizes.
struct TracedProgram {
    std::shared_ptr<const Graph> preFunctionalization, functional;
    std::shared_ptr<const Graph> joint;        ///< or the decomposed inference graph; null if `functional` is compiled
    ConstantTable constants;                   ///< of the graph to be compiled
    FunctionMetadata metadata, graphMetadata;  ///< of the arguments; of the graph's inputs
};

/// Determines the sizes for which a program does the same as for its example, by tracing it at other sizes.
class ShapeExploration {
public:
    ShapeExploration(const DynamicShapes& declared, const Program& program, TracedProgram example,
                     const TraceOptions& options, const Progress& progress);

    /// Merges symbols that can only vary together. Narrows the ranges at both ends, and to multiples if only these
    /// work. Specializes a symbol to its hint if the program differs at all neighbours.
    void run();
    /// Traces at enough sizes to distinguish expressions. Throws Inexpressible for a symbol that varies only while
    /// another one does not.
    void takeSamples();
    /// Specializes one of symbols() to its hint, and gives the reason in a guard.
    void fix(const std::string& symbol, std::string reason);

    const std::vector<Symbol>& symbols() const { return symbols_; }  ///< dynamic ones, with narrowed ranges
    const std::vector<Symbol>& fixed() const { return fixed_; }      ///< those specialized to their hints
    std::vector<SymbolBinding> bindings() const;                     ///< of symbols(), including equal ones
    const std::vector<Guard>& guards() const { return guards_; }
    const std::vector<SizeCondition>& conditions() const { return conditions_; }
    /// Values of integer constants, in the example and in every trace.
    std::map<std::string, std::vector<std::int64_t>> numbers() const;
    /// Sizes at which the program was traced, starting with the example, and the results.
    const std::vector<SymbolValues>& samples() const { return samples_; }
    const std::vector<const TracedProgram*>& traces() const { return traces_; }  ///< without the example, so one fewer

private:
    struct Probe {
        std::optional<TracedProgram> traced;
        std::string difference;  ///< empty: same as the example
    };
    SymbolValues complete(const SymbolValues& values) const;
    using Positions = std::vector<std::size_t>;  ///< indices of candidates_, ascending
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
    bool branches_;  ///< the control flow of the program may depend on sizes
    TraceOptions options_;
    const Progress& progress_;
    std::vector<Symbol> candidates_;  ///< as declared, with equal ones merged
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

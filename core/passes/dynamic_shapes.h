#pragma once

#include "passes/generalize.h"
#include "passes/traced_program.h"
#include "record/compile_record.h"
#include "support/progress.h"

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

/// Determines the sizes for which a program does the same as for its example, by tracing it at other sizes.
class ShapeExploration {
public:
    /// What is traced at every size that is tried. `asWritten`: only the program as written, and the whole program at
    /// sizes that have nothing in common, where some became 0 or 1, and for reasons in guards.
    enum class Depth : std::uint8_t { asWritten, whole };

    ShapeExploration(const DynamicShapes& declared, const Program& program, const TracedProgram& example,
                     const TraceOptions& options, const Progress& progress, Depth depth);

    /// Merges symbols that can only vary together. Narrows the ranges at both ends, and to multiples if only these
    /// work. Specializes a symbol to its hint if the program differs at all neighbours.
    void run();
    /// Traces at enough sizes to find expressions. Throws Inexpressible for a symbol that varies only while another one
    /// does not.
    void takeSamples();
    /// Traces the program as written at further sizes, which tell more expressions apart. False if there are none.
    bool takeMoreSamples();
    /// Specializes one of symbols() to its hint, and gives the reason in a guard.
    void fix(const std::string& symbol, std::string reason);

    const std::vector<Symbol>& symbols() const { return symbols_; }  ///< dynamic ones, with narrowed ranges
    const std::vector<Symbol>& fixed() const { return fixed_; }      ///< those specialized to their hints
    std::vector<SymbolBinding> bindings() const;                     ///< of symbols(), including equal ones
    const std::vector<Guard>& guards() const { return guards_; }
    const std::vector<SizeCondition>& conditions() const { return conditions_; }
    /// Values of integer constants, in the example and in every trace.
    std::map<std::string, std::vector<std::int64_t>> numbers() const;
    /// Sizes at which the program was traced, starting with the example.
    const std::vector<SymbolValues>& samples() const { return samples_; }
    /// The results, without the example: as written at all samples, and whole at the first ones.
    const std::vector<const Graph*>& asWritten() const { return asWritten_; }
    const std::vector<const TracedProgram*>& traces() const { return traces_; }
    /// Sizes that distinguish expressions, if those of samples() are too few to do so; otherwise none.
    std::vector<SymbolValues> distinguishing() const;

private:
    struct Probe {
        std::unique_ptr<SizedTrace> trace;  ///< null after the whole program was traced
        std::shared_ptr<const Graph> asWritten;
        bool sameAsWritten = false;
        std::optional<TracedProgram> traced;    ///< only if it is the same as the example
        std::optional<std::string> difference;  ///< of the whole program, if it was traced; empty: none
    };
    using Positions = std::vector<std::size_t>;  ///< indices of candidates_, ascending
    SymbolValues complete(const SymbolValues& values) const;
    void join();
    void absorb(Symbol& symbol, std::size_t position);
    Positions partnersOf(std::size_t first);
    Positions needed(Positions group);
    bool varyTogether(const Positions& group);
    bool shareDimension(const Symbol& a, const Symbol& b) const;

    Probe& probe(const SymbolValues& values);
    const Probe& wholly(const SymbolValues& values);
    bool same(const SymbolValues& values);
    bool same(const Symbol& symbol, std::int64_t value);
    bool varyFreely();
    bool reachLowest();
    bool knownSame(const Symbol& symbol, std::int64_t value);

    bool works(const Symbol& symbol, std::int64_t step);
    bool failsAtEveryStep(const Symbol& symbol);
    std::int64_t findStep(const Symbol& symbol);
    std::int64_t findEnd(const Symbol& symbol, std::int64_t step, std::int64_t end);
    bool narrow(Symbol& symbol);
    void narrowEnds(Symbol& symbol, std::int64_t step);
    void keepTraced(Symbol& symbol, std::int64_t step);
    void guard(const Symbol& symbol, const std::string& condition, std::string reason);
    std::string whyNot(const Symbol& symbol, std::int64_t value);

    void takeSample(const SymbolValues& values);
    void takeKnownSamples();
    std::string lastMoved(const SymbolValues& values) const;

    const DynamicShapes& declared_;
    const TracedProgram& example_;
    bool branches_;  ///< the control flow of the program may depend on sizes
    const TraceOptions& options_;
    const Progress& progress_;
    Depth depth_;
    std::vector<Symbol> candidates_;         ///< as declared, with equal ones merged
    std::vector<std::int64_t> usualEnds_;    ///< sizes in the example, at which ranges often end
    std::optional<SymbolValues> unrelated_;  ///< where varyFreely() looked
    std::vector<std::string> moved_;         ///< the candidates that differ there
    std::optional<bool> free_, lowest_;      ///< results of varyFreely() and reachLowest()
    std::vector<Symbol> symbols_, fixed_;
    std::vector<Guard> guards_;
    std::vector<SizeCondition> conditions_;
    std::vector<SymbolValues> samples_;
    std::vector<const Graph*> asWritten_;
    std::vector<const TracedProgram*> traces_;
    SymbolValues hints_;
    std::map<std::string, std::int64_t> steps_;
    std::map<SymbolValues, Probe> probes_;
};

}  // namespace aotscope

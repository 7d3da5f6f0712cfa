#pragma once

#include "passes/sizes/generalize.h"
#include "passes/sizes/traced_program.h"
#include "record/compile_record.h"
#include "support/progress.h"

#include <functional>
#include <set>
#include <span>

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
    ShapeExploration(const DynamicShapes& declared, const Program& program, const TracedProgram& example,
                     const TraceOptions& options, const Progress& progress);

    /// Merges symbols that can only vary together. Narrows the ranges at both ends, and to multiples if only these
    /// work. Specializes a symbol to its hint if the program differs at all neighbours. Traces the program as written;
    /// the whole program where some size became 0 or 1, for reasons in guards, and at sizes of deep symbols.
    void run();
    /// Traces at sizes that tell expressions apart: the whole program at few of them. Runs again if the whole program
    /// restricts symbols more than the program as written. Throws Inexpressible for a symbol that varies only while
    /// another one does not.
    void takeSamples();
    /// The next samples are more: one at which the expressions for a number differ, of what tells of it; if there is no
    /// such place, next to the hints; and in the end, enough for every number.
    void takeMore(const Ambiguous& number);
    /// Specializes one of symbols() to its hint, and gives the reason in a guard.
    void fix(const std::string& symbol, const std::string& reason);

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
    /// Sizes that distinguish expressions, if traces() are too few to do so; otherwise none.
    std::vector<SymbolValues> distinguishing() const;

private:
    struct Probe {
        std::unique_ptr<SizedTrace> trace;  ///< null after the whole program was traced
        std::shared_ptr<const Graph> asWritten;
        bool sameAsWritten = false;
        bool degenerate = false;                ///< as written: some size is 0 or 1 that is not so in the example
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

    void startAgain();
    void specialize(const std::string& symbol, std::string reason);
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

    enum class Samples : std::uint8_t { few, near, all };
    bool trySamples();
    bool takeSample(const SymbolValues& values);
    bool isNext(const SymbolValues& values) const;
    bool isUntold(const SymbolValues& values);
    bool isTelling(const SymbolValues& values);
    void takeKnownSamples();
    void takeAsWritten(std::span<const SymbolValues> samples);
    bool findDeep(const SymbolValues& values);
    [[noreturn]] void blameOne(const SymbolValues& values);

    const DynamicShapes& declared_;
    const TracedProgram& example_;
    bool branches_;  ///< the control flow of the program may depend on sizes
    const TraceOptions& options_;
    const Progress& progress_;
    Samples wanted_ = Samples::few;
    std::vector<SymbolValues> telling_, tellingWhole_;  ///< further samples, as written and of the whole program
    std::set<std::string> deep_;                ///< symbols at whose sizes only the whole program shows what works
    std::map<std::string, std::string> never_;  ///< symbols that fix() has specialized, with the reasons
    std::vector<Symbol> candidates_;            ///< as declared, with equal ones merged
    std::vector<std::int64_t> usualEnds_;       ///< sizes in the example, at which ranges often end
    std::optional<SymbolValues> unrelated_;     ///< where varyFreely() looked
    std::vector<std::string> moved_;            ///< the candidates that differ there
    std::optional<bool> free_, lowest_;         ///< results of varyFreely() and reachLowest()
    std::vector<Symbol> symbols_, fixed_;
    std::vector<Guard> guards_;
    std::vector<SizeCondition> conditions_;
    std::vector<SymbolValues> samples_;
    std::vector<const Graph*> asWritten_;
    std::vector<const TracedProgram*> traces_;
    SymbolValues hints_;
    std::map<std::string, std::int64_t> steps_;
    /// Where ranges end, in steps from the hint, by hint and step, which is negative for lower ends.
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> ends_;
    std::map<SymbolValues, Probe> probes_;
};

}  // namespace aotscope

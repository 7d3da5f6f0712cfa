#pragma once

#include "compile/compiler.h"
#include "record/options/compiler_choice.h"

#include <atomic>
#include <mutex>

namespace aotscope {

/// A graph and its backend: compiles on first use. If that fails, or if the results of the first run do not match the
/// graph's types, the interpreter takes over, and use() says so.
class SupervisedGraph final : public CompiledGraph {
public:
    SupervisedGraph(std::shared_ptr<const Compiler> compiler, GraphKind kind, std::shared_ptr<const Graph> graph,
                    ConstantTable constants);

    /// Throws Error if the interpreter cannot run the graph either.
    void compile() const;
    /// A first run with an observer is repeated, from equal inputs and RNG state. If the interpreter takes over, the
    /// observer sees only the arguments, since steps() has changed.
    std::vector<c10::IValue> run(std::vector<c10::IValue>& args, StepObserver* observer = nullptr) const override;
    const std::vector<NodeId>& steps() const override;
    std::vector<std::vector<NodeId>> groups() const override;
    std::string note() const override;
    std::vector<NodeId> shownBy(std::size_t step) const override;

    CompilerUse use() const;

private:
    std::vector<c10::IValue> firstRun(std::vector<c10::IValue>& args, StepObserver* observer) const;
    void takeOver(std::shared_ptr<const CompiledGraph> interpreted, const std::string& why) const;

    std::shared_ptr<const Compiler> compiler_;
    GraphKind kind_;
    std::shared_ptr<const Graph> graph_;
    ConstantTable constants_;

    mutable std::mutex mutex_;                                             ///< guards the members below that change
    mutable std::shared_ptr<const CompiledGraph> compiled_, interpreted_;  ///< both stay: their steps may be in use
    mutable std::atomic<const CompiledGraph*> current_ = nullptr;
    mutable std::atomic<bool> trusted_ = false;
    mutable std::string note_;
    mutable double ms_ = 0;  ///< compile time
};

}  // namespace aotscope

#pragma once

#include "debug/debugger.h"

namespace aotscope {

/// A debugger whose steps run on a confined thread and can be canceled.
class ConfinedDebugger final : public Debugger {
public:
    explicit ConfinedDebugger(std::shared_ptr<Debugger> own) : own_(std::move(own)) {}

    /// The debugger that does the work.
    Debugger& own() const { return *own_; }

    DebugPosition position() const override { return own_->position(); }
    const DebugStop& lastStop() const override { return own_->lastStop(); }
    std::vector<DebugStep> steps() const override { return own_->steps(); }
    std::vector<std::string> notes() const override { return own_->notes(); }

    void step(const Progress& progress) override;
    void stepOverModule(const Progress& progress) override;
    void runTo(GraphKind graph, NodeId node, const Progress& progress) override;
    void run(const Progress& progress) override;
    void runToNotFinite(const Progress& progress) override;
    void stepBack() override;
    void restart() override;

    std::vector<DebugBreakpoint> breakpoints() const override { return own_->breakpoints(); }
    std::vector<int> hits() const override { return own_->hits(); }
    void setBreakpoints(std::vector<DebugBreakpoint> breakpoints) override {
        own_->setBreakpoints(std::move(breakpoints));
    }

    void compareWithEager(const Progress& progress) override;
    void compareWith(Debugger& other, const Progress& progress) override;
    void stopComparing() override { own_->stopComparing(); }
    bool comparing() const override { return own_->comparing(); }

    std::optional<ValueFacts> value(GraphKind graph, NodeId node) const override { return own_->value(graph, node); }
    std::optional<ValueImage> image(GraphKind graph, NodeId node,
                                    const std::vector<std::int64_t>& leading) const override {
        return own_->image(graph, node, leading);
    }
    std::string callAsPython(GraphKind graph, NodeId node, const Progress& progress) const override;
    void edit(GraphKind graph, NodeId node, const std::string& value) override { own_->edit(graph, node, value); }

private:
    std::shared_ptr<Debugger> own_;
};

}  // namespace aotscope

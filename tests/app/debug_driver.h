#pragma once

#include "app/window_driver.h"

namespace aotscope::test {

/// A driver with a started debugger.
struct Debugging : Driver {
    explicit Debugging(const char* sample) { opened = openSample(sample) && start(); }
    explicit Debugging(const QString& model, const InputSource& inputs = {}) {
        opened = open(model, inputs) && start();
    }

    bool start() {
        trigger("actionDebug");
        return settle() && debugger()->state();
    }
    DebugController* debugger() const { return window.debugger(); }
    const DebugStop& stop() const { return debugger()->state()->stop; }
    const DebugPosition& position() const { return debugger()->state()->position(); }
    ValuePanel* values() const { return debugger()->panel(); }

    bool command(const char* action) {
        trigger(action);
        return settle() && debugger()->state();
    }
    /// This many ranks, from the start.
    bool setRanks(int count) {
        values()->count()->setValue(count);
        return settle() && debugger()->state();
    }
    std::vector<TableContent::Row> rows() const { return table("watchTable")->content().rows; }
    bool select(GraphKind graph, NodeId node) {
        pane()->showKind(graph);
        if (!settle()) return false;
        Q_EMIT pane()->nodeSelected(node);
        return settle();
    }
    /// Edits the selected value as a user does.
    bool edit(const char* text) {
        values()->edit()->setText(QString::fromUtf8(text));
        QTest::keyClick(values()->edit(), Qt::Key_Return);
        return settle() && debugger()->state();
    }
    bool addBreakpoint(const char* condition, int hits = 1) {
        trigger("actionValueBreakpoints");
        breakpoints()->condition()->setText(QString::fromUtf8(condition));
        breakpoints()->hits()->setValue(hits);
        const std::size_t before = breakpoints()->conditions().size();
        breakpoints()->add();
        return breakpoints()->conditions().size() == before + 1;
    }
    BreakpointPanel* breakpoints() const { return window.navigation()->breakpoints()->panel(); }
    StepModel& steps() const { return debugger()->steps()->model(); }
    std::vector<const Node*> calls(GraphKind kind, const char* op) const {
        std::vector<const Node*> found;
        for (const Node* node : record()->graph(kind)->nodes())
            if (node->isCall(op)) found.push_back(node);
        return found;
    }

    bool opened = false;
};

}  // namespace aotscope::test

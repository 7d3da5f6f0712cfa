// A window with access to the parts of what-if.
#pragma once

#include "app/window_driver.h"

#include <QtTest>

namespace aotscope::test {

/// Every operation takes 1 ms, whatever it computes.
inline MachineModel chosenMachine() {
    MachineModel machine;
    machine.overhead = machine.viewOverhead = 1e-3;
    machine.bytes = {1, 1e18, 2, 1e18};
    machine.freshBytes = 1e18;
    for (Pace* pace :
         {&machine.stridedBytes, &machine.matrixFlops, &machine.batchedFlops, &machine.convolutionFlops,
          &machine.convolutionBackwardFlops, &machine.attentionFlops, &machine.transcendentals, &machine.heavyFunctions,
          &machine.randomNumbers, &machine.reductions, &machine.batchNorms, &machine.windows, &machine.conversions})
        pace->perSecond = 1e18;
    return machine;
}

struct WhatIf : Driver {
    WhatIfController& controller() const { return *window.whatIf(); }
    QString answer() const { return controller().panel()->answer(); }
    CalibrationController& calibration() const { return *window.findChild<CalibrationController*>(); }
    const Node* joint(const char* name) const { return node(GraphKind::joint, name); }
    const Node* joint(NodeId id) const { return record()->graph(GraphKind::joint)->findById(id); }
    void selectNode(const char* name) const { clickNode(joint(name)->id()); }
    const DrawnNode& box(const char* name) const {
        const DrawnGraph& drawn = *canvas()->graph();
        return drawn.nodes[static_cast<std::size_t>(drawn.indexOf.at(joint(name)->id()))];
    }
    std::size_t changedBoxes() const {
        const auto& nodes = canvas()->graph()->nodes;
        return static_cast<std::size_t>(std::count_if(
            nodes.begin(), nodes.end(), [](const DrawnNode& n) { return !n.placement.change.isEmpty(); }));
    }
    /// An activation that the partition saves.
    NodeId savedActivation() const {
        for (const auto& value : record()->partition->saved)
            if (value.kind == SavedValue::Kind::activation && canvas()->graph()->indexOf.contains(value.node) &&
                record()->graph(GraphKind::joint)->findById(value.node)->kind() == NodeKind::call)
                return value.node;
        return kNoNode;
    }
};

}  // namespace aotscope::test

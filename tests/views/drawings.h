#pragma once

#include "canvas/layout/layout.h"
#include "support/text.h"
#include "views/records.h"

#include <string_view>

namespace aotscope::test {

/// A joint graph of two layers; every backward operation but the last differentiates a forward one.
inline constexpr std::string_view kTwoLayers = R"(graph joint
  %w : f32[4, 4] = placeholder(parameter)  ; id=0 label="layer.weight"
  %b : f32[4] = placeholder(parameter)  ; id=1 label="layer.bias"
  %x : f32[2, 4] = placeholder(input)  ; id=2 label="x"
  %g : f32[2, 4] = placeholder(tangent)  ; id=3 stage=backward label="tangent of output 0"
  %unused : f32[9] = placeholder(input)  ; id=4 label="unused"
  %addmm : f32[2, 4] = aten.addmm.default(%b, %x, %w)  ; id=5 seq=1 module="layer"
  %relu : f32[2, 4] = aten.relu.default(%addmm)  ; id=6 seq=2 module="act"
  %sin : f32[2, 4] = aten.sin.default(%relu)  ; id=7 seq=3
  %cos : f32[2, 4] = aten.cos.default(%relu)  ; id=8 stage=backward seq=3 fn="SinBackward0" forward=7
  %mul : f32[2, 4] = aten.mul.Tensor(%g, %cos)  ; id=9 stage=backward seq=3 fn="SinBackward0" forward=7
  %back : f32[2, 4] = aten.threshold_backward.default(%mul, %relu, 0)  ; id=10 stage=backward seq=2 forward=6
  %t : f32[4, 2][1, 4] = aten.t.default(%x)  ; id=11 stage=backward seq=1 forward=5
  %mm : f32[4, 4] = aten.mm.default(%t, %back)  ; id=12 stage=backward seq=1 forward=5
  return [%sin : output "output 0", %mm : gradient "layer.weight", None : gradient "layer.bias"]
)";

/// Two results of one operation, and an isolated counter.
inline constexpr std::string_view kTuple = R"(graph functional
  %x : f32[2, 4] = placeholder(input)  ; id=0 label="x"
  %n : i64[] = placeholder(buffer)  ; id=1 label="norm.steps"
  %steps : i64[] = aten.add.Tensor(%n, 1)  ; id=2 module="norm"
  %norm : (f32[2, 4], f32[2, 1], ?) = aten.native_layer_norm.default(%x, [4], None, None, 1e-05)  ; id=3 module="norm"
  %first : f32[2, 4] = operator.getitem(%norm, 0)  ; id=4
  %second : f32[2, 1] = operator.getitem(%norm, 1)  ; id=5
  %add : f32[2, 4] = aten.add.Tensor(%first, %second)  ; id=6
  return [%steps : mutated_input "norm.steps", %add : output "output 0"]
)";

inline DrawnGraph drawText(std::string_view text, GraphKind kind = GraphKind::joint) {
    return drawGraph(*parseSound(text), kind, nullptr);
}

inline DrawnGraph drawSample(const std::string& sample, GraphKind kind = GraphKind::joint) {
    const auto record = recordOf(sample);
    return drawGraph(*record->graph(kind), kind, record->partition.get());
}

/// The index of the box that shows the node of this name ("relu").
inline int boxNamed(const DrawnGraph& graph, const char* name) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].name == u'%' + QString::fromUtf8(name)) return static_cast<int>(i);
    return -1;
}

inline const DrawnNode& nodeNamed(const DrawnGraph& graph, const char* name) {
    return graph.nodes.at(static_cast<std::size_t>(boxNamed(graph, name)));
}

/// A functional graph: a chain of `length` operations that all use one input.
inline std::string chainText(int length) {
    std::string text = "graph chain\n  %x : f32[4] = placeholder(input)\n", last = "x";
    for (int i = 0; i < length; ++i) {
        const std::string name = "n" + std::to_string(i);
        text += "  %" + name + " : f32[4] = aten.add.Tensor(%" + last + ", %x)\n";
        last = name;
    }
    return text + "  return [%" + last + " : output \"output 0\"]\n";
}

}  // namespace aotscope::test

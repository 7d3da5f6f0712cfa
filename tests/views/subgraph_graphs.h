// Graphs with operators that run subgraphs.
#pragma once

#include "canvas/subgraph_boxes.h"
#include "canvas/visible.h"
#include "ir/subgraphs.h"
#include "support/text.h"
#include "views/drawings.h"

#include <QtTest>

#include <memory>
#include <string_view>

namespace aotscope::test {

/// A cond whose first branch runs another cond.
inline constexpr std::string_view kNestedCond = R"(graph inference
  %p : b8[] = placeholder(input)  ; id=0 label="p"
  %x : f32[2, 2] = placeholder(input)  ; id=1 label="x"
  %mm : f32[2, 2] = aten.mm.default(%x, %x)  ; id=2
  %cond : (f32[2, 2]) = higher_order.cond(%p, @yes, @no, [%mm, %p])  ; id=3
  %item : f32[2, 2] = operator.getitem(%cond, 0)  ; id=4
  %relu : f32[2, 2] = aten.relu.default(%item)  ; id=5
  return [%relu : output "output 0"]
graph inference.yes
  %a : f32[2, 2] = placeholder
  %q : b8[] = placeholder
  %sin : f32[2, 2] = aten.sin.default(%a)
  %inner : (f32[2, 2]) = higher_order.cond(%q, @deep, @flat, [%sin])
  %got : f32[2, 2] = operator.getitem(%inner, 0)
  return [%got : output]
graph inference.yes.deep
  %b : f32[2, 2] = placeholder
  %tanh : f32[2, 2] = aten.tanh.default(%b)
  %add : f32[2, 2] = aten.add.Tensor(%tanh, %b)
  return [%add : output]
graph inference.yes.flat
  %b : f32[2, 2] = placeholder
  %neg : f32[2, 2] = aten.neg.default(%b)
  return [%neg : output]
graph inference.no
  %a : f32[2, 2] = placeholder
  %q : b8[] = placeholder
  %cos : f32[2, 2] = aten.cos.default(%a)
  return [%cos : output]
)";

/// A loop, of which two results are used.
inline constexpr std::string_view kWhileLoop = R"(graph inference
  %i : i64[] = placeholder(input)  ; id=0 label="i"
  %x : f32[3] = placeholder(input)  ; id=1 label="x"
  %while_loop : (i64[], f32[3]) = higher_order.while_loop(@until, @body, [%i, %x], [])  ; id=2
  %n : i64[] = operator.getitem(%while_loop, 0)  ; id=3
  %y : f32[3] = operator.getitem(%while_loop, 1)  ; id=4
  return [%n : output "output 0", %y : output "output 1"]
graph inference.until
  %j : i64[] = placeholder
  %v : f32[3] = placeholder
  %lt : b8[] = aten.lt.Scalar(%j, 5)
  return [%lt : output]
graph inference.body
  %j : i64[] = placeholder
  %v : f32[3] = placeholder
  %next : i64[] = aten.add.Tensor(%j, 1)
  %sin : f32[3] = aten.sin.default(%v)
  return [%next : output, %sin : output]
)";

inline constexpr std::string_view kScan = R"(graph inference
  %h : f32[3] = placeholder(input)  ; id=0 label="h"
  %x : f32[5, 3] = placeholder(input)  ; id=1 label="x"
  %scan : (f32[3], f32[5, 3]) = higher_order.scan(@step, [%h], [%x], [])  ; id=2
  %last : f32[3] = operator.getitem(%scan, 0)  ; id=3
  %all : f32[5, 3] = operator.getitem(%scan, 1)  ; id=4
  return [%last : output "output 0", %all : output "output 1"]
graph inference.step
  %c : f32[3] = placeholder
  %v : f32[3] = placeholder
  %add : f32[3] = aten.add.Tensor(%c, %v)
  %tanh : f32[3] = aten.tanh.default(%add)
  return [%add : output, %tanh : output]
)";

inline constexpr std::string_view kMap = R"(graph inference
  %x : f32[5, 3] = placeholder(input)  ; id=0 label="x"
  %w : f32[3] = placeholder(input)  ; id=1 label="w"
  %map_impl : (f32[5, 3]) = higher_order.map_impl(@row, [%x], [%w])  ; id=2
  %y : f32[5, 3] = operator.getitem(%map_impl, 0)  ; id=3
  return [%y : output "output 0"]
graph inference.row
  %v : f32[3] = placeholder
  %u : f32[3] = placeholder
  %mul : f32[3] = aten.mul.Tensor(%v, %u)
  return [%mul : output]
)";

/// Two nodes that run one graph.
inline constexpr std::string_view kShared = R"(graph inference
  %x : f32[3] = placeholder(input)  ; id=0 label="x"
  %first : (f32[3]) = higher_order.invoke_subgraph(@block, [%x])  ; id=1 module="a"
  %y : f32[3] = operator.getitem(%first, 0)  ; id=2
  %second : (f32[3]) = higher_order.invoke_subgraph(@block, [%y])  ; id=3 module="b"
  %z : f32[3] = operator.getitem(%second, 0)  ; id=4
  return [%z : output "output 0"]
graph inference.block
  %v : f32[3] = placeholder
  %sin : f32[3] = aten.sin.default(%v)
  %cos : f32[3] = aten.cos.default(%sin)
  return [%cos : output]
)";

/// A cond of the forward, and the one of the backward that differentiates it.
inline constexpr std::string_view kBothHalves = R"(graph joint
  %p : b8[] = placeholder(input)  ; id=0 label="p"
  %x : f32[3] = placeholder(input)  ; id=1 label="x"
  %g : f32[3] = placeholder(tangent)  ; id=2 stage=backward label="tangent of output 0"
  %sin : f32[3] = aten.sin.default(%x)  ; id=3 seq=1
  %cond : (f32[3]) = higher_order.cond(%p, @yes, @no, [%sin])  ; id=4 seq=2
  %y : f32[3] = operator.getitem(%cond, 0)  ; id=5 seq=2
  %back : (f32[3]) = higher_order.cond(%p, @yes_joint, @no_joint, [%g, %sin])  ; id=6 stage=backward seq=2 forward=4
  %d : f32[3] = operator.getitem(%back, 0)  ; id=7 stage=backward seq=2 forward=4
  %cos : f32[3] = aten.cos.default(%x)  ; id=8 stage=backward seq=1 forward=3
  %mul : f32[3] = aten.mul.Tensor(%d, %cos)  ; id=9 stage=backward seq=1 forward=3
  return [%y : output "output 0", %mul : gradient "x"]
graph joint.yes
  %v : f32[3] = placeholder
  %tanh : f32[3] = aten.tanh.default(%v)
  return [%tanh : output]
graph joint.no
  %v : f32[3] = placeholder
  %neg : f32[3] = aten.neg.default(%v)
  return [%neg : output]
graph joint.yes_joint
  %t : f32[3] = placeholder
  %v : f32[3] = placeholder
  %tanh : f32[3] = aten.tanh.default(%v)
  %d : f32[3] = aten.tanh_backward.default(%t, %tanh)
  return [%d : output]
graph joint.no_joint
  %t : f32[3] = placeholder
  %v : f32[3] = placeholder
  %neg : f32[3] = aten.neg.default(%t)
  return [%neg : output]
)";

inline GraphKind kindOf(std::string_view text) {
    return text.starts_with("graph joint") ? GraphKind::joint : GraphKind::inference;
}

/// With the frames of all operators open.
inline std::shared_ptr<const DrawnGraph> drawOpen(std::string_view text) {
    const auto graph = parseSound(text);
    DrawnGraph drawn = drawGraph(*graph, kindOf(text), nullptr);
    addSubgraphs(drawn, *graph);
    return withGroups(std::move(drawn));
}

/// With the boxes of all operators closed.
inline std::shared_ptr<const DrawnGraph> closed(const std::shared_ptr<const DrawnGraph>& whole) {
    return visibleGraph(whole, collapsedTo(*whole->groups, 1));
}

/// The id of a node of a subgraph, seen from the whole graph.
inline NodeId innerId(const DrawnGraph& graph, const char* name) { return nodeNamed(graph, name).id; }

/// A run that has only this graph.
inline std::shared_ptr<const CompileRecord> recordWith(std::string_view text) {
    auto record = std::make_shared<CompileRecord>();
    const GraphKind kind = kindOf(text);
    const std::shared_ptr<const Graph> graph = parseSound(text);
    record->graphs[kind] = graph;
    PassRecord pass;
    pass.id = PassId::joint;
    pass.graphs.emplace_back(kind, graph);
    record->passes.push_back(pass);
    return record;
}

inline void addSubgraphTexts() {
    QTest::addColumn<QByteArray>("text");
    for (const auto& [name, text] :
         {std::pair("nested cond", kNestedCond), std::pair("while_loop", kWhileLoop), std::pair("scan", kScan),
          std::pair("map", kMap), std::pair("shared", kShared), std::pair("both halves", kBothHalves)})
        QTest::newRow(name) << QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace aotscope::test

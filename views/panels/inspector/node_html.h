#pragma once

#include "ir/subgraphs.h"
#include "models/why_story.h"
#include "record/compile_record.h"
#include "record/results/results.h"

#include <QString>
#include <optional>
#include <vector>

namespace aotscope {

/// One node with the facts about it.
struct InspectedNode {
    const Node& node;
    GraphKind kind = GraphKind::joint;
    const TimingResult* timing = nullptr;  ///< null: not timed
    const Graph* joint = nullptr;          ///< where to look up the forward node of a backward node; null: nowhere
    QString metadata = {};                 ///< from metadataHtml()
    std::vector<const Node*> kernel = {};  ///< fused into one kernel with it
    std::optional<WhyStory> why = {};      ///< nothing: no partition
    bool whatIf = false;                   ///< the story is not about the compiled partition
    std::optional<SubgraphRun> run = {};   ///< the subgraph that contains it; nothing: the graph itself

    /// The id of a node, as in links and the selection.
    NodeId idOf(const Node& other) const { return run ? run->idOf(other) : other.id(); }
};

/// A part of the inspector's text. Those with a title can be closed.
struct InspectorSection {
    QString name;  ///< settings know it by this
    QString title;
    QString html;  ///< with node:ID links
};

/// The section with the node's story.
inline constexpr const char* kWhySection = "why";

/// What it is, why it is saved or recomputed, its metadata, then its inputs and users. Empty ones are omitted.
std::vector<InspectorSection> nodeSections(const InspectedNode& inspected);
std::vector<InspectorSection> graphSections(const Graph& graph, GraphKind kind);

/// The story as a section of the inspector.
QString whyHtml(const WhyStory& story, bool whatIf);

}  // namespace aotscope

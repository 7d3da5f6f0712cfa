#pragma once

#include "ir/graph.h"
#include "record/partition.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace aotscope {

/// The placement of one value of a joint graph, and the reason: the rules, by state and then in the order in which the
/// partitioner tries them, and the numbers of the cut.
struct WhyStory {
    struct Rule {
        enum class State : std::uint8_t {
            decided,  ///< the rule that decides
            alsoHolds,
            doesNotHold,
            off,
        } state = State::doesNotHold;
        QString text;
    };
    struct Fact {
        QString name, value;
    };
    struct Link {
        NodeId node = kNoNode;
        QString text;
    };
    struct Links {
        QString title;
        std::vector<Link> links;
        QString more;  ///< about omitted ones
    };

    QString value, what;  ///< "%relu_3", "aten.relu.default  f32[8, 64]"
    QString placement;    ///< "Saved"
    QString because;      ///< one sentence
    std::vector<Rule> rules;
    std::vector<Fact> facts;
    std::vector<Links> links;
    QStringList communication;  ///< of a node that communicates, a sentence each
};

WhyStory whyStory(const Graph& joint, const Node& node, const Partition& partition, const MinCutOptions& options);

/// The text after the placement, with node:ID links.
QString whyHtml(const WhyStory& story);
QString whyText(const WhyStory& story);

}  // namespace aotscope

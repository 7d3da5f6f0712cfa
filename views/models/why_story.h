#pragma once

#include "ir/graph.h"
#include "record/partition.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace aotscope {

/// What became of one value of a joint graph, and why: the rules in the order in which the partitioner tries them, and
/// the numbers behind the cut.
struct WhyStory {
    struct Rule {
        enum class State : std::uint8_t {
            decided,  ///< the rule that settles it
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
        QString more;  ///< about those that are not listed
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

/// What follows the placement, with node:ID links.
QString whyHtml(const WhyStory& story);
QString whyText(const WhyStory& story);

}  // namespace aotscope

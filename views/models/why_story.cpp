#include "models/why_story.h"

#include "models/tables/table_cells.h"
#include "models/value_placements.h"
#include "models/words/node_words.h"
#include "support/names.h"

#include <algorithm>
#include <set>

namespace aotscope {

namespace {

using Placement = ValueDecision::Placement;
using State = WhyStory::Rule::State;

constexpr std::size_t kMostLinks = 12;

const ValueDecision* decisionOf(const Partition& partition, NodeId node) {
    const auto& all = partition.decisions;
    const auto it = std::find_if(all.begin(), all.end(), [&](const auto& d) { return d.node == node; });
    return it == all.end() ? nullptr : &*it;
}

class Teller {
public:
    Teller(const Graph& joint, const Node& node, const Partition& partition, const MinCutOptions& options)
        : joint_(joint),
          node_(node),
          partition_(partition),
          options_(options),
          decision_(decisionOf(partition, node.id())),
          placements_(placementsOf(around(node), partition)) {}

    WhyStory run() {
        const auto placement = placements_.find(node_.id());
        placement_ = placement == placements_.end() ? Placement::forwardOnly : placement->second;
        if (placement_ == Placement::recomputed) placements_ = placementsOf(joint_, partition_);
        story_.value = fullName(node_);
        QStringList what;
        if (node_.kind() == NodeKind::call) what << toQString(node_.op());
        if (node_.type.known()) what << typeText(node_.type);
        story_.what = what.join(QStringLiteral("   "));
        tellPlacement();
        if (cutDecided() && placement_ != Placement::backwardOnly) tellRules();
        tellFacts();
        tellLinks();
        return std::move(story_);
    }

private:
    /// A recomputed value is explained with everything that it is recomputed from; others with their neighbours.
    static std::vector<const Node*> around(const Node& node) {
        std::vector<const Node*> nodes{&node};
        nodes.insert(nodes.end(), node.inputs().begin(), node.inputs().end());
        nodes.insert(nodes.end(), node.users().begin(), node.users().end());
        return nodes;
    }
    bool cutDecided() const { return decision_ && partition_.algorithm == PartitionAlgorithm::minCut; }
    bool isInput() const { return node_.kind() == NodeKind::placeholder; }

    void tellPlacement() {
        switch (placement_) {
            case Placement::saved:
                story_.placement = isInput() ? tr("Input, already kept") : tr("Saved for backward");
                break;
            case Placement::recomputed: story_.placement = tr("Recomputed in backward"); break;
            case Placement::backwardOnly:
                story_.placement = node_.role == Role::tangent ? tr("Input of backward") : tr("Backward only");
                break;
            case Placement::forwardOnly:
                story_.placement = isInput() ? tr("Input of forward") : tr("Forward only");
                break;
        }
        if (decision_) story_.because = toQString(reasonOf(*decision_));
        for (const auto& value : partition_.saved)
            if (value.node == node_.id() && !value.reason.empty()) story_.because = toQString(value.reason);
    }

    void tellRules() {
        const auto& bans = decision_->bans;
        const auto& overruled = decision_->overruled;
        bool settled = decision_->exemption != Exemption::none;
        if (settled) story_.rules.push_back({State::decided, sentence(describe(decision_->exemption))});
        for (const BanRule& rule : banRules()) {
            const QString notAsked = toQString(whyNotAsked(rule, options_));
            WhyStory::Rule step{State::doesNotHold, toQString(rule.sentence)};
            const bool holds = std::ranges::find(bans, rule.reason) != bans.end();
            if (holds) {
                step.state = settled ? State::alsoHolds : State::decided;
            } else if (std::ranges::find(overruled, rule.reason) != overruled.end()) {
                step = {State::alsoHolds, step.text.chopped(1) + tr(" (overruled).")};
            } else if (!notAsked.isEmpty()) {
                step = {State::off, step.text.chopped(1) + tr(" (%1).").arg(notAsked)};
            } else if (isInput() && rule.reason != BanReason::primalInput && rule.reason != BanReason::forwardSeed) {
                continue;  // about operations
            }
            settled = settled || holds;
            story_.rules.push_back(step);
        }
        story_.rules.push_back(theCut(settled));
        std::ranges::stable_sort(story_.rules, {}, &WhyStory::Rule::state);
    }

    WhyStory::Rule theCut(bool banned) const {
        if (placement_ == Placement::recomputed)
            return {banned ? State::alsoHolds : State::decided,
                    tr("The minimum cut is above this value, where saving costs less.")};
        if (placement_ == Placement::forwardOnly)
            return {banned ? State::alsoHolds : State::decided,
                    tr("The minimum cut is not here; backward gets what it needs from other values.")};
        return banned
                   ? WhyStory::Rule{State::alsoHolds,
                                    tr("The minimum cut is here: the values computed from this one cost more to save.")}
                   : WhyStory::Rule{State::decided, tr("The minimum cut is here: saving it costs less than saving the "
                                                       "values it is computed from.")};
    }

    static QString sentence(std::string_view text) {
        QString s = toQString(text);
        if (!s.isEmpty()) s[0] = s[0].toUpper();
        return s.endsWith(u'.') ? s : s + u'.';
    }

    void fact(const QString& name, const QString& value) {
        if (!value.isEmpty()) story_.facts.push_back({name, value});
    }

    void tellFacts() {
        if (!decision_) return;
        const ValueDecision& d = *decision_;
        if (d.bytes > 0) fact(tr("bytes"), toQString(formatBytes(d.bytes)));
        if (d.distance >= kNoBackwardUse) fact(tr("distance to backward"), tr("used only by an output"));
        else if (placement_ != Placement::backwardOnly)
            fact(tr("distance to backward"), toQString(counted(static_cast<std::size_t>(d.distance), "operation")));
        fact(tr("checkpointing"), checkpointTag());
        if (placement_ == Placement::backwardOnly || !cutDecided()) return;
        fact(tr("in memory"), d.materialized ? tr("materialized: a user reads it from memory")
                                             : tr("fused: every user can be fused with it, so saving it adds a write "
                                                  "and a read"));
        tellCapacity(d);
    }

    /// The model's tag of the operation: "PREFER_RECOMPUTE, region 3".
    QString checkpointTag() const {
        QStringList parts;
        if (node_.checkpoint.policy != CheckpointPolicy::none) parts << toQString(name(node_.checkpoint.policy));
        if (node_.checkpoint.region >= 0) parts << tr("region %1").arg(node_.checkpoint.region);
        return parts.join(QStringLiteral(", "));
    }

    void tellCapacity(const ValueDecision& d) {
        if (d.exemption == Exemption::mustRecompute || d.exemption == Exemption::checkpointed)
            return fact(tr("capacity"), tr("none: it must be recomputed, so it cannot be saved"));
        if (d.noSave != NoSaveReason::none || d.capacity >= CutNetwork::kInfinite) {
            fact(tr("capacity"),
                 tr("infinite: it cannot be saved%1")
                     .arg(d.noSave == NoSaveReason::none ? QString() : tr(" (%1)").arg(toQString(describe(d.noSave)))));
            return;
        }
        if (d.capacity == 0 && options_.staticParameters && node_.role == Role::parameter) {
            fact(tr("capacity"), tr("0: a static parameter is in memory anyway"));
        } else if (node_.type.scalar()) {
            fact(tr("capacity"), tr("%1: a number is almost free to save").arg(d.capacity));
        } else {
            const SavingCost cost(d.bytes, d.distance, d.materialized);
            QString how = QStringLiteral("%1 × %2<sup>%3</sup>").arg(cost.bytes).arg(cost.kBase).arg(cost.exponent);
            if (cost.factor != 1) how += QStringLiteral(" × %1").arg(cost.factor);
            fact(tr("capacity"), how + QStringLiteral(" = %1").arg(d.capacity));
        }
        const bool full = d.flow >= d.capacity && d.capacity > 0;
        fact(tr("flow through it"),
             tr("%1%2").arg(d.flow).arg(
                 full ? tr(": saturated")
                 : d.capacity > 0
                     ? tr(" (%1 % of its capacity)")
                           .arg(100.0 * static_cast<double>(d.flow) / static_cast<double>(d.capacity), 0, 'f', 0)
                     : QString()));
    }

    void addLinks(const QString& title, const std::vector<const Node*>& nodes) {
        if (nodes.empty()) return;
        WhyStory::Links links{title, {}, {}};
        for (const Node* node : nodes) {
            if (links.links.size() == kMostLinks) {
                links.more = tr("and %1 more").arg(nodes.size() - kMostLinks);
                break;
            }
            QStringList parts{node->kind() == NodeKind::placeholder ? roleWords(node->role)
                                                                    : toQString(packetOf(node->op()))};
            if (const auto placement = placements_.find(node->id()); placement != placements_.end())
                parts << describe(placement->second);
            if (const auto* tensor = node->type.tensor()) parts << toQString(formatBytes(tensor->bytes()));
            links.links.push_back(
                {node->id(), fullName(*node) + QStringLiteral("   ") + parts.join(QStringLiteral(", "))});
        }
        story_.links.push_back(std::move(links));
    }

    void tellLinks() {
        std::vector<const Node*> readers;
        for (const Node* user : node_.users())
            if (user->stage == Stage::backward && user->kind() == NodeKind::call) readers.push_back(user);
        if (placement_ != Placement::backwardOnly) addLinks(tr("Backward operations that use it"), readers);
        if (placement_ == Placement::recomputed) tellRecomputation();
        else if (placement_ == Placement::saved && !isInput()) {
            std::vector<const Node*> inputs;
            for (const Node* input : node_.inputs()) inputs.push_back(input);
            addLinks(tr("Values needed in backward to recompute it"), inputs);
        }
    }

    /// The saved values from which this one is recomputed, and the operations in between.
    void tellRecomputation() {
        std::vector<const Node*> kept, again{&node_}, pending{&node_};
        std::set<const Node*> seen{&node_};
        while (!pending.empty()) {
            const Node* node = pending.back();
            pending.pop_back();
            for (const Node* input : node->inputs()) {
                if (!seen.insert(input).second) continue;
                const bool here =
                    placements_.at(input->id()) == Placement::saved || input->kind() == NodeKind::placeholder;
                (here ? kept : again).push_back(input);
                if (!here) pending.push_back(input);
            }
        }
        addLinks(tr("Recomputed from these saved values"), kept);
        if (again.size() > 1) addLinks(tr("By running these operations again"), again);
    }

    const Graph& joint_;
    const Node& node_;
    const Partition& partition_;
    const MinCutOptions& options_;
    const ValueDecision* decision_;
    std::unordered_map<NodeId, Placement> placements_;
    Placement placement_ = Placement::forwardOnly;
    WhyStory story_;
};

const char* symbolOf(State state) {
    switch (state) {
        case State::decided: return "►";
        case State::alsoHolds: return "✓";
        case State::doesNotHold: return "–";
        case State::off: return "○";
    }
    return "";
}

}  // namespace

WhyStory whyStory(const Graph& joint, const Node& node, const Partition& partition, const MinCutOptions& options) {
    return Teller(joint, node, partition, options).run();
}

QString whyHtml(const WhyStory& story) {
    QString html;
    if (!story.because.isEmpty())
        html += QStringLiteral("<div style='margin-top:4px'>") + tr("Because: ") + story.because.toHtmlEscaped() +
                QStringLiteral("</div>");
    const auto section = [&](const QString& title) {
        html +=
            QStringLiteral("<p style='margin:10px 0 3px 0'><b>") + title.toHtmlEscaped() + QStringLiteral("</b></p>");
    };
    if (!story.communication.isEmpty()) section(tr("Communication"));
    for (const QString& sentence : story.communication)
        html += QStringLiteral("<div style='margin-top:2px'>") + sentence.toHtmlEscaped() + QStringLiteral("</div>");
    if (!story.rules.empty()) {
        section(tr("Can it be recomputed? The deciding rule first"));
        html += QStringLiteral("<table cellspacing='0' cellpadding='2'>");
        for (const auto& rule : story.rules) {
            const bool faint = rule.state != State::decided && rule.state != State::alsoHolds;
            const QString text = rule.state == State::decided
                                     ? QStringLiteral("<b>") + rule.text.toHtmlEscaped() + QStringLiteral("</b>")
                                     : rule.text.toHtmlEscaped();
            html += QStringLiteral("<tr><td width='18'>%1</td><td%2>%3</td></tr>")
                        .arg(QString::fromUtf8(symbolOf(rule.state)),
                             faint ? QStringLiteral(" class='faint'") : QString(), text);
        }
        html += QStringLiteral("</table><div class='faint' style='margin-top:2px'>") +
                tr("► decides &nbsp; ✓ also holds &nbsp; – does not hold &nbsp; ○ off") + QStringLiteral("</div>");
    }
    if (!story.facts.empty()) {
        section(tr("In the flow network"));
        html += QStringLiteral("<table cellspacing='0' cellpadding='2'>");
        for (const auto& fact : story.facts)
            html += QStringLiteral("<tr><td class='faint' style='white-space:nowrap'>") + fact.name.toHtmlEscaped() +
                    QStringLiteral("&nbsp;</td><td>") + fact.value + QStringLiteral("</td></tr>");
        html += QStringLiteral("</table>");
    }
    for (const auto& links : story.links) {
        section(links.title);
        for (const auto& link : links.links)
            html += QStringLiteral("<div><a href='node:%1'>").arg(link.node) +
                    link.text.section(QStringLiteral("   "), 0, 0).toHtmlEscaped() + QStringLiteral("</a> &nbsp;") +
                    link.text.section(QStringLiteral("   "), 1).toHtmlEscaped() + QStringLiteral("</div>");
        if (!links.more.isEmpty())
            html += QStringLiteral("<div class='faint'>") + links.more.toHtmlEscaped() + QStringLiteral("</div>");
    }
    return html;
}

QString whyText(const WhyStory& story) {
    QStringList lines{story.value + QStringLiteral("   ") + story.what,
                      story.placement + QStringLiteral(": ") + story.because};
    if (!story.communication.isEmpty()) lines << QString() << story.communication;
    if (!story.rules.empty())
        lines << QString()
              << tr("Can it be recomputed? The deciding rule first (► decides, ✓ also holds, – does "
                    "not hold, ○ off)");
    for (const auto& rule : story.rules)
        lines << QStringLiteral("  %1 %2").arg(QString::fromUtf8(symbolOf(rule.state)), rule.text);
    if (!story.facts.empty()) lines << QString();
    for (const auto& fact : story.facts) {
        QString value = fact.value;
        lines << fact.name + QStringLiteral(": ") +
                     value.replace(QStringLiteral("<sup>"), QStringLiteral("^")).remove(QStringLiteral("</sup>"));
    }
    for (const auto& links : story.links) {
        lines << QString() << links.title;
        for (const auto& link : links.links) lines << QStringLiteral("  ") + link.text;
        if (!links.more.isEmpty()) lines << QStringLiteral("  ") + links.more;
    }
    return lines.join(u'\n') + u'\n';
}

}  // namespace aotscope

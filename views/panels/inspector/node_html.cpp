#include "panels/inspector/node_html.h"

#include "canvas/drawn_graph.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "models/tables/variant_tables.h"
#include "models/words/node_words.h"
#include "models/words/pass_titles.h"
#include "ops/collectives.h"
#include "ops/op_table.h"
#include "ops/subgraph_role.h"
#include "panels/inspector/html_writer.h"
#include "record/partition_figures.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QLocale>

#include <algorithm>
#include <functional>
#include <map>

namespace aotscope {

namespace {

QString link(const Node& node, NodeId id) { return nodeLink(id, fullName(node)); }

QString withType(const Node& node, NodeId id) {
    QString text = link(node, id);
    if (node.type.known()) text += QStringLiteral(" &nbsp;") + typeText(node.type).toHtmlEscaped();
    return text;
}

/// One argument; nodes as links.
QString argumentHtml(const Argument& argument, const InspectedNode& of) {
    if (const Node* node = argument.node()) return link(*node, of.idOf(*node));
    if (const auto* list = argument.list()) {
        QStringList parts;
        for (const auto& element : *list) parts << argumentHtml(element, of);
        return QStringLiteral("[") + parts.join(QStringLiteral(", ")) + QStringLiteral("]");
    }
    return toQString(printArgument(argument)).toHtmlEscaped();
}

void writeType(HtmlWriter& out, const ValueType& type) {
    for (const auto& [name, text] : typeProperties(type)) out.fact(name, text);
    if (const auto* tensor = type.tensor(); tensor && tensor->storage >= 0)
        out.fact(QStringLiteral("storage"), QStringLiteral("#%1, %2, offset %3")
                                                .arg(tensor->storage)
                                                .arg(toQString(formatBytes(tensor->storageBytes)))
                                                .arg(tensor->storageOffset));
}

void writeArgument(HtmlWriter& out, const QString& name, const Argument& argument, const InspectedNode& of) {
    QString html = argumentHtml(argument, of);
    if (const Node* node = argument.node(); node && node->type.known())
        html += QStringLiteral(" &nbsp;") + typeText(node->type).toHtmlEscaped();
    out.line(QStringLiteral("<span class='faint'>%1</span>&nbsp; ").arg(name.toHtmlEscaped()) + html);
}

void writeArguments(HtmlWriter& out, const InspectedNode& inspected) {
    for (const auto& [name, value] : namedArguments(inspected.node)) writeArgument(out, name, *value, inspected);
}

void writeOrigin(HtmlWriter& out, const Node& node, const Graph* joint) {
    const Provenance provenance = provenanceOf(node);
    if (!provenance.known()) return;
    if (const auto& source = provenance.source) {
        out.fact(QStringLiteral("module"), toQString(source->module.empty() ? "(top level)" : source->module));
        out.fact(QStringLiteral("class"), toQString(source->moduleType));
        if (!source->file.empty())
            out.fact(QStringLiteral("file"), toQString(source->file) + QStringLiteral(":%1").arg(source->line));
        if (!source->text.empty())
            out.line(QStringLiteral("<code>") + toQString(source->text).toHtmlEscaped() + QStringLiteral("</code>"));
    }
    out.fact(QStringLiteral("autograd"), toQString(provenance.function));
    if (provenance.forward == kNoNode) return;
    const Node* forward = joint ? joint->findById(provenance.forward) : nullptr;
    out.line(nodeLink(provenance.forward, QStringLiteral("forward node")) +
             (forward ? QStringLiteral("&nbsp; %") + toQString(forward->name()).toHtmlEscaped() +
                            QStringLiteral(" &nbsp;") + toQString(forward->op()).toHtmlEscaped()
                      : QString()));
}

void writeRun(HtmlWriter& out, const SubgraphRun& run) {
    out.line(QStringLiteral("<span class='faint'>part of</span>&nbsp; ") +
             QObject::tr("%1 of %2").arg(toQString(subgraphTitle(run)).toHtmlEscaped(), link(*run.owner, run.ownerId)));
}

/// For a collective, its group and data; for a wait, its collective.
void writeCommunication(HtmlWriter& out, const InspectedNode& inspected) {
    const Node& node = inspected.node;
    const auto linked = [&](const Node* other) { return link(*other, inspected.idOf(*other)); };
    if (const auto collective = collectiveOf(node)) {
        out.fact(QStringLiteral("collective"), toQString(name(collective->kind)));
        out.fact(QStringLiteral("reduction"), toQString(collective->reduction));
        out.fact(QStringLiteral("redistributes"), toQString(collective->redistribution));
        out.fact(QStringLiteral("group"), toQString(collective->group));
        if (collective->groupSize)
            out.fact(QStringLiteral("ranks"), QLocale::c().toString(static_cast<qlonglong>(*collective->groupSize)));
        for (const Node* wait : waitsFor(node))
            out.line(QStringLiteral("<span class='faint'>waited for by</span>&nbsp; ") + linked(wait));
    } else if (const Node* made = waitedFor(node)) {
        out.line(QStringLiteral("<span class='faint'>waits for</span>&nbsp; ") + linked(made));
    }
}

/// Operation, type, module and source.
void writeIdentity(HtmlWriter& out, const InspectedNode& inspected) {
    const Node& node = inspected.node;
    const bool call = node.kind() == NodeKind::call;
    const bool named = node.label.empty() || node.kind() == NodeKind::constant;
    out.heading(call ? toQString(node.op()) : toQString(named ? node.name() : node.label));
    out.fact(QStringLiteral("name"), QStringLiteral("%") + toQString(node.name()));
    if (node.kind() == NodeKind::placeholder) out.fact(QStringLiteral("input"), roleWords(node.role));
    if (inspected.run) writeRun(out, *inspected.run);
    else if (inspected.kind == GraphKind::joint) out.fact(QStringLiteral("part of"), toQString(name(node.stage)));
    if (call) out.fact(QStringLiteral("family"), toQString(name(opFamily(node.op()))));
    writeCommunication(out, inspected);
    writeType(out, node.type);
    writeOrigin(out, node, inspected.joint);
}

void writeKernel(HtmlWriter& out, const Node& node, const std::vector<const Node*>& kernel) {
    QStringList others;
    for (const Node* other : kernel)
        if (other != &node) others << link(*other, other->id());
    if (others.isEmpty()) return;
    out.line(QObject::tr("fused into one kernel with %1").arg(others.join(QStringLiteral(", "))));
}

void writeTiming(HtmlWriter& out, const Node& node, const TimingResult& timing) {
    for (const auto& step : timing.steps)
        if (step.node == node.id())
            out.fact(toQString(name(step.graph)), toQString(formatDuration(step.medianUs / 1000)));
}

void writeUsers(HtmlWriter& out, const InspectedNode& inspected) {
    constexpr std::size_t most = 60;
    const Node& node = inspected.node;
    for (std::size_t i = 0; i < std::min(node.users().size(), most); ++i)
        out.line(node.users()[i]->kind() == NodeKind::output
                     ? QStringLiteral("output of the graph")
                     : withType(*node.users()[i], inspected.idOf(*node.users()[i])));
}

}  // namespace

std::vector<InspectorSection> nodeSections(const InspectedNode& inspected) {
    const Node& node = inspected.node;
    std::vector<InspectorSection> sections;
    const auto add = [&](const char* section, const QString& title, const std::function<void(HtmlWriter&)>& write) {
        HtmlWriter out;
        write(out);
        if (const QString html = out.take(); !html.isEmpty()) sections.push_back({QLatin1String(section), title, html});
    };
    add("what", {}, [&](HtmlWriter& out) { writeIdentity(out, inspected); });
    if (inspected.why)
        add(kWhySection, QObject::tr("Why"),
            [&](HtmlWriter& out) { out.html(whyHtml(*inspected.why, inspected.whatIf)); });
    add("metadata", QObject::tr("Metadata"), [&](HtmlWriter& out) { out.html(inspected.metadata); });
    add("arguments", QObject::tr("Arguments"), [&](HtmlWriter& out) { writeArguments(out, inspected); });
    add("kernel", QObject::tr("Kernel"), [&](HtmlWriter& out) { writeKernel(out, node, inspected.kernel); });
    if (inspected.timing)
        add("times", QObject::tr("Times"), [&](HtmlWriter& out) { writeTiming(out, node, *inspected.timing); });
    add("users", QObject::tr("Used by %1").arg(toQString(counted(node.users().size(), "node"))),
        [&](HtmlWriter& out) { writeUsers(out, inspected); });
    return sections;
}

std::vector<InspectorSection> graphSections(const Graph& graph, GraphKind kind) {
    HtmlWriter out;
    out.heading(QObject::tr("%1 graph").arg(toQString(name(kind))));
    out.line(QStringLiteral("<p>") + sentenceOn(kind) + QStringLiteral("</p>"));
    std::map<Role, std::size_t> inputs, outputs;
    for (const Node* node : graph.placeholders()) ++inputs[node->role];
    for (const auto& slot : graph.outputSlots()) ++outputs[slot.role];
    if (outputs.contains(Role::gradient)) outputs[Role::gradient] = gradientCount(graph);
    // More values cross from forward to backward than are saved for it.
    const auto words = [](Role role, std::size_t count) {
        if (role == Role::saved) return QObject::tr("%1 for backward").arg(toQString(counted(count, "value")));
        if (role == Role::savedSymint) return QObject::tr("%1 for backward").arg(toQString(counted(count, "size")));
        return toQString(counted(count, roleWords(role).toStdString()));
    };
    const auto counts = [&](const std::map<Role, std::size_t>& byRole) {
        QStringList parts;
        for (const auto& [role, count] : byRole) parts << words(role, count);
        return parts.join(QStringLiteral(", "));
    };
    out.fact(QObject::tr("inputs"), counts(inputs));
    out.fact(QObject::tr("outputs"), counts(outputs));
    out.section(toQString(counted(graph.callCount(), "operation")));
    std::vector<std::pair<int, std::string>> histogram;
    for (const auto& [op, count] : opHistogram(graph)) histogram.emplace_back(-count, op);
    std::sort(histogram.begin(), histogram.end());
    QString rows;
    for (const auto& [count, op] : histogram)
        rows += QStringLiteral("<tr><td align='right'>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(toQString(grouped(static_cast<std::size_t>(-count))))
                    .arg(toQString(op).toHtmlEscaped());
    out.line(QStringLiteral("<table cellspacing='0'>") + rows + QStringLiteral("</table>"));
    out.line(QStringLiteral("<p class='faint'>") + QObject::tr("Select operations or a module to see details.") +
             QStringLiteral("</p>"));
    return {{QStringLiteral("graph"), {}, out.take()}};
}

QString whyHtml(const WhyStory& story, bool whatIf) {
    return QStringLiteral("<div><b>") + (whatIf ? ofWhatIf(story.placement) : story.placement).toHtmlEscaped() +
           QStringLiteral("</b></div>") + whyHtml(story);
}

}  // namespace aotscope

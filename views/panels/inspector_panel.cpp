#include "panels/inspector_panel.h"

#include "canvas/drawn_graph.h"
#include "io/text_report.h"
#include "ir/printer.h"
#include "ir/provenance.h"
#include "models/node_words.h"
#include "models/variant_tables.h"
#include "ops/op_table.h"
#include "panels/html_writer.h"
#include "panels/source_view.h"
#include "support/names.h"

#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

namespace aotscope {

namespace {

QString link(const Node& node) {
    return QStringLiteral("<a href='node:%1'>").arg(node.id()) + fullName(node).toHtmlEscaped() +
           QStringLiteral("</a>");
}

QString withType(const Node& node) {
    QString text = link(node);
    if (node.type.known()) text += QStringLiteral(" &nbsp;") + typeText(node.type).toHtmlEscaped();
    return text;
}

/// One argument; nodes as links.
QString argumentHtml(const Argument& argument) {
    if (const Node* node = argument.node()) return link(*node);
    if (const auto* list = argument.list()) {
        QStringList parts;
        for (const auto& element : *list) parts << argumentHtml(element);
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

void writeArgument(HtmlWriter& out, const QString& name, const Argument& argument) {
    QString html = argumentHtml(argument);
    if (const Node* node = argument.node(); node && node->type.known())
        html += QStringLiteral(" &nbsp;") + typeText(node->type).toHtmlEscaped();
    out.line(QStringLiteral("<span style='color:gray'>%1</span>&nbsp; ").arg(name.toHtmlEscaped()) + html);
}

void writeArguments(HtmlWriter& out, const Node& node) {
    if (node.args().empty() && node.kwargs().empty()) return;
    out.section(QStringLiteral("Arguments"));
    for (const auto& [name, value] : namedArguments(node)) writeArgument(out, name, *value);
}

void writeOrigin(HtmlWriter& out, const Node& node, const Graph* joint) {
    const Provenance provenance = provenanceOf(node);
    if (!provenance.known()) return;
    out.section(QStringLiteral("Source"));
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
    out.line(QStringLiteral("<a href='node:%1'>forward node</a>").arg(provenance.forward) +
             (forward ? QStringLiteral("&nbsp; %") + toQString(forward->name()).toHtmlEscaped() +
                            QStringLiteral(" &nbsp;") + toQString(forward->op()).toHtmlEscaped()
                      : QString()));
}

void writePartition(HtmlWriter& out, const Node& node, const Partition& partition, bool whatIf) {
    const auto section = [&](const QString& title) { out.section(whatIf ? ofWhatIf(title) : title); };
    bool needed = false;
    for (const auto& value : partition.saved) {
        if (value.node != node.id()) continue;
        section(QObject::tr("Saved for backward"));
        out.line(toQString(value.reason).toHtmlEscaped());
        needed = true;
    }
    for (const auto& value : partition.recomputed) {
        if (value.node != node.id()) continue;
        section(QObject::tr("Recomputed in backward"));
        needed = true;
    }
    if (whatIf && !needed && node.kind() == NodeKind::call && node.stage == Stage::forward)
        section(QObject::tr("Neither saved nor recomputed"));
    for (const auto& decision : partition.decisions) {
        if (decision.node != node.id()) continue;
        section(QObject::tr("Min-cut"));
        for (const auto reason : decision.bans)
            out.fact(QStringLiteral("cannot recompute"), toQString(describe(reason)));
        if (decision.noSave != NoSaveReason::none)
            out.fact(QStringLiteral("cannot save"), toQString(describe(decision.noSave)));
        out.fact(QStringLiteral("distance to the backward"), decision.distance >= kNoBackwardUse
                                                                 ? QStringLiteral("only an output uses it")
                                                                 : QString::number(decision.distance));
        if (decision.capacity > 0 && decision.noSave == NoSaveReason::none)
            out.fact(QStringLiteral("cost of saving"), toQString(formatBytes(decision.capacity)));
        if (!decision.materialized) out.line(QStringLiteral("would be fused: its cost of saving counts double"));
    }
}

void writeKernel(HtmlWriter& out, const Node& node, const std::vector<const Node*>& kernel) {
    QStringList others;
    for (const Node* other : kernel)
        if (other != &node) others << link(*other);
    if (others.isEmpty()) return;
    out.section(QObject::tr("Kernel"));
    out.line(QObject::tr("fused into one kernel with %1").arg(others.join(QStringLiteral(", "))));
}

void writeTiming(HtmlWriter& out, const Node& node, const TimingResult& timing) {
    for (const auto& step : timing.steps)
        if (step.node == node.id()) out.fact(toQString(step.graph), toQString(formatDuration(step.medianUs / 1000)));
}

}  // namespace

QString nodeHtml(const Node& node, GraphKind kind, const ShownPartition& partition, const TimingResult* timing,
                 const Graph* joint, const QString& metadata, const std::vector<const Node*>& kernel) {
    HtmlWriter out;
    const bool call = node.kind() == NodeKind::call;
    out.heading(call ? toQString(node.op()) : toQString(node.label.empty() ? node.name() : node.label));
    out.fact(QStringLiteral("name"), QStringLiteral("%") + toQString(node.name()));
    if (node.kind() == NodeKind::placeholder) out.fact(QStringLiteral("input"), roleWords(node.role));
    if (kind == GraphKind::joint)
        out.fact(QStringLiteral("part of"),
                 node.stage == Stage::backward ? QStringLiteral("backward") : QStringLiteral("forward"));
    if (call) out.fact(QStringLiteral("family"), toQString(name(opFamily(node.op()))));
    writeType(out, node.type);
    out.html(metadata);
    writeArguments(out, node);
    if (partition.partition) writePartition(out, node, *partition.partition, partition.whatIf);
    writeKernel(out, node, kernel);
    if (timing) writeTiming(out, node, *timing);
    writeOrigin(out, node, joint);
    if (!node.users().empty()) {
        out.section(QStringLiteral("Used by %1").arg(toQString(counted(node.users().size(), "node"))));
        constexpr std::size_t most = 60;
        for (std::size_t i = 0; i < std::min(node.users().size(), most); ++i)
            out.line(node.users()[i]->kind() == NodeKind::output ? QStringLiteral("output of the graph")
                                                                 : withType(*node.users()[i]));
    }
    return out.take();
}

QString graphHtml(const Graph& graph, GraphKind kind) {
    HtmlWriter out;
    out.heading(QObject::tr("%1 graph").arg(toQString(name(kind))));
    std::map<Role, std::size_t> inputs, outputs;
    for (const Node* node : graph.placeholders()) ++inputs[node->role];
    for (const auto& slot : graph.outputSlots()) ++outputs[slot.role];
    const auto counts = [](const std::map<Role, std::size_t>& byRole) {
        QStringList parts;
        for (const auto& [role, count] : byRole) parts << toQString(counted(count, roleWords(role).toStdString()));
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
                    .arg(-count)
                    .arg(toQString(op).toHtmlEscaped());
    out.line(QStringLiteral("<table cellspacing='0'>") + rows + QStringLiteral("</table>"));
    out.line(QStringLiteral("<p style='color:gray'>") + QObject::tr("Select an operation to see its details.") +
             QStringLiteral("</p>"));
    return out.take();
}

InspectorPanel::InspectorPanel(QWidget* parent)
    : QWidget(parent), browser_(new QTextBrowser(this)), showSource_(new QPushButton(tr("Show Source"), this)) {
    browser_->setObjectName(QStringLiteral("inspector"));
    browser_->setAccessibleName(tr("Inspector"));
    browser_->setOpenLinks(false);
    browser_->setPlaceholderText(tr("Select an operation to see its details."));
    browser_->setFrameShape(QFrame::NoFrame);
    showSource_->setObjectName(QStringLiteral("showSource"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(browser_);
    layout->addWidget(showSource_);
    connect(browser_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QLatin1String("node")) Q_EMIT nodeSelected(static_cast<NodeId>(url.path().toInt()));
    });
    connect(showSource_, &QPushButton::clicked, this, &InspectorPanel::showSource);
    setSource(nullptr);
}

void InspectorPanel::showNode(const Node& node, GraphKind kind, const ShownPartition& partition,
                              const TimingResult* timing, const Graph* joint, const QString& metadata,
                              const std::vector<const Node*>& kernel) {
    browser_->setHtml(nodeHtml(node, kind, partition, timing, joint, metadata, kernel));
    setSource(provenanceOf(node).source);
}

void InspectorPanel::showGraph(const Graph& graph, GraphKind kind) {
    browser_->setHtml(graphHtml(graph, kind));
    setSource(nullptr);
}

void InspectorPanel::setSource(std::shared_ptr<const SourceInfo> source) {
    source_ = std::move(source);
    const bool named = source_ && !source_->file.empty();
    const QString file = named ? toQString(source_->file) : QString();
    showSource_->setVisible(named);
    showSource_->setEnabled(named && haveSource(file));
    showSource_->setToolTip(!named                     ? QString()
                            : showSource_->isEnabled() ? tr("%1, line %2").arg(file).arg(source_->line)
                                                       : tr("The file '%1' is not on this machine").arg(file));
    Q_EMIT sourceChanged();
}

void InspectorPanel::showSource() {
    if (!hasSource()) return;
    auto* view = new SourceView(toQString(source_->file), source_->line, window());
    view->setAttribute(Qt::WA_DeleteOnClose);
    view->show();
}

}  // namespace aotscope

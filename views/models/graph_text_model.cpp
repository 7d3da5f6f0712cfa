#include "models/graph_text_model.h"

#include "ir/printer.h"
#include "ir/subgraphs.h"
#include "models/words/to_qstring.h"

#include <QRegularExpression>

#include <algorithm>
#include <unordered_set>

namespace aotscope {

namespace {

/// In place: the lower case of some letters is longer.
QString foldedByLetter(QString text) {
    for (QChar& letter : text) letter = letter.toCaseFolded();
    return text;
}

/// The number of lines of a subgraph, including nested ones: its name, and one for each node.
std::size_t linesOf(const Graph& graph) {
    std::size_t lines = 1 + graph.size();
    for (const auto& subgraph : subgraphsOf(graph)) lines += linesOf(*subgraph);
    return lines;
}

/// The lines of subgraphs, after those of the graph. A subgraph that several nodes run is printed once, for the first.
class InnerLines {
public:
    InnerLines(const Graph& graph, GraphLines& lines) : lines_(lines), runs_(subgraphRunsByOwner(graph)) {
        add(graph, 0);
    }

private:
    void add(const Graph& graph, NodeId firstId) {
        std::unordered_set<const Graph*> printed;
        for (const Node* node : graph.nodes())
            for (const auto& subgraph : subgraphsOf(*node))
                if (printed.insert(subgraph.get()).second) addSubgraph(*subgraph, firstId + node->id());
    }

    void addSubgraph(const Graph& subgraph, NodeId owner) {
        const SubgraphRun* run = find(subgraph, owner);
        if (!run) {
            lines_.nodes.insert(lines_.nodes.end(), linesOf(subgraph), owner);
            return;
        }
        lines_.nodes.push_back(owner);
        for (const Node* node : subgraph.nodes()) {
            lines_.rowOf[run->idOf(*node)] = static_cast<int>(lines_.nodes.size());
            lines_.nodes.push_back(run->idOf(*node));
        }
        add(subgraph, run->firstId);
    }

    const SubgraphRun* find(const Graph& subgraph, NodeId owner) const {
        const auto own = runs_.find(owner);
        if (own == runs_.end()) return nullptr;
        const auto run = std::ranges::find(own->second, &subgraph, [](const auto& r) { return r.graph.get(); });
        return run == own->second.end() ? nullptr : &*run;
    }

    GraphLines& lines_;
    std::unordered_map<NodeId, std::vector<SubgraphRun>> runs_;
};

}  // namespace

std::shared_ptr<const GraphLines> GraphLines::of(std::shared_ptr<const Graph> graph) {
    auto lines = std::make_shared<GraphLines>();
    lines->text = toQString(printGraph(*graph));
    lines->folded = foldedByLetter(lines->text);
    qsizetype longest = 0;
    for (qsizetype start = 0; start < lines->text.size();) {
        const qsizetype end = lines->text.indexOf(u'\n', start);
        if (end - start > longest) {
            longest = end - start;
            lines->longest = lines->text.mid(start, longest);
        }
        lines->starts.push_back(start);
        start = end + 1;
    }
    lines->starts.push_back(lines->text.size());
    lines->nodes.push_back(kNoNode);
    for (const Node* node : graph->nodes()) {
        lines->rowOf[node->id()] = static_cast<int>(lines->nodes.size());
        lines->nodes.push_back(node->id());
    }
    const InnerLines inner(*graph, *lines);
    lines->graph = std::move(graph);
    return lines;
}

QString GraphLines::line(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return text.mid(starts[i], starts[i + 1] - starts[i] - 1);
}

int GraphLines::row(NodeId node) const {
    const auto found = rowOf.find(node);
    return found == rowOf.end() ? -1 : found->second;
}

int GraphLines::rowAt(qsizetype place) const {
    return place < 0 ? -1 : static_cast<int>(std::ranges::upper_bound(starts, place) - starts.begin()) - 1;
}

int GraphLines::find(const QString& wanted, int from, bool forward) const {
    if (wanted.isEmpty() || count() == 0) return -1;
    const QString letters = foldedByLetter(wanted);
    const auto first = static_cast<std::size_t>((from % count() + count()) % count());
    if (forward) {
        const qsizetype next = folded.indexOf(letters, starts[first]);
        return rowAt(next < 0 ? folded.indexOf(letters) : next);
    }
    const qsizetype room = starts[first + 1] - letters.size();  // matches end in this line, at the latest
    const qsizetype last = room < 0 ? -1 : folded.lastIndexOf(letters, room);
    return rowAt(last < 0 ? folded.lastIndexOf(letters) : last);
}

std::vector<GraphTextPart> partsOf(const QString& line) {
    using Kind = GraphTextPart::Kind;
    std::vector<GraphTextPart> parts;
    const auto add = [&](Kind kind, qsizetype start, qsizetype end) {
        if (end > start) parts.push_back({kind, start, end - start});
    };
    static const QRegularExpression leading(QStringLiteral("^\\s*(graph|return)\\b")),
        names(QStringLiteral("%[\\w.]+"));
    if (const auto match = leading.match(line); match.hasMatch())
        add(Kind::keyword, match.capturedStart(1), match.capturedEnd(1));
    const qsizetype type = line.indexOf(QLatin1String(" : ")), value = line.indexOf(QLatin1String(" = "));
    const bool isNode = parts.empty() && type > 0 && value > type;
    qsizetype arguments = 0;
    if (isNode) {
        add(Kind::name, line.indexOf(u'%'), type);
        add(Kind::type, type + 3, value);
        const qsizetype operation = value + 3, open = line.indexOf(u'(', operation);
        arguments = open < 0 ? line.size() : open;
        const bool isCall = open > 0 && line.mid(operation, open - operation).contains(u'.');
        add(isCall ? Kind::operation : Kind::keyword, operation, arguments);
    }
    for (auto match = names.globalMatch(line, arguments); match.hasNext();) {
        const auto name = match.next();
        add(Kind::name, name.capturedStart(), name.capturedEnd());
    }
    return parts;
}

void GraphTextModel::setLines(std::shared_ptr<const GraphLines> lines) {
    beginResetModel();
    lines_ = std::move(lines);
    endResetModel();
}

int GraphTextModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !lines_ ? 0 : lines_->count();
}

QVariant GraphTextModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    return lines_->line(index.row());
}

}  // namespace aotscope

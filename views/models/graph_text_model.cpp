#include "models/graph_text_model.h"

#include "ir/printer.h"
#include "models/to_qstring.h"

#include <QRegularExpression>

namespace aotscope {

std::shared_ptr<const GraphLines> GraphLines::of(std::shared_ptr<const Graph> graph) {
    auto text = std::make_shared<GraphLines>();
    text->lines = toQString(printGraph(*graph)).split(u'\n', Qt::SkipEmptyParts);
    text->nodes.push_back(kNoNode);
    for (const Node* node : graph->nodes()) {
        text->rowOf[node->id()] = static_cast<int>(text->nodes.size());
        text->nodes.push_back(node->id());
    }
    for (const QString& line : text->lines)
        if (line.size() > text->longest.size()) text->longest = line;
    text->graph = std::move(graph);
    return text;
}

int GraphLines::row(NodeId node) const {
    const auto found = rowOf.find(node);
    return found == rowOf.end() ? -1 : found->second;
}

int GraphLines::find(const QString& text, int from, bool forward) const {
    const auto count = static_cast<int>(lines.size());
    for (int i = 0; i < count && !text.isEmpty(); ++i) {
        const int row = ((from + (forward ? i : -i)) % count + count) % count;
        if (lines[row].contains(text, Qt::CaseInsensitive)) return row;
    }
    return -1;
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
    return parent.isValid() || !lines_ ? 0 : static_cast<int>(lines_->lines.size());
}

QVariant GraphTextModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    return lines_->lines[index.row()];
}

}  // namespace aotscope

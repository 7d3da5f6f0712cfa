#include "canvas/layout/plain_parser.h"

#include "support/error.h"

#include <QList>

namespace aotscope {

namespace {

double number(const QList<QByteArray>& words, qsizetype i) {
    bool ok = false;
    const double value = i < words.size() ? words[i].toDouble(&ok) : 0;
    if (!ok)
        throw Error("Graphviz's answer cannot be read: expected a number in '" +
                    words.join(' ').left(80).toStdString() + "'");
    return value;
}

QList<QByteArray> splitLine(const QByteArray& line) {
    QList<QByteArray> words;
    for (const QByteArray& word : line.split(' '))
        if (!word.isEmpty()) words.append(word);
    return words;
}

}  // namespace

QPointF PlainLayout::centreOf(const QByteArray& node) const {
    const auto it = nodes.find(node);
    if (it == nodes.end()) throw Error("Graphviz's answer does not contain node '" + node.toStdString() + "'");
    return *it;
}

PlainLayout parsePlain(const QByteArray& text) {
    PlainLayout layout;
    bool complete = false;
    for (const QByteArray& line : text.split('\n')) {
        const auto words = splitLine(line);
        if (words.isEmpty()) continue;
        if (words[0] == "graph") {
            layout.width = number(words, 2);
            layout.height = number(words, 3);
        } else if (words[0] == "node") {
            layout.nodes[words.value(1)] = QPointF(number(words, 2), number(words, 3));
        } else if (words[0] == "edge") {
            PlainLayout::Edge edge{words.value(1), words.value(2), {}};
            const auto count = static_cast<qsizetype>(number(words, 3));
            for (qsizetype i = 0; i < count; ++i)
                edge.points.emplace_back(number(words, 4 + 2 * i), number(words, 5 + 2 * i));
            layout.edges.push_back(std::move(edge));
        } else if (words[0] == "stop") {
            complete = true;
        }
    }
    if (!complete) throw Error("Graphviz's answer is incomplete: it ends before 'stop'");
    return layout;
}

}  // namespace aotscope

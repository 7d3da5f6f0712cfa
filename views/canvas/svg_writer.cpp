#include "canvas/svg_writer.h"

#include "models/picture_text.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QXmlStreamWriter>

namespace aotscope {

namespace {

QString number(qreal value) { return QString::number(value, 'f', 1); }

class SvgWriter {
public:
    SvgWriter(QIODevice& device, const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options)
        : xml_(&device), graph_(graph), layout_(layout), options_(options) {
        xml_.setAutoFormatting(true);
        xml_.setAutoFormattingIndent(1);
    }

    void run(const QString& title) {
        const auto legend = options_.theme.legend(graph_, options_.colourBy);
        const qreal header = 40 + 16 * static_cast<qreal>(legend.size());
        const QRectF view = layout_.bounds.adjusted(0, -header, 0, 0);
        xml_.writeStartDocument();
        xml_.writeStartElement(QStringLiteral("svg"));
        xml_.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        xml_.writeAttribute(QStringLiteral("width"), number(view.width()));
        xml_.writeAttribute(QStringLiteral("height"), number(view.height()));
        xml_.writeAttribute(
            QStringLiteral("viewBox"),
            QStringList{number(view.x()), number(view.y()), number(view.width()), number(view.height())}.join(u' '));
        xml_.writeAttribute(QStringLiteral("font-family"), QStringLiteral("DejaVu Sans, Verdana, sans-serif"));
        xml_.writeTextElement(QStringLiteral("title"), title);
        rectangle(view, options_.theme.background, {}, 0, 0);
        text({view.left() + 16, view.top() + 24}, title, titleFont(), options_.theme.text, false);
        writeLegend(legend, {view.left() + 16, view.top() + 38});
        if (!layout_.frames.empty())
            group(QStringLiteral("modules"), [&] {
                for (const auto& drawn : layout_.frames) frame(drawn);
            });
        group(QStringLiteral("edges"), [&] {
            for (std::size_t i = 0; i < graph_.edges.size(); ++i) edge(graph_.edges[i], layout_.edges[i]);
            for (std::size_t i = 0; i < graph_.edges.size(); ++i) edgeLabels(graph_.edges[i], layout_.edges[i]);
        });
        group(QStringLiteral("nodes"), [&] {
            for (std::size_t i = 0; i < graph_.nodes.size(); ++i) node(graph_.nodes[i], layout_.boxes[i]);
        });
        xml_.writeEndElement();
        xml_.writeEndDocument();
    }

private:
    template <typename Content>
    void group(const QString& cssClass, Content&& content) {
        xml_.writeStartElement(QStringLiteral("g"));
        xml_.writeAttribute(QStringLiteral("class"), cssClass);
        content();
        xml_.writeEndElement();
    }

    void rectangle(const QRectF& r, const QColor& fill, const QColor& border, qreal width, qreal radius) {
        xml_.writeEmptyElement(QStringLiteral("rect"));
        xml_.writeAttribute(QStringLiteral("x"), number(r.x()));
        xml_.writeAttribute(QStringLiteral("y"), number(r.y()));
        xml_.writeAttribute(QStringLiteral("width"), number(r.width()));
        xml_.writeAttribute(QStringLiteral("height"), number(r.height()));
        if (radius > 0) xml_.writeAttribute(QStringLiteral("rx"), number(radius));
        xml_.writeAttribute(QStringLiteral("fill"), fill.name());
        if (!border.isValid()) return;
        xml_.writeAttribute(QStringLiteral("stroke"), border.name());
        xml_.writeAttribute(QStringLiteral("stroke-width"), number(width));
    }

    void text(QPointF baseline, const QString& content, const QFont& font, const QColor& colour, bool centred) {
        xml_.writeStartElement(QStringLiteral("text"));
        xml_.writeAttribute(QStringLiteral("x"), number(baseline.x()));
        xml_.writeAttribute(QStringLiteral("y"), number(baseline.y()));
        xml_.writeAttribute(QStringLiteral("font-size"), QString::number(font.pixelSize()));
        if (font.weight() > QFont::Normal) xml_.writeAttribute(QStringLiteral("font-weight"), QStringLiteral("600"));
        if (centred) xml_.writeAttribute(QStringLiteral("text-anchor"), QStringLiteral("middle"));
        xml_.writeAttribute(QStringLiteral("fill"), colour.name());
        xml_.writeCharacters(content);
        xml_.writeEndElement();
    }

    void writeLegend(const std::vector<Theme::LegendEntry>& legend, QPointF at) {
        for (const auto& entry : legend) {
            if (entry.tag.isEmpty()) rectangle({at, QSizeF(14, 10)}, entry.fill, entry.border, 1.4, 2);
            else tag(entry.tag, {at - QPointF(0, 2), QSizeF(14, 14)}, options_.theme.text);
            text(at + QPointF(20, 9), entry.text, lineFont(), options_.theme.text, false);
            at += QPointF(0, 16);
        }
    }

    void frame(const GroupFrame& drawn) {
        group(QStringLiteral("module"), [&] {
            xml_.writeTextElement(QStringLiteral("title"), graph_.groups->fullName(drawn.group));
            outline(drawn.rect, kFrameRadius,
                    {{"fill", options_.theme.flow.name()},
                     {"fill-opacity", QStringLiteral("0.07")},
                     {"stroke", options_.theme.flow.name()},
                     {"stroke-opacity", QStringLiteral("0.55")}});
            if (drawn.box >= 0) return;
            const QString title =
                QFontMetricsF(lineFont())
                    .elidedText(frameTitle(*graph_.groups, drawn), Qt::ElideMiddle, drawn.rect.width() - 12);
            text(frameTitlePlace(drawn), title, lineFont(), options_.theme.faintText, false);
        });
    }

    /// A rounded rectangle with attributes of its own.
    void outline(const QRectF& r, qreal radius, const std::vector<std::pair<const char*, QString>>& attributes) {
        xml_.writeEmptyElement(QStringLiteral("rect"));
        for (const auto& [key, value] : {std::pair{"x", r.x()}, std::pair{"y", r.y()}, std::pair{"width", r.width()},
                                         std::pair{"height", r.height()}, std::pair{"rx", radius}})
            xml_.writeAttribute(QLatin1String(key), number(value));
        for (const auto& [key, value] : attributes) xml_.writeAttribute(QLatin1String(key), value);
    }

    void tag(const QString& letters, const QRectF& place, const QColor& colour) {
        rectangle(place, colour, {}, 0, place.height() / 2);
        text({place.center().x(), place.center().y() + 3.5}, letters, lineFont(), options_.theme.background, true);
    }

    void node(const DrawnNode& drawn, const QRectF& box) {
        const NodeColours colours = options_.theme.colours(drawn, options_.colourBy);
        group(QStringLiteral("node"), [&] {
            xml_.writeAttribute(QStringLiteral("data-id"), QString::number(drawn.id));
            QString title = pictureText(drawn.name, kMostShown);
            if (!drawn.origin.text.isEmpty()) title += QStringLiteral("\n") + drawn.origin.text;
            for (const QString& placement : placementLines(drawn)) title += u'\n' + placement;
            xml_.writeTextElement(QStringLiteral("title"), title);
            const double width = Theme::borderWidth(drawn, options_.colourBy);
            rectangle(box, colours.fill, colours.border, width, cornerRadius(drawn, box));
            if (drawn.ghost)  // as Qt draws dashes
                xml_.writeAttribute(QStringLiteral("stroke-dasharray"), number(4 * width) + u' ' + number(2 * width));
            if (drawn.group >= 0)
                outline(box.adjusted(kGroupInset, kGroupInset, -kGroupInset, -kGroupInset), 4,
                        {{"fill", QStringLiteral("none")}, {"stroke", colours.border.name()}});
            writeLines(drawn, box, colours);
            if (const QRectF place = tagPlace(drawn, box, options_.colourBy); !place.isEmpty())
                tag(drawn.aliasing.tag, place, options_.theme.text);
            writeChange(drawn, box);
            writeCut(drawn, box);
        });
    }

    void writeLines(const DrawnNode& drawn, const QRectF& box, const NodeColours& colours) {
        const bool isTitle = drawn.frame >= 0;
        qreal y = isTitle ? box.center().y() - QFontMetricsF(titleFont()).height() / 2 : box.top() + 6;
        const auto line = [&](const QString& content, const QFont& font, const QColor& colour) {
            const QFontMetricsF metrics(font);
            text({box.center().x(), y + metrics.ascent()}, content, font, colour, true);
            y += metrics.height();
        };
        line(isTitle ? titleInFrame(drawn, box) : drawn.title, titleFont(), colours.text);
        if (isTitle) return;
        for (const QString& content : drawn.lines) line(content, lineFont(), colours.lines);
    }

    void writeCut(const DrawnNode& drawn, const QRectF& box) {
        const QLineF cut = cutLine(drawn, box);
        if (cut.isNull()) return;
        xml_.writeEmptyElement(QStringLiteral("path"));
        xml_.writeAttribute(QStringLiteral("d"),
                            QStringLiteral("M%1 %2 H%3").arg(number(cut.x1()), number(cut.y1()), number(cut.x2())));
        xml_.writeAttribute(QStringLiteral("stroke"), options_.theme.selection.name());
        xml_.writeAttribute(QStringLiteral("stroke-width"), QStringLiteral("2.5"));
        xml_.writeAttribute(QStringLiteral("stroke-dasharray"), QStringLiteral("7.5 5"));
    }

    void writeChange(const DrawnNode& drawn, const QRectF& box) {
        if (drawn.placement.change.isEmpty()) return;
        outline(box.adjusted(-kChangeMargin, -kChangeMargin, kChangeMargin, kChangeMargin),
                cornerRadius(drawn, box) + kChangeMargin,
                {{"fill", QStringLiteral("none")},
                 {"stroke", options_.theme.change.name()},
                 {"stroke-width", QStringLiteral("2.5")}});
        tag(drawn.placement.change, changePlace(drawn, box), options_.theme.change);
    }

    static QString pathData(const QPainterPath& path) {
        QString data;
        for (int i = 0; i < path.elementCount(); ++i) {
            const auto element = path.elementAt(i);
            const QString point = number(element.x) + u' ' + number(element.y);
            if (element.isMoveTo()) data += QStringLiteral("M") + point;
            else if (element.isLineTo()) data += QStringLiteral(" L") + point;
            else data += (element.isCurveTo() ? QStringLiteral(" C") : QStringLiteral(" ")) + point;
        }
        return data;
    }

    void stroke(const QPainterPath& path, const QColor& colour, bool dashed, double width = 1.2) {
        xml_.writeEmptyElement(QStringLiteral("path"));
        xml_.writeAttribute(QStringLiteral("d"), pathData(path));
        xml_.writeAttribute(QStringLiteral("fill"), QStringLiteral("none"));
        xml_.writeAttribute(QStringLiteral("stroke"), colour.name());
        xml_.writeAttribute(QStringLiteral("stroke-width"), number(width));
        if (dashed) xml_.writeAttribute(QStringLiteral("stroke-dasharray"), QStringLiteral("5 3"));
        QStringList points;
        for (const QPointF& p : arrowHead(path)) points << number(p.x()) + u',' + number(p.y());
        xml_.writeEmptyElement(QStringLiteral("polygon"));
        xml_.writeAttribute(QStringLiteral("points"), points.join(u' '));
        xml_.writeAttribute(QStringLiteral("fill"), colour.name());
    }

    void edge(const DrawnEdge& drawn, const EdgeShape& shape) {
        const bool rung = drawn.kind == DrawnEdge::Kind::rung;
        const QColor colour = edgeColour(drawn, options_.theme);
        if (!shape.stub) {
            stroke(shape.path, colour, rung, edgeWidth(drawn));
            return;
        }
        for (const bool start : {true, false}) {
            const StubEnd end = stubEnd(drawn, shape, start);
            stroke(end.path, colour, false);
        }
    }

    void edgeLabels(const DrawnEdge& drawn, const EdgeShape& shape) {
        if (const QPointF place = countPlace(drawn, shape); !place.isNull())
            text(place + QPointF(0, 3), countText(drawn), lineFont(), options_.theme.text, true);
        for (const bool start : {true, false}) {
            const StubLabel& label = shape.label(start);
            if (!shape.stub || label.text.isEmpty()) continue;
            const qreal width = QFontMetricsF(lineFont()).horizontalAdvance(label.text);
            const bool atRight = stubEnd(drawn, shape, start).textAtRight;
            const qreal left = atRight ? label.place.left() : label.place.right() - width;
            text({left, label.place.center().y() + 3}, label.text, lineFont(), edgeColour(drawn, options_.theme),
                 false);
        }
    }

    QXmlStreamWriter xml_;
    const DrawnGraph& graph_;
    const GraphLayout& layout_;
    const PaintOptions& options_;
};

}  // namespace

QByteArray writeSvg(const DrawnGraph& graph, const GraphLayout& layout, const PaintOptions& options,
                    const QString& title) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    SvgWriter(buffer, graph, layout, options).run(title);
    return buffer.data();
}

}  // namespace aotscope

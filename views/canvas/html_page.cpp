#include "canvas/html_page.h"

#include "canvas/page_data.h"
#include "canvas/svg_writer.h"

#include <QFile>
#include <QRegularExpression>

#include <map>

// Resources of a static library are linked on request, outside of any namespace.
static void loadPageResources() { Q_INIT_RESOURCE(page); }

namespace aotscope {

namespace {

QString resource(const char* name) {
    static const bool loaded = (loadPageResources(), true);
    Q_UNUSED(loaded)
    QFile file(QStringLiteral(":/page/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Colours of the light theme and their counterparts in the dark one, as variables of the style sheet.
class Palette {
public:
    QString variable(const QString& light, const QString& dark) {
        const auto [place, isNew] = numbers_.try_emplace({light, dark}, static_cast<int>(numbers_.size()));
        return QStringLiteral("--c%1").arg(place->second);
    }
    QString use(const QColor& light, const QColor& dark) {
        return QStringLiteral("var(%1)").arg(variable(light.name(), dark.name()));
    }

    QString styleSheet() const {
        QString light, dark;
        for (const auto& [colours, number] : numbers_) {
            light += QStringLiteral(" --c%1: %2;").arg(number).arg(colours.first);
            dark += QStringLiteral(" --c%1: %2;").arg(number).arg(colours.second);
        }
        return QStringLiteral(":root {%1 }\n@media (prefers-color-scheme: dark) { :root {%2 } }\n").arg(light, dark);
    }

private:
    std::map<std::pair<QString, QString>, int> numbers_;
};

/// The two pictures differ in their colours only: one of them, with variables as colours.
QString withVariables(const QString& light, const QString& dark, Palette& palette) {
    static const QRegularExpression colour(QStringLiteral("=\"(#[0-9a-f]{6})\""));
    auto others = colour.globalMatch(dark);
    QString result;
    qsizetype at = 0;
    for (auto matches = colour.globalMatch(light); matches.hasNext();) {
        const auto match = matches.next();
        const QString other = others.hasNext() ? others.next().captured(1) : match.captured(1);
        result += QStringView(light).mid(at, match.capturedStart(1) - at);
        result += QStringLiteral("var(%1)").arg(palette.variable(match.captured(1), other));
        at = match.capturedEnd(1);
    }
    return result + QStringView(light).mid(at);
}

QString svgIn(const PaintOptions& options, const Theme& theme, const DrawnGraph& graph, const GraphLayout& layout,
              const QString& title) {
    PaintOptions themed = options;
    themed.theme = theme;
    const QString svg = QString::fromUtf8(writeSvg(graph, layout, themed, title));
    return svg.mid(svg.indexOf(QLatin1String("<svg")));  // without the XML declaration
}

/// Both themes, with the palette of `options`.
Theme themeOf(const PaintOptions& options, bool dark) { return Theme::of({dark, options.theme.scheme.colourBlind}); }

QString legend(const DrawnGraph& graph, const PaintOptions& options, Palette& palette) {
    const auto light = themeOf(options, false).legend(graph, options.colourBy),
               dark = themeOf(options, true).legend(graph, options.colourBy);
    QString rows;
    for (std::size_t i = 0; i < light.size() && i < dark.size(); ++i) {
        const QString mark =
            light[i].tag.isEmpty()
                ? QStringLiteral("<i style=\"background: %1; border-color: %2\"></i>")
                      .arg(palette.use(light[i].fill, dark[i].fill), palette.use(light[i].border, dark[i].border))
                : QStringLiteral("<b>%1</b>").arg(light[i].tag.toHtmlEscaped());
        rows += QStringLiteral("<div>%1<span>%2</span></div>\n").arg(mark, light[i].text.toHtmlEscaped());
    }
    return rows;
}

constexpr const char* kHeader = R"html(<header>
<h1>%1</h1>
<input id="search" type="search" placeholder="Search (/)" aria-label="Search" />
<button id="previous" title="Previous (Shift+Enter)">&#8593;</button>
<button id="next" title="Next (Enter)">&#8595;</button>
<span id="count" role="status"></span>
<button id="out" title="Zoom out (-)">&#8722;</button>
<button id="in" title="Zoom in (+)">+</button>
<button id="fit" title="Show all (0)">All</button>
</header>
)html";

constexpr const char* kPanels = R"html(<ol id="results" hidden="hidden" aria-label="Hits"></ol>
<aside id="details" hidden="hidden">
<button id="close" title="Close (Esc)">&#215;</button>
<h2 id="name"></h2>
<dl id="facts"></dl>
</aside>
<div id="tip" hidden="hidden"></div>
)html";

QByteArray writePage(const DrawnGraph& graph, const GraphLayout& layout, const QByteArray& data,
                     const PaintOptions& options, const QString& title) {
    Palette palette;
    const QString svg = withVariables(svgIn(options, themeOf(options, false), graph, layout, title),
                                      svgIn(options, themeOf(options, true), graph, layout, title), palette);
    const QString colours = legend(graph, options, palette);
    const QString escaped = title.toHtmlEscaped();
    QString page =
        QStringLiteral("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n");
    page += QStringLiteral("<meta charset=\"utf-8\" />\n<title>") + escaped + QStringLiteral("</title>\n");
    page += QStringLiteral("<meta name=\"viewport\" content=\"width=device-width\" />\n");
    page += QStringLiteral(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'\" />\n");
    page += QStringLiteral("<style>\n") + palette.styleSheet() + resource("page.css") +
            QStringLiteral("</style>\n</head>\n<body>\n");
    page += QString::fromUtf8(kHeader).arg(escaped);
    page += QStringLiteral("<main>\n<div id=\"picture\">\n") + svg + QStringLiteral("</div>\n");
    page += QStringLiteral("<div id=\"legend\">\n") + colours + QStringLiteral("</div>\n");
    page += QString::fromUtf8(kPanels) + QStringLiteral("</main>\n");
    page += QStringLiteral("<script id=\"data\" type=\"application/json\">") + QString::fromUtf8(data) +
            QStringLiteral("</script>\n");
    page += QStringLiteral("<script>\n//<![CDATA[\n") + resource("page.js") +
            QStringLiteral("//]]>\n</script>\n</body>\n</html>\n");
    return page.toUtf8();
}

}  // namespace

QByteArray writeHtmlPage(const DrawnGraph& graph, const GraphLayout& layout, const Graph& source,
                         const PaintOptions& options, const QString& title) {
    return writePage(graph, layout, pageData(graph, source), options, title);
}

QByteArray writeHtmlPage(const DrawnGraph& graph, const GraphLayout& layout, const GraphDifference& difference,
                         const PaintOptions& options, const QString& title) {
    return writePage(graph, layout, pageData(graph, difference), options, title);
}

}  // namespace aotscope

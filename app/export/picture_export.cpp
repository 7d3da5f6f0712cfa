#include "export/picture_export.h"

#include "canvas/colouring.h"
#include "canvas/difference_picture.h"
#include "canvas/html_page.h"
#include "canvas/layout/layout_job.h"
#include "canvas/picture.h"
#include "canvas/subgraph_boxes.h"
#include "canvas/visible.h"
#include "charts/chart_file.h"
#include "charts/pareto_chart.h"
#include "export/packaged_qt.h"
#include "support/file.h"
#include "support/formatted.h"
#include "support/names.h"

#include <QApplication>
#include <QElapsedTimer>

#include <iostream>

namespace aotscope {

namespace {

/// Fonts and charts need an application; pictures need no screen.
void ensureApplication() {
    if (qApp) return;
    static int argc = 1;
    static char name[] = "aotscope";
    static char* argv[] = {name, nullptr};
    qputenv("QT_QPA_PLATFORM", "offscreen");
    usePackagedQt();
    // Missing parts of a desktop do not matter here, whenever Qt reports them.
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
        if (type == QtCriticalMsg || type == QtFatalMsg) std::cerr << qPrintable(text) << "\n";
    });
    static QApplication application(argc, argv);
}

void colourByValues(DrawnGraph& drawn, const GraphOfRun& shown, const PictureStyle& style,
                    std::vector<CompilerUse> compilers) {
    const auto by = style.overlay.empty() ? colourByFromName(toQString(style.colour)) : ColourBy::overlay;
    if (!by || !showsValues(*by)) return;
    ValueSources sources;
    sources.record =
        std::shared_ptr<const CompileRecord>(&shown.record, [](auto*) {});  // owned by the caller, who waits
    sources.compilers = std::move(compilers);
    sources.machine = shown.machine;
    if (!style.overlay.empty()) {
        sources.overlay = std::make_shared<const Overlay>(readOverlay(style.overlay));
        requireOverlap(*sources.overlay, shown.graph, shown.kind);
    }
    tint(drawn, valuesOf(*by, shown.graph, shown.kind, sources));
}

/// Lays out and writes. `facts`: facts about nodes for an HTML page, of a graph or a difference.
std::string writePicture(DrawnGraph plain, const auto& facts, const std::string& format,
                         const std::filesystem::path& file, const QString& title, const PictureStyle& style) {
    const auto whole = withGroups(std::move(plain));
    const auto seen = style.depth > 0 ? visibleGraph(whole, collapsedTo(*whole->groups, style.depth)) : whole;
    QElapsedTimer clock;
    clock.start();
    const GraphLayout layout = layoutNow(*seen);
    const auto ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    PaintOptions options;
    options.theme = Theme::of({.dark = false, .colourBlind = style.colourBlind});
    options.colourBy = withoutValues(colourByFromName(toQString(style.colour)).value_or(ColourBy::stage));
    const QByteArray picture = format == "html" ? writeHtmlPage(*seen, layout, facts, options, title)
                                                : renderPicture(*seen, layout, toQString(format), options, title);
    writeFileAtomically(file, {picture.constData(), static_cast<std::size_t>(picture.size())});
    std::string text = "layout " + formatDuration(ms) + " for " + counted(seen->nodes.size(), "box");
    if (!layout.note.isEmpty()) text += "; " + layout.note.toStdString();
    return text;
}

}  // namespace

std::string exportPicture(const GraphOfRun& shown, const std::string& format, const std::filesystem::path& file,
                          const PictureStyle& style, std::vector<CompilerUse> compilers) {
    ensureApplication();
    DrawnGraph drawn = drawGraph(shown.graph, shown.kind, shown.record);
    addSubgraphs(drawn, shown.graph);
    colourByValues(drawn, shown, style, std::move(compilers));
    const QString title = toQString(shown.record.model.name) + QStringLiteral(": ") + toQString(name(shown.kind)) +
                          QStringLiteral(" graph");
    return writePicture(std::move(drawn), shown.graph, format, file, title, style);
}

std::string exportDifferencePicture(const ComparedGraphs& graphs, const std::string& title, const std::string& format,
                                    const std::filesystem::path& file, const PictureStyle& style) {
    ensureApplication();
    return writePicture(drawDifference(graphs.before, graphs.after, graphs.difference), graphs.difference, format, file,
                        toQString(title), style);
}

void exportPareto(const std::vector<ParetoRow>& rows, const std::string& memory, const std::string& time,
                  const std::string& title, const std::filesystem::path& file) {
    ensureApplication();
    std::vector<ParetoMark> marks;
    for (const ParetoRow& row : rows)
        marks.push_back({.megabytes = row.megabytes,
                         .ms = row.ms,
                         .label = toQString(row.label),
                         .measured = row.measured,
                         .kind = row.kind});
    const QByteArray svg = plotSvg(paretoPlot(marks, {toQString(memory), toQString(time)}, toQString(title)));
    writeFileAtomically(file, {svg.constData(), static_cast<std::size_t>(svg.size())});
}

}  // namespace aotscope

// Makes the small pictures of the samples that the start page shows, in light and dark, and their numbers of
// operations: ninja -C build sample_pictures. Run it when a sample or the painter has changed, and look at them.

#include "canvas/layout/layout_job.h"
#include "canvas/paint.h"
#include "load/sample_list.h"
#include "session/session.h"
#include "support/file.h"

#include <QApplication>
#include <QImage>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace aotscope;

namespace {

constexpr QSize kSize(640, 300);      ///< twice what a card shows
constexpr int kMostBoxes = 14;        ///< modules are closed to the depth that leaves no more
constexpr double kLargestZoom = 1.5;  ///< of a small graph
constexpr double kMargin = 24;

/// The whole width of the graph, from its top.
QImage picture(const DrawnGraph& graph, const GraphLayout& layout, const Theme& theme) {
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(theme.background);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bounds = layout.bounds;
    const double zoom = std::min(kLargestZoom, (kSize.width() - 2 * kMargin) / bounds.width());
    const double top = std::max(kMargin, (kSize.height() - zoom * bounds.height()) / 2);
    painter.translate((kSize.width() - zoom * bounds.width()) / 2, top);
    painter.scale(zoom, zoom);
    painter.translate(-bounds.topLeft());
    PaintOptions options;
    options.theme = theme;
    options.scale = zoom;
    paintPicture(painter, graph, layout, options);
    return image;
}

void make(const std::string& sample, const QString& folder, nlohmann::json& operations) {
    Options options;
    options.model = "sample:" + sample;
    const auto record = Session::open(options, {})->record();
    const auto graph = record->graph(GraphKind::joint);
    const auto whole = withGroups(drawGraph(*graph, GraphKind::joint, *record));
    const auto seen = visibleGraph(whole, readable(*whole, kMostBoxes));
    const GraphLayout layout = layoutNow(*seen);
    for (const auto& [name, theme] : {std::pair{"light", Theme::light()}, std::pair{"dark", Theme::dark()}}) {
        const QString file = QStringLiteral("%1/%2-%3.png").arg(folder, toQString(sample), QLatin1String(name));
        if (!picture(*seen, layout, theme).save(file)) throw std::runtime_error("cannot write " + file.toStdString());
    }
    operations[sample] = graph->callCount();
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc != 2) {
        std::cerr << "usage: make_pictures FOLDER\n";
        return 2;
    }
    initializeTorch();
    const QString folder = QString::fromLocal8Bit(argv[1]);
    nlohmann::json operations = nlohmann::json::object();
    for (const SampleInfo& sample : sampleList()) make(sample.name, folder, operations);
    writeFileAtomically(folder.toStdString() + "/samples.json", operations.dump(1) + "\n");
    return 0;
}

#include "window/start_page.h"

#include "session/session.h"

#include <QFileInfo>
#include <QUrl>

namespace aotscope {

namespace {

/// Names of files may have any character.
QString linkTo(const QString& model) {
    return QStringLiteral("model:") + QString::fromLatin1(QUrl::toPercentEncoding(model));
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Start"));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QLatin1String("action")) Q_EMIT openRequested();
        else Q_EMIT modelChosen(url.path(QUrl::FullyDecoded));
    });
}

void StartPage::refresh(const QStringList& recentModels) {
    QString html =
        tr("<div style='margin:36px'><h1>aotscope</h1>"
           "<p>Takes a PyTorch model and shows every step of AOTAutograd: joint, forward and backward graphs, "
           "what is saved and why, what is recomputed, and how long each step takes.</p>"
           "<h2>Open a model</h2><p><a href='action:open'>Open a torch.export or TorchScript file…</a> (Ctrl+O), or "
           "drop one here. A log of graphs that Python printed (TORCH_LOGS, TORCH_TRACE) opens the same way.</p>");
    if (!recentModels.isEmpty()) {
        html += tr("<h3>Recent</h3><p>");
        for (const QString& model : recentModels)
            html += QStringLiteral("<a href='%1'>%2</a><br>")
                        .arg(linkTo(model),
                             (model.startsWith(QLatin1String("sample:")) ? model : QFileInfo(model).fileName())
                                 .toHtmlEscaped());
        html += QStringLiteral("</p>");
    }
    html += tr("<h3>Samples</h3><table cellspacing='4'>");
    for (const auto& sample : sampleList())
        html += QStringLiteral("<tr><td><a href='model:sample:%1'>%1</a></td><td>&nbsp;&nbsp;%2</td></tr>")
                    .arg(QString::fromStdString(sample.name), QString::fromStdString(sample.help).toHtmlEscaped());
    html += tr(
        "</table><h2>Three things to try</h2><ol>"
        "<li>Open <a href='model:sample:resnet18'>resnet18</a> and click a green box: the inspector says why that "
        "value is saved. Shift+R recomputes it instead.</li>"
        "<li>Drag the memory budget under What If: less is saved, more is recomputed, and the graph, bytes and times "
        "update at once. Ctrl+Z undoes it.</li>"
        "<li>Open <a href='model:sample:aliasing'>aliasing</a> and press M: inputs that are mutated, outputs that are "
        "views, and which values share memory.</li></ol></div>");
    setHtml(html);
}

}  // namespace aotscope

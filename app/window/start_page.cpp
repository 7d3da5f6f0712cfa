#include "window/start_page.h"

#include "session/session.h"

#include <QFileInfo>
#include <QUrl>

namespace aotscope {

StartPage::StartPage(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Start"));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString text = url.toString(QUrl::FullyDecoded);
        if (text == QLatin1String("action:open")) Q_EMIT openRequested();
        else Q_EMIT modelChosen(text.mid(static_cast<int>(qstrlen("model:"))));
    });
}

void StartPage::refresh(const QStringList& recentModels) {
    QString html =
        tr("<div style='margin:36px'><h1>aotscope</h1>"
           "<p>Takes a PyTorch model and shows every step of AOTAutograd: joint, forward and backward graphs, "
           "what is saved and why, what is recomputed, and how long each step takes.</p>"
           "<h2>Open a model</h2><p><a href='action:open'>Open a torch.export or TorchScript file…</a> (Ctrl+O), or "
           "drop one "
           "here. A log of graphs that Python printed (TORCH_LOGS, TORCH_TRACE) opens the same way.</p>");
    if (!recentModels.isEmpty()) {
        html += tr("<h3>Recent</h3><p>");
        for (const QString& model : recentModels)
            html += QStringLiteral("<a href='model:%1'>%2</a><br>")
                        .arg(model.toHtmlEscaped(),
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
        "<li>Drag the memory budget under What if: less is saved, more is computed again, and the picture, the bytes "
        "and times update at once. Ctrl+Z undoes it.</li>"
        "<li>Open <a href='model:sample:aliasing'>aliasing</a> and press M: inputs that are mutated, outputs that are "
        "views, and which values share memory.</li></ol></div>");
    setHtml(html);
}

}  // namespace aotscope

#pragma once

#include "ir/node_attributes.h"

#include <QString>

namespace aotscope {

/// Selects the node when it is clicked.
inline QString nodeLink(NodeId node, const QString& text) {
    return QStringLiteral("<a href='node:%1'>%2</a>").arg(QString::number(node), text.toHtmlEscaped());
}

/// The inspector's text: headings, sections and lines of a name and a value.
class HtmlWriter {
public:
    void heading(const QString& text) {
        html_ += QStringLiteral("<h3 style='margin-bottom:2px'>") + text.toHtmlEscaped() + QStringLiteral("</h3>");
    }
    void section(const QString& text) {
        html_ +=
            QStringLiteral("<p style='margin:8px 0 2px 0'><b>") + text.toHtmlEscaped() + QStringLiteral("</b></p>");
    }
    void line(const QString& html) { html_ += QStringLiteral("<div>") + html + QStringLiteral("</div>"); }
    void fact(const QString& name, const QString& value) {
        if (value.isEmpty()) return;
        line(QStringLiteral("<span class='faint'>") + name.toHtmlEscaped() + QStringLiteral("</span>&nbsp; ") +
             value.toHtmlEscaped());
    }
    void html(const QString& text) { html_ += text; }
    QString take() { return html_; }

private:
    QString html_;
};

}  // namespace aotscope

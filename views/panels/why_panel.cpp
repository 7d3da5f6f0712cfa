#include "panels/why_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QUrl>
#include <QVBoxLayout>

namespace aotscope {

WhyPanel::WhyPanel(QWidget* parent) : QWidget(parent), browser_(new QTextBrowser(this)), copy_(new QToolButton(this)) {
    browser_->setObjectName(QStringLiteral("why"));
    browser_->setAccessibleName(tr("Why"));
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    copy_->setText(tr("Copy as Text"));
    copy_->setObjectName(QStringLiteral("copyWhy"));
    copy_->setEnabled(false);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(copy_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 4);
    layout->addWidget(browser_, 1);
    layout->addLayout(row);
    connect(copy_, &QToolButton::clicked, this, &WhyPanel::copy);
    connect(browser_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (url.scheme() == QLatin1String("node")) Q_EMIT nodeSelected(static_cast<NodeId>(url.path().toInt()));
    });
}

void WhyPanel::showStory(const WhyStory& story) {
    story_ = story;
    alternatives_.clear();
    copy_->setEnabled(true);
    write();
}

void WhyPanel::setAlternatives(const QStringList& sentences) {
    alternatives_ = sentences;
    const int scrolled = browser_->verticalScrollBar()->value();
    write();
    browser_->verticalScrollBar()->setValue(scrolled);
}

void WhyPanel::showMessage(const QString& text) {
    story_ = {};
    alternatives_.clear();
    copy_->setEnabled(false);
    browser_->setHtml(QStringLiteral("<p style='color:gray'>") + text.toHtmlEscaped() + QStringLiteral("</p>"));
}

void WhyPanel::write() {
    QString html = whyHtml(story_);
    if (!alternatives_.isEmpty()) {
        html += QStringLiteral("<p style='margin:10px 0 3px 0'><b>") + tr("Cost of the other choice") +
                QStringLiteral("</b></p>");
        for (const QString& sentence : alternatives_)
            html += QStringLiteral("<div>") + sentence.toHtmlEscaped() + QStringLiteral("</div>");
    }
    browser_->setHtml(html);
}

void WhyPanel::copy() const {
    QString text = whyText(story_);
    if (!alternatives_.isEmpty()) text += u'\n' + alternatives_.join(u'\n') + u'\n';
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace aotscope

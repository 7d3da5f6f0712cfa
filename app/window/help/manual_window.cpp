#include "window/help/manual_window.h"

#include "models/manual.h"
#include "window/help/document_style.h"

#include <QDesktopServices>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QToolBar>
#include <QVBoxLayout>

namespace aotscope {

namespace {

constexpr int kPlace = Qt::UserRole;

/// Links to files beside the manual become plain text. Pictures are compiled in.
QString shownText(const ManualPage& page) {
    static const QRegularExpression outside(QStringLiteral("(?<!!)\\[([^\\]]*)\\]\\(\\.\\./[^)]*\\)"));
    return QString(page.text)
        .replace(outside, QStringLiteral("\\1"))
        .replace(QStringLiteral("](../screenshots/"), QStringLiteral("](:/screenshots/"));
}

/// A browser lays out its document, with all pictures in full size, for every word that is added.
QTextDocument* documentFor(QTextBrowser* browser, const ManualPage& page) {
    auto* document = new QTextDocument(browser);
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(browser->font());
    document->setMarkdown(shownText(page));
    styleDocument(*document);
    return document;
}

QTreeWidgetItem* itemOf(const QString& title, const QString& place, const QString& tip = {}) {
    auto* item = new QTreeWidgetItem({title});
    item->setData(0, kPlace, place);
    item->setToolTip(0, tip);
    return item;
}

}  // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      edit_(new QLineEdit(this)),
      contents_(new QTreeWidget(this)),
      browser_(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("manualWindow"));
    edit_->setPlaceholderText(tr("Search the manual"));
    edit_->setAccessibleName(edit_->placeholderText());
    edit_->setClearButtonEnabled(true);
    contents_->setHeaderHidden(true);
    contents_->setAccessibleName(tr("Contents"));
    browser_->setOpenLinks(false);
    browser_->setAccessibleName(tr("Manual page"));

    auto* bar = new QToolBar(this);
    back_ = bar->addAction(tr("Back"), this, [this] { step(behind_, ahead_); });
    back_->setObjectName(QStringLiteral("manualBack"));
    back_->setShortcut(QKeySequence::Back);
    forward_ = bar->addAction(tr("Forward"), this, [this] { step(ahead_, behind_); });
    forward_->setShortcut(QKeySequence::Forward);
    bar->addAction(tr("Contents"), this, [this] { open(QStringLiteral("index.md")); });
    auto* find = bar->addAction(tr("Search"), this, [this] {
        edit_->setFocus();
        edit_->selectAll();
    });
    find->setShortcut(QKeySequence::Find);

    auto* side = new QWidget(this);
    auto* sideLayout = new QVBoxLayout(side);
    sideLayout->setContentsMargins(0, 0, 0, 0);
    sideLayout->addWidget(edit_);
    sideLayout->addWidget(contents_);
    auto* splitter = new QSplitter(this);
    splitter->addWidget(side);
    splitter->addWidget(browser_);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({260, 700});
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(bar);
    layout->addWidget(splitter, 1);

    connect(edit_, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(edit_, &QLineEdit::returnPressed, this, [this] {
        if (auto* first = contents_->topLevelItem(0)) open(first->data(0, kPlace).toString());
    });
    connect(contents_, &QTreeWidget::itemClicked, this,
            [this](const QTreeWidgetItem* item) { open(item->data(0, kPlace).toString()); });
    connect(contents_, &QTreeWidget::itemActivated, this,
            [this](const QTreeWidgetItem* item) { open(item->data(0, kPlace).toString()); });
    connect(browser_, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
    connect(&pictures_, &FittedPictures::fitted, browser_->viewport(), qOverload<>(&QWidget::update));
    auto* close = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(close, &QShortcut::activated, this, &QWidget::close);
    fillContents();
    browser_->setFocus();
    resize(960, 720);
}

void ManualWindow::open(const QString& place) {
    if (place == place_) return scrollTo(place.section(u'#', 1));
    if (!place_.isEmpty()) behind_.push_back(place_);
    ahead_.clear();
    showPage(place);
}

void ManualWindow::follow(const QUrl& link) {
    if (!link.isRelative()) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QString page = link.path().isEmpty() ? place_.section(u'#', 0, 0) : link.path();
    open(link.hasFragment() ? page + u'#' + link.fragment() : page);
}

void ManualWindow::step(QStringList& from, QStringList& to) {
    if (from.isEmpty()) return;
    to.push_back(place_);
    showPage(from.takeLast());
}

void ManualWindow::showPage(const QString& place) {
    const ManualPage* page = Manual::instance().find(place.section(u'#', 0, 0));
    place_ = page ? place : QStringLiteral("index.md");
    if (!page) page = &Manual::instance().pages().front();
    showDocument(documentFor(browser_, *page));
    setWindowTitle(tr("%1 – aotscope manual").arg(page->title));
    back_->setEnabled(!behind_.isEmpty());
    forward_->setEnabled(!ahead_.isEmpty());
    markWords();
    scrollTo(place_.section(u'#', 1));
}

/// Qt's Markdown headings have no anchors.
void ManualWindow::scrollTo(const QString& anchor) {
    QTextCursor cursor(browser_->document());
    for (QTextBlock block = browser_->document()->begin(); !anchor.isEmpty() && block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor) {
            cursor.setPosition(block.position());
            break;
        }
    browser_->setTextCursor(cursor);
    browser_->verticalScrollBar()->setValue(browser_->verticalScrollBar()->value() + browser_->cursorRect().top());
}

void ManualWindow::fillContents() {
    contents_->clear();
    for (const ManualPage& page : Manual::instance().pages()) {
        QTreeWidgetItem* item = itemOf(page.title, page.name);
        contents_->addTopLevelItem(item);
        for (const ManualPage::Section& section : page.sections)
            item->addChild(itemOf(section.title, page.name + u'#' + section.anchor));
    }
}

void ManualWindow::search(const QString& text) {
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    markWords();
    if (words.isEmpty()) return fillContents();
    contents_->clear();
    for (const Manual::Hit& hit : Manual::instance().search(words)) {
        const QString title = hit.anchor.isEmpty() ? hit.title : hit.page->title + QStringLiteral(" › ") + hit.title;
        contents_->addTopLevelItem(
            itemOf(title, hit.anchor.isEmpty() ? hit.page->name : hit.page->name + u'#' + hit.anchor, hit.excerpt));
    }
    if (!contents_->topLevelItemCount()) {
        auto* none = new QTreeWidgetItem({tr("No results")});
        none->setFlags(Qt::NoItemFlags);
        contents_->addTopLevelItem(none);
    }
}

void ManualWindow::showDocument(QTextDocument* document) {
    const QTextDocument* before = std::exchange(page_, document);
    fitPictures();
    browser_->setExtraSelections({});
    browser_->setDocument(page_);
    delete before;
}

void ManualWindow::fitPictures() {
    if (!page_) return;
    const int margins = 2 * static_cast<int>(page_->documentMargin());
    pictures_.fit(*page_, browser_->viewport()->width() - margins, devicePixelRatioF());
}

void ManualWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitPictures();
}

/// Marks the search words on the page.
void ManualWindow::markWords() {
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(palette().color(QPalette::Highlight));
    format.setForeground(palette().color(QPalette::HighlightedText));
    for (const QString& word : edit_->text().split(u' ', Qt::SkipEmptyParts)) {
        QTextCursor cursor(browser_->document());
        while (word.size() > 1 && !(cursor = browser_->document()->find(word, cursor)).isNull())
            marks.push_back({cursor, format});
    }
    browser_->setExtraSelections(marks);
}

}  // namespace aotscope

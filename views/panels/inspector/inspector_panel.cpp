#include "panels/inspector/inspector_panel.h"

#include "ir/provenance.h"
#include "models/glossary.h"
#include "models/words/to_qstring.h"
#include "panels/graph/source_view.h"
#include "panels/inspector/html_writer.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <QUrl>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace aotscope {

namespace {

constexpr std::size_t kManyNodes = 5000;  ///< counting their operations would block the window

QString alternativesHtml(const QStringList& sentences) {
    HtmlWriter out;
    out.section(QObject::tr("Cost of the other choice"));
    for (const QString& sentence : sentences) out.line(sentence.toHtmlEscaped());
    return out.take();
}

/// The other sections list names and values.
bool hasSentences(const InspectorSection& section) {
    return section.name == QLatin1String(kWhySection) || section.name == QLatin1String("metadata") ||
           section.name == QLatin1String("graph");
}

/// The characters of the link that leads to `address`.
QTextCursor linkIn(QTextDocument* document, const QString& address) {
    for (QTextBlock block = document->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().anchorHref() == address) {
                QTextCursor cursor(document);
                cursor.setPosition(part.fragment().position());
                cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
                return cursor;
            }
    return {};
}

}  // namespace

InspectorPanel::InspectorPanel(QWidget* parent)
    : QWidget(parent),
      browser_(new QTextBrowser(this)),
      showSource_(new QPushButton(tr("Show Source"), this)),
      copyWhy_(new QPushButton(tr("Copy Why"), this)) {
    browser_->setObjectName(QStringLiteral("inspector"));
    browser_->setAccessibleName(tr("Inspector"));
    browser_->setOpenLinks(false);
    browser_->setPlaceholderText(tr("Select operations or a module to see details."));
    browser_->setFrameShape(QFrame::NoFrame);
    showSource_->setObjectName(QStringLiteral("showSource"));
    copyWhy_->setObjectName(QStringLiteral("copyWhy"));
    copyWhy_->setToolTip(tr("Copies as text why the value is saved or recomputed: rules, numbers, and other choices"));
    copyWhy_->hide();
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(showSource_);
    buttons->addWidget(copyWhy_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(browser_);
    layout->addLayout(buttons);
    browser_->viewport()->installEventFilter(this);
    connect(browser_, &QTextBrowser::anchorClicked, this, &InspectorPanel::follow);
    setFocusProxy(browser_);
    connect(showSource_, &QPushButton::clicked, this, &InspectorPanel::showSource);
    connect(copyWhy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(whyText()); });
    connect(&counting_, &QFutureWatcherBase::finished, this, [this] {
        if (counting_.isCanceled()) return;  // the shown node has changed
        sections_ = counting_.result();
        write();
    });
    setSource(nullptr);
}

void InspectorPanel::showNode(const InspectedNode& inspected) {
    counting_.cancel();
    sections_ = nodeSections(inspected);
    graph_.reset();
    const NodeId node = inspected.idOf(inspected.node);
    const bool another = node_ != node;
    node_ = node;
    why_ = inspected.why;
    copyWhy_->setVisible(why_.has_value());
    write();
    if (another) browser_->verticalScrollBar()->setValue(0);
    setSource(provenanceOf(inspected.node).source);
}

void InspectorPanel::showGraph(const std::shared_ptr<const Graph>& graph, GraphKind kind) {
    if (graph_.lock() == graph) return;
    const bool many = graph->size() >= kManyNodes;
    showNoNode(many ? std::vector<InspectorSection>() : graphSections(*graph, kind));
    graph_ = graph;
    if (many) counting_.setFuture(QtConcurrent::run([graph, kind] { return graphSections(*graph, kind); }));
}

void InspectorPanel::showSelection(const InspectedSelection& inspected) { showNoNode(selectionSections(inspected)); }

void InspectorPanel::showNoNode(std::vector<InspectorSection> sections) {
    counting_.cancel();
    sections_ = std::move(sections);
    graph_.reset();
    node_ = kNoNode;
    why_.reset();
    copyWhy_->hide();
    write();
    setSource(nullptr);
}

void InspectorPanel::setAlternatives(NodeId node, const QStringList& sentences) {
    const bool shown = (node == node_ && why_) && (askedOf_ != node || alternatives_ != sentences);
    askedOf_ = node;
    alternatives_ = sentences;
    if (shown) write();
}

void InspectorPanel::setClosedSections(const QStringList& names) {
    closed_ = names;
    write();
}

/// The text is the same for every node as far as possible: keep its place.
void InspectorPanel::write() {
    QString html;
    for (const InspectorSection& section : sections_) {
        if (!section.title.isEmpty()) html += heading(section);
        if (closed_.contains(section.name)) continue;
        html += hasSentences(section) ? Glossary::instance().linked(section.html) : section.html;
        if (section.name == QLatin1String(kWhySection) && askedOf_ == node_ && !alternatives_.isEmpty())
            html += alternativesHtml(alternatives_);
    }
    const int scrolled = browser_->verticalScrollBar()->value();
    browser_->document()->setDefaultStyleSheet(
        QStringLiteral(".faint { color: %1 }").arg(palette().color(QPalette::PlaceholderText).name()));
    browser_->setHtml(html);
    markTerms();
    browser_->verticalScrollBar()->setValue(scrolled);
}

/// Terms of the glossary look like the text, with dots below them: links lead to nodes.
void InspectorPanel::markTerms() {
    QTextCharFormat term;
    term.setForeground(palette().text());
    term.setFontUnderline(false);
    term.setUnderlineStyle(QTextCharFormat::DotLine);
    QTextCursor cursor(browser_->document());
    for (QTextBlock block = browser_->document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (!Glossary::instance().at(part.fragment().charFormat().anchorHref())) continue;
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(term);
        }
}

/// The term under the pointer is explained.
bool InspectorPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::eventFilter(object, event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const GlossaryTerm* term = Glossary::instance().at(browser_->anchorAt(help->pos()));
    QToolTip::showText(help->globalPos(), term ? term->tip() : QString(), browser_);
    return true;
}

QString InspectorPanel::heading(const InspectorSection& section) const {
    const QString sign = closed_.contains(section.name) ? QStringLiteral("▸ ") : QStringLiteral("▾ ");
    return QStringLiteral(
               "<p style='margin:10px 0 2px 0'><a name='%1' href='section:%1' "
               "style='text-decoration:none; color:%2'><b>%3</b></a></p>")
        .arg(section.name, palette().color(QPalette::Text).name(), sign + section.title.toHtmlEscaped());
}

void InspectorPanel::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("node")) Q_EMIT nodeSelected(static_cast<NodeId>(link.path().toInt()));
    if (link.scheme() == QLatin1String("action")) Q_EMIT overrideAsked(link.path());
    if (link.scheme() == QLatin1String("section")) toggle(link.path());
    if (Glossary::instance().at(link.toString())) Q_EMIT manualAsked(link.toString());
}

/// The focus stays at the heading.
void InspectorPanel::toggle(const QString& section) {
    if (closed_.removeAll(section) == 0) closed_ << section;
    write();
    if (const QTextCursor link = linkIn(browser_->document(), QStringLiteral("section:") + section); !link.isNull())
        browser_->setTextCursor(link);
    Q_EMIT closedSectionsChanged(closed_);
}

void InspectorPanel::showSection(const QString& name) {
    if (closed_.contains(name)) toggle(name);
    browser_->scrollToAnchor(name);
}

QString InspectorPanel::whyText() const {
    if (!why_) return {};
    QString text = aotscope::whyText(*why_);
    if (askedOf_ == node_ && !alternatives_.isEmpty()) text += u'\n' + alternatives_.join(u'\n') + u'\n';
    return text;
}

/// Colours are written into the text.
void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) write();
    QWidget::changeEvent(event);
}

void InspectorPanel::setSource(std::shared_ptr<const SourceInfo> source) {
    source_ = std::move(source);
    const bool named = source_ && !source_->file.empty();
    const QString file = named ? toQString(source_->file) : QString();
    showSource_->setVisible(named);
    showSource_->setEnabled(named && haveSource(file));
    showSource_->setToolTip(!named                     ? QString()
                            : showSource_->isEnabled() ? tr("%1, line %2").arg(file, QString::number(source_->line))
                                                       : tr("The file '%1' is not on this machine").arg(file));
    Q_EMIT sourceChanged();
}

void InspectorPanel::showSource() {
    if (!hasSource()) return;
    auto* view = new SourceView(toQString(source_->file), source_->line, window());
    view->setAttribute(Qt::WA_DeleteOnClose);
    view->show();
}

}  // namespace aotscope

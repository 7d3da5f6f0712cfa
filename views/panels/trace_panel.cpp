#include "panels/trace_panel.h"

#include "io/trace/trace_log_text.h"
#include "models/words/to_qstring.h"
#include "panels/tables/quiet_focus.h"
#include "support/formatted.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace aotscope {

namespace {

enum TraceColumn { kCompile, kFunction, kTime, kHappened, kColumns };
constexpr int kCompileRole = Qt::UserRole;
constexpr int kDeepest = 20, kTreeWidth = 560, kPageWidth = 340, kChartWidth = 220;

QStandardItem* cellOf(const QString& text, const QString& tip = {}) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setToolTip(tip.isEmpty() ? text : tip);
    return item;
}

}  // namespace

TracePanel::TracePanel(QWidget* parent)
    : QWidget(parent),
      note_(new QLabel(this)),
      filter_(new QLineEdit(this)),
      model_(new QStandardItemModel(this)),
      proxy_(new QSortFilterProxyModel(this)),
      tree_(new QuietFocus<QTreeView>(this)),
      browser_(new QTextBrowser(this)),
      times_(new TimeChart(this)),
      splitter_(new QSplitter(this)) {
    note_->setObjectName(QStringLiteral("traceNote"));
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setWordWrap(true);
    filter_->setObjectName(QStringLiteral("traceFilter"));
    filter_->setAccessibleName(tr("Filter compilations"));
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    proxy_->setSourceModel(model_);
    proxy_->setFilterKeyColumn(-1);
    proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy_->setRecursiveFilteringEnabled(true);
    proxy_->setAutoAcceptChildRows(true);
    connect(filter_, &QLineEdit::textChanged, proxy_, &QSortFilterProxyModel::setFilterFixedString);
    connect(filter_, &QLineEdit::textChanged, tree_, &QTreeView::expandAll);
    tree_->setObjectName(QStringLiteral("compilations"));
    tree_->setAccessibleName(tr("Compilations"));
    tree_->setModel(proxy_);
    tree_->setUniformRowHeights(true);
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { choose(current); });
    connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& row) {
        const auto compile = row.siblingAtColumn(kCompile).data(kCompileRole);
        if (compile.isValid()) Q_EMIT graphsAsked(toQString(log_->compiles[compile.toULongLong()].id));
    });
    browser_->setObjectName(QStringLiteral("compilePage"));
    browser_->setAccessibleName(tr("Compilation"));
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    connect(browser_, &QTextBrowser::anchorClicked, this, &TracePanel::follow);
    times_->setObjectName(QStringLiteral("compileTimes"));
    times_->setAccessibleName(tr("Compile times"));
    auto* left = new QWidget(splitter_);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(filter_);
    column->addWidget(tree_, 1);
    auto* chart = new QScrollArea(this);
    chart->setWidget(times_);
    chart->setWidgetResizable(true);
    chart->setFrameShape(QFrame::NoFrame);
    splitter_->setObjectName(QStringLiteral("traceSplitter"));
    splitter_->addWidget(left);
    splitter_->addWidget(browser_);
    splitter_->addWidget(chart);
    splitter_->setSizes({kTreeWidth, kPageWidth, kChartWidth});
    splitter_->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 0);
    layout->setSpacing(2);
    layout->addWidget(note_);
    layout->addWidget(splitter_, 1);
}

void TracePanel::setTrace(std::shared_ptr<const TraceLog> log, const std::vector<CompileStory>& stories,
                          const QString& note) {
    log_ = std::move(log);
    shownPage_.reset();
    note_->setText(note);
    browser_->clear();
    showTimes({});
    model_->clear();
    model_->setHorizontalHeaderLabels({tr("Compilation"), tr("Function"), tr("Time"), tr("What happened")});
    splitter_->setVisible(log_ != nullptr);
    summary_ = log_ ? logHtml(*log_, stories) : QString();
    if (!log_) return;
    const auto frames = framesOf(*log_);
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames[i].resumes) addFrame(frames, i, stories, model_->invisibleRootItem(), 0);
    tree_->expandAll();
    for (const int c : {kCompile, kFunction, kTime}) tree_->resizeColumnToContents(c);
    constexpr int widest = 170;  // the tooltip has the rest
    tree_->setColumnWidth(kFunction, std::min(tree_->columnWidth(kFunction), widest));
}

/// Recompilations are below the first compilation of a function, and so are the functions that continue it.
void TracePanel::addFrame(const std::vector<TracedFrame>& frames, std::size_t frame,
                          const std::vector<CompileStory>& stories, QStandardItem* parent, int depth) {
    QStandardItem* first = nullptr;
    for (const std::size_t i : frames[frame].compiles) {
        const TracedCompile& compile = log_->compiles[i];
        const CompileStory& story = stories[i];
        QStringList happened;
        for (const auto& each : happenings(story)) happened << toQString(each);
        auto* id = cellOf(toQString(compile.id));
        id->setData(QVariant::fromValue<qulonglong>(i), kCompileRole);
        auto* time = cellOf(story.seconds > 0 ? toQString(formatDuration(story.seconds * 1000)) : QString());
        time->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        const QString place = toQString(shortPlace(compile.code));
        (first ? first : parent)
            ->appendRow({id, cellOf(place, place + u'\n' + toQString(compile.code.file)), time,
                         cellOf(happened.join(QStringLiteral("; ")).section(u'\n', 0, 0), happened.join(u'\n'))});
        if (!first) first = id;
    }
    if (depth < kDeepest)
        for (const std::size_t next : frames[frame].resumed)
            addFrame(frames, next, stories, first ? first : parent, depth + 1);
}

void TracePanel::choose(const QModelIndex& row) {
    const auto compile = row.siblingAtColumn(kCompile).data(kCompileRole);
    if (!compile.isValid()) return;
    guards_ = false;
    Q_EMIT pageAsked(static_cast<std::size_t>(compile.toULongLong()));
}

QString TracePanel::selected() const { return tree_->currentIndex().siblingAtColumn(kCompile).data().toString(); }

bool TracePanel::select(const QString& id) {
    const auto rows = model_->match(model_->index(0, 0), Qt::DisplayRole, id, 1, Qt::MatchExactly | Qt::MatchRecursive);
    if (rows.isEmpty()) return false;
    const QModelIndex row = proxy_->mapFromSource(rows.front());
    if (!row.isValid()) return false;
    if (row == tree_->currentIndex()) choose(row);
    tree_->setCurrentIndex(row);
    return true;
}

void TracePanel::setShown(const QString& id) {
    shown_ = id;
    if (log_ && !select(id)) {  // the second graphs of a compilation have a number after its id
        shown_ = id.section(u'#', 0, -2);
        select(shown_);
    }
    if (shownPage_) write();
}

void TracePanel::setShownAmongAll(const QString& id) {
    shown_ = id;
    showSummary();
}

void TracePanel::showSummary() {
    tree_->setCurrentIndex({});
    tree_->clearSelection();
    shownPage_.reset();
    showTimes({});
    browser_->setHtml(summary_);
}

/// The text gets the room of an empty chart.
void TracePanel::showTimes(TimePicture times) {
    splitter_->widget(splitter_->count() - 1)->setVisible(!times.bars.empty());
    times_->setPicture(std::move(times));
}

void TracePanel::setPage(CompilePage page) {
    showTimes(compilePicture(page.story));
    shownPage_ = std::move(page);
    write();
}

void TracePanel::write() { browser_->setHtml(compileHtml(*shownPage_, shown_, guards_)); }

void TracePanel::showRecord(const LogRecord& record, const QString& text) {
    if (shownPage_) browser_->setHtml(recordHtml(*shownPage_, record, text));
}

void TracePanel::follow(const QUrl& link) {
    const QString address = QUrl::fromPercentEncoding(link.toEncoded());
    const QString kind = address.section(u':', 0, 0), rest = address.section(u':', 1);
    if (kind == QLatin1String("open")) Q_EMIT graphsAsked(rest);
    else if (kind == QLatin1String("about")) select(rest);
    else if (kind == QLatin1String("node")) Q_EMIT nodeAsked(rest);
    else if (kind == QLatin1String("saved")) Q_EMIT savedAsked();
    else if (kind == QLatin1String("record")) Q_EMIT recordAsked(rest.toULongLong());
    else if (kind == QLatin1String("source"))
        Q_EMIT sourceAsked(rest.section(u':', 1), rest.section(u':', 0, 0).toInt());
    else if (kind == QLatin1String("log")) showSummary();
    else if (kind == QLatin1String("guards") && shownPage_) {
        guards_ = !guards_;
        const int place = browser_->verticalScrollBar()->value();
        write();
        browser_->verticalScrollBar()->setValue(place);
    }
}

}  // namespace aotscope

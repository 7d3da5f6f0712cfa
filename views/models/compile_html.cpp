#include "models/compile_html.h"

#include "io/ranks/ranks_text.h"
#include "io/tables/rank_tables.h"
#include "io/tables/table_text.h"
#include "io/tables/trace_tables.h"
#include "io/trace/trace_log_text.h"
#include "io/trace/trace_summary.h"
#include "load/printed/log/section_kinds.h"
#include "models/words/to_qstring.h"
#include "support/formatted.h"
#include "support/joined.h"
#include "support/names.h"

#include <QObject>
#include <QUrl>
#include <algorithm>
#include <map>

namespace aotscope {

namespace {

constexpr std::size_t kMostGuards = 2000, kMostCalls = 200, kMostRecords = 400;
constexpr std::size_t kMostHappenings = 40, kMostCompiles = 12, kMostSlow = 10;

QString escaped(const std::string& text) { return toQString(text).toHtmlEscaped(); }
QString faint(const QString& html) { return QStringLiteral("<span class='faint'>") + html + QStringLiteral("</span>"); }

QString linkTo(const QString& address, const QString& text) {
    return QStringLiteral("<a href='") + address.toHtmlEscaped() + QStringLiteral("'>") + text.toHtmlEscaped() +
           QStringLiteral("</a>");
}

/// Names of files and nodes may contain anything.
QString addressOf(const char* kind, const QString& what) {
    return QLatin1String(kind) + u':' + QString::fromLatin1(QUrl::toPercentEncoding(what));
}

QString placeLink(const CodePlace& place) {
    if (!place.known()) return escaped(place.function);
    const QString where = QString::number(place.line) + u':' + toQString(place.file);
    const QString link = linkTo(addressOf("source", where), toQString(shortPlace(place)));
    return place.code.empty()
               ? link
               : link + QStringLiteral(" &nbsp;<code>") + escaped(place.code) + QStringLiteral("</code>");
}

QString sectionHead(const QString& title) {
    return QStringLiteral("<p style='margin:10px 0 3px 0'><b>") + title.toHtmlEscaped() + QStringLiteral("</b></p>");
}
QString lineOf(const QString& html, int indent = 0) {
    return QStringLiteral("<div style='margin-left:%1px'>").arg(indent * 16) + html + QStringLiteral("</div>");
}

/// The summary of a log being written.
class LogWriter {
public:
    LogWriter(const TraceLog& log, const std::vector<CompileStory>& stories)
        : log_(log), stories_(stories), summary_(summaryOf(stories)) {}

    QString write() {
        html_ = QStringLiteral("<h3 style='margin-bottom:2px'>") + escaped(log_.path.filename().string()) +
                QStringLiteral("</h3>");
        happenings(QObject::tr("Failures"), summary_.failures);
        happenings(QObject::tr("Graph breaks, by place"), summary_.breaks);
        happenings(QObject::tr("Recompilations, by reason"), summary_.recompilations);
        times();
        caches();
        return html_;
    }

private:
    QString pageLink(std::size_t compile) const {
        const QString id = toQString(log_.compiles[compile].id);
        return linkTo(addressOf("about", id), id);
    }
    void more(std::size_t shown, std::size_t all) {
        if (all > shown) html_ += lineOf(faint(QObject::tr("and %1 more").arg(all - shown)));
    }

    void happenings(const QString& title, const std::vector<TraceSummary::Happening>& list) {
        if (list.empty()) return;
        html_ += sectionHead(title);
        const std::size_t count = std::min(list.size(), kMostHappenings);
        for (std::size_t i = 0; i < count; ++i) {
            const TraceSummary::Happening& each = list[i];
            html_ += lineOf(QStringLiteral("<b>%1×</b> ").arg(each.compiles.size()) + escaped(each.what));
            if (each.place.known()) html_ += lineOf(placeLink(each.place), 1);
            QStringList links;
            for (std::size_t c = 0; c < std::min(each.compiles.size(), kMostCompiles); ++c)
                links << pageLink(each.compiles[c]);
            if (each.compiles.size() > kMostCompiles) links << QStringLiteral("…");
            html_ += lineOf(faint(QObject::tr("in ")) + links.join(QStringLiteral(", ")), 1);
        }
        more(count, list.size());
    }

    void times() {
        if (summary_.slowest.empty()) return;
        html_ += sectionHead(QObject::tr("Compile time, longest first"));
        const std::size_t count = std::min(summary_.slowest.size(), kMostSlow);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t compile = summary_.slowest[i];
            const double seconds = stories_[compile].seconds;
            html_ += lineOf(toQString(formatDuration(seconds * 1000)) +
                            QStringLiteral(" (%1 %) &nbsp;").arg(100 * seconds / summary_.seconds, 0, 'f', 0) +
                            pageLink(compile) + u' ' + escaped(log_.compiles[compile].code.function) +
                            QStringLiteral(" &nbsp;") +
                            linkTo(addressOf("open", toQString(log_.compiles[compile].id)), QObject::tr("graphs")));
        }
        more(count, summary_.slowest.size());
    }

    void caches() {
        if (summary_.caches.empty()) return;
        html_ += sectionHead(QObject::tr("Caches"));
        for (const TraceSummary::Cache& cache : summary_.caches) {
            QString text = QObject::tr("%1 cache: %2, %3")
                               .arg(toQString(cache.name), toQString(counted(cache.hits, "hit")),
                                    QObject::tr("%1 missed").arg(cache.misses));
            if (cache.others > 0) text += QObject::tr(", %1 bypassed or failed").arg(cache.others);
            if (cache.savedMs > 0) text += QObject::tr(", %1 saved").arg(toQString(formatDuration(cache.savedMs)));
            html_ += lineOf(text.toHtmlEscaped());
        }
    }

    const TraceLog& log_;
    const std::vector<CompileStory>& stories_;
    TraceSummary summary_;
    QString html_;
};

/// The page being written.
class PageWriter {
public:
    PageWriter(const CompilePage& page, QString shown, bool guards)
        : page_(page), story_(page.story), shown_(std::move(shown)), guards_(guards) {}

    QString write() {
        head();
        failure();
        ranks();
        recompiled();
        breaks();
        caches();
        saved();
        symbols();
        guards();
        code();
        lists();
        records();
        return html_;
    }

private:
    bool isShown() const { return toQString(page_.traced().id) == shown_; }
    void section(const QString& title) { html_ += sectionHead(title); }
    void line(const QString& html, int indent = 0) { html_ += lineOf(html, indent); }
    void lines(const std::string& text, int indent) {
        for (const QString& each : toQString(text).split(u'\n', Qt::SkipEmptyParts)) line(each.toHtmlEscaped(), indent);
    }

    void head() {
        const TracedCompile& compile = page_.traced();
        if (page_.log->compiles.size() > 1) line(linkTo(QStringLiteral("log:"), QObject::tr("All compilations")));
        html_ += QStringLiteral("<h3 style='margin-bottom:2px'>") + escaped(compile.id + "  " + compile.code.function) +
                 QStringLiteral("</h3>");
        if (compile.code.known()) line(placeLink(compile.code));
        QStringList facts;
        if (story_.seconds > 0)
            facts << QObject::tr("compiled in %1").arg(toQString(formatDuration(story_.seconds * 1000)));
        if (const auto count = story_.operatorCount)
            facts << QObject::tr("%1 captured by Dynamo")
                         .arg(toQString(
                             counted(static_cast<std::size_t>(std::max<std::int64_t>(*count, 0)), "operation")));
        if (const auto count = story_.guardCount)
            facts << toQString(counted(static_cast<std::size_t>(std::max<std::int64_t>(*count, 0)), "guard"));
        if (compile.attempts() > 1) facts << QObject::tr("%1 attempts").arg(compile.attempts());
        line(faint(facts.join(QStringLiteral(", ")).toHtmlEscaped()));
        const QString graphs = toQString(joined(graphNames(*page_.log, compile), ", "));
        if (graphs.isEmpty()) line(faint(QObject::tr("The log has no graphs of it.")));
        else
            line(linkTo(addressOf("open", toQString(compile.id)),
                        (isShown() ? QObject::tr("Its graphs are shown: %1") : QObject::tr("Show its graphs: %1"))
                            .arg(graphs)));
    }

    void failure() {
        if (story_.failure.empty()) return;
        section(QObject::tr("It failed"));
        line(escaped(story_.failure));
        if (story_.failurePlace.known()) line(placeLink(story_.failurePlace), 1);
    }

    void ranks() {
        if (page_.differences.empty()) return;
        section(QObject::tr("Other ranks"));
        for (const RankDifference& difference : page_.differences) {
            line(QStringLiteral("<b>") + escaped(headline(difference)) + QStringLiteral("</b>"));
            for (const Table::Row& row : rankPlaceTable(difference, page_.ranks).rows)
                line(faint(escaped(row.cells[0].text)) + QStringLiteral(" <code>") + escaped(row.cells[1].text) +
                         QStringLiteral("</code>"),
                     1);
        }
    }

    void recompiled() {
        if (story_.recompiledFor.empty()) return;
        section(QObject::tr("Why it was recompiled"));
        for (std::size_t i = 0; i < story_.recompiledFor.size(); ++i) {
            const FailedGuard& guard = story_.recompiledFor[i];
            const TracedCompile* earlier = page_.log->before(page_.traced(), guard.earlier);
            line((earlier ? linkTo(addressOf("about", toQString(earlier->id)), toQString(earlier->id))
                          : QObject::tr("An earlier compilation")) +
                 QObject::tr(" does not fit any more: ") + QStringLiteral("<code>") + escaped(guard.check) +
                 QStringLiteral("</code>"));
            if (guard.place.known()) line(QObject::tr("asked for by ") + placeLink(guard.place), 1);
            if (!guard.hint.empty()) line(faint(escaped(guard.hint)), 1);
            if (i < page_.madeFor.size() && !page_.madeFor[i].empty())
                line(faint(QObject::tr("it was compiled for ")) + QStringLiteral("<code>") + escaped(page_.madeFor[i]) +
                         QStringLiteral("</code>"),
                     1);
        }
    }

    void breaks() {
        for (const std::string& reason : story_.restarts)
            line(QObject::tr("Dynamo started again: %1").arg(toQString(reason)).toHtmlEscaped());
        if (story_.breaks.empty()) return;
        section(QObject::tr("Graph breaks"));
        for (const GraphBreak& each : story_.breaks) {
            line(placeLink(each.place));
            line(QStringLiteral("<b>") + escaped(each.reason) + QStringLiteral("</b>"), 1);
            lines(each.explanation, 1);
            if (!each.hint.empty()) {
                line(faint(QObject::tr("What helps")), 1);
                lines(each.hint, 2);
            }
            if (each.link.starts_with("https://")) line(linkTo(toQString(each.link), toQString(each.link)), 1);
            for (std::size_t i = 0; i + 1 < each.stack.size(); ++i)
                line(faint(QObject::tr("called from ")) + placeLink(each.stack[i]), 1);
        }
    }

    void caches() {
        if (story_.caches.empty()) return;
        section(QObject::tr("Caches"));
        for (std::size_t i = 0; i < story_.caches.size(); ++i) {
            const CacheEvent& event = story_.caches[i];
            QString text = QObject::tr("%1 cache: %2")
                               .arg(escaped(event.cache),
                                    QStringLiteral("<b>") + toQString(nameOf(event.state)) + QStringLiteral("</b>"));
            if (event.savedMs > 0) text += QObject::tr(", %1 saved").arg(toQString(formatDuration(event.savedMs)));
            if (!event.reason.empty()) text += QStringLiteral(": ") + escaped(event.reason);
            line(text + QStringLiteral(" &nbsp;") +
                 linkTo(QStringLiteral("record:%1").arg(event.line), QObject::tr("record")));
            if (i < page_.missed.size() && event.state == CacheEvent::State::miss) missed(page_.missed[i], event);
        }
    }

    void missed(const std::vector<KeyDifference>& parts, const CacheEvent& event) {
        if (parts.empty() && !event.keyParts.empty())
            line(faint(QObject::tr("Nothing like it was looked up before in this log.")), 1);
        const std::string* shown = nullptr;  // a part may differ in several lines
        for (const KeyDifference& part : parts) {
            if (!shown || *shown != part.part)
                line(QObject::tr("Other than at the lookup most like it: %1").arg(toQString(part.part)).toHtmlEscaped(),
                     1);
            shown = &part.part;
            line(faint(QObject::tr("there")) + QStringLiteral(" <code>") + escaped(part.earlier) +
                     QStringLiteral("</code>"),
                 2);
            line(faint(QObject::tr("here")) + QStringLiteral(" <code>") + escaped(part.now) + QStringLiteral("</code>"),
                 2);
        }
    }

    void saved() {
        const bool backward =
            std::any_of(page_.traced().records.begin(), page_.traced().records.end(),
                        [&](const LogRecord& r) { return page_.log->nameOf(r) == "aot_backward_graph"; });
        if (!backward) return;
        section(QObject::tr("What is saved for backward"));
        if (isShown()) line(linkTo(QStringLiteral("saved:"), QObject::tr("Values: every saved tensor, and why")));
        else
            line(linkTo(addressOf("open", toQString(page_.traced().id)),
                        QObject::tr("Show its graphs to see the saved tensors")));
        if (const auto& cut = story_.minCut) line(escaped(memoryBudgetText(*cut)));
    }

    void symbols() {
        if (story_.symbols.empty() && story_.shapeGuards.empty()) return;
        section(QObject::tr("Symbols"));
        for (const LoggedSymbol& symbol : story_.symbols)
            line(QStringLiteral("<code>") + escaped(symbol.symbol) + QStringLiteral("</code> = ") +
                 escaped(symbol.value) + QStringLiteral(" ") + faint(escaped(symbol.range + " of " + symbol.source)) +
                 QStringLiteral(" ") + placeLink(symbol.place));
        for (const LoggedShapeGuard& guard : story_.shapeGuards)
            line((guard.specialized ? QObject::tr("specialized: ") : QObject::tr("guard: ")) +
                 QStringLiteral("<code>") + escaped(guard.condition) + QStringLiteral("</code> ") +
                 placeLink(guard.place));
    }

    void guards() {
        if (story_.guards.empty()) return;
        section(QObject::tr("Guards"));
        const QString all = toQString(counted(story_.guards.size(), "condition"));
        line(linkTo(QStringLiteral("guards:"), guards_ ? QObject::tr("Hide the %1").arg(all) : all));
        if (!guards_) return;
        const std::size_t count = std::min(story_.guards.size(), kMostGuards);
        for (std::size_t i = 0; i < count; ++i) {
            const LoggedGuard& guard = story_.guards[i];
            line(faint(escaped(guard.type)) + QStringLiteral(" <code>") + escaped(guard.check) +
                 QStringLiteral("</code>"));
            if (!guard.why.empty()) line(faint(escaped(guard.why)), 2);
        }
        if (count < story_.guards.size()) line(faint(QObject::tr("and %1 more").arg(story_.guards.size() - count)));
    }

    void code() {
        if (page_.code.empty()) return;
        section(QObject::tr("Generated code"));
        for (const GeneratedCode& code : page_.code) {
            line(linkTo(QStringLiteral("record:%1").arg(code.line),
                        code.graph.empty() ? QObject::tr("code") : toQString(code.graph)));
            for (std::size_t i = 0; i < std::min(code.calls.size(), kMostCalls); ++i) call(code.calls[i]);
        }
    }

    void call(const GeneratedCall& call) {
        line(faint(QString::number(call.line)) + QStringLiteral(" <code>") + escaped(call.text) +
                 QStringLiteral("</code>"),
             1);
        QStringList from;
        for (const auto& name : call.nodes)
            from << (isShown() ? linkTo(addressOf("node", toQString(name)), toQString(name)) : escaped(name));
        for (const auto& name : call.sources) from << escaped(name);
        for (const auto& name : call.operators) from << faint(escaped(name));
        if (!call.places.empty()) from << placeLink(call.places.front());
        if (!from.isEmpty()) line(faint(QObject::tr("from ")) + from.join(QStringLiteral(", ")), 2);
    }

    void lists() {
        for (const TraceList& list : traceLists()) {
            if (list.page.empty()) continue;
            const Table table = list.table(*page_.log, page_.traced(), story_);
            if (!table.rows.empty()) section(toQString(list.page));
            for (const Table::Row& row : table.rows) {
                QStringList cells;
                for (std::size_t i = 0; i < row.cells.size(); ++i)
                    cells << escaped(cellText(table.columns[i], row.cells[i]));
                line(cells.join(QStringLiteral(" &nbsp;")));
            }
        }
    }

    /// Long lists are one line.
    void records() {
        const auto& records = page_.traced().records;
        std::map<std::uint32_t, std::size_t> counts;
        for (const LogRecord& record : records) ++counts[record.name];
        section(QObject::tr("Records of the log"));
        constexpr std::size_t many = 8;
        std::map<std::uint32_t, bool> told;
        std::size_t shown = 0;
        for (const LogRecord& record : records) {
            const std::size_t count = counts[record.name];
            if ((count > many && std::exchange(told[record.name], true)) || ++shown > kMostRecords) continue;
            const QString name = toQString(page_.log->nameOf(record));
            const QString about =
                QObject::tr("%1, line %2")
                    .arg(toQString(nameOf(topicOf(page_.log->nameOf(record)))), QString::number(record.line));
            line(linkTo(QStringLiteral("record:%1").arg(record.line),
                        count > many ? QObject::tr("%1 (the first of %2)").arg(name, QString::number(count)) : name) +
                 QStringLiteral(" ") + faint(about));
        }
    }

    const CompilePage& page_;
    const CompileStory& story_;
    QString shown_, html_;
    bool guards_;  ///< unfolded
};

}  // namespace

QString logHtml(const TraceLog& log, const std::vector<CompileStory>& stories) {
    return LogWriter(log, stories).write();
}

QString compileHtml(const CompilePage& page, const QString& shown, bool guards) {
    return PageWriter(page, shown, guards).write();
}

QString recordHtml(const CompilePage& page, const LogRecord& record, const QString& text) {
    const QString id = toQString(page.traced().id);
    return QStringLiteral("<div>") + linkTo(addressOf("about", id), QObject::tr("Back to %1").arg(id)) +
           QStringLiteral("</div><h3 style='margin-bottom:2px'>") + escaped(page.log->nameOf(record)) +
           QStringLiteral("</h3><pre>") + text.toHtmlEscaped() + QStringLiteral("</pre>");
}

TimePicture compilePicture(const CompileStory& story) {
    TimePicture picture;
    if (story.spans.empty()) return picture;
    const double start = story.spans.front().start;
    std::vector<int> around;  // by depth
    for (const CompileSpan& span : story.spans) {
        TimeBar bar;
        bar.kind = span.depth == 0 ? TimeBar::Kind::graph : TimeBar::Kind::module;
        bar.text = toQString(span.name);
        bar.tip = toQString(span.name + ": " + formatDuration(span.length / 1000) +
                            (span.detail.empty() ? "" : "\n" + span.detail));
        bar.start = span.start - start;
        bar.length = span.length;
        bar.row = span.depth;
        around.resize(static_cast<std::size_t>(span.depth) + 1, -1);
        if (span.depth > 0) bar.around = around[static_cast<std::size_t>(span.depth) - 1];
        const TimeBar* outer = bar.around >= 0 ? &picture.bars[static_cast<std::size_t>(bar.around)] : nullptr;
        bar.backward = outer ? outer->backward : span.name.find("backward") != std::string::npos;
        around.back() = static_cast<int>(picture.bars.size());
        picture.bars.push_back(std::move(bar));
    }
    return picture;
}

}  // namespace aotscope

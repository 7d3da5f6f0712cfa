// Which pages the window has, in their order. A new page is one entry here.

#include "window/page_list.h"

#include "models/decomposition_tables.h"
#include "models/table_content.h"
#include "models/variant_tables.h"

namespace aotscope {

namespace {

using Place = Page::Place;

QString tr(const char* text) { return QObject::tr(text); }

/// The content of a table, of what is shown.
using Content = std::function<TableContent(const CompileRecord& record, const ShownRun& run)>;

/// Most tables have rows that stand for nodes; `nodes` is false for the others.
Page tablePage(QWidget* parent, const char* name, const QString& title, const char* help, Content content,
               bool nodes = true) {
    auto* table = new TablePanel(parent);
    table->view()->setAccessibleName(title);
    return {.name = QLatin1String(name),
            .title = title,
            .help = QLatin1String(help),
            .widget = table,
            .fill = [table, content = std::move(content)](
                        const CompileRecord& record, const ShownRun& run,
                        const DecompositionTable*) { table->setContent(content(record, run)); },
            .nodes = nodes ? table : nullptr};
}

/// Of the partition that is shown, which may be the one of a what-if.
Page partitionPage(QWidget* parent, const char* name, const QString& title, const char* help,
                   TableContent (*content)(const CompileRecord&)) {
    const auto ofShown = [content](const ShownRun& run, const CompileRecord& record) {
        if (!run.showsWhatIf()) return content(record);
        TableContent table = content(*run.partitioned());
        for (QString* text : {&table.summary, &table.whenEmpty}) *text = ofWhatIf(*text);
        return table;
    };
    Page page = tablePage(parent, name, title, help,
                          [ofShown](const CompileRecord& record, const ShownRun& run) { return ofShown(run, record); });
    page.repartition = [table = page.nodes, ofShown](const ShownRun& run) {
        table->updateContent(ofShown(run, *run.record()));
    };
    return page;
}

Page decompositionsPage(QWidget* parent) {
    auto* pair = new TablePair({QStringLiteral("decompositionRules"), tr("Active rules")},
                               {QStringLiteral("rewriteTable"), tr("Rewrites")}, 40, parent);
    return {.name = QStringLiteral("decompositions"),
            .title = tr("Decompositions"),
            .help = QStringLiteral("panels-tables.md#decompositions"),
            .widget = pair,
            .fill =
                [pair](const CompileRecord& record, const ShownRun&, const DecompositionTable* decompositions) {
                    pair->left()->setContent(decompositionRules(decompositions, record));
                    pair->right()->setContent(rewriteTable(record));
                },
            .nodes = pair->right()};
}

/// What its controller fills.
Page tab(const char* name, const QString& title, const char* help, QWidget* widget, bool ofFinishedRun = false) {
    return {.name = QLatin1String(name),
            .title = title,
            .help = QLatin1String(help),
            .widget = widget,
            .ofFinishedRun = ofFinishedRun};
}

Page opened(Page page, const char* action, const QString& text, const QKeySequence& key, const QString& tip) {
    page.opening = Page::Opening{QLatin1String(action), text, key, tip};
    return page;
}

Page of(Perspective perspective, Page page) {
    page.perspective = perspective;
    return page;
}

Page dock(const char* name, const QString& title, const char* help, QWidget* widget, Place place) {
    return {.name = QLatin1String(name), .title = title, .help = QLatin1String(help), .place = place, .widget = widget};
}

constexpr bool kOfFinishedRun = true, kNoNodes = false;

/// A table of what is shown, as a whole.
Content ofRecord(TableContent (*content)(const CompileRecord&)) {
    return [content](const CompileRecord& shown, const ShownRun&) { return content(shown); };
}

std::vector<Page> pagesOfPasses(const Controllers& all, QWidget* parent) {
    return {
        tab("changesTable", tr("Changes"), "panels-passes.md#changes", all.navigation->steps()->changes()),
        opened(tab("history", tr("History"), "panels-passes.md#history", all.navigation->history()->panel()),
               "actionHistory", tr("Node &History"), Qt::Key_H, tr("Shows how each pass changes the selected node")),
        decompositionsPage(parent)};
}

std::vector<Page> pagesOfMemory(const Controllers& all, QWidget* parent) {
    WhatIfController* whatIf = all.whatIf;
    return {
        partitionPage(parent, "savedTable", tr("Saved"), "panels-tables.md#saved", savedTable),
        partitionPage(parent, "recomputedTable", tr("Recomputed"), "panels-tables.md#recomputed", recomputedTable),
        tab("memory", tr("Memory"), "panels-partition.md#memory", whatIf->memory(), kOfFinishedRun),
        tab("difference", tr("Difference"), "panels-partition.md#difference", whatIf->difference(), kOfFinishedRun),
        tab("variants", tr("Variants"), "panels-partition.md#variants", whatIf->variants()->panel(), kOfFinishedRun),
        tab("pareto", tr("Pareto"), "panels-partition.md#pareto", whatIf->variants()->pareto(), kOfFinishedRun)};
}

std::vector<Page> pagesOfRun(const Controllers& all, QWidget* parent) {
    return {tablePage(parent, "timingTable", tr("Timing"), "panels-time.md#timing",
                      [](const CompileRecord& shown, const ShownRun& run) { return timingTable(run.timing(), shown); }),
            opened(tab("flame", tr("Flame Chart"), "panels-time.md#flame-chart", all.times->flame()), "actionFlame",
                   tr("&Flame Chart"), tr("Ctrl+Shift+F"),
                   tr("Shows the time of forward and backward by module and operation")),
            opened(tab("timeline", tr("Timeline"), "panels-time.md#timeline", all.times->timeline()), "actionTimeline",
                   tr("T&imeline"), tr("Shift+I"), tr("Shows operations and live memory over time")),
            tab("compare", tr("Compare"), "panels-tables.md#compare", all.compare->panel(), kOfFinishedRun),
            tab("trainPanel", tr("Training"), "panels-time.md#training", all.training->panel())};
}

std::vector<Page> pagesOfDebug(const Controllers& all) {
    return {
        opened(tab("breakpoints", tr("Breakpoints"), "panels-passes.md#breakpoints",
                   all.navigation->breakpoints()->panel()),
               "actionBreakpoints", tr("&Breakpoints…"), Qt::Key_F9,
               tr("Sets passes and nodes at which the pipeline pauses")),
        tab("valueBreakpoints", tr("Value Breakpoints"), "panels-time.md#value-breakpoints", all.debug->breakpoints())};
}

std::vector<Page> pagesOfContract(const Workbench& bench) {
    QWidget* parent = bench.pages->contract();
    return {
        tablePage(parent, "inputsTable", tr("Inputs"), "panels-tables.md#inputs", ofRecord(inputsTable)),
        tablePage(parent, "outputsTable", tr("Outputs"), "panels-tables.md#outputs", ofRecord(outputsTable)),
        tablePage(
            parent, "guardsTable", tr("Guards"), "panels-tables.md#guards",
            [](const CompileRecord& shown, const ShownRun& run) { return guardsTable(shown, run.check()); }, kNoNodes),
        tablePage(parent, "runtimeTable", tr("Runtime"), "panels-tables.md#runtime", ofRecord(runtimeTable)),
        tab("problemsPage", tr("Problems"), "panels-passes.md#problems", bench.problems)};
}

std::vector<Page> docks(const Workbench& bench, const Controllers& all) {
    const auto onDemand = [](Page page) {
        page.hidden = true;
        return page;
    };
    Page contract = onDemand(
        dock("contractDock", tr("Contract"), "panels-tables.md#contract", bench.pages->contract(), Place::bottom));
    return {dock("passesDock", tr("Passes"), "panels-passes.md#passes", bench.passes, Place::left),
            dock("inspectorDock", tr("Inspector"), "panels-node.md#inspector", bench.inspector, Place::right),
            dock("tablesDock", tr("Tables"), "panels-tables.md", bench.pages->tabs(), Place::bottom),
            opened(std::move(contract), "actionContract", tr("&Contract"), tr("Ctrl+J"),
                   tr("Shows what the compiled function takes, returns, checks and does around its graphs")),
            dock("whyDock", tr("Why"), "panels-node.md#why", all.whatIf->why(), Place::right),
            of(Perspective::memory,
               dock("whatIfDock", tr("What If"), "panels-node.md#what-if", all.whatIf->panel(), Place::right)),
            of(Perspective::debug,
               dock("valuesDock", tr("Values"), "panels-node.md#values", all.debug->panel(), Place::right)),
            onDemand(dock("searchDock", tr("Search"), "panels-passes.md#search", all.navigation->search()->panel(),
                          Place::left))};
}

}  // namespace

void addPages(Workbench& bench, const Controllers& all) {
    Pages& pages = *bench.pages;
    QWidget* parent = pages.tabs();
    const auto add = [&pages](Perspective perspective, std::vector<Page> tabs) {
        for (Page& page : tabs) pages.add(of(perspective, std::move(page)));
    };
    add(Perspective::passes, pagesOfPasses(all, parent));
    add(Perspective::memory, pagesOfMemory(all, parent));
    add(Perspective::run, pagesOfRun(all, parent));
    add(Perspective::debug, pagesOfDebug(all));
    for (Page& page : pagesOfContract(bench)) {
        page.place = Page::Place::contract;
        pages.add(std::move(page));
    }
    for (Page& page : docks(bench, all)) pages.add(std::move(page));
    bench.window->tabifyDockWidget(pages.dock(pages.tabs()), pages.dock(pages.contract()));
    bench.window->resizeDocks({pages.dock(bench.passes), pages.dock(bench.inspector)}, {290, 365}, Qt::Horizontal);
    bench.window->resizeDocks({pages.dock(pages.tabs())}, {260}, Qt::Vertical);
    pages.dock(bench.inspector)->raise();
    bench.perspectives = new Perspectives(&pages, bench.window, &bench.settings);
    for (QTabWidget* row : {pages.tabs(), pages.contract()})
        for (TablePanel* table : row->findChildren<TablePanel*>()) all.copying->addTo(table);
    const auto table = [&](const char* name) { return pages.table(QLatin1String(name)); };
    for (TablePanel* values : {table("savedTable"), table("recomputedTable"), all.whatIf->difference()->right()})
        all.whatIf->addOverridesTo(values);
}

}  // namespace aotscope

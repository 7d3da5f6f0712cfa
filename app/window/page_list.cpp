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

Page dock(const char* name, const QString& title, const char* help, QWidget* widget, Place place) {
    return {.name = QLatin1String(name), .title = title, .help = QLatin1String(help), .place = place, .widget = widget};
}

std::vector<Page> tabs(const Workbench& bench, const Controllers& all) {
    QWidget* parent = bench.pages->tabs();
    constexpr bool ofFinishedRun = true, noNodes = false;
    const auto record = [](TableContent (*content)(const CompileRecord&)) {
        return [content](const CompileRecord& shown, const ShownRun&) { return content(shown); };
    };
    std::vector<Page> pages{
        tab("changesTable", tr("Changes"), "panels-passes.md#changes", all.navigation->steps()->changes()),
        opened(tab("history", tr("History"), "panels-passes.md#history", all.navigation->history()->panel()),
               "actionHistory", tr("Node &History"), Qt::Key_H, tr("Shows how each pass changes the selected node")),
        tablePage(parent, "inputsTable", tr("Inputs"), "panels-tables.md#inputs", record(inputsTable)),
        tablePage(parent, "outputsTable", tr("Outputs"), "panels-tables.md#outputs", record(outputsTable)),
        partitionPage(parent, "savedTable", tr("Saved"), "panels-tables.md#saved", savedTable),
        partitionPage(parent, "recomputedTable", tr("Recomputed"), "panels-tables.md#recomputed", recomputedTable),
        tab("difference", tr("Difference"), "panels-partition.md#difference", all.whatIf->difference(), ofFinishedRun),
        tab("variants", tr("Variants"), "panels-partition.md#variants", all.whatIf->variants()->panel(), ofFinishedRun),
        tab("pareto", tr("Pareto"), "panels-partition.md#pareto", all.whatIf->variants()->pareto(), ofFinishedRun),
        tab("memory", tr("Memory"), "panels-partition.md#memory", all.whatIf->memory(), ofFinishedRun),
        opened(tab("flame", tr("Flame Chart"), "panels-time.md#flame-chart", all.times->flame()), "actionFlame",
               tr("&Flame Chart"), tr("Ctrl+Shift+F"),
               tr("Shows the time of forward and backward by module and operation")),
        opened(tab("timeline", tr("Timeline"), "panels-time.md#timeline", all.times->timeline()), "actionTimeline",
               tr("T&imeline"), tr("Shift+I"), tr("Shows operations and live memory over time")),
        decompositionsPage(parent),
        tab("compare", tr("Compare"), "panels-tables.md#compare", all.compare->panel(), ofFinishedRun),
        tab("trainPanel", tr("Training"), "panels-time.md#training", all.training->panel()),
        tablePage(parent, "runtimeTable", tr("Runtime"), "panels-tables.md#runtime", record(runtimeTable)),
        tablePage(
            parent, "guardsTable", tr("Guards"), "panels-tables.md#guards",
            [](const CompileRecord& shown, const ShownRun& run) { return guardsTable(shown, run.check()); }, noNodes),
        tablePage(parent, "timingTable", tr("Timing"), "panels-time.md#timing",
                  [](const CompileRecord& shown, const ShownRun& run) { return timingTable(run.timing(), shown); }),
        tab("problemsPage", tr("Problems"), "panels-passes.md#problems", bench.problems),
        tab("valueBreakpoints", tr("Value Breakpoints"), "panels-time.md#value-breakpoints", all.debug->breakpoints()),
        opened(tab("breakpoints", tr("Breakpoints"), "panels-passes.md#breakpoints",
                   all.navigation->breakpoints()->panel()),
               "actionBreakpoints", tr("&Breakpoints…"), Qt::Key_F9,
               tr("Sets passes and nodes at which the pipeline pauses"))};
    return pages;
}

Page modulesPage(ModuleController* modules) {
    Page page = dock("modulesDock", tr("Modules"), "panels-passes.md#modules", modules->panel(), Place::left);
    page.fill = [modules](const CompileRecord&, const ShownRun& run, const DecompositionTable*) {
        modules->setRun(run.partitioned(), run.showsWhatIf(), run.timing(),
                        run.session ? run.session->options().device : "cpu");
    };
    page.repartition = [modules](const ShownRun& run) {
        modules->setPartitioned(run.partitioned(), run.showsWhatIf());
    };
    return page;
}

std::vector<Page> docks(const Workbench& bench, const Controllers& all) {
    Page search =
        dock("searchDock", tr("Search"), "panels-passes.md#search", all.navigation->search()->panel(), Place::left);
    search.hidden = true;
    return {modulesPage(all.modules),
            dock("passesDock", tr("Passes"), "panels-passes.md#passes", bench.passes, Place::left),
            dock("inspectorDock", tr("Inspector"), "panels-node.md#inspector", bench.inspector, Place::right),
            dock("tablesDock", tr("Tables"), "panels-tables.md", bench.pages->tabs(), Place::bottom),
            dock("whyDock", tr("Why"), "panels-node.md#why", all.whatIf->why(), Place::right),
            dock("whatIfDock", tr("What If"), "panels-node.md#what-if", all.whatIf->panel(), Place::right),
            dock("valuesDock", tr("Values"), "panels-node.md#values", all.debug->panel(), Place::right),
            search};
}

}  // namespace

void addPages(Workbench& bench, const Controllers& all) {
    Pages& pages = *bench.pages;
    for (Page& page : tabs(bench, all)) pages.add(std::move(page));
    for (Page& page : docks(bench, all)) pages.add(std::move(page));
    pages.show(bench.inspector);
    bench.window->resizeDocks({pages.dock(bench.passes), pages.dock(bench.inspector)}, {290, 365}, Qt::Horizontal);
    bench.window->resizeDocks({pages.dock(pages.tabs())}, {260}, Qt::Vertical);
    for (TablePanel* table : pages.tabs()->findChildren<TablePanel*>()) all.copying->addTo(table);
    const auto table = [&](const char* name) { return pages.table(QLatin1String(name)); };
    for (TablePanel* values : {table("savedTable"), table("recomputedTable"), all.whatIf->difference()->right()})
        all.whatIf->addOverridesTo(values);
    pages.show(table("savedTable"));
}

}  // namespace aotscope

// The pages of the window, in order. A new page is one entry here.

#include "window/page_list.h"

#include "models/communication_views.h"
#include "models/tables/contract_tables.h"
#include "models/tables/decomposition_tables.h"
#include "models/tables/table_content.h"
#include "models/tables/values_table.h"
#include "models/tables/variant_tables.h"

namespace aotscope {

namespace {

using Place = Page::Place;

QString tr(const char* text) { return QObject::tr(text); }

/// The content of a table for a run; called on any thread.
using Content = std::function<TableContent(const CompileRecord& record, const ShownRun& run)>;

/// Rows of most tables stand for nodes; `nodes` is false for the others.
Page tablePage(QWidget* parent, const char* name, const QString& title, const char* help, Content content,
               bool nodes = true) {
    auto* table = new TablePanel(parent);
    table->view()->setAccessibleName(title);
    return {.name = QLatin1String(name),
            .title = title,
            .help = QLatin1String(help),
            .widget = table,
            .content =
                [content = std::move(content)](const ShownRun& run) {
                    static const CompileRecord nothing;
                    const auto record = run.record();
                    return content(record ? *record : nothing, run);
                },
            .nodes = nodes ? table : nullptr};
}

/// For the shown partition, which may be that of a what-if.
Page partitionPage(QWidget* parent, const char* name, const QString& title, const char* help, const Content& content) {
    const auto ofShown = [content](const CompileRecord& record, const ShownRun& run) {
        if (!run.showsWhatIf()) return content(record, run);
        TableContent table = content(*run.partitioned(), run);
        for (QString* text : {&table.summary, &table.whenEmpty}) *text = ofWhatIf(*text);
        return table;
    };
    Page page = tablePage(parent, name, title, help, ofShown);
    page.ofPartition = true;
    return page;
}

Page decompositionsPage(const Controllers& all, const std::shared_ptr<const Engine>& engine, QWidget* parent) {
    auto* pair = new TablePair({QStringLiteral("decompositionRules"), tr("Active rules")},
                               {QStringLiteral("rewriteTable"), tr("Rewrites")}, 40, parent);
    pair->left()->view()->addAction(all.python->copyDecompositions());
    return {.name = QStringLiteral("decompositions"),
            .title = tr("Decompositions"),
            .help = QStringLiteral("panels-tables.md#decompositions"),
            .widget = pair,
            .fill =
                [pair, engine](const CompileRecord& record, const ShownRun&, const DecompositionTable* decompositions) {
                    const auto rules = decompositions ? engine->decompositionRules() : std::vector<DecompositionRule>();
                    pair->left()->setContent(activeRules(decompositions, rules, record));
                    pair->right()->setContent(rewriteTable(record));
                },
            .nodes = pair->right()};
}

/// A page that its controller fills.
Page tab(const char* name, const QString& title, const char* help, QWidget* widget, bool ofFinishedRun = false) {
    return {.name = QLatin1String(name),
            .title = title,
            .help = QLatin1String(help),
            .widget = widget,
            .ofFinishedRun = ofFinishedRun};
}

/// Likewise, with a table whose rows stand for nodes.
Page tableTab(const char* name, const QString& title, const char* help, QWidget* widget, TablePanel* nodes) {
    Page page = tab(name, title, help, widget);
    page.nodes = nodes;
    return page;
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

/// A table of the whole run.
Content ofRecord(TableContent (*content)(const CompileRecord&)) {
    return [content](const CompileRecord& shown, const ShownRun&) { return content(shown); };
}

std::vector<Page> pagesOfPasses(const Controllers& all, const std::shared_ptr<const Engine>& engine, QWidget* parent) {
    return {
        tab("changesTable", tr("Changes"), "panels-passes.md#changes", all.navigation->steps()->changes()),
        opened(tab("history", tr("History"), "panels-passes.md#history", all.navigation->history()->panel()),
               "actionHistory", tr("Node &History"), Qt::Key_H, tr("Shows how each pass changes the selected node")),
        decompositionsPage(all, engine, parent),
        tab("traceLog", tr("Compilations"), "trace-logs.md#compilations", all.trace->panel())};
}

std::vector<Page> pagesOfMemory(const Controllers& all, QWidget* parent) {
    WhatIfController* whatIf = all.whatIf;
    return {partitionPage(parent, "valuesTable", tr("Values"), "panels-tables.md#values",
                          [](const CompileRecord& shown, const ShownRun& run) {
                              return valuesTable(shown, run.partitionOptions());
                          }),
            tab("memory", tr("Memory"), "panels-partition.md#memory", whatIf->memory(), kOfFinishedRun),
            tab("difference", tr("Difference"), "panels-partition.md#difference", whatIf->difference(), kOfFinishedRun),
            tab("runs", tr("Runs"), "panels-partition.md#runs", all.list->panel(), kOfFinishedRun),
            tab("pareto", tr("Pareto"), "panels-partition.md#pareto", whatIf->variants()->pareto(), kOfFinishedRun)};
}

/// For the shown partition, beside the figures of the compiled one.
Page communicationPage(CommunicationPanel* panel, const std::shared_ptr<const Engine>& engine) {
    const auto content = [engine](const ShownRun& run, const CompileRecord& record,
                                  const TimingResult* timing = nullptr) {
        const Options options = run.session() ? run.session()->options() : Options();
        return communicationContent(record, options, machineOf(engine, options.device), timing);
    };
    return {
        .name = QStringLiteral("communication"),
        .title = tr("Communication"),
        .help = QStringLiteral("panels-time.md#communication"),
        .widget = panel,
        .fill = [panel, content](const CompileRecord& record, const ShownRun& run,
                                 const DecompositionTable*) { panel->setContent(content(run, record, run.timing())); },
        .repartition =
            [panel, content](const ShownRun& run) {
                panel->updateContent(content(run, *run.partitioned(), run.showsWhatIf() ? nullptr : run.timing()),
                                     content(run, *run.record()).figures);
            },
        .nodes = panel->collectives()};
}

/// Differences of ranks stand for nodes.
Page comparePage(TablePair* panel) {
    Page page = tab("compare", tr("Compare"), "panels-tables.md#compare", panel, kOfFinishedRun);
    page.nodes = panel->left();
    return page;
}

std::vector<Page> pagesOfRun(const Controllers& all, const std::shared_ptr<const Engine>& engine) {
    return {tableTab("check", tr("Check"), "panels-time.md#check", all.check, all.check->values()),
            tableTab("times", tr("Time"), "panels-time.md#time", all.times->panel(), all.times->panel()->steps()),
            comparePage(all.compare->panel()),
            tab("trainPanel", tr("Training"), "panels-time.md#training", all.training->panel()),
            communicationPage(all.whatIf->communication(), engine)};
}

std::vector<Page> pagesOfDebug(const Controllers& all) {
    return {tab("debugSteps", tr("Steps"), "panels-time.md#steps", all.debug->steps()),
            opened(tab("breakpoints", tr("Breakpoints"), "panels-passes.md#breakpoints",
                       all.navigation->breakpoints()->panel()),
                   "actionBreakpoints", tr("&Breakpoints…"), Qt::Key_F9,
                   tr("Sets where the pipeline and the debugger pause: passes, nodes, values"))};
}

std::vector<Page> pagesOfContract(QWidget* parent) {
    return {
        tablePage(parent, "inputsTable", tr("Inputs"), "panels-tables.md#inputs", ofRecord(inputsTable)),
        tablePage(parent, "outputsTable", tr("Outputs"), "panels-tables.md#outputs", ofRecord(outputsTable)),
        partitionPage(parent, "returnsTable", tr("Returns"), "panels-tables.md#returns", ofRecord(returnsTable)),
        tablePage(
            parent, "guardsTable", tr("Guards"), "panels-tables.md#guards",
            [](const CompileRecord& shown, const ShownRun& run) { return guardsTable(shown, run.check()); }, kNoNodes),
        partitionPage(parent, "runtimeTable", tr("Runtime"), "panels-tables.md#runtime", ofRecord(runtimeTable))};
}

Page profilePage(const ProfileController* profile) {
    Page page = dock("profileDock", tr("Profile"), "panels-time.md#profile", profile->panel(), Place::right);
    page.nodes = profile->rows();
    return page;
}

/// Docks that are hidden until requested.
std::vector<Page> docksOnDemand(const Workbench& bench, const Controllers& all) {
    std::vector<Page> pages{
        opened(
            dock("contractDock", tr("Contract"), "panels-tables.md#contract", bench.pages->contract(), Place::bottom),
            "actionContract", tr("&Contract"), tr("Ctrl+J"),
            tr("Shows what the compiled function takes, returns, checks and does around its graphs")),
        opened(dock("logDock", tr("Log"), "panels-passes.md#log", all.log->panel(), Place::bottom), "actionLog",
               tr("&Log"), tr("Ctrl+Shift+G"), tr("Shows what the passes and other parts have noted")),
        opened(dock("graphTextDock", tr("Graph Text"), "panels-graph.md#graph-text", all.text, Place::right),
               "actionGraphText", tr("Graph &Text"), Qt::Key_L, tr("Shows the text of the shown graph")),
        opened(dock("fitDock", tr("Fit"), "panels-partition.md#fit", all.fit->panel(), Place::right), "actionFit",
               tr("Does It F&it…"), tr("Ctrl+Alt+B"),
               tr("Predicts memory and time of a training step for other batches, optimizers and GPUs")),
        profilePage(all.profile),
        dock("scratchDock", tr("Scratch Pad"), "opening.md#scratch-pad", all.scratch->panel(), Place::left),
        dock("searchDock", tr("Search"), "panels-passes.md#search", all.navigation->search()->panel(), Place::left)};
    for (Page& page : pages) page.hidden = true;
    return pages;
}

Page modulesPage(ModuleController* modules) {
    Page page = dock("modulesDock", tr("Modules"), "panels-passes.md#modules", modules->panel(), Place::left);
    page.fill = [modules](const CompileRecord&, const ShownRun& run, const DecompositionTable*) {
        modules->setRun(run.partitioned(), run.showsWhatIf(), run.timing(),
                        run.session() ? run.session()->options().device : "cpu");
    };
    page.repartition = [modules](const ShownRun& run) {
        modules->setPartitioned(run.partitioned(), run.showsWhatIf());
    };
    return page;
}

std::vector<Page> docks(const Workbench& bench, const Controllers& all) {
    return {modulesPage(all.modules),
            dock("passesDock", tr("Passes"), "panels-passes.md#passes", bench.passes, Place::left),
            dock("inspectorDock", tr("Inspector"), "panels-node.md#inspector", bench.inspector, Place::right),
            dock("tablesDock", tr("Tables"), "panels-tables.md", bench.pages->tabs(), Place::bottom),
            of(Perspective::memory,
               dock("whatIfDock", tr("What If"), "panels-node.md#what-if", all.whatIf->panel(), Place::right)),
            of(Perspective::debug,
               dock("valuesDock", tr("Values"), "panels-node.md#values", all.debug->panel(), Place::right))};
}

}  // namespace

void addPages(Workbench& bench, const Controllers& all) {
    Pages& pages = *bench.pages;
    QWidget* parent = pages.tabs();
    const auto add = [&pages](Perspective perspective, std::vector<Page> tabs) {
        for (Page& page : tabs) pages.add(of(perspective, std::move(page)));
    };
    add(Perspective::passes, pagesOfPasses(all, bench.engine, parent));
    add(Perspective::memory, pagesOfMemory(all, parent));
    add(Perspective::run, pagesOfRun(all, bench.engine));
    add(Perspective::debug, pagesOfDebug(all));
    for (Page& page : pagesOfContract(pages.contract())) {
        page.place = Page::Place::contract;
        pages.add(std::move(page));
    }
    for (const auto& docksOf : {docks, docksOnDemand})
        for (Page& page : docksOf(bench, all)) pages.add(std::move(page));
    for (QWidget* below : std::initializer_list<QWidget*>{pages.contract(), all.log->panel()})
        bench.window->tabifyDockWidget(pages.dock(pages.tabs()), pages.dock(below));
    bench.window->resizeDocks({pages.dock(bench.passes), pages.dock(bench.inspector)}, {290, 365}, Qt::Horizontal);
    bench.window->resizeDocks({pages.dock(pages.tabs())}, {260}, Qt::Vertical);
    pages.dock(bench.inspector)->raise();
    pages.setPresent(all.trace->panel(), false);
    bench.perspectives = new Perspectives(&pages, bench.window, &bench.settings);
    for (QTabWidget* row : {pages.tabs(), pages.contract()})
        for (TablePanel* table : row->findChildren<TablePanel*>()) all.copying->addTo(table);
    const auto table = [&](const char* name) { return pages.table(QLatin1String(name)); };
    table("inputsTable")->view()->addAction(all.python->copyInputs());
    all.check->values()->view()->addAction(all.python->copyCheck());
    for (TablePanel* values : {table("valuesTable"), all.whatIf->difference()->right()})
        all.whatIf->addOverridesTo(values);
}

}  // namespace aotscope

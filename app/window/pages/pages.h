#pragma once

#include "panels/tables/table_panel.h"
#include "window/pages/perspective.h"
#include "window/pages/shown_run.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace aotscope {

/// A panel that a person can bring to the front: a tab of its perspective, a tab of the contract, or a dock.
struct Page {
    enum class Place : std::uint8_t { tab, contract, left, right, bottom };
    /// The command that brings it to the front, where it is more than the page's title.
    struct Opening {
        QString name;  ///< of the action
        QString text;
        QKeySequence key;
        QString tip;
    };

    QString name;   ///< the object's; unique. Settings, session files and tests know the page by it
    QString title;  ///< of the tab or dock
    QString help;   ///< its section of the manual: "panels-tables.md#guards"
    Place place = Place::tab;
    /// Where it is. Tabs have one; a dock or a tab of the contract without one is in each of them.
    std::optional<Perspective> perspective = {};
    QWidget* widget = nullptr;
    /// Fills it from what is shown; `decompositions` may be null. Empty: its controller fills it, or it is a table.
    std::function<void(const CompileRecord& record, const ShownRun& run, const DecompositionTable* decompositions)>
        fill = {};
    /// Fills it when what-if shows another partition. Empty: its content is not of the partition, or it is a table.
    std::function<void(const ShownRun& run)> repartition = {};
    /// Of a page that is a table, what it shows of a run; called off the GUI thread where that may take long.
    std::function<TableContent(const ShownRun& run)> content = {};
    bool ofPartition = false;     ///< the table is another one when what-if shows another partition
    TablePanel* nodes = nullptr;  ///< its table whose rows stand for nodes: the selected ones are marked. Null: none
    bool ofFinishedRun = false;   ///< not available while the pipeline is paused
    bool hidden = false;          ///< a dock that is not seen until it is asked for
    std::optional<Opening> opening = {};

    bool isDock() const { return place != Place::tab && place != Place::contract; }
};

class PageFiller;

/// All pages of a window, in order. Each is added once, complete; nothing is found by its position.
class Pages : public QObject {
    Q_OBJECT

public:
    explicit Pages(QMainWindow* window);

    /// Throws std::logic_error for a name that another page has, or a page without a widget or help.
    void add(Page page);

    /// The tabs of the perspectives. Only those of the current one are visible.
    QTabWidget* tabs() const { return tabs_; }
    /// The tabs of the contract.
    QTabWidget* contract() const { return contract_; }
    Perspective perspective() const { return perspective_; }
    /// Its tabs, with the one in front that was there before, instead of those of the other.
    void setPerspective(Perspective perspective);
    bool hasTabs(Perspective perspective) const;
    const std::vector<Page>& all() const { return pages_; }
    /// Null: there is none of that name, which may come from a file.
    const Page* find(const QString& name) const;
    /// The table that is the page of this name. Throws std::logic_error if there is none.
    TablePanel* table(const QString& name) const;
    /// The page that `widget` is a part of; null: none.
    const Page* around(const QWidget* widget) const;
    /// The command that brings `page` to the front.
    QAction* opening(const QWidget* page) const;
    /// The dock that `page` is in. Throws std::logic_error if it is a tab.
    QDockWidget* dock(const QWidget* page) const;
    /// The dock that the page is in, or is; null: it is not in one yet.
    QDockWidget* dockAround(const Page& page) const;
    /// Of a tab: it is the current one of its row, and of this perspective.
    bool inFront(const QWidget* page) const;
    /// The tab of the perspective that is in front; null: it has none.
    const Page* front() const;

    /// Brings `page`, which must be one, to the front, with its perspective.
    void show(const QWidget* page);
    void fill(const ShownRun& run, const std::shared_ptr<const DecompositionTable>& decompositions);
    /// What-if shows another partition.
    void repartition(const ShownRun& run);
    /// Marks the rows of these nodes in every table of nodes.
    void selectRows(const std::vector<NodeId>& nodes);
    /// A table is being made.
    bool busy() const;
    /// A tab that is of no use for what is shown is not there until it is asked for.
    void setPresent(const QWidget* page, bool present);
    /// False: only pages that a paused run has too are available.
    void setRunFinished(bool finished);

Q_SIGNALS:
    /// It is to come to the front, and so are its perspective and its dock.
    void asked(const aotscope::Page& page);
    /// A row was chosen that stands for a node of the graph of this kind.
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind kind);

private:
    const Page& of(const QWidget* widget) const;
    QTabWidget* rowOf(const Page& page) const;
    void addDock(const Page& page);
    void addOpening(const Page& page);

    QMainWindow* window_;
    QTabWidget *tabs_, *contract_;
    Perspective perspective_ = Perspective::explore;
    std::map<Perspective, QWidget*> fronts_;  ///< the tab that was in front when the perspective was left
    std::vector<Page> pages_;
    PageFiller* filler_;
    std::set<const QWidget*> absent_;
    std::map<const QWidget*, QDockWidget*> docks_;
    std::map<const QWidget*, QAction*> openings_;
};

}  // namespace aotscope

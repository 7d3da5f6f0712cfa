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

/// A panel that can be brought to the front: a tab of its perspective, a tab of the contract, or a dock.
struct Page {
    enum class Place : std::uint8_t { tab, contract, left, right, bottom };
    /// The command that brings it to the front, if it is more than the page's title.
    struct Opening {
        QString name;  ///< of the action
        QString text;
        QKeySequence key;
        QString tip;
    };

    QString name;   ///< the object's; unique. Settings, session files and tests identify the page by it
    QString title;  ///< of the tab or dock
    QString help;   ///< its section of the manual: "panels-tables.md#guards"
    Place place = Place::tab;
    /// Its perspectives. Tabs have one; a dock or a tab of the contract without one is in each of them.
    std::optional<Perspective> perspective = {};
    QWidget* widget = nullptr;
    /// Fills it for a run; `decompositions` may be null. Empty: its controller fills it, or it is a table.
    std::function<void(const CompileRecord& record, const ShownRun& run, const DecompositionTable* decompositions)>
        fill = {};
    /// Fills it when what-if shows another partition. Empty: it does not show the partition, or it is a table.
    std::function<void(const ShownRun& run)> repartition = {};
    /// For a page that is a table: its content for a run; called off the GUI thread if slow.
    std::function<TableContent(const ShownRun& run)> content = {};
    bool ofPartition = false;     ///< the table changes when what-if shows another partition
    TablePanel* nodes = nullptr;  ///< its table whose rows stand for nodes: marks the selected ones. Null: none
    bool ofFinishedRun = false;   ///< not available while the pipeline is paused
    bool hidden = false;          ///< a dock that is hidden until requested
    std::optional<Opening> opening = {};

    bool isDock() const { return place != Place::tab && place != Place::contract; }
};

class PageFiller;

/// All pages of the window, in order. Each is added once, complete; none is found by its position.
class Pages : public QObject {
    Q_OBJECT

public:
    explicit Pages(QMainWindow* window);

    /// Throws std::logic_error if the name is taken, or the page has no widget or help.
    void add(Page page);

    /// The tabs of the perspectives. Only those of the current one are visible.
    QTabWidget* tabs() const { return tabs_; }
    /// The tabs of the contract.
    QTabWidget* contract() const { return contract_; }
    Perspective perspective() const { return perspective_; }
    /// Shows its tabs, with the previous front tab in front, instead of those of the other.
    void setPerspective(Perspective perspective);
    bool hasTabs(Perspective perspective) const;
    const std::vector<Page>& all() const { return pages_; }
    /// Null for an unknown name, which may come from a file.
    const Page* find(const QString& name) const;
    /// The table page of this name. Throws std::logic_error if it does not exist.
    TablePanel* table(const QString& name) const;
    /// The page that contains `widget`; null: none.
    const Page* around(const QWidget* widget) const;
    /// The command that brings `page` to the front.
    QAction* opening(const QWidget* page) const;
    /// The dock that contains `page`. Throws std::logic_error if it is a tab.
    QDockWidget* dock(const QWidget* page) const;
    /// The dock that contains the page, or is it; null: not in one yet.
    QDockWidget* dockAround(const Page& page) const;
    /// For a tab: whether it is current in its row, and in this perspective.
    bool inFront(const QWidget* page) const;
    /// The front tab of the perspective; null: none.
    const Page* front() const;

    /// Brings `page`, which must be in the list, to the front, with its perspective.
    void show(const QWidget* page);
    void fill(const ShownRun& run, const std::shared_ptr<const DecompositionTable>& decompositions);
    /// What-if shows another partition.
    void repartition(const ShownRun& run);
    /// Marks the rows of these nodes in every table of nodes.
    void selectRows(const std::vector<NodeId>& nodes);
    /// A table is being computed.
    bool busy() const;
    /// A tab that does not apply to what is shown is hidden until requested.
    void setPresent(const QWidget* page, bool present);
    /// False: only pages that also apply to a paused run are available.
    void setRunFinished(bool finished);

Q_SIGNALS:
    /// Bring it to the front, with its perspective and its dock.
    void asked(const aotscope::Page& page);
    /// A row was chosen that stands for a node of the graph of this kind.
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind kind);
    /// Likewise for several rows.
    void nodesSelected(const std::vector<aotscope::NodeId>& nodes, aotscope::GraphKind kind);

private:
    const Page& of(const QWidget* widget) const;
    QTabWidget* rowOf(const Page& page) const;
    void addDock(const Page& page);
    void addOpening(const Page& page);

    QMainWindow* window_;
    QTabWidget *tabs_, *contract_;
    Perspective perspective_ = Perspective::explore;
    std::map<Perspective, QWidget*> fronts_;  ///< the front tab when the perspective was left
    std::vector<Page> pages_;
    PageFiller* filler_;
    std::set<const QWidget*> absent_;
    std::map<const QWidget*, QDockWidget*> docks_;
    std::map<const QWidget*, QAction*> openings_;
};

}  // namespace aotscope

#pragma once

#include "panels/table_panel.h"
#include "window/shown_run.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace aotscope {

/// A panel that a person can bring to the front: a tab of the tables, or a dock.
struct Page {
    enum class Place : std::uint8_t { tab, left, right, bottom };
    /// The command that brings it to the front, for pages that have one in the menus.
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
    QWidget* widget = nullptr;
    /// Fills it from what is shown; `decompositions` may be null. Empty: its controller fills it.
    std::function<void(const CompileRecord& record, const ShownRun& run, const DecompositionTable* decompositions)>
        fill = {};
    /// Fills it when what-if shows another partition. Empty: its content is not of the partition.
    std::function<void(const ShownRun& run)> repartition = {};
    TablePanel* nodes = nullptr;  ///< its table whose rows stand for nodes: the selected ones are marked. Null: none
    bool ofFinishedRun = false;   ///< not available while the pipeline is paused
    bool hidden = false;          ///< a dock that is not seen until it is asked for
    std::optional<Opening> opening = {};
};

/// All pages of a window, in order. Each is added once, complete; nothing is found by its position.
class Pages : public QObject {
    Q_OBJECT

public:
    explicit Pages(QMainWindow* window);

    /// Throws std::logic_error for a name that another page has, or a page without a widget or help.
    void add(Page page);

    QTabWidget* tabs() const { return tabs_; }
    const std::vector<Page>& all() const { return pages_; }
    /// Null: there is none of that name, which may come from a file.
    const Page* find(const QString& name) const;
    /// The table that is the page of this name. Throws std::logic_error if there is none.
    TablePanel* table(const QString& name) const;
    /// The page that `widget` is a part of; null: none.
    const Page* around(const QWidget* widget) const;
    /// The command that brings `page` to the front. Throws std::logic_error if it has none.
    QAction* opening(const QWidget* page) const;
    /// The dock that `page` is in. Throws std::logic_error if it is a tab.
    QDockWidget* dock(const QWidget* page) const;
    bool inFront(const QWidget* page) const { return tabs_->currentWidget() == page; }

    /// Brings `page`, which must be one, to the front.
    void show(const QWidget* page);
    void fill(const ShownRun& run, const DecompositionTable* decompositions);
    /// What-if shows another partition.
    void repartition(const ShownRun& run);
    /// Marks the rows of these nodes in every table of nodes.
    void selectRows(const std::vector<NodeId>& nodes);
    /// False: only pages that a paused run has too are available.
    void setRunFinished(bool finished);

Q_SIGNALS:
    /// A row was chosen that stands for a node of the graph of this kind.
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind kind);

private:
    const Page& of(const QWidget* widget) const;
    void addDock(const Page& page);
    void addOpening(const Page& page);

    QMainWindow* window_;
    QTabWidget* tabs_;
    std::vector<Page> pages_;
    std::map<const QWidget*, QDockWidget*> docks_;
    std::map<const QWidget*, QAction*> openings_;
};

}  // namespace aotscope

#pragma once

#include "models/compile_html.h"

#include "charts/time_chart.h"

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTextBrowser>
#include <QTreeView>

namespace aotscope {

/// A TORCH_TRACE log: the tree of compilations, and beside it a summary of all of them, or the page of one with its
/// compile times.
class TracePanel : public QWidget {
    Q_OBJECT

public:
    explicit TracePanel(QWidget* parent = nullptr);

    /// `stories`: parallel to the compilations. `note`: a line above the tree.
    void setTrace(std::shared_ptr<const TraceLog> log, const std::vector<CompileStory>& stories, const QString& note);
    /// The compilation whose graphs the window shows; it becomes the current one.
    void setShown(const QString& id);
    /// The same, but all compilations are summarized.
    void setShownAmongAll(const QString& id);
    void showSummary();
    void setPage(CompilePage page);
    /// The id of the current compilation; empty: none.
    QString selected() const;
    /// Makes a compilation the current one; false if the id is unknown.
    bool select(const QString& id);
    void showRecord(const LogRecord& record, const QString& text);

    QTreeView* tree() const { return tree_; }
    QTextBrowser* page() const { return browser_; }
    TimeChart* times() const { return times_; }
    QLabel* note() const { return note_; }
    QSplitter* splitter() const { return splitter_; }

Q_SIGNALS:
    /// Read the page of a compilation.
    void pageAsked(std::size_t compile);
    void graphsAsked(const QString& id);
    void nodeAsked(const QString& name);
    void savedAsked();
    void recordAsked(quint64 line);
    void sourceAsked(const QString& file, int line);

private:
    void addFrame(const std::vector<TracedFrame>& frames, std::size_t frame, const std::vector<CompileStory>& stories,
                  QStandardItem* parent, int depth);
    void follow(const QUrl& link);
    void choose(const QModelIndex& row);
    void write();
    void showTimes(TimePicture times);

    std::shared_ptr<const TraceLog> log_;
    std::optional<CompilePage> shownPage_;
    QString shown_, summary_;
    bool guards_ = false;  ///< unfolded
    QLabel* note_;
    QLineEdit* filter_;
    QStandardItemModel* model_;
    QSortFilterProxyModel* proxy_;
    QTreeView* tree_;
    QTextBrowser* browser_;
    TimeChart* times_;
    QSplitter* splitter_;
};

}  // namespace aotscope

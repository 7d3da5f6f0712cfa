#pragma once

#include "panels/inspector/selection_html.h"

#include <QFutureWatcher>
#include <QPushButton>
#include <QStringList>
#include <QTextBrowser>
#include <QWidget>
#include <memory>

namespace aotscope {

/// Everything known about what is selected, with links to its neighbours, in sections that can be closed.
class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    /// One node of the graph.
    void showNode(const InspectedNode& inspected);
    /// Several nodes, or a module.
    void showSelection(const InspectedSelection& inspected);
    /// Shows the graph as a whole, while nothing is selected. The operations of a large one are counted in the
    /// background.
    void showGraph(const std::shared_ptr<const Graph>& graph, GraphKind kind);
    bool busy() const { return counting_.isRunning(); }
    /// The effects of saving or recomputing `node`, a sentence each; none: not known yet. Shown with that node only.
    void setAlternatives(NodeId node, const QStringList& sentences);
    /// Opens a section, if one has this name, and moves to it.
    void showSection(const QString& name);
    QStringList closedSections() const { return closed_; }
    void setClosedSections(const QStringList& names);

    QString text() const { return browser_->toPlainText(); }
    /// Why the shown node is saved or recomputed, for the clipboard. Empty: not explained.
    QString whyText() const;
    bool hasSource() const { return showSource_->isEnabled(); }
    /// Opens the source file of the shown node at its line.
    void showSource();

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node);
    /// One of InspectedSelection::overrides, for everything that is shown.
    void overrideAsked(const QString& action);
    /// Another node is shown: hasSource() may have changed.
    void sourceChanged();
    /// The user has opened or closed a section.
    void closedSectionsChanged(const QStringList& names);
    /// A page of the manual, for a term of its glossary.
    void manualAsked(const QString& place);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const QUrl& link);
    void toggle(const QString& section);
    void write();
    void markTerms();
    void showNoNode(std::vector<InspectorSection> sections);
    QString heading(const InspectorSection& section) const;
    void setSource(std::shared_ptr<const SourceInfo> source);

    QTextBrowser* browser_;
    QPushButton *showSource_, *copyWhy_;
    std::shared_ptr<const SourceInfo> source_;
    std::vector<InspectorSection> sections_;
    std::optional<WhyStory> why_;
    NodeId node_ = kNoNode;
    std::weak_ptr<const Graph> graph_;  ///< shown as a whole
    NodeId askedOf_ = kNoNode;          ///< the node of the alternatives
    QStringList alternatives_, closed_;
    QFutureWatcher<std::vector<InspectorSection>> counting_;
};

}  // namespace aotscope

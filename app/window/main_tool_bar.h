#pragma once

#include "window/check_badge.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <vector>

namespace aotscope {

/// The toolbar of the window: the open model, its commands, and the options of a run.
class MainToolBar : public QToolBar {
    Q_OBJECT

public:
    explicit MainToolBar(QWidget* parent);

    struct Tools {
        QMenu* open;        ///< what can be opened
        QLineEdit* search;  ///< where a query is typed
        QAction *compile, *check, *time, *debug, *options;
    };
    void fill(const Tools& tools);

    CheckBadge* badge() const { return badge_; }
    /// The open model; `path` is what it was opened by.
    void setModel(const QString& name, const QString& path);
    /// The compilations of a log of printed graphs; fewer than two: no choice.
    void setCompilations(const QStringList& ids, const QString& current);
    void stepCompilation(int by);
    /// The runs of the model, each with what it changed; fewer than two: no choice. `current`: -1 for none.
    void setRuns(const QStringList& runs, int current);

Q_SIGNALS:
    void compilationChosen(const QString& id);
    /// By its place in the list.
    void runChosen(int index);
    /// Show the result of a check in full.
    void checkDetailsAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fitIcons();
    void addSearch(QLineEdit* line);
    void addTool(QAction* action);

    QToolButton* open_;
    QComboBox* compile_;
    QToolButton* runs_;
    CheckBadge* badge_;
    std::vector<QAction*> compileActions_;  ///< of the list and its label
    QAction* runsAction_ = nullptr;
};

}  // namespace aotscope

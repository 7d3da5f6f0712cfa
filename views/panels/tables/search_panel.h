#pragma once

#include "models/search_results_model.h"
#include "panels/tables/query_edit.h"

#include <QLabel>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

namespace aotscope {

/// The hits of a query in all graphs of the run, and the line for the query, which may be elsewhere.
class SearchPanel : public QWidget {
    Q_OBJECT

public:
    explicit SearchPanel(QWidget* parent = nullptr);

    QueryEdit* edit() const { return edit_; }
    QTreeView* view() const { return view_; }
    const SearchResultsModel& model() const { return model_; }

    void showResult(std::shared_ptr<const CompileRecord> record, SearchResult result);
    /// Shows a sentence in place of the count and clears the previous results.
    void showError(const QString& text);
    void clear();
    /// Marks a hit in the list, without emitting hitChosen, and shows its number.
    void setCurrent(std::optional<std::size_t> position);

Q_SIGNALS:
    void hitChosen(std::size_t position);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void showCount();

    SearchResultsModel model_;
    QueryEdit* edit_;
    QLabel* count_;
    QToolButton *previous_, *next_;
    QTreeView* view_;
    std::optional<std::size_t> current_;
    bool following_ = false;
};

}  // namespace aotscope

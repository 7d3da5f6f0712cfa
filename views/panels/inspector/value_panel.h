#pragma once

#include "charts/heat_map.h"
#include "charts/value_histogram.h"
#include "models/tables/value_table.h"
#include "panels/graph/rank_marks.h"
#include "panels/tables/table_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>

namespace aotscope {

/// The values of a debugged run: where it is paused, a table of watched values, and the details of the selected value.
/// If ranks are stepped together, it has the values of all, and the details of one.
class ValuePanel : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit ValuePanel(QWidget* parent = nullptr);

    /// Where the run is paused: one sentence.
    void setState(const QString& sentence);
    void setWatches(const std::vector<ShownValue>& values);
    /// The selected value; `image` at the leading indices that are shown.
    void showValue(const ShownValue& value, const std::optional<ValueImage>& image);
    /// Nothing is selected.
    void clearValue();
    /// How many ranks to step together. `offered`: the program has collectives. `whyAlone`: why only one is possible;
    /// empty: others are.
    void setRankCount(bool offered, std::size_t count, const QString& whyAlone);
    std::size_t rankCount() const { return static_cast<std::size_t>(count_->value()); }
    /// For all that are stepped, whether each can be shown. A single one needs no choice.
    void setRanks(const std::vector<bool>& shownOnes);
    void setShownRank(std::size_t rank);
    void setTheme(const Theme& theme) override;
    /// Whether watches and values can be changed now.
    void setActive(bool active);

    /// The spin boxes' indices of all dimensions but the last two.
    std::vector<std::int64_t> leading() const;

    QString state() const { return state_->text(); }
    QString shownName() const { return name_->text(); }
    QString firstText() const { return first_->toPlainText(); }
    TablePanel* watches() const { return watches_; }
    HeatMap* heatMap() const { return heatMap_; }
    ValueHistogram* histogram() const { return histogram_; }
    const std::vector<QSpinBox*>& indices() const { return indices_; }
    QLineEdit* edit() const { return edit_; }
    QSpinBox* count() const { return count_; }
    QComboBox* ranks() const { return ranks_; }
    RankLegend* legend() const { return legend_; }

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    void watchRequested();
    void unwatchRequested();
    void leadingChanged();
    void editRequested(const QString& text);
    /// Step another number of ranks.
    void countChanged();
    void rankChosen(std::size_t rank);

private:
    QLayout* makeButtons();
    void addRanks(QHBoxLayout* line);
    void markShownRank();
    QWidget* makeDetails();
    void setIndices(const std::vector<std::int64_t>& sizes);

    QLabel* state_;
    TablePanel* watches_;
    QPushButton *watch_, *unwatch_, *set_;
    QSplitter* splitter_;
    QLabel* countTitle_;
    QSpinBox* count_;
    QComboBox* ranks_;
    RankDelegate* marks_;
    RankLegend* legend_;
    std::vector<ShownValue> values_;
    std::vector<RankRowMark> rows_;  ///< of the table
    bool following_ = false;         ///< the table is being set by code
    QLabel *name_, *facts_;
    ValueHistogram* histogram_;
    QPlainTextEdit* first_;
    QHBoxLayout* indexLine_;
    std::vector<QSpinBox*> indices_;
    std::vector<std::int64_t> sizes_;
    HeatMap* heatMap_;
    QLineEdit* edit_;
    NodeId node_ = kNoNode;  ///< of the selected value
    bool active_ = false, editable_ = false;
};

}  // namespace aotscope

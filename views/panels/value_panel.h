#pragma once

#include "charts/heat_map.h"
#include "charts/value_histogram.h"
#include "models/value_table.h"
#include "panels/table_panel.h"

#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

namespace aotscope {

/// The values of a debugged run: where it is paused, a table of watched values, and the details of
/// the selected value.
class ValuePanel : public QWidget {
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
    void setTheme(const Theme& theme);
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

Q_SIGNALS:
    void nodeSelected(aotscope::NodeId node, aotscope::GraphKind graph);
    void watchRequested();
    void unwatchRequested();
    void leadingChanged();
    void editRequested(const QString& text);

private:
    QLayout* makeButtons();
    QWidget* makeDetails();
    void setIndices(const std::vector<std::int64_t>& sizes);

    QLabel* state_;
    TablePanel* watches_;
    QPushButton *watch_, *unwatch_, *set_;
    QLabel *name_, *facts_;
    ValueHistogram* histogram_;
    QPlainTextEdit* first_;
    QHBoxLayout* indexLine_;
    std::vector<QSpinBox*> indices_;
    std::vector<std::int64_t> sizes_;
    HeatMap* heatMap_;
    QLineEdit* edit_;
    bool active_ = false, editable_ = false;
};

}  // namespace aotscope

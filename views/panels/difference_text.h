#pragma once

#include "canvas/theme.h"
#include "models/difference_text_model.h"

#include <QTableView>
#include <array>

namespace aotscope {

/// The texts of two graphs side by side: corresponding nodes are level, both sides scroll together, and differing words
/// are marked.
class DifferenceText : public QWidget, public Themed {
    Q_OBJECT

public:
    explicit DifferenceText(QWidget* parent = nullptr);

    void setDifference(const std::shared_ptr<const DifferenceLines>& lines);
    void setOnlyDifferences(bool only);
    void setTheme(const Theme& theme) override;
    QTableView* view(DifferenceTextModel::Side side) const { return views_[static_cast<std::size_t>(side)]; }
    const DifferenceTextModel& model() const { return *models_[1]; }

    /// Marks a row without emitting rowChosen; -1: none.
    void selectRow(int row);
    void scrollTo(int row);

Q_SIGNALS:
    void rowChosen(int row);

protected:
    void changeEvent(QEvent* event) override;

private:
    void prepare(QTableView* view, DifferenceTextModel* model);
    void follow(QTableView* view, QTableView* other);
    void copyRows(const QTableView* view);
    void fitColumns();

    std::array<DifferenceTextModel*, 2> models_;  ///< before, after
    std::array<QTableView*, 2> views_;
    bool following_ = false;
};

}  // namespace aotscope

#pragma once

#include "charts/fit_chart.h"
#include "cost/fit/data_sheet.h"
#include "panels/tables/table_panel.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <map>

namespace aotscope {

/// Does a training step fit into a device, how large can the batch be, and how long does the step take? Its questions,
/// with sliders for sizes, and the answer.
class FitPanel : public QWidget {
    Q_OBJECT

public:
    explicit FitPanel(QWidget* parent = nullptr);

    /// Null: the session's own device.
    const DataSheet* sheet() const;
    const OptimizerFormula& optimizer() const;
    AssumedLoss loss() const;
    /// Bytes.
    std::int64_t limit() const;
    /// Without a signal.
    void setLimit(std::int64_t bytes);
    std::int64_t batch() const { return batch_.box->value(); }
    /// Of the symbols beside the batch.
    SymbolValues sizes() const;

    /// Empties the panel. `why`: a sentence on why nothing can be asked; empty: it can.
    void reset(const QString& why, const QString& ownDevice);
    /// Sliders for symbols beside the batch.
    void setSizes(const std::vector<Symbol>& others);
    /// `shown`: the batch whose figures the heading has.
    void show(const BatchSearch& found, std::int64_t shown);
    void showProblem(const QString& text);

    FitChart* chart() const { return chart_; }
    TablePanel* rows() const { return rows_; }
    QString heading() const { return heading_->text(); }

Q_SIGNALS:
    /// Something else is asked.
    void asked();
    /// Likewise, on another device.
    void deviceChosen();

private:
    /// A size to choose.
    struct Size {
        QSlider* slider = nullptr;
        QSpinBox* box = nullptr;
        QHBoxLayout* row = nullptr;
    };
    Size addSize(const QString& title, const QString& help);
    static void setRange(const Size& size, std::int64_t least, std::int64_t most, std::int64_t value);

    QFormLayout* form_;
    QComboBox *device_, *optimizer_, *loss_;
    QDoubleSpinBox* limit_;
    Size batch_;
    std::map<std::string, Size, std::less<>> others_;  ///< by symbol
    QLabel* heading_;
    FitChart* chart_;
    TablePanel* rows_;
};

}  // namespace aotscope

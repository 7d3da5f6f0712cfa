#pragma once

#include "models/variant.h"
#include "panels/tables/table_panel.h"

#include <QToolButton>

namespace aotscope {

/// The named variants of a partition, with buttons to show, compare, measure and compile them.
class VariantPanel : public QWidget {
    Q_OBJECT

public:
    explicit VariantPanel(QWidget* parent = nullptr);

    /// The first is the compiled partition, which cannot be removed.
    void showVariants(const std::vector<Variant>& variants, int shown);
    TablePanel* table() const { return table_; }
    /// Indices of the selected variants, in the order of the list.
    std::vector<int> marked() const;

Q_SIGNALS:
    void showRequested(int variant);
    void compareRequested(int before, int after);
    void measureRequested(const std::vector<int>& variants);
    void activateRequested(int variant);
    void removeRequested(const std::vector<int>& variants);

private:
    QToolButton* addButton(const QString& name, const QString& text, const QString& help);
    void enableWhatApplies();

    TablePanel* table_;
    QToolButton *show_, *compare_, *measure_, *activate_, *remove_;
};

}  // namespace aotscope

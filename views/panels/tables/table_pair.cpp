#include "panels/tables/table_pair.h"

#include <QHBoxLayout>
#include <QSplitter>

namespace aotscope {

TablePair::TablePair(const Titled& left, const Titled& right, int leftShare, QWidget* parent)
    : QWidget(parent), left_(new TablePanel(this)), right_(new TablePanel(this)) {
    auto* splitter = new QSplitter(this);
    splitter->setChildrenCollapsible(false);
    for (const auto& [table, titled] : {std::pair{left_, left}, std::pair{right_, right}}) {
        table->setObjectName(titled.name);
        table->view()->setAccessibleName(titled.title);
        splitter->addWidget(table);
    }
    splitter->setStretchFactor(0, leftShare);
    splitter->setStretchFactor(1, 100 - leftShare);
    splitter->setSizes({leftShare * 10, 1000 - leftShare * 10});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter);
}

}  // namespace aotscope

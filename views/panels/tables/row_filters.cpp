#include "panels/tables/row_filters.h"

#include "models/words/to_qstring.h"

#include <algorithm>

namespace aotscope {

RowFilters::RowFilters(QWidget* parent) : QToolBar(parent), group_(new QButtonGroup(this)) {
    connect(group_, &QButtonGroup::idClicked, this, [this](int id) {
        Q_EMIT chosen(id == 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(id) - 1));
    });
}

void RowFilters::setContent(const TableContent& content) {
    if (content.filters.empty() ? !buttons_.empty() : buttons_.size() != content.filters.size() + 1)
        build(content.filters);
    setVisible(!content.filters.empty() && !content.rows.empty());
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const auto rows = i == 0 ? static_cast<std::ptrdiff_t>(content.rows.size())
                                 : std::ranges::count_if(content.rows, [&](const TableContent::Row& row) {
                                       return (row.filters & (1U << (i - 1))) != 0;
                                   });
        const QString title = i == 0 ? tr("All") : content.filters[i - 1].title;
        buttons_[i]->setText(tr("%1 (%2)").arg(title).arg(rows));
    }
}

void RowFilters::build(const std::vector<TableContent::Filter>& filters) {
    clear();
    for (QToolButton* button : buttons_) delete button;
    buttons_.clear();
    for (std::size_t i = 0; !filters.empty() && i <= filters.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolTip(i == 0 ? tr("All rows of the table") : capitalized(filters[i - 1].help));
        group_->addButton(button, static_cast<int>(i));
        addWidget(button);
        buttons_.push_back(button);
    }
    if (!buttons_.empty()) buttons_.front()->setChecked(true);
    Q_EMIT chosen(std::nullopt);
}

}  // namespace aotscope

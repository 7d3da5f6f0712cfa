#pragma once

#include "window/options/options_popover.h"

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace aotscope {

/// An option that differs from its default: its text opens the options there, its cross resets it.
class OptionChip : public QWidget {
    Q_OBJECT

public:
    OptionChip(const ChosenOption& option, QWidget* parent);

Q_SIGNALS:
    void opened();
    void removed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    bool removable_;
};

/// The chips, as many as fit, and a button with a list of the others.
class ChipRow : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(OptionsPopover* options, QWidget* parent);

    /// Shows the current options. False: all have their defaults.
    bool refresh();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {more_->sizeHint().width(), sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void listHidden(std::size_t first);

    OptionsPopover* options_;
    QToolButton* more_;
    std::vector<ChosenOption> chosen_;
    std::vector<OptionChip*> chips_;
};

/// A toolbar row with the chips, shown only if there are any.
class OptionChips : public QToolBar {
    Q_OBJECT

public:
    OptionChips(OptionsPopover* options, QWidget* parent);

private:
    void refresh();

    ChipRow* row_;
};

}  // namespace aotscope

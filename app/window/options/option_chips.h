#pragma once

#include "window/options/options_popover.h"

#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace aotscope {

/// One of the options that are not as they are by default: its words open the options there, its cross resets it.
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

    /// Shows what is chosen now. False: nothing is.
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

/// A row of the toolbars with the chips; it is there only while there are some.
class OptionChips : public QToolBar {
    Q_OBJECT

public:
    OptionChips(OptionsPopover* options, QWidget* parent);

private:
    void refresh();

    ChipRow* row_;
};

}  // namespace aotscope

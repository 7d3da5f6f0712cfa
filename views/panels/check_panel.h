#pragma once

#include "models/check_story.h"
#include "panels/tables/table_panel.h"

#include <QLabel>
#include <QPushButton>

namespace aotscope {

/// The verdict of a check against eager: in one line, and for each compared value.
class CheckPanel : public QWidget {
    Q_OBJECT

public:
    explicit CheckPanel(QWidget* parent = nullptr);

    void setStory(CheckStory story);
    const CheckStory& story() const { return story_; }
    TablePanel* values() const { return values_; }
    QPushButton* showPlace() const { return showPlace_; }

Q_SIGNALS:
    /// Show the pass and the operation of the first difference.
    void placeAsked();

private:
    CheckStory story_;
    QLabel *icon_, *sentence_, *details_, *difference_;
    QPushButton* showPlace_;
    TablePanel* values_;
};

}  // namespace aotscope

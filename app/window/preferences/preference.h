#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace aotscope {

/// Something that people choose once, for all models.
struct Preference {
    QString name;     ///< of the widget that edits it
    QString section;  ///< its page
    QString title;
    QString help;  ///< a sentence
    /// Makes the widget, which shows the choice and carries out another one at once.
    std::function<QWidget*(QWidget* parent)> edit;
};

}  // namespace aotscope

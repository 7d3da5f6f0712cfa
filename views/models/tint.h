#pragma once

#include <QColor>
#include <QString>

namespace aotscope {

/// A fill that a box has for a reason of its own, on a light and on a dark background.
struct Tint {
    QColor light, dark;
    int weight = 0;  ///< a closed group has the heaviest tint of what is in it, and of these the most common
    bool operator==(const Tint&) const = default;
};

/// A tint and what it means.
struct TintMeaning {
    Tint tint;
    QString text;
};

}  // namespace aotscope

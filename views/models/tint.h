#pragma once

#include "models/palette.h"

#include <QString>

namespace aotscope {

/// A fill that a box has for a reason of its own.
struct Tint {
    Meaning meaning = Meaning::noValue;
    int weight = 0;  ///< a closed group has the heaviest tint in it, and of equal ones the most common
    bool operator==(const Tint&) const = default;
};

/// A tint and what it means.
struct TintMeaning {
    Tint tint;
    QString text;
};

}  // namespace aotscope

#pragma once

#include <QString>
#include <string_view>

namespace aotscope {

inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

inline QString capitalized(const QString& sentence) { return sentence.left(1).toUpper() + sentence.mid(1); }

}  // namespace aotscope

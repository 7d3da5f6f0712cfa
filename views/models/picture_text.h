#pragma once

#include "models/words/to_qstring.h"
#include "support/printable.h"

namespace aotscope {

inline constexpr std::size_t kMostInBox = 80;    ///< characters of a line in a picture
inline constexpr std::size_t kMostShown = 2000;  ///< of what stands in a tip or a page: names may have no end

/// A name that a file gives, for pictures and pages: one line in which what cannot be seen is escaped, at most `most`
/// characters.
inline QString pictureText(std::string_view text, std::size_t most = kMostInBox) {
    return toQString(shortenedTo(most, text));
}
inline QString pictureText(const QString& text, std::size_t most = kMostInBox) {
    return pictureText(std::string_view(text.toStdString()), most);
}

}  // namespace aotscope

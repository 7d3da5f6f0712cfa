#pragma once

#include "models/words/to_qstring.h"
#include "support/printable.h"

namespace aotscope {

inline constexpr std::size_t kMostInBox = 80;    ///< characters of a line in a picture
inline constexpr std::size_t kMostShown = 2000;  ///< of text in a tooltip or a page: names have no length limit

/// A name from a file, for pictures and pages: one line in which invisible characters are escaped, at most `most`
/// characters.
inline QString pictureText(std::string_view text, std::size_t most = kMostInBox) {
    return toQString(shortenedTo(most, text));
}
inline QString pictureText(const QString& text, std::size_t most = kMostInBox) {
    return pictureText(std::string_view(text.toStdString()), most);
}

}  // namespace aotscope

#pragma once

#include <QByteArray>

namespace aotscope::test::pickled {

// Operations of pickles, for files that Python would not write.

inline QByteArray little(quint64 value, int width) {
    QByteArray bytes;
    for (int i = 0; i < width; ++i) bytes.append(static_cast<char>(value >> (8 * i)));
    return bytes;
}
inline QByteArray text(const QByteArray& content) {
    return "X" + little(static_cast<quint64>(content.size()), 4) + content;
}
inline QByteArray integer(qint64 value) { return QByteArray("\x8a\x08") + little(static_cast<quint64>(value), 8); }
inline QByteArray list(const QByteArray& elements) { return "](" + elements + "e"; }
inline QByteArray dict(const QByteArray& entries) { return "}(" + entries + "u"; }

}  // namespace aotscope::test::pickled

#include "models/difference_words.h"

#include "models/to_qstring.h"

#include <QObject>

namespace aotscope {

Tint tintOf(DifferenceKind kind) {
    switch (kind) {
        case DifferenceKind::added: return {QColor(0xb5, 0xe3, 0xcb), QColor(0x17, 0x55, 0x3c), 4};
        case DifferenceKind::removed: return {QColor(0xf9, 0xcd, 0xbb), QColor(0x66, 0x30, 0x1f), 3};
        case DifferenceKind::replaced: return {QColor(0xe3, 0xd3, 0xf0), QColor(0x4a, 0x2f, 0x61), 5};
        case DifferenceKind::changed: return {QColor(0xfa, 0xe8, 0xa0), QColor(0x5a, 0x4c, 0x12), 2};
        case DifferenceKind::moved: return {QColor(0xc6, 0xdf, 0xf6), QColor(0x1a, 0x3f, 0x61), 1};
        case DifferenceKind::same: break;
    }
    return {QColor(0xf4, 0xf4, 0xf2), QColor(0x2d, 0x2f, 0x33)};
}

QString meaningOf(DifferenceKind kind) {
    switch (kind) {
        case DifferenceKind::added: return QObject::tr("added");
        case DifferenceKind::removed: return QObject::tr("removed");
        case DifferenceKind::replaced: return QObject::tr("replaced");
        case DifferenceKind::changed: return QObject::tr("changed");
        case DifferenceKind::moved: return QObject::tr("moved");
        case DifferenceKind::same: break;
    }
    return QObject::tr("unchanged");
}

QString describe(const DifferenceRow& row) {
    if (row.kind == DifferenceKind::same) return {};
    const QString what = toQString(row.what);
    return what.isEmpty() ? meaningOf(row.kind) : QObject::tr("%1: %2").arg(meaningOf(row.kind), what);
}

}  // namespace aotscope

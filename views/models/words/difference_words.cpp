#include "models/words/difference_words.h"

#include "models/words/to_qstring.h"

#include <QObject>

namespace aotscope {

Tint tintOf(DifferenceKind kind) {
    switch (kind) {
        case DifferenceKind::added: return {Meaning::added, 4};
        case DifferenceKind::removed: return {Meaning::removed, 3};
        case DifferenceKind::replaced: return {Meaning::replaced, 5};
        case DifferenceKind::changed: return {Meaning::changed, 2};
        case DifferenceKind::moved:
        case DifferenceKind::renamed: return {Meaning::moved, 1};
        case DifferenceKind::same: break;
    }
    return {Meaning::same, 0};
}

QString meaningOf(DifferenceKind kind) {
    return kind == DifferenceKind::same ? QObject::tr("unchanged") : toQString(name(kind));
}

QString describe(const DifferenceRow& row) {
    if (row.kind == DifferenceKind::same) return {};
    const QString what = toQString(row.what);
    return what.isEmpty() ? meaningOf(row.kind) : QObject::tr("%1: %2").arg(meaningOf(row.kind), what);
}

}  // namespace aotscope

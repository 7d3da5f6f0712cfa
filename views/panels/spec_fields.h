#pragma once

#include "program/input_spec.h"

#include <QString>
#include <QStringList>

namespace aotscope {

/// The texts of the input form's fields, and back. What cannot be read throws Error, a sentence for the field.

/// "batch, 3, 64, 64"; "()" for a number when the field's being empty means the shape of the file.
QString shapeText(const LeafSpec& leaf);
/// Sets shape and dimNames. Names are looked up in `dims`.
void readShape(const QString& text, const std::vector<NamedDimension>& dims, LeafSpec& leaf);
/// Names in a shape's text that are not in `dims`.
QStringList unknownDimensions(const QString& text, const std::vector<NamedDimension>& dims);

/// The kinds of fill in the order of the form's list; their words are those of the JSON.
enum class FillKind { zeros, ones, randn, rand, randint, pattern, file };
QStringList fillKindNames();
FillKind fillKind(const Fill& fill);
/// What a kind of fill needs besides its name: "0, 10", "7, 16, -8, 0.125", a path. Empty for those that need nothing.
QString fillDetail(const Fill& fill);
/// What to type there, shown while the field is empty; empty if it stays so.
QString fillDetailHint(FillKind kind);
Fill readFill(FillKind kind, const QString& detail);

/// How a derived value is shown: "view(x, [2, 2])".
QString derivedText(const DerivedSpec& derived, const QString& of);

}  // namespace aotscope

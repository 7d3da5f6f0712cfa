#pragma once

#include "program/inputs/input_spec.h"

#include <QString>
#include <QStringList>

namespace aotscope {

/// Converts the input form's fields to text and back. Invalid text throws Error with a message for the field.

/// "batch, 3, 64, 64"; "()" for a number where an empty field means the shape in the file.
QString shapeText(const LeafSpec& leaf);
/// Sets shape and dimNames. Names are looked up in `dims`.
void readShape(const QString& text, const std::vector<NamedDimension>& dims, LeafSpec& leaf);
/// The names in a shape's text that `dims` lacks.
QStringList unknownDimensions(const QString& text, const std::vector<NamedDimension>& dims);

/// The kinds of fill in the order of the form's list; their names are those of the JSON.
enum class FillKind { zeros, ones, randn, rand, randint, pattern, file };
QStringList fillKindNames();
FillKind fillKind(const Fill& fill);
/// The parameters of a fill: "0, 10", "7, 16, -8, 0.125", a path. Empty for fills without parameters.
QString fillDetail(const Fill& fill);
/// Placeholder for the parameters; empty for fills without parameters.
QString fillDetailHint(FillKind kind);
Fill readFill(FillKind kind, const QString& detail);

/// The text of a derived value: "view(x, [2, 2])".
QString derivedText(const DerivedSpec& derived, const QString& of);

}  // namespace aotscope

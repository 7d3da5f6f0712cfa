#pragma once

#include <QString>
#include <vector>

namespace aotscope {

/// A part of a line.
struct TextPart {
    qsizetype start = 0, length = 0;
    bool operator==(const TextPart&) const = default;
};

/// The parts of two lines that the other one lacks.
struct DifferingWords {
    std::vector<TextPart> before, after;
};

/// Compares two lines word by word: names, numbers, and every other character on its own.
DifferingWords differingWords(const QString& before, const QString& after);

}  // namespace aotscope

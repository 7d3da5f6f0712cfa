#include "models/words/differing_words.h"

#include <algorithm>
#include <span>

namespace aotscope {

namespace {

constexpr std::size_t kMostCells = 1 << 20;  ///< of the table; between longer lines, the whole middle differs

struct Word {
    TextPart part;
    QStringView text;
};
using Words = std::vector<Word>;

bool isWordLetter(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

Words wordsOf(const QString& line) {
    Words words;
    for (qsizetype i = 0; i < line.size();) {
        qsizetype end = i + 1;
        // A sigil belongs to the name: %add.
        if (isWordLetter(line[i]) || line[i] == u'%')
            while (end < line.size() && isWordLetter(line[end])) ++end;
        words.push_back({{i, end - i}, QStringView(line).sliced(i, end - i)});
        i = end;
    }
    return words;
}

/// Neighbours become one part, including the space between them.
void mark(std::vector<TextPart>& parts, const QString& line, const TextPart& word) {
    if (line[word.start].isSpace()) return;
    if (!parts.empty()) {
        TextPart& last = parts.back();
        const qsizetype end = last.start + last.length;
        if (QStringView(line).sliced(end, word.start - end).trimmed().isEmpty()) {
            last.length = word.start + word.length - last.start;
            return;
        }
    }
    parts.push_back(word);
}

/// lengths[i][j]: of the longest common subsequence of a from i on and b from j on.
class CommonWords {
public:
    CommonWords(std::span<const Word> a, std::span<const Word> b)
        : columns_(b.size() + 1), lengths_((a.size() + 1) * columns_) {
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t j = b.size(); j-- > 0;)
                at(i, j) = a[i].text == b[j].text ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    int& at(std::size_t i, std::size_t j) { return lengths_[i * columns_ + j]; }

private:
    std::size_t columns_;
    std::vector<int> lengths_;
};

}  // namespace

DifferingWords differingWords(const QString& before, const QString& after) {
    const Words wordsBefore = wordsOf(before), wordsAfter = wordsOf(after);
    std::span<const Word> a = wordsBefore, b = wordsAfter;
    const auto same = [](const Word& x, const Word& y) { return x.text == y.text; };
    const auto start = static_cast<std::size_t>(std::ranges::mismatch(a, b, same).in1 - a.begin());
    a = a.subspan(start), b = b.subspan(start);
    while (!a.empty() && !b.empty() && same(a.back(), b.back())) a = a.first(a.size() - 1), b = b.first(b.size() - 1);
    DifferingWords found;
    std::size_t i = 0, j = 0;
    if (a.size() * b.size() <= kMostCells) {
        CommonWords common(a, b);
        while (i < a.size() && j < b.size()) {
            if (same(a[i], b[j])) ++i, ++j;
            else if (common.at(i + 1, j) >= common.at(i, j + 1)) mark(found.before, before, a[i++].part);
            else mark(found.after, after, b[j++].part);
        }
    }
    while (i < a.size()) mark(found.before, before, a[i++].part);
    while (j < b.size()) mark(found.after, after, b[j++].part);
    return found;
}

}  // namespace aotscope

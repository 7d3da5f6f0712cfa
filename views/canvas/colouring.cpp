#include "canvas/colouring.h"
#include "support/formatted.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr Index kSteps = 6, kHues = 8;
constexpr Tint kNoValue = {Meaning::noValue, -1};

/// From low to high.
Tint step(Index number) { return {after(Meaning::step1, number), static_cast<int>(number) + 1}; }
/// For words; they repeat.
Tint hue(Index number) { return {after(Meaning::word1, number % kHues), 0}; }

QString textOf(double value, const NodeValues& values) {
    switch (values.unit) {
        case NodeValues::Unit::bytes: return toQString(formatBytes(std::llround(value)));
        case NodeValues::Unit::microseconds: return toQString(timeText(value / 1000, values.basis));
        case NodeValues::Unit::plain: break;
    }
    const QString number = QString::number(value, 'g', 4);
    return values.suffix.isEmpty() ? number : QString(number + u' ' + values.suffix);
}

/// ", measured"
QString sourceOf(NodeId node, const NodeValues& values) {
    const auto basis = values.bases.find(node);
    if (basis == values.bases.end()) return {};
    switch (basis->second) {
        case CostBasis::measured: return QObject::tr(", measured");
        case CostBasis::near: return QObject::tr(", scaled from a similar operation");
        case CostBasis::estimated: break;
    }
    return QObject::tr(", by the rates of the machine");
}

QString titled(const QString& text, const NodeValues& values) { return values.title + QStringLiteral(": ") + text; }

/// Divides a range of numbers into steps, linearly or, if they span orders of magnitude and no value is to stand out,
/// logarithmically.
class Scale {
public:
    explicit Scale(const NodeValues& values) {
        double smallestPositive = 0;
        bool first = true;
        for (const auto& [id, value] : values.numbers) {
            low_ = first ? value : std::min(low_, value);
            high_ = first ? value : std::max(high_, value);
            first = false;
            if (value > 0) smallestPositive = smallestPositive > 0 ? std::min(smallestPositive, value) : value;
        }
        constexpr double magnitudes = 50, widest = 1e6;
        logarithmic_ = !values.linear && low_ >= 0 && smallestPositive > 0 && high_ / smallestPositive > magnitudes;
        if (logarithmic_) low_ = std::max(smallestPositive, high_ / widest);
    }

    Index stepOf(double value) const {
        const double share = shareOf(value), count = static_cast<double>(kSteps);
        return static_cast<Index>(std::clamp(std::floor(share * count), 0.0, count - 1));
    }
    double lowerEnd(Index step) const {
        const double share = static_cast<double>(step) / static_cast<double>(kSteps);
        return logarithmic_ ? low_ * std::pow(high_ / low_, share) : low_ + (high_ - low_) * share;
    }

private:
    double shareOf(double value) const {
        if (high_ <= low_) return 0;
        if (!logarithmic_) return (value - low_) / (high_ - low_);
        return value <= low_ ? 0 : std::log(value / low_) / std::log(high_ / low_);
    }

    double low_ = 0, high_ = 0;
    bool logarithmic_ = false;
};

void tintNumbers(DrawnGraph& drawn, const NodeValues& values) {
    const Scale scale(values);
    std::array<bool, kSteps> seen = {};
    bool rest = false;
    for (DrawnNode& node : drawn.nodes) {
        const auto it = values.numbers.find(node.id);
        if (it == values.numbers.end()) {
            node.tint = kNoValue;
            rest = true;
            continue;
        }
        // Without distinct texts, different colours would claim more than is known.
        const Index place = values.basis == TimeBasis::unreliable ? 0 : scale.stepOf(it->second);
        node.tint = step(place);
        node.value = titled(textOf(it->second, values) + sourceOf(node.id, values), values);
        seen[place] = true;
    }
    for (Index place = 0; place < kSteps; ++place) {
        if (!seen[place]) continue;
        const QString from = textOf(scale.lowerEnd(place), values), to = textOf(scale.lowerEnd(place + 1), values);
        const QString range = from == to   ? from
                              : place == 0 ? QObject::tr("up to %1").arg(to)
                                           : QObject::tr("%1 to %2").arg(from, to);
        const bool saysOfWhat = drawn.tints.empty() && !values.title.isEmpty();
        drawn.tints.push_back({step(place), saysOfWhat ? titled(range, values) : range});
    }
    if (rest) drawn.tints.push_back({kNoValue, QObject::tr("no value")});
}

void tintWords(DrawnGraph& drawn, const NodeValues& values) {
    std::map<QString, Index> count;
    bool rest = false;
    for (const DrawnNode& node : drawn.nodes) {
        const auto it = values.words.find(node.id);
        if (it == values.words.end()) rest = true;
        else ++count[it->second];
    }
    std::vector<QString> words;
    for (const QString& word : values.order)
        if (count.contains(word)) words.push_back(word);
    if (words.empty()) {
        for (const auto& [word, n] : count) words.push_back(word);
        std::ranges::stable_sort(words, std::greater<>(), [&](const QString& word) { return count[word]; });
    }
    std::map<QString, Index> place;
    for (Index i = 0; i < words.size(); ++i) place[words[i]] = i;
    for (DrawnNode& node : drawn.nodes) {
        const auto it = values.words.find(node.id);
        node.tint = it == values.words.end() ? kNoValue : hue(place[it->second]);
        if (it != values.words.end()) node.value = titled(it->second, values);
    }
    for (Index i = 0; i < std::min(words.size(), kHues); ++i) drawn.tints.push_back({hue(i), words[i]});
    if (words.size() > kHues)
        drawn.tints.push_back({hue(0), QObject::tr("%1 more (colours repeat)").arg(words.size() - kHues)});
    if (rest) drawn.tints.push_back({kNoValue, QObject::tr("no value")});
}

}  // namespace

void clearTints(DrawnGraph& drawn) {
    drawn.tints.clear();
    for (DrawnNode& node : drawn.nodes) {
        node.tint.reset();
        node.value.clear();
    }
}

void tint(DrawnGraph& drawn, const NodeValues& values) {
    clearTints(drawn);
    if (values.words.empty()) tintNumbers(drawn, values);
    else tintWords(drawn, values);
}

}  // namespace aotscope

#include "canvas/colouring.h"

#include "io/cost_text.h"
#include "io/text_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace aotscope {

namespace {

using Index = std::size_t;

QColor rgb(unsigned value) { return QColor::fromRgb(value); }

const Tint kNoValue = {rgb(0xffffff), rgb(0x26282b), -1};

/// From little to much; the hue darkens on light and lightens on dark, where lightness is what stands out.
const std::array<Tint, 6>& steps() {
    static const std::array<Tint, 6> ramp = {{{rgb(0xdfebf7), rgb(0x1f3146), 1},
                                              {rgb(0xc2daef), rgb(0x234a6d), 2},
                                              {rgb(0x94c2e1), rgb(0x2b6899), 3},
                                              {rgb(0x5aa2cf), rgb(0x4189bd), 4},
                                              {rgb(0x2d7dbb), rgb(0x7fb5dc), 5},
                                              {rgb(0x0b4d94), rgb(0xcfe3f4), 6}}};
    return ramp;
}

/// After Okabe and Ito.
const std::array<Tint, 8>& hues() {
    static const std::array<Tint, 8> all = {{{rgb(0xbfdcf2), rgb(0x12456b)},
                                             {rgb(0xf8d3b4), rgb(0x6b3410)},
                                             {rgb(0xbfe6d6), rgb(0x0f5540)},
                                             {rgb(0xf3cfe0), rgb(0x5e2d47)},
                                             {rgb(0xf7efa8), rgb(0x595211)},
                                             {rgb(0xd6e9f9), rgb(0x2a5f85)},
                                             {rgb(0xf9dfa6), rgb(0x63480c)},
                                             {rgb(0xd5cff0), rgb(0x383070)}}};
    return all;
}

QString textOf(double value, const NodeValues& values) {
    switch (values.unit) {
        case NodeValues::Unit::bytes: return toQString(formatBytes(std::llround(value)));
        case NodeValues::Unit::microseconds: return toQString(timeText(value / 1000, values.basis));
        case NodeValues::Unit::plain: break;
    }
    const QString number = QString::number(value, 'g', 4);
    return values.suffix.isEmpty() ? number : QString(number + u' ' + values.suffix);
}

QString titled(const QString& text, const NodeValues& values) { return values.title + QStringLiteral(": ") + text; }

/// Divides the range of some numbers into steps, by size or, where they span orders of magnitude and none is to stand
/// out, by logarithm.
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
        const double share = shareOf(value), count = static_cast<double>(steps().size());
        return static_cast<Index>(std::clamp(std::floor(share * count), 0.0, count - 1));
    }
    double lowerEnd(Index step) const {
        const double share = static_cast<double>(step) / static_cast<double>(steps().size());
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
    std::array<bool, 6> seen = {};
    bool rest = false;
    for (DrawnNode& node : drawn.nodes) {
        const auto it = values.numbers.find(node.id);
        if (it == values.numbers.end()) {
            node.tint = kNoValue;
            rest = true;
            continue;
        }
        const Index step = scale.stepOf(it->second);
        node.tint = steps()[step];
        node.value = titled(textOf(it->second, values), values);
        seen[step] = true;
    }
    for (Index step = 0; step < steps().size(); ++step) {
        if (!seen[step]) continue;
        const QString from = textOf(scale.lowerEnd(step), values), to = textOf(scale.lowerEnd(step + 1), values);
        const QString range = from == to  ? from
                              : step == 0 ? QObject::tr("up to %1").arg(to)
                                          : QObject::tr("%1 to %2").arg(from, to);
        const bool saysOfWhat = drawn.tints.empty() && !values.title.isEmpty();
        drawn.tints.push_back({steps()[step], saysOfWhat ? titled(range, values) : range});
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
        node.tint = it == values.words.end() ? kNoValue : hues()[place[it->second] % hues().size()];
        if (it != values.words.end()) node.value = titled(it->second, values);
    }
    for (Index i = 0; i < std::min(words.size(), hues().size()); ++i) drawn.tints.push_back({hues()[i], words[i]});
    if (words.size() > hues().size())
        drawn.tints.push_back({hues()[0], QObject::tr("%1 more (colours repeat)").arg(words.size() - hues().size())});
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

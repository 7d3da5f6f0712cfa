#pragma once

#include "io/text_report.h"
#include "support/text.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace aotscope::test {

/// The figures that places show.
class Figures {
public:
    void add(const QString& figure, const char* place, const QString& value) {
        shown_[figure].emplace_back(QString::fromUtf8(place), QString(value).remove(u','));
    }
    void add(const QString& figure, const char* place, std::size_t value) {
        add(figure, place, QString::number(value));
    }
    void bytes(const QString& figure, const char* place, std::int64_t value) {
        add(figure, place, q(formatBytes(value)));
    }
    /// The groups of a pattern in `text`, in the order of `figures`; unmatched groups add nothing.
    void match(const char* place, const QString& text, const QString& pattern, const QStringList& figures) {
        const auto found = QRegularExpression(pattern).match(text);
        if (!found.hasMatch()) return add(figures.front(), place, u"'%1' not in %2"_s.arg(pattern, text));
        for (int i = 0; i < figures.size(); ++i)
            if (!found.captured(i + 1).isEmpty()) add(figures[i], place, found.captured(i + 1).trimmed());
    }

    QStringList contradictions() const {
        QStringList list;
        for (const auto& [figure, places] : shown_) {
            QStringList values;
            for (const auto& [place, value] : places) values << place + u" "_s + value;
            const bool same =
                std::ranges::all_of(places, [&](const auto& shown) { return shown.second == places.front().second; });
            if (!same) list << figure + u": "_s + values.join(u", "_s);
        }
        return list;
    }
    std::size_t placesOf(const char* figure) const {
        const auto known = shown_.find(QString::fromUtf8(figure));
        return known == shown_.end() ? 0 : known->second.size();
    }

private:
    std::map<QString, std::vector<std::pair<QString, QString>>> shown_;
};

inline const QString kCount = u"([\\d,]+) "_s;

}  // namespace aotscope::test

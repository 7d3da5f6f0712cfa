#include "controllers/remaining_time.h"

#include <QObject>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

/// With as many digits as an estimate deserves; empty if it is over at once.
QString aboutSeconds(double seconds) {
    constexpr double leastWorth = 2, exact = 10, coarse = 90;
    if (seconds < leastWorth) return {};
    if (seconds < exact) return QObject::tr("about %1 s left").arg(std::lround(seconds));
    if (seconds < coarse) return QObject::tr("about %1 s left").arg(5 * std::lround(seconds / 5));
    return QObject::tr("about %1 min left").arg(std::lround(seconds / 60));
}

}  // namespace

void RemainingTime::enter(const QString& stage, Clock::time_point now) {
    static const QRegularExpression numbers(QStringLiteral("^(.*) (\\d+) of (\\d+)$"));
    if (stage.isEmpty()) return series_.clear();
    const QRegularExpressionMatch match = numbers.match(stage);
    if (!match.hasMatch()) return;
    const QString what = match.captured(1);
    const int which = match.captured(2).toInt(), all = match.captured(3).toInt();
    const Series begun{what, which, which, all, now, now};
    const auto known = std::ranges::find(series_, what, &Series::what);
    if (known == series_.end()) {
        // A new count after the last one of another follows it, and is not within it.
        if (!series_.empty() && series_.back().which >= series_.back().all) series_.pop_back();
        series_.push_back(begun);
        return;
    }
    series_.erase(known + 1, series_.end());
    if (which <= known->which || all != known->all) *known = begun;
    known->which = which;
    known->since = now;
}

QString RemainingTime::text(Clock::time_point now) const {
    if (series_.empty() || series_.front().which <= series_.front().first) return {};
    const Series& outer = series_.front();
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    const double each = seconds(outer.since - outer.start) / (outer.which - outer.first);
    return aboutSeconds(each * (outer.all - outer.which + 1) - seconds(now - outer.since));
}

}  // namespace aotscope

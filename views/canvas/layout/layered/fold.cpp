#include "canvas/layout/layered/fold.h"

#include "canvas/layout/layered/row_limits.h"

#include <algorithm>
#include <cmath>

namespace aotscope {

namespace {

using Index = std::size_t;

constexpr double kSearched = 0.12;  ///< of a column's height: how far from its ideal end it may end

class Folder {
public:
    Folder(const std::vector<RowSize>& rows, double gap) : rows_(rows), gap_(gap) {
        for (const RowSize& row : rows) {
            tops_.push_back(height_);
            height_ += row.height;
        }
    }

    std::vector<int> run() const {
        std::vector<int> starts{0};
        const int columns = count();
        const double each = height_ / columns;
        for (int c = 1; c < columns; ++c) {
            const int start = bestStart(c * each, each * kSearched, starts.back() + 1);
            if (start < static_cast<int>(rows_.size())) starts.push_back(start);
        }
        return starts;
    }

private:
    /// The number of columns that comes nearest to the wanted proportions.
    int count() const {
        int best = 1;
        double nearest = distance(1);
        constexpr double step = 1.15;
        for (double c = 2; c <= static_cast<double>(rows_.size()); c = std::max(c + 1, std::floor(c * step)))
            if (const double own = distance(static_cast<int>(c)); own < nearest) {
                nearest = own;
                best = static_cast<int>(c);
            }
        return best;
    }

    double distance(int columns) const {
        const double each = height_ / columns;
        double width = -gap_, own = 0;
        int column = 0;
        for (Index r = 0; r < rows_.size(); ++r) {
            if (tops_[r] >= (column + 1) * each) {
                width += own + gap_;
                own = 0;
                ++column;
            }
            own = std::max(own, rows_[r].width);
        }
        width += own + gap_;
        return std::abs(std::log(std::max(width, 1.0) / std::max(each, 1.0) / kPictureSides));
    }

    /// The row nearest to `y` among those above which fewest edges lead on.
    int bestStart(double y, double reach, int least) const {
        const auto at = [&](double height) {
            return static_cast<int>(std::lower_bound(tops_.begin(), tops_.end(), height) - tops_.begin());
        };
        const int last = static_cast<int>(rows_.size()) - 1;
        int best = std::max(at(y), least);
        for (int r = std::max(at(y - reach), least); r <= std::min(at(y + reach), last); ++r) {
            const auto cost = [&](int row) {
                return std::pair(rows_[static_cast<Index>(row)].passing, std::abs(tops_[static_cast<Index>(row)] - y));
            };
            if (best > last || cost(r) < cost(best)) best = r;
        }
        return best;
    }

    const std::vector<RowSize>& rows_;
    double gap_, height_ = 0;
    std::vector<double> tops_;
};

}  // namespace

std::vector<int> foldRows(const std::vector<RowSize>& rows, double gap) { return Folder(rows, gap).run(); }

}  // namespace aotscope

#include "canvas/group_order.h"

#include <set>

namespace aotscope {

namespace {

using Index = std::size_t;

class Orderer {
public:
    Orderer(const Grouping& grouping, const std::vector<std::pair<int, int>>& edges)
        : grouping_(grouping),
          waiting_(grouping.parent.size()),
          open_(grouping.home.size(), 0),
          users_(grouping.home.size()) {
        for (const auto& [from, to] : edges) {
            users_[static_cast<Index>(from)].push_back(to);
            ++open_[static_cast<Index>(to)];
        }
        for (Index member = 0; member < grouping.home.size(); ++member)
            for (int node = grouping.home[member]; node >= 0; node = grouping.parent[static_cast<Index>(node)])
                waiting_[static_cast<Index>(node)].insert(static_cast<int>(member));
    }

    std::vector<int> run() {
        std::vector<int> order;
        order.reserve(grouping_.home.size());
        int current = 0;
        while (!waiting_[0].empty()) {
            const int member = next(current);
            take(member);
            order.push_back(member);
            current = grouping_.home[static_cast<Index>(member)];
        }
        return order;
    }

private:
    /// The first of what is left of the innermost node that is not finished; where that has to wait, the first of all.
    int next(int current) const {
        while (waiting_[static_cast<Index>(current)].empty()) current = grouping_.parent[static_cast<Index>(current)];
        const int first = *waiting_[static_cast<Index>(current)].begin();
        return open_[static_cast<Index>(first)] == 0 ? first : *waiting_[0].begin();
    }

    void take(int member) {
        for (int node = grouping_.home[static_cast<Index>(member)]; node >= 0;
             node = grouping_.parent[static_cast<Index>(node)])
            waiting_[static_cast<Index>(node)].erase(member);
        for (const int user : users_[static_cast<Index>(member)]) --open_[static_cast<Index>(user)];
    }

    const Grouping& grouping_;
    std::vector<std::set<int>> waiting_;  ///< members of each tree node and below that have no place yet
    std::vector<int> open_;               ///< inputs without a place
    std::vector<std::vector<int>> users_;
};

}  // namespace

std::vector<int> keepTogether(const Grouping& grouping, const std::vector<std::pair<int, int>>& edges) {
    return Orderer(grouping, edges).run();
}

}  // namespace aotscope

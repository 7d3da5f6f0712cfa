#include "canvas/layout/group_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace aotscope {

namespace {

using Index = std::size_t;
using Edges = std::vector<std::pair<int, int>>;

using Users = std::vector<std::vector<int>>;

Users usersAmong(const Grouping& grouping, const Edges& edges) {
    Users users(grouping.home.size());
    for (const auto& [from, to] : edges) users[static_cast<Index>(from)].push_back(to);
    return users;
}

/// The members that need no input, directly or through others.
std::vector<bool> needNothing(const Grouping& grouping, const Users& users) {
    std::vector<bool> found = grouping.given;
    found.flip();
    for (Index member = 0; member < found.size(); ++member)
        for (const int user : users[member])
            if (!found[member]) found[static_cast<Index>(user)] = false;
    return found;
}

/// The member that each one is placed with: itself, or a user that it waits for.
std::vector<int> takenWith(const Grouping& grouping, const Users& users) {
    const std::vector<bool> mayWait = needNothing(grouping, users);
    std::vector<int> with(grouping.home.size());
    std::iota(with.begin(), with.end(), 0);
    for (Index member = with.size(); member-- > 0;) {
        if (!mayWait[member] || users[member].empty()) continue;
        int first = std::numeric_limits<int>::max();
        for (const int user : users[member]) first = std::min(first, with[static_cast<Index>(user)]);
        if (grouping.home[static_cast<Index>(first)] == grouping.home[member]) with[member] = first;
    }
    return with;
}

/// Members placed together are represented by the last of them.
class Orderer {
public:
    Orderer(const Grouping& grouping, const Edges& edges)
        : grouping_(grouping),
          waiting_(grouping.parent.size()),
          taken_(grouping.home.size()),
          open_(grouping.home.size(), 0),
          users_(grouping.home.size()) {
        const std::vector<int> with = takenWith(grouping, usersAmong(grouping, edges));
        for (const auto& [from, to] : edges) {
            const int first = with[static_cast<Index>(from)], second = with[static_cast<Index>(to)];
            if (first == second) continue;
            users_[static_cast<Index>(first)].push_back(second);
            ++open_[static_cast<Index>(second)];
        }
        for (Index member = 0; member < grouping.home.size(); ++member) {
            const int last = with[member];
            taken_[static_cast<Index>(last)].push_back(static_cast<int>(member));
            for (int node = grouping.home[static_cast<Index>(last)]; node >= 0;
                 node = grouping.parent[static_cast<Index>(node)])
                waiting_[static_cast<Index>(node)].insert(last);
        }
    }

    std::vector<int> run() {
        std::vector<int> order;
        order.reserve(grouping_.home.size());
        int current = 0;
        while (!waiting_[0].empty()) {
            const int last = next(current);
            take(last);
            const auto& members = taken_[static_cast<Index>(last)];
            order.insert(order.end(), members.begin(), members.end());
            current = grouping_.home[static_cast<Index>(last)];
        }
        return order;
    }

private:
    /// The first remaining member of the innermost unfinished node; if that has to wait, the first of all.
    int next(int current) const {
        while (waiting_[static_cast<Index>(current)].empty()) current = grouping_.parent[static_cast<Index>(current)];
        const int first = *waiting_[static_cast<Index>(current)].begin();
        return open_[static_cast<Index>(first)] == 0 ? first : *waiting_[0].begin();
    }

    void take(int last) {
        for (int node = grouping_.home[static_cast<Index>(last)]; node >= 0;
             node = grouping_.parent[static_cast<Index>(node)])
            waiting_[static_cast<Index>(node)].erase(last);
        for (const int user : users_[static_cast<Index>(last)]) --open_[static_cast<Index>(user)];
    }

    const Grouping& grouping_;
    std::vector<std::set<int>> waiting_;   ///< in and below each tree node, without a place
    std::vector<std::vector<int>> taken_;  ///< with each member
    std::vector<int> open_;                ///< inputs without a place
    std::vector<std::vector<int>> users_;
};

}  // namespace

std::vector<int> keepTogether(const Grouping& grouping, const std::vector<std::pair<int, int>>& edges) {
    return Orderer(grouping, edges).run();
}

}  // namespace aotscope

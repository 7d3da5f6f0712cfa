#pragma once

#include <string>

namespace aotscope {

/// During its lifetime, errors about ranks name `place` as the position of the calling thread: "%all_reduce_1".
class PlaceScope {
public:
    explicit PlaceScope(const std::string& place);
    ~PlaceScope();
    PlaceScope(const PlaceScope&) = delete;
    PlaceScope& operator=(const PlaceScope&) = delete;

    /// Empty outside of every scope.
    static std::string current();

private:
    const std::string* outer_;
};

}  // namespace aotscope

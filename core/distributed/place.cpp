#include "distributed/place.h"

#include <utility>

namespace aotscope {

namespace {

thread_local const std::string* currentPlace = nullptr;

}  // namespace

PlaceScope::PlaceScope(const std::string& place) : outer_(std::exchange(currentPlace, &place)) {}
PlaceScope::~PlaceScope() { currentPlace = outer_; }

std::string PlaceScope::current() { return currentPlace ? *currentPlace : std::string(); }

}  // namespace aotscope

#include "load/pickle/pickle_debug.h"

#include "support/error.h"

#include <algorithm>
#include <unordered_map>

namespace aotscope {

namespace {

using Index = PickledValue::Index;
using PickledKind = PickledValue::Kind;

/// LibTorch searches every source for line breaks.
constexpr std::uint64_t kLongestSources = std::uint64_t{256} << 20;

class PlaceChecker {
public:
    explicit PlaceChecker(const PickledValues& values) : values_(values) {}

    void run(Index root) {
        const PickledValue& parts = tuple(root, 0);
        const bool withTable = parts.items.size() == 3 && values_[parts.items[0]].kind == PickledKind::text;
        if (withTable) {
            table_ = &tuple(parts.items[1], 0);
            for (Index text : table_->items) required(text, PickledKind::text);
        }
        for (Index entry : withTable ? tuple(parts.items[2], 0).items : parts.items) {
            const PickledValue& place = tuple(entry, 2);
            required(place.items[0], PickledKind::integer);
            range(tuple(place.items[1], 3));
        }
    }

private:
    [[noreturn]] static void fail() { throw Error("refers to source locations that do not exist"); }

    const PickledValue& required(Index value, PickledKind kind) const {
        if (values_[value].kind != kind) fail();
        return values_[value];
    }
    const PickledValue& tuple(Index value, std::size_t atLeast) const {
        const PickledValue& tuple = required(value, PickledKind::tuple);
        if (tuple.items.size() < atLeast) fail();
        return tuple;
    }

    void range(const PickledValue& place) {
        const std::uint64_t length = lengthOf(place.items[0]);
        const std::int64_t begin = required(place.items[1], PickledKind::integer).number,
                           end = required(place.items[2], PickledKind::integer).number;
        // Code without a source is located at the first byte of an empty one.
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > std::max<std::uint64_t>(length, 1)) fail();
    }

    /// Bytes of a source's text.
    std::uint64_t lengthOf(Index source) {
        const auto [known, isNew] = lengths_.try_emplace(source, 0);
        if (!isNew) return known->second;
        const PickledValue& parts = tuple(source, 3);
        required(parts.items[2], PickledKind::integer);
        if (table_) {
            entry(parts.items[1]);  // the file's name
            if (required(parts.items[0], PickledKind::list).text != "List[int]") fail();
            for (Index piece : values_[parts.items[0]].items) add(known->second, entry(piece).text.size());
        } else {
            const PickledKind name = values_[parts.items[1]].kind;
            if (name != PickledKind::text && name != PickledKind::none) fail();
            add(known->second, required(parts.items[0], PickledKind::text).text.size());
        }
        return known->second;
    }
    const PickledValue& entry(Index number) const {
        const std::int64_t place = required(number, PickledKind::integer).number;
        if (place < 0 || static_cast<std::uint64_t>(place) >= table_->items.size()) fail();
        return values_[table_->items[static_cast<std::size_t>(place)]];
    }
    void add(std::uint64_t& length, std::uint64_t more) {
        length += more, total_ += more;
        if (total_ > kLongestSources) throw Error("repeats the source too often");
    }

    const PickledValues& values_;
    const PickledValue* table_ = nullptr;  ///< null in old files
    std::unordered_map<Index, std::uint64_t> lengths_;
    std::uint64_t total_ = 0;
};

}  // namespace

void requireSoundPlaces(const PickledValues& values, Index root) { PlaceChecker(values).run(root); }

}  // namespace aotscope

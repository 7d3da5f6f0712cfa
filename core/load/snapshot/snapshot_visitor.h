#pragma once

#include "load/snapshot/memory_snapshot.h"
#include "load/snapshot/snapshot_fields.h"
#include "load/snapshot/snapshot_tables.h"
#include "program/files/pickle_decoder.h"

#include <functional>
#include <string_view>
#include <vector>

namespace aotscope {

/// Makes a MemorySnapshot of a pickle while it is decoded. A value is a kind and a number: small integers are the
/// number itself, and everything else is put into the snapshot as soon as it is complete.
class SnapshotVisitor final : public PickleVisitor {
public:
    /// `whenReached`: called with offsets in the pickle that was read so far.
    SnapshotVisitor(MemorySnapshot& snapshot, std::function<void(std::size_t)> whenReached);

    /// Completes the snapshot, whose pickle had this value. Throws Error (a clause) if it is not a snapshot.
    void finish(Value root);

    Value none() override { return valueOf(Kind::none); }
    Value boolean(bool value) override { return valueOf(Kind::integer, value ? 1 : 0); }
    Value integer(std::int64_t value) override;
    Value real(double /*value*/) override { return valueOf(Kind::none); }
    Value text(std::string_view value) override { return valueOf(Kind::text, tables_.text(value)); }

    Value list(Values elements) override;
    Value tuple(Values /*elements*/) override { return valueOf(Kind::none); }
    Value dict() override;
    void append(Value list, Values elements) override;
    void setItems(Value dict, Values items) override;

    Value global(std::string_view module, std::string_view name) override;
    Value call(Value function, Value arguments) override;
    Value newObject(Value type, Value arguments) override;
    Value build(Value object, Value state) override;
    Value persistent(Value id) override;
    std::string_view textOf(Value value) const override;

    void reached(std::size_t offset) override { whenReached_(offset); }

private:
    enum class Kind : std::uint8_t { none, integer, largeInteger, text, list, dict };
    enum class DictKind : std::uint8_t { other, frame, event, block, segment, snapshot };
    enum class ListKind : std::uint8_t { empty, stack, values };
    struct Dict {
        DictKind kind = DictKind::other;
        std::uint32_t number = 0;
    };
    struct List {
        ListKind kind = ListKind::empty;
        std::uint32_t number = 0;
    };

    static constexpr unsigned kNumberBits = 28;
    static constexpr Value kNumbers = (Value{1} << kNumberBits) - 1;

    static constexpr Value valueOf(Kind kind, std::uint32_t number = 0) {
        return static_cast<Value>(kind) << kNumberBits | number;
    }
    static constexpr Kind kindOf(Value value) { return static_cast<Kind>(value >> kNumberBits); }
    static constexpr std::uint32_t numberOf(Value value) { return value & kNumbers; }

    std::int64_t integerOf(Value value, SnapshotField field) const;
    std::int64_t sizeOf(Value value, SnapshotField field);
    SnapshotText textIn(Value value) const;
    SnapshotStack stackOf(Value value) const;
    /// The dict of this kind; throws Error (a clause) for another value.
    std::uint32_t dictOf(Value value, DictKind kind, const char* what) const;
    Values elementsOf(Value list, const char* what) const;

    Dict recordOf(const SnapshotFields& fields);
    Dict frameOf(const SnapshotFields& fields);
    Dict eventOf(const SnapshotFields& fields);
    Dict blockOf(const SnapshotFields& fields);
    Dict segmentOf(const SnapshotFields& fields);
    Dict snapshotOf(const SnapshotFields& fields);
    void takeSegments(Value list);
    void takeTrace(Value list);

    MemorySnapshot& snapshot_;
    SnapshotTables tables_;
    std::function<void(std::size_t)> whenReached_;
    std::vector<std::int64_t> largeIntegers_;
    std::vector<Dict> dicts_;
    std::vector<List> lists_;
    std::vector<std::vector<Value>> listValues_;
    std::vector<SnapshotBlock> blocks_;
    std::vector<SnapshotSegment> segments_;
    std::size_t blocksInSegments_ = 0;
    std::int64_t bytes_ = 0;             ///< of all sizes
    std::vector<std::uint32_t> frames_;  ///< of the list that is being read
};

}  // namespace aotscope

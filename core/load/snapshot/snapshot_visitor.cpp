#include "load/snapshot/snapshot_visitor.h"

#include "support/enumerators.h"
#include "support/error.h"
#include "support/names.h"
#include "support/quoted.h"

#include <array>
#include <limits>
#include <string>

namespace aotscope {

namespace {

using Field = SnapshotField;

constexpr std::size_t kMostContainers = 100'000'000;
constexpr std::size_t kMostLargeIntegers = 16'000'000;
constexpr std::int64_t kMostDevices = 1024;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 61;  ///< of all sizes together

static_assert(countEnumerators<SnapshotField>() == kSnapshotFields);

/// Texts that stand for values, which follow those of the keys in the table of texts.
constexpr std::array<std::pair<std::string_view, MemoryAction>, 9> kActions = {{
    {"alloc", MemoryAction::alloc},
    {"free_requested", MemoryAction::freeRequested},
    {"free_completed", MemoryAction::freeCompleted},
    {"segment_alloc", MemoryAction::segmentAlloc},
    {"segment_free", MemoryAction::segmentFree},
    {"segment_map", MemoryAction::segmentMap},
    {"segment_unmap", MemoryAction::segmentUnmap},
    {"snapshot", MemoryAction::snapshot},
    {"oom", MemoryAction::outOfMemory},
}};
constexpr std::array<std::pair<std::string_view, BlockState>, 4> kStates = {{
    {"inactive", BlockState::inactive},
    {"active_allocated", BlockState::allocated},
    {"active_awaiting_free", BlockState::awaitingFree},
    {"active_pending_free", BlockState::awaitingFree},
}};
constexpr std::size_t kFirstState = kSnapshotFields + kActions.size();

constexpr std::string_view fieldName(Field field) {
    return kEnumeratorNames<Field>.at(static_cast<std::size_t>(field));
}

[[noreturn]] void failWithObject(std::string_view module, std::string_view name) {
    throw Error("is not a memory snapshot: it makes a Python object, " +
                inQuotes(std::string(module) + "." + std::string(name)));
}

}  // namespace

SnapshotVisitor::SnapshotVisitor(MemorySnapshot& snapshot, std::function<void(std::size_t)> whenReached)
    : snapshot_(snapshot), tables_(snapshot), whenReached_(std::move(whenReached)) {
    for (const Field field : kEnumerators<Field>)
        if (field != Field::none) tables_.text(fieldName(field));
    for (const auto& [text, action] : kActions) tables_.text(text);
    for (const auto& [text, state] : kStates) tables_.text(text);
}

SnapshotVisitor::Value SnapshotVisitor::integer(std::int64_t value) {
    if (value >= 0 && value <= kNumbers) return valueOf(Kind::integer, static_cast<std::uint32_t>(value));
    if (largeIntegers_.size() >= kMostLargeIntegers)
        throw Error("holds more than " + grouped(kMostLargeIntegers) + " large integers");
    largeIntegers_.push_back(value);
    return valueOf(Kind::largeInteger, static_cast<std::uint32_t>(largeIntegers_.size() - 1));
}

SnapshotVisitor::Value SnapshotVisitor::list(Values elements) {
    if (lists_.size() + dicts_.size() >= kMostContainers)
        throw Error("holds more than " + grouped(kMostContainers) +
                    " dicts and lists; record fewer entries with max_entries");
    lists_.emplace_back();
    const Value made = valueOf(Kind::list, static_cast<std::uint32_t>(lists_.size() - 1));
    if (!elements.empty()) append(made, elements);
    return made;
}

/// Until its items are known, a dict has the number of large integers before it.
SnapshotVisitor::Value SnapshotVisitor::dict() {
    list({});
    lists_.pop_back();
    dicts_.push_back({DictKind::other, static_cast<std::uint32_t>(largeIntegers_.size())});
    return valueOf(Kind::dict, static_cast<std::uint32_t>(dicts_.size() - 1));
}

void SnapshotVisitor::append(Value list, Values elements) {
    if (kindOf(list) != Kind::list) throw Error("appends to a value that is not a list");
    if (elements.empty()) return;
    List& target = lists_[numberOf(list)];
    const bool frames = kindOf(elements[0]) == Kind::dict && dicts_[numberOf(elements[0])].kind == DictKind::frame;
    if (target.kind == ListKind::stack || (target.kind == ListKind::empty && frames)) {
        const auto before =
            target.kind == ListKind::stack ? snapshot_.framesOf(target.number) : std::span<const std::uint32_t>();
        frames_.assign(before.begin(), before.end());
        for (const Value element : elements) frames_.push_back(dictOf(element, DictKind::frame, "a frame of a stack"));
        target = {ListKind::stack, tables_.stack(frames_)};
        return;
    }
    if (target.kind == ListKind::empty) {
        target = {ListKind::values, static_cast<std::uint32_t>(listValues_.size())};
        listValues_.emplace_back();
    }
    auto& values = listValues_[target.number];
    values.insert(values.end(), elements.begin(), elements.end());
}

void SnapshotVisitor::setItems(Value dict, Values items) {
    if (kindOf(dict) != Kind::dict) throw Error("sets items of a value that is not a dict");
    SnapshotFields fields;
    for (std::size_t i = 0; i < items.size(); i += 2)
        if (const std::uint32_t text = numberOf(items[i]); kindOf(items[i]) == Kind::text && text < kSnapshotFields)
            fields.set(static_cast<Field>(text), items[i + 1]);
    const Dict made = recordOf(fields);
    Dict& record = dicts_[numberOf(dict)];
    if (made.kind == DictKind::other) return;
    if (record.kind == DictKind::other && record.number < largeIntegers_.size()) largeIntegers_.resize(record.number);
    record = made;
}

SnapshotVisitor::Value SnapshotVisitor::global(std::string_view module, std::string_view name) {
    failWithObject(module, name);
}
SnapshotVisitor::Value SnapshotVisitor::call(Value /*function*/, Value /*arguments*/) {
    throw Error("is not a memory snapshot: it calls a function");
}
SnapshotVisitor::Value SnapshotVisitor::newObject(Value function, Value arguments) { return call(function, arguments); }
SnapshotVisitor::Value SnapshotVisitor::build(Value object, Value state) { return call(object, state); }
SnapshotVisitor::Value SnapshotVisitor::persistent(Value id) { return call(id, id); }

std::string_view SnapshotVisitor::textOf(Value value) const {
    return kindOf(value) == Kind::text ? std::string_view(snapshot_.texts[numberOf(value)]) : std::string_view();
}

std::int64_t SnapshotVisitor::integerOf(Value value, Field field) const {
    if (kindOf(value) == Kind::integer) return numberOf(value);
    if (kindOf(value) == Kind::none) return 0;
    if (kindOf(value) != Kind::largeInteger)
        throw Error("has a '" + std::string(fieldName(field)) + "' that is not an integer");
    if (numberOf(value) >= largeIntegers_.size()) throw Error("uses an integer of another dict");
    return largeIntegers_[numberOf(value)];
}

/// Sums of sizes are computed without checks for overflow.
std::int64_t SnapshotVisitor::sizeOf(Value value, Field field) {
    const std::int64_t size = integerOf(value, field);
    if (size < 0 || size > kMostBytes - bytes_)
        throw Error("has sizes that no device has: a '" + std::string(fieldName(field)) + "' of " +
                    std::to_string(size));
    bytes_ += size;
    return size;
}

SnapshotText SnapshotVisitor::textIn(Value value) const { return kindOf(value) == Kind::text ? numberOf(value) : 0; }

SnapshotStack SnapshotVisitor::stackOf(Value value) const {
    if (kindOf(value) != Kind::list) return 0;
    const List& list = lists_[numberOf(value)];
    return list.kind == ListKind::stack ? list.number : 0;
}

std::uint32_t SnapshotVisitor::dictOf(Value value, DictKind kind, const char* what) const {
    if (kindOf(value) != Kind::dict || dicts_[numberOf(value)].kind != kind)
        throw Error(std::string("has something else where ") + what + " was expected");
    return dicts_[numberOf(value)].number;
}

PickleVisitor::Values SnapshotVisitor::elementsOf(Value list, const char* what) const {
    if (kindOf(list) != Kind::list || lists_[numberOf(list)].kind == ListKind::stack)
        throw Error(std::string("has something else where ") + what + " were expected");
    const List& found = lists_[numberOf(list)];
    return found.kind == ListKind::empty ? Values() : Values(listValues_[found.number]);
}

SnapshotVisitor::Dict SnapshotVisitor::recordOf(const SnapshotFields& fields) {
    if (fields.has(Field::action)) return eventOf(fields);
    if (fields.has(Field::filename) && fields.has(Field::line)) return frameOf(fields);
    if (fields.has(Field::state) && fields.has(Field::size)) return blockOf(fields);
    if (fields.has(Field::blocks) && fields.has(Field::total_size)) return segmentOf(fields);
    if (fields.has(Field::segments)) return snapshotOf(fields);
    for (const Field field : {Field::PYTORCH_CUDA_ALLOC_CONF, Field::PYTORCH_ALLOC_CONF})
        if (fields.has(field)) snapshot_.settings = textOf(fields[field]);
    return {};
}

SnapshotVisitor::Dict SnapshotVisitor::frameOf(const SnapshotFields& fields) {
    const std::int64_t line = integerOf(fields[Field::line], Field::line);
    const bool fits = line >= 0 && line <= std::numeric_limits<std::int32_t>::max();
    return {DictKind::frame,
            tables_.frame({textIn(fields[Field::filename]), textIn(fields[Field::name]),
                           fits ? static_cast<std::int32_t>(line) : 0, textIn(fields[Field::fx_node_name])})};
}

SnapshotVisitor::Dict SnapshotVisitor::eventOf(const SnapshotFields& fields) {
    MemoryEvent event;
    const auto action = static_cast<std::size_t>(textIn(fields[Field::action])) - kSnapshotFields;
    if (action < kActions.size()) event.action = kActions[action].second;
    const Field place = event.action == MemoryAction::outOfMemory ? Field::device_free : Field::addr;
    event.address = static_cast<std::uint64_t>(integerOf(fields[place], place));
    event.size = sizeOf(fields[Field::size], Field::size);
    event.time = integerOf(fields[Field::time_us], Field::time_us);
    event.stream = tables_.stream(static_cast<std::uint64_t>(integerOf(fields[Field::stream], Field::stream)));
    event.stack = stackOf(fields[Field::frames]);
    event.metadata = textIn(fields[fields.has(Field::category) ? Field::category : Field::user_metadata]);
    snapshot_.events.push_back(event);
    return {DictKind::event, static_cast<std::uint32_t>(snapshot_.events.size() - 1)};
}

SnapshotVisitor::Dict SnapshotVisitor::blockOf(const SnapshotFields& fields) {
    SnapshotBlock block;
    block.address = static_cast<std::uint64_t>(integerOf(fields[Field::address], Field::address));
    block.size = sizeOf(fields[Field::size], Field::size);
    block.requested =
        fields.has(Field::requested_size) ? sizeOf(fields[Field::requested_size], Field::requested_size) : block.size;
    block.stack = stackOf(fields[Field::frames]);
    block.metadata = textIn(fields[Field::user_metadata]);
    const auto state = static_cast<std::size_t>(textIn(fields[Field::state])) - kFirstState;
    if (state >= kStates.size()) throw Error("has a block in the state " + inQuotes(textOf(fields[Field::state])));
    block.state = kStates[state].second;
    blocks_.push_back(block);
    return {DictKind::block, static_cast<std::uint32_t>(blocks_.size() - 1)};
}

SnapshotVisitor::Dict SnapshotVisitor::segmentOf(const SnapshotFields& fields) {
    SnapshotSegment segment;
    segment.address = static_cast<std::uint64_t>(integerOf(fields[Field::address], Field::address));
    segment.size = sizeOf(fields[Field::total_size], Field::total_size);
    const std::int64_t device = integerOf(fields[Field::device], Field::device);
    if (device < 0 || device >= kMostDevices) throw Error("has a segment of device " + std::to_string(device));
    segment.device = static_cast<std::int32_t>(device);
    segment.stream = tables_.stream(static_cast<std::uint64_t>(integerOf(fields[Field::stream], Field::stream)));
    segment.expandable = integerOf(fields[Field::is_expandable], Field::is_expandable) != 0;
    std::uint64_t address = segment.address;
    const Values blocks = elementsOf(fields[Field::blocks], "the blocks of a segment");
    blocksInSegments_ += blocks.size();
    if (blocksInSegments_ > blocks_.size()) throw Error("has a block in two segments");
    for (const Value value : blocks) {
        SnapshotBlock block = blocks_[dictOf(value, DictKind::block, "a block of a segment")];
        if (block.address == 0) block.address = address;  // snapshots that do not name it
        address = block.address + static_cast<std::uint64_t>(block.size);
        segment.blocks.push_back(block);
    }
    segments_.push_back(std::move(segment));
    return {DictKind::segment, static_cast<std::uint32_t>(segments_.size() - 1)};
}

SnapshotVisitor::Dict SnapshotVisitor::snapshotOf(const SnapshotFields& fields) {
    takeSegments(fields[Field::segments]);
    if (!fields.has(Field::device_traces)) return {DictKind::snapshot, 0};
    for (const Value trace : elementsOf(fields[Field::device_traces], "the histories of devices")) takeTrace(trace);
    return {DictKind::snapshot, 0};
}

void SnapshotVisitor::takeSegments(Value list) {
    for (const Value value : elementsOf(list, "segments")) {
        SnapshotSegment& segment = segments_[dictOf(value, DictKind::segment, "a segment")];
        snapshot_.segments.push_back(std::move(segment));
    }
}

/// The pickle holds the events of a device in order.
void SnapshotVisitor::takeTrace(Value list) {
    const Values events = elementsOf(list, "the events of a device");
    MemorySnapshot::Trace trace;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const std::uint32_t event = dictOf(events[i], DictKind::event, "an event of the history");
        if (i == 0) trace.begin = event;
        if (event != trace.begin + i) throw Error("has events that are not in the order of their history");
    }
    trace.end = trace.begin + events.size();
    snapshot_.traces.push_back(trace);
}

void SnapshotVisitor::finish(Value root) {
    if (kindOf(root) == Kind::dict && dicts_[numberOf(root)].kind == DictKind::snapshot) return;
    // What torch.cuda.memory_snapshot() returns.
    const bool segments = kindOf(root) == Kind::list && !segments_.empty();
    if (!segments)
        throw Error(
            "is not a memory snapshot: expected a dict with 'segments' and 'device_traces', as "
            "torch.cuda.memory._dump_snapshot writes it");
    takeSegments(root);
}

}  // namespace aotscope

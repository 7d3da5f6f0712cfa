#include "load/pickle/pickle_check.h"

#include "load/pickle/pickle_calls.h"
#include "load/pickle/pickle_debug.h"
#include "program/files/dict_keys.h"
#include "program/files/pickle_decoder.h"
#include "support/error.h"

namespace aotscope {

namespace {

using PickledKind = PickledValue::Kind;
using Index = PickledValue::Index;

/// A shared value counts once for each path to it wherever a tree is traversed.
constexpr std::uint32_t kLargestTree = 1'000'000;

/// Rebuilds what LibTorch's unpickler would create from a pickle, as far as needed for the checks.
class PickleChecker final : public PickleVisitor {
public:
    explicit PickleChecker(const StorageSizes& storages) : calls_(values_, storages) {}

    Value none() override { return make(PickledKind::none); }
    Value boolean(bool value) override { return make(PickledKind::boolean, value); }
    Value integer(std::int64_t value) override { return make(PickledKind::integer, value); }
    Value real(double value) override {
        const Value made = make(PickledKind::real);
        values_[made].real = value;
        return made;
    }
    Value text(std::string_view value) override {
        const Value made = make(PickledKind::text);
        values_[made].text = value;
        return made;
    }

    Value list(Values elements) override { return sequence(PickledKind::list, elements); }
    Value tuple(Values elements) override { return sequence(PickledKind::tuple, elements); }
    Value dict() override { return make(PickledKind::dict); }
    void append(Value list, Values elements) override {
        requireGrowing(list, PickledKind::list);
        for (const Value element : elements) values_.hold(list, element);
    }
    void setItems(Value dict, Values items) override {
        requireGrowing(dict, PickledKind::dict);
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i % 2 == 0 && !isKey(values_[items[i]].kind))
                fail("has a dict with a key that is neither a string nor a number");
            values_.hold(dict, items[i]);
        }
    }

    Value global(std::string_view module, std::string_view name) override {
        std::string whole = std::string(module) + "." + std::string(name);
        if (whole.starts_with("__torch__.torch.classes.")) customClasses_.insert(std::move(whole));
        return values_.add(PickleCalls::global(module, name));
    }
    Value call(Value function, Value arguments) override { return calls_.call(function, arguments); }
    Value newObject(Value type, Value arguments) override {
        const bool isClass = values_[type].kind == PickledKind::function && values_[type].number == 0;
        if (!isClass || values_[arguments].kind != PickledKind::tuple || !values_[arguments].items.empty())
            fail("makes an object of something other than a class");
        PickledValue object = values_[type];
        object.kind = PickledKind::unbuilt;
        return values_.add(std::move(object));
    }
    Value build(Value object, Value state) override { return calls_.build(object, state); }
    Value persistent(Value id) override { return calls_.storage(id); }

    std::string_view textOf(Value value) const override { return values_[value].text; }

    /// Checks that require the whole pickle.
    void requireWhole(Value root) const {
        const PickledKind kind = values_[root].kind;
        if (kind == PickledKind::function || kind == PickledKind::unbuilt) fail("holds no value");
        requireSpreadDicts();
    }
    const PickledValues& values() const { return values_; }
    PickleFacts facts() const {
        PickleFacts facts = calls_.facts();
        facts.values = values_.size();
        facts.customClasses = customClasses_;
        return facts;
    }

private:
    [[noreturn]] static void fail(const char* what) { throw Error(what); }

    Value make(PickledKind kind, std::int64_t number = 0) {
        PickledValue value;
        value.kind = kind;
        value.number = number;
        return values_.add(std::move(value));
    }
    Value sequence(PickledKind kind, Values elements) {
        const Value made = make(kind);
        for (const Value element : elements) values_.hold(made, element);
        return made;
    }
    /// A value contained in another one is frozen, so that checks remain valid.
    void requireGrowing(Value container, PickledKind kind) const {
        const PickledValue& value = values_[container];
        if (value.kind != kind || value.held || !value.text.empty())
            fail("adds to a value that is finished, or is not a container");
    }
    static bool isKey(PickledKind kind) {
        return kind == PickledKind::text || kind == PickledKind::integer || kind == PickledKind::real ||
               kind == PickledKind::boolean;
    }

    void requireSpreadDicts() const {
        for (Index i = 0; i < values_.size(); ++i) {
            if (values_[i].kind != PickledKind::dict) continue;
            std::vector<std::uint64_t> hashes;
            for (std::size_t k = 0; k < values_[i].items.size(); k += 2)
                hashes.push_back(hashOf(values_[values_[i].items[k]]));
            if (keysCollide(std::move(hashes))) fail("has a dict whose keys were chosen to collide");
        }
    }
    static std::uint64_t hashOf(const PickledValue& key) {
        if (key.kind == PickledKind::text) return std::hash<std::string_view>()(key.text);
        if (key.kind == PickledKind::real) return std::hash<double>()(key.real);
        return static_cast<std::uint64_t>(key.number);
    }

    PickledValues values_;
    PickleCalls calls_;
    std::set<std::string> customClasses_;
};

template <typename Check>
PickleFacts checked(std::string_view pickle, const StorageSizes& storages, Check&& requireRoot) {
    try {
        PickleChecker checker(storages);
        const Index root = decodePickle(pickle, PickleDialect::torchScript, checker);
        checker.requireWhole(root);
        requireRoot(checker.values(), root);
        return checker.facts();
    } catch (const Error& e) {
        throw Error(std::string("a pickle in it ") + e.what());
    }
}

}  // namespace

PickleFacts requireSoundPickle(std::string_view pickle, const StorageSizes& storages) {
    return checked(pickle, storages, [](const PickledValues& values, Index root) {
        if (values[root].weight > kLargestTree) throw Error("holds its values in too many places");
    });
}

PickleFacts requireSoundDebugPickle(std::string_view pickle) { return checked(pickle, {}, requireSoundPlaces); }

}  // namespace aotscope

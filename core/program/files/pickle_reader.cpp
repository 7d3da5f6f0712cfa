#include "program/files/pickle_reader.h"

#include "program/files/pickle_decoder.h"
#include "support/error.h"

namespace aotscope {

namespace {

/// A list of arguments can be passed to any number of calls.
constexpr std::size_t kMostArguments = 4'000'000;
/// A name can consist of two texts of any size from the memo.
constexpr std::size_t kLongestName = 4096;

using PickleKind = PickleValue::Kind;

/// Records the values of a pickle.
class PickleDocumentBuilder final : public PickleVisitor {
public:
    explicit PickleDocumentBuilder(std::deque<PickleValue>& values) : values_(values) {}

    Value none() override { return make(PickleKind::none); }
    Value boolean(bool value) override { return make(PickleKind::boolean, value); }
    Value integer(std::int64_t value) override { return make(PickleKind::integer, value); }
    Value real(double value) override {
        const Value made = make(PickleKind::real);
        values_[made].real = value;
        return made;
    }
    Value text(std::string_view value) override {
        const Value made = make(PickleKind::text);
        values_[made].text = value;
        return made;
    }

    Value list(Values elements) override { return sequence(PickleKind::list, elements); }
    Value tuple(Values elements) override { return sequence(PickleKind::tuple, elements); }
    Value dict() override { return make(PickleKind::dict); }
    void append(Value list, Values elements) override {
        PickleValue& target = values_[list];
        if (!target.is(PickleKind::list) && !target.is(PickleKind::call))
            throw Error("appends to a value that is not a list");
        auto& items = target.is(PickleKind::list) ? target.items : target.appended;
        for (const Value element : elements) items.push_back(&values_[element]);
    }
    void setItems(Value dict, Values items) override {
        PickleValue& entries = values_[dict];
        if (!entries.is(PickleKind::dict) && !entries.is(PickleKind::call))
            throw Error("sets entries of a value that is not a dict");
        for (std::size_t i = 0; i < items.size(); i += 2)
            entries.entries.emplace_back(&values_[items[i]], &values_[items[i + 1]]);
    }

    Value global(std::string_view module, std::string_view name) override {
        if (module.size() + name.size() > kLongestName)
            throw Error("names a function of more than " + std::to_string(kLongestName) + " bytes");
        const Value made = make(PickleKind::global);
        values_[made].text = std::string(module) + "." + std::string(name);
        return made;
    }
    Value call(Value function, Value arguments) override {
        const PickleValue& given = values_[arguments];
        if (!given.is(PickleKind::tuple)) throw Error("calls a function without arguments");
        arguments_ += given.items.size();
        if (arguments_ > kMostArguments)
            throw Error("calls functions with more than " + std::to_string(kMostArguments) + " values");
        const Value made = make(PickleKind::call);
        values_[made].function = &values_[function];
        values_[made].items = given.items;
        return made;
    }
    Value newObject(Value type, Value arguments) override {
        const Value made = call(type, arguments);
        values_[made].creates = true;
        return made;
    }
    Value build(Value object, Value state) override {
        if (values_[object].is(PickleKind::call)) values_[object].state = &values_[state];
        return object;
    }
    Value persistent(Value id) override { return sequence(PickleKind::persistent, {&id, 1}); }

    std::string_view textOf(Value value) const override { return values_[value].text; }

private:
    Value make(PickleKind kind, std::int64_t integer = 0) {
        if (values_.size() >= kMostPickleValues)
            throw Error("holds more than " + std::to_string(kMostPickleValues) + " values");
        PickleValue& value = values_.emplace_back();
        value.kind = kind;
        value.integer = integer;
        return static_cast<Value>(values_.size() - 1);
    }
    Value sequence(PickleKind kind, Values elements) {
        const Value made = make(kind);
        for (const Value element : elements) values_[made].items.push_back(&values_[element]);
        return made;
    }

    std::deque<PickleValue>& values_;
    std::size_t arguments_ = 0;
};

}  // namespace

PickleDocument::PickleDocument(std::string_view bytes) {
    try {
        PickleDocumentBuilder builder(values_);
        root_ = &values_[decodePickle(bytes, PickleDialect::python, builder)];
    } catch (const Error& e) {
        throw Error(std::string("the pickle ") + e.what());
    }
}

}  // namespace aotscope

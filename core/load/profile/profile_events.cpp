#include "load/profile/profile_events.h"

#include "load/profile/event_parts.h"
#include "support/error.h"
#include "support/json/bounded_json.h"
#include "support/names.h"
#include "support/quoted.h"

#include <nlohmann/json.hpp>

namespace aotscope {

namespace {

using nlohmann::json;

// Where a value is: levels of objects and lists around it.
constexpr int kDocument = 1, kEvents = 2, kEvent = 3, kArguments = 4, kList = 5, kDeepestEvent = 100;

/// Gets the values of the document one by one, and hands over each event when it is complete.
class EventReader final : public nlohmann::json_sax<json> {
public:
    EventReader(ProfileBytes& bytes, EventCollector& collector, const Progress& progress)
        : bytes_(bytes), collector_(collector), progress_(progress) {}

    bool null() override { return pass(); }
    bool boolean(bool) override { return pass(); }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value), value); }
    bool number_unsigned(number_unsigned_t value) override {
        return number(static_cast<double>(value),
                      static_cast<std::int64_t>(std::min<number_unsigned_t>(value, INT64_MAX)));
    }
    bool number_float(number_float_t value, const string_t&) override {
        const bool fits = value > -9e18 && value < 9e18;
        return number(value, fits ? static_cast<std::int64_t>(value) : -1);
    }
    bool binary(binary_t&) override { return pass(); }
    bool string(string_t& value) override {
        if (inEvent()) event_.setText(key_, argument_, value);
        else if (depth_ == kEvent && section_ == "deviceProperties" && key_ == "name") device_ = value;
        return pass();
    }
    bool key(string_t& name) override {
        if (depth_ == kDocument) {
            section_ = name;
            collector_.noteSection(name);
        } else if (depth_ == kEvents) {
            collector_.noteMember(section_, name);
        } else if (depth_ == kEvent) {
            key_ = name;
        } else if (depth_ == kArguments) {
            argument_ = name;
        }
        return pass();
    }
    bool start_object(std::size_t) override {
        if (depth_ == 0) collector_.events().isObject = true;
        return enter();
    }
    bool start_array(std::size_t) override {
        if (depth_ == kDocument && section_ == "traceEvents") collector_.events().hasEvents = true;
        if (inEvent() && depth_ >= kArguments) event_.openList(argument_, depth_ - kArguments);
        return enter();
    }
    bool end_object() override {
        --depth_;
        if (section_ == "traceEvents" && depth_ == kEvents) finishEvent();
        if (section_ == "deviceProperties" && depth_ == kEvents) collector_.events().devices.emplace(id_, device_);
        if (depth_ == kEvent) argument_.clear();
        return pass();
    }
    bool end_array() override { return --depth_, pass(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        if (bytes_.atEnd() && depth_ > 0)
            throw Error("ends too early, after " + counted(collector_.events().count, "event") +
                        ": the profiler was not done writing, or the copy is incomplete; write or copy it again");
        if (depth_ == 0)
            throw Error(
                "is not a profile of torch.profiler, which is JSON, or JSON compressed by gzip; write one with "
                "prof.export_chrome_trace(FILE)");
        throw Error("is not valid JSON at byte " + std::to_string(position) + " (" + firstSentence(error.what()) +
                    "); write it again with prof.export_chrome_trace(FILE)");
    }

private:
    bool inEvent() const { return section_ == "traceEvents" && depth_ >= kEvent; }

    bool pass() {
        bytes_.countValue();
        return true;
    }
    bool enter() {
        if (++depth_ > kDeepestEvent)
            throw Error("nests its values more than " + std::to_string(kDeepestEvent) + " levels deep");
        return pass();
    }
    bool number(double value, std::int64_t whole) {
        if (inEvent()) event_.setNumber(key_, argument_, depth_ - kArguments, value, whole);
        else if (depth_ == kEvent && section_ == "deviceProperties" && key_ == "id") id_ = whole;
        return pass();
    }
    void finishEvent() {
        constexpr std::size_t kBetweenLooks = 1 << 14;
        collector_.add(event_);
        event_.clear();
        if (collector_.events().count % kBetweenLooks == 0) progress_.throwIfCancelled();
    }

    ProfileBytes& bytes_;
    EventCollector& collector_;
    const Progress& progress_;
    int depth_ = 0;
    std::string section_, key_, argument_, device_;
    std::int64_t id_ = 0;
    EventParts event_;
};

}  // namespace

ProfileEvents readProfileEvents(ProfileBytes& bytes, const Progress& progress) {
    EventCollector collector;
    EventReader reader(bytes, collector, progress);
    json::sax_parse(ProfileIterator(bytes), ProfileIterator(), &reader);
    return collector.take();
}

}  // namespace aotscope

#include "support/json/bounded_json.h"

#include "support/error.h"
#include "support/formatted.h"
#include "support/library_error.h"

namespace aotscope {

namespace {

using nlohmann::json;

/// Scans a document without building it.
class Meter final : public nlohmann::json_sax<json> {
public:
    Meter(int depth, std::uint64_t memory) : deepest_(depth), most_(memory) {}

    bool null() override { return spend(kValue); }
    bool boolean(bool) override { return spend(kValue); }
    bool number_integer(number_integer_t) override { return spend(kValue); }
    bool number_unsigned(number_unsigned_t) override { return spend(kValue); }
    bool number_float(number_float_t, const string_t&) override { return spend(kValue); }
    bool string(string_t& text) override { return spend(kValue + kText + text.size()); }
    bool binary(binary_t& bytes) override { return spend(kValue + kText + bytes.size()); }
    bool key(string_t& name) override {
        members_ += depth_ == 1;
        return spend(kMember + name.size());
    }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return --depth_, true; }
    bool end_array() override { return --depth_, true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
        return false;  // the parser reports it, too, with its position
    }

    std::size_t members() const { return members_; }  ///< of the top-level object

private:
    // The size of nlohmann's values, including allocator overhead; the vector of a list grows by doubling.
    static constexpr std::uint64_t kValue = 24, kText = 48, kContainer = 64, kMember = 96;

    bool spend(std::uint64_t bytes) {
        spent_ += bytes;
        if (spent_ > most_)
            throw Error("would take more than " + formatBytes(static_cast<std::int64_t>(most_)) +
                        " of memory, which is too much for its size");
        return true;
    }
    bool enter() {
        if (++depth_ > deepest_) throw Error("nests its values more than " + std::to_string(deepest_) + " levels deep");
        return spend(kValue + kContainer);
    }

    int deepest_, depth_ = 0;
    std::uint64_t most_, spent_ = 0;
    std::size_t members_ = 0;
};

}  // namespace

json parseBounded(std::string_view document, const JsonBounds& bounds) {
    constexpr std::uint64_t usual = 8;  // texts of exported programs: 5, lists of small numbers: 12
    Meter meter(bounds.depth, bounds.memory ? bounds.memory : JsonBounds::memoryFor(document.size(), usual));
    const bool isText = bounds.form == JsonBounds::Form::text;
    json::sax_parse(document, &meter, isText ? json::input_format_t::json : json::input_format_t::cbor);
    json parsed = isText ? json::parse(document) : json::from_cbor(document);
    if (bounds.distinct && parsed.is_object() && parsed.size() != meter.members())
        throw Error("has two members with the same name");
    return parsed;
}

void requireKnownSchema(const json& document, int known, const std::string& where) {
    const auto schema = document.find("schema");
    if (schema != document.end() && schema->is_number() && *schema > known)
        throw Error(where + "it was written by a newer version of aotscope (schema " + schema->dump() +
                    ", this one reads " + std::to_string(known) + "); update aotscope");
}

std::string invalidJson(const json::exception& error) { return std::string(withoutJsonClass(error.what())); }

}  // namespace aotscope

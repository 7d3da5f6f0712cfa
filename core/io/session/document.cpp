#include "io/session/document.h"

#include "device/device.h"
#include "io/session/record_fields.h"
#include "io/session/requested_code.h"
#include "io/session/sound_content.h"
#include "ops/decomposition_table.h"

namespace aotscope {

namespace session_format {

template <typename Io, Is<ModelReference> T>
void fields(Io& io, T& v) {
    io("path", v.path), io("size", v.size), io("hash", v.hash);
}

template <typename Io, Is<RequestedCode> T>
void fields(Io& io, T& v) {
    io("libraries", v.libraries), io("plugins", v.plugins), io("settings", v.settings);
}

template <typename Io, Is<SavedVariant::Measured> T>
void fields(Io& io, T& v) {
    io("forwardMs", v.forwardMs), io("backwardMs", v.backwardMs), io("peakBytes", v.peakBytes);
}

template <typename Io, Is<SavedVariant> T>
void fields(Io& io, T& v) {
    io("name", v.name), io("options", v.options), io("partition", v.partition), io("measured", v.measured);
}

template <>
inline constexpr const char* kSharedIn<CompileRecord> = "records";

template <typename Io, Is<SessionContent> T>
void fields(Io& io, T& v) {
    io("options", v.options), io("code", v.code), io("decompositions", v.decompositions),
        io("inputNames", v.inputNames);
    io("notExecutable", v.notExecutable);
    io("record", v.record), io("model", v.model), io("check", v.check), io("bisect", v.bisect);
    io("timing", v.timing), io("variants", v.variants), io("sweep", v.sweep), io("view", v.view);
}

}  // namespace session_format

namespace {

using session_format::json;

constexpr std::size_t kDeepest = 100;  ///< our documents stay far below

/// nlohmann reads nested values by recursion.
class DepthGuard final : public nlohmann::json_sax<json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool key(string_t&) override { return true; }
    bool start_object(std::size_t) override { return ++depth_ < kDeepest; }
    bool start_array(std::size_t) override { return ++depth_ < kDeepest; }
    bool end_object() override { return --depth_, true; }
    bool end_array() override { return --depth_, true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    std::size_t depth_ = 0;
};

json parse(std::string_view document) {
    DepthGuard guard;
    if (!json::sax_parse(document, &guard, json::input_format_t::cbor))
        throw Error("its content is cut off or damaged");
    return json::from_cbor(document);
}

const json& member(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) throw Error(std::string("its content has no '") + key + "'");
    return object[key];
}

json inputsJson(const InputSource& inputs) {
    if (const auto* spec = std::get_if<InputSpec>(&inputs)) return {{"spec", printInputSpec(*spec)}};
    if (const auto* file = std::get_if<std::filesystem::path>(&inputs)) return {{"file", file->string()}};
    return nullptr;
}

InputSource inputsFrom(const json& inputs) {
    using session_format::textIn;
    if (inputs.is_null()) return {};
    if (inputs.is_object() && inputs.contains("spec"))
        return parseInputSpec(textIn(inputs["spec"]), "the session's input spec");
    return std::filesystem::path(textIn(member(inputs, "file")));
}

/// Earlier programs wrote it among the options.
RequestedCode codeAmongOptions(const json& options, session_format::Decoder& decoder) {
    RequestedCode code;
    if (const auto found = options.find("libraries"); found != options.end()) decoder(*found, code.libraries);
    const auto compilers = options.find("compilers");
    if (compilers == options.end()) return code;
    if (const auto found = compilers->find("plugins"); found != compilers->end()) decoder(*found, code.plugins);
    return code;
}

/// Null if it is a person's and not here.
std::shared_ptr<const DecompositionTable> tableCalled(const std::string& name) {
    std::error_code failure;
    if (name.empty() || std::filesystem::is_other(name, failure)) return nullptr;  // a FIFO would wait for ever
    try {
        return DecompositionTable::load(name);
    } catch (const Error&) {
        return nullptr;
    }
}

SessionContent decode(const json& document) {
    const session_format::GraphDecoder graphs(member(document, "tables"));
    session_format::Decoder decoder(graphs, member(document, "shared"));
    SessionContent content;
    const json& session = member(document, "session");
    decoder(session, content);
    requireSound(content);
    addCode(content.code, codeAmongOptions(member(session, "options"), decoder));
    moveCode(content.options, content.code);
    content.options.device = deviceFromName(content.options.device);
    content.options.inputs = inputsFrom(member(document, "inputs"));
    content.options.decompositions = tableCalled(content.decompositions);
    content.inputSpec =
        parseInputSpec(session_format::textIn(member(document, "inputSpec")), "the session's input spec");
    return content;
}

/// All that decides the graphs; not where operators and compilers come from and what is checked on the way.
json decidingOptions(Options options) {
    options.verify = false;
    const std::string table = options.decompositions ? options.decompositions->name() : std::string();
    session_format::GraphEncoder graphs;
    session_format::SharedLists shared;
    return {session_format::Encoder(graphs, shared)(options), inputsJson(options.inputs), table};
}

}  // namespace

bool sameOptions(const Options& a, const Options& b) { return decidingOptions(a) == decidingOptions(b); }

std::string encodeSession(SessionContent content) {
    moveCode(content.options, content.code);
    session_format::GraphEncoder graphs;
    session_format::SharedLists shared;
    json session = session_format::Encoder(graphs, shared)(content);
    json document = {{"session", std::move(session)},
                     {"inputs", inputsJson(content.options.inputs)},
                     {"inputSpec", printInputSpec(content.inputSpec)},
                     {"shared", std::move(shared)}};
    document["tables"] = graphs.take();
    std::string bytes;
    json::to_cbor(document, bytes);
    return bytes;
}

SessionContent decodeSession(std::string_view document) {
    try {
        return decode(parse(document));
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {  // an invariant of graphs or an exception of the parser
        throw Error(std::string("its content is damaged: ") + e.what());
    }
}

}  // namespace aotscope

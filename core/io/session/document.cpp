#include "io/session/document.h"

#include "device/device_name.h"
#include "io/session/inputs_json.h"
#include "io/session/record_fields.h"
#include "io/session/requested_code.h"
#include "io/session/sound_content.h"
#include "ops/decompositions/decomposition_table.h"
#include "partition/overrides.h"
#include "support/json/bounded_json.h"
#include "support/quoted.h"

namespace aotscope {

namespace session_format {

AOTSCOPE_FIELDS(ModelReference, path, size, hash)
AOTSCOPE_FIELDS(RequestedCode, libraries, plugins, settings)
AOTSCOPE_FIELDS(SavedVariant::Measured, forwardMs, backwardMs, peakBytes)
AOTSCOPE_FIELDS(SavedVariant, name, options, partition, measured)
AOTSCOPE_FIELDS(VariantCosts::Measured, forwardMs, backwardMs, savedBytes, peakBytes)
AOTSCOPE_FIELDS(VariantCosts, savedBytes, savedValues, recomputedOps, peakBytes, givenBytes, forwardMs, backwardMs,
                recomputedMs, basis, sentBytes, exposedMs, simulatedMs, measured)

template <typename Io, Is<SavedRun> T>
void fields(Io& io, T& v) {
    std::string inputs = inputsJson(v.options.inputs).dump(-1, ' ', false, json::error_handler_t::replace);
    io("number", v.number), io("parent", v.parent), io("options", v.options), io("inputs", inputs);
    io("costs", v.costs), io("check", v.check), io("bisect", v.bisect), io("timing", v.timing),
        io("training", v.training);
    io("variants", v.variants), io("sweep", v.sweep);
    if constexpr (!std::is_const_v<T>) v.options.inputs = inputsFrom(parseBounded(inputs, {}));
}

AOTSCOPE_FIELDS(SessionContent, options, code, inputNames, notExecutable, runsAsItIs, record, model, check, bisect,
                timing, training, variants, sweep, number, parent, runs, view)

}  // namespace session_format

namespace {

using session_format::inputsFrom;
using session_format::inputsJson;
using session_format::json;

const json& member(const json& object, const char* key) {
    if (!object.is_object() || !object.contains(key)) throw Error(std::string("its content has no '") + key + "'");
    return object[key];
}

/// Earlier versions wrote it among the options.
RequestedCode codeAmongOptions(const json& options, session_format::Decoder& decoder) {
    RequestedCode code;
    if (const auto found = options.find("libraries"); found != options.end()) decoder(*found, code.libraries);
    const auto compilers = options.find("compilers");
    if (compilers == options.end()) return code;
    if (const auto found = compilers->find("plugins"); found != compilers->end()) decoder(*found, code.plugins);
    return code;
}

std::string deviceIn(const std::string& device) {
    try {
        return deviceFromName(device);
    } catch (const UsageError&) {
        throw Error("its device " + inQuotes(device) + " is unknown; expected cpu or cuda:N");
    }
}

/// Earlier versions wrote only its name, outside of the options. Null if it is a user's table that does not exist here.
std::shared_ptr<const DecompositionTable> tableCalledIn(const json& session) {
    const auto found = session.find("decompositions");
    const std::string name = found == session.end() ? std::string() : session_format::textIn(*found);
    std::error_code failure;
    if (name.empty() || std::filesystem::is_other(name, failure)) return nullptr;  // a FIFO would block forever
    try {
        return DecompositionTable::load(name);
    } catch (const Error&) {
        return nullptr;
    }
}

/// Version 0.1 stored overrides by node id. By name, they are options that can be shown and reset.
void nameOverrides(SessionContent& content) {
    const auto joint = content.record->graph(GraphKind::joint);
    if (joint) content.options.partition = withNamedOverrides(*joint, std::move(content.options.partition));
}

SessionContent decode(const json& document, std::uint64_t memory) {
    const session_format::GraphDecoder graphs(member(document, "tables"), memory);
    session_format::Decoder decoder(graphs, member(document, "shared"));
    SessionContent content;
    const json& session = member(document, "session");
    decoder(session, content);
    requireSound(content);
    nameOverrides(content);
    addCode(content.code, codeAmongOptions(member(session, "options"), decoder));
    moveCode(content.options, content.code);
    content.options.device = deviceIn(content.options.device);
    for (SavedRun& run : content.runs) {
        moveCode(run.options, content.code);
        run.options.device = deviceIn(run.options.device);
    }
    content.options.inputs = inputsFrom(member(document, "inputs"));
    if (!content.options.decompositions) content.options.decompositions = tableCalledIn(session);
    content.inputSpec =
        parseInputSpec(session_format::textIn(member(document, "inputSpec")), "the session's input spec");
    return content;
}

/// Everything that decides the graphs, unlike the sources of operators and compilers and the checks on the way.
json decidingOptions(Options options) {
    options.verify = false;
    session_format::GraphEncoder graphs;
    session_format::SharedLists shared;
    json own = session_format::Encoder(graphs, shared)(options);
    return {std::move(own), inputsJson(options.inputs), std::move(shared)};
}

}  // namespace

namespace session_format {

/// Our documents need less than half of that: compressed to a quarter, they grow to thirty times their size as values,
/// and graphs share nodes.
std::uint64_t memoryForDocument(std::uint64_t packed) { return (std::uint64_t{96} << 20) + packed * 240; }

json parseDocument(std::string_view document, std::uint64_t memory) {
    JsonBounds bounds;
    bounds.form = JsonBounds::Form::cbor;
    bounds.memory = memory;
    try {
        return parseBounded(document, bounds);
    } catch (const Error& e) {
        throw Error(std::string("its content ") + e.what());
    } catch (const json::exception&) {
        throw Error("its content is cut off or damaged");
    }
}

}  // namespace session_format

bool sameOptions(const Options& a, const Options& b) { return decidingOptions(a) == decidingOptions(b); }

std::string encodeSession(SessionContent content) {
    moveCode(content.options, content.code);
    for (SavedRun& run : content.runs) moveCode(run.options, content.code);
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

SessionContent decodeSession(std::string_view document, std::uint64_t packed) {
    const std::uint64_t memory = session_format::memoryForDocument(packed);
    try {
        return decode(session_format::parseDocument(document, memory), memory);
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {  // an invariant of graphs or an exception of the parser
        throw Error(std::string("its content is damaged: ") + e.what());
    }
}

}  // namespace aotscope

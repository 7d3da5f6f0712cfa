#include "support/hostile/forged_session.h"
#include "support/hostile/hostile_files.h"

#include "io/session/model_reference.h"

#include <functional>

#include <sys/stat.h>

namespace aotscope::test {

namespace {

using nlohmann::json;

/// A library in `scratch` that leaves a file there when it is loaded.
std::string trap(const Scratch& scratch, const char* name) {
    const QString path = scratch.at(QString::fromLatin1(name));
    QFile::remove(path);
    if (!QFile::copy(QStringLiteral(PLUGIN_TRAP), path)) qFatal("cannot copy %s", PLUGIN_TRAP);
    return path.toStdString();
}

std::string fifo(const Scratch& scratch, const char* name) {
    std::string path = scratch.at(QString::fromLatin1(name)).toStdString();
    if (::mkfifo(path.c_str(), 0600) != 0 && errno != EEXIST) qFatal("cannot make %s", path.c_str());
    return path;
}

void usePlugin(ForgedSession& forged, const std::string& plugin) {
    forged.options()["compilers"] = {
        {"forward", "trap"}, {"plugins", {plugin}}, {"settings", json::array({json::array({"trap.x", "y"})})}};
}

// --- native code ---

HostileFile namesPlugin(const Scratch& scratch) {
    ForgedSession forged;
    usePlugin(forged, trap(scratch, "trap-plugin.so"));
    return {u"session names a plug-in"_s, forged.writeTo(scratch, "plugin.aotscope")};
}

HostileFile namesPluginInTheNewPlace(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["compilers"] = {{"forward", "trap"}};
    forged.session()["code"] = {{"plugins", {trap(scratch, "trap-new.so")}}};
    return {u"session names a plug-in as ours do"_s, forged.writeTo(scratch, "plugin-new.aotscope")};
}

HostileFile namesLibrary(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["libraries"] = {trap(scratch, "trap-library.so")};
    return {u"session names a library of operators"_s, forged.writeTo(scratch, "library.aotscope")};
}

HostileFile namesItself(const Scratch& scratch) {
    ForgedSession forged;
    const QString path = scratch.at(u"both.aotscope"_s);
    forged.options()["libraries"] = {path.toStdString()};
    usePlugin(forged, path.toStdString());
    const QByteArray archive = contentOf(forged.writeTo(scratch, "both.aotscope"));
    scratch.write(u"both.aotscope"_s, appended(contentOf(QStringLiteral(PLUGIN_TRAP)), archive));
    return {u"session is a library and names itself"_s, path};
}

HostileFile variantNamesPlugin(const Scratch& scratch) {
    ForgedSession forged;
    const std::string library = trap(scratch, "trap-variant.so");
    json variant = {{"name", "v"}, {"options", forged.options()["partition"]}, {"partition", 0}};
    for (json* options : {&variant, &variant["options"]}) {
        (*options)["libraries"] = {library};
        (*options)["plugins"] = {library};
        (*options)["compilers"] = {{"forward", "trap"}, {"plugins", {library}}};
    }
    variant["partition"] = forged.record()["partition"];
    forged.session()["variants"] = {variant};
    forged.session()["sweep"] = {variant};
    return {u"variant of a session names code"_s, forged.writeTo(scratch, "variant.aotscope")};
}

// --- places ---

HostileFile leadsOutOfItsFolder(const Scratch& scratch, const char* name, const std::string& record) {
    ForgedSession forged;
    const std::string model = "no model";
    const std::string copy = scratch.write(u"no-model"_s, QByteArray::fromStdString(model)).toStdString();
    forged.nameModel("/nowhere/model.pt2", model.size(), modelHash(copy));
    forged.records[record] = model;
    return {u"session carries '%1'"_s.arg(QString::fromStdString(record)), forged.writeTo(scratch, name)};
}

HostileFile modelIsFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.nameModel(fifo(scratch, "model.fifo"), 0, "");
    return {u"model of a session is a FIFO"_s, forged.writeTo(scratch, "model-fifo.aotscope")};
}

HostileFile modelIsDevice(const Scratch& scratch) {
    ForgedSession forged;
    forged.nameModel("/dev/zero", 0, "");
    forged.options()["weights"] = "/dev/zero";
    return {u"model of a session is a device"_s, forged.writeTo(scratch, "model-device.aotscope")};
}

HostileFile tableIsFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.session()["decompositions"] = fifo(scratch, "table.json");
    return {u"decompositions of a session are a FIFO"_s, forged.writeTo(scratch, "table-fifo.aotscope")};
}

HostileFile inputsAreFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.document()["inputs"] = {{"file", fifo(scratch, "inputs.npy")}};
    return {u"inputs of a session are a FIFO"_s, forged.writeTo(scratch, "inputs-fifo.aotscope")};
}

/// A session whose model is the session itself.
HostileFile modelIsItself(const Scratch& scratch) {
    constexpr int kSize = 65536;
    ForgedSession forged;
    const QString path = scratch.at(u"itself.aotscope"_s);
    forged.nameModel(path.toStdString(), kSize, "");
    scratch.write(u"itself.aotscope"_s, padded(contentOf(forged.writeTo(scratch, "itself.aotscope")), kSize));
    return {u"model of a session is the session"_s, path};
}

// --- missing parts ---

HostileFile lacksGraph(const Scratch& scratch) {
    ForgedSession forged;
    for (json& entry : forged.record()["graphs"]) entry[1] = -1;
    return {u"graphs of a session are missing"_s,
            forged.writeTo(scratch, "no-graph.aotscope"),
            {},
            u"a graph is missing"_s};
}

HostileFile lacksPartition(const Scratch& scratch) {
    ForgedSession forged;
    for (json& partition : forged.document()["shared"]["partitions"]) partition["forward"] = -1;
    return {u"halves of a session are missing"_s,
            forged.writeTo(scratch, "no-halves.aotscope"),
            {},
            u"a partition lacks one of its graphs"_s};
}

HostileFile lacksRecompilation(const Scratch& scratch) {
    ForgedSession forged;
    forged.session()["check"] = {{"recompilations", {{{"record", nullptr}, {"reason", "none"}}}}};
    return {u"a recompilation in a session is missing"_s,
            forged.writeTo(scratch, "no-recompilation.aotscope"),
            {},
            u"a recompilation has no record"_s};
}

HostileFile namesNoDevice(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["device"] = "cuda:99999999999999999999";
    return {u"device of a session is none"_s,
            forged.writeTo(scratch, "device.aotscope"),
            {},
            u"its device 'cuda:99999999999999999999' is unknown"_s};
}

// --- graphs ---

/// `change` gets the tables of the graphs.
HostileFile changed(const Scratch& scratch, const char* name, const char* file, const char* sentence,
                    const std::function<void(json& tables)>& change) {
    ForgedSession forged;
    change(forged.document()["tables"]);
    return {u"session: "_s + QLatin1String(name), forged.writeTo(scratch, file), {}, QString::fromUtf8(sentence)};
}

std::vector<HostileFile> damagedGraphs(const Scratch& scratch) {
    constexpr int kType = 6, kTextOfName = 4, kArguments = 13;  // columns of a node
    const auto onNode = [](int column, json value) {
        return [column, value = std::move(value)](json& tables) {
            json& graph = tables["graphs"].back();
            tables["nodes"][graph["nodes"][graph["nodes"].size() - 2].get<std::size_t>()][column] = value;
        };
    };
    return {
        changed(scratch, "two outputs", "outputs.aotscope", "a graph has two outputs",
                [](json& tables) {
                    json& nodes = tables["graphs"].back()["nodes"];
                    nodes.push_back(json(nodes.back()));
                }),
        changed(scratch, "no output", "no-output.aotscope", "does not end with an output node",
                [](json& tables) {
                    json& nodes = tables["graphs"].back()["nodes"];
                    nodes.erase(nodes.size() - 1);
                }),
        changed(scratch, "a node of no table", "outside.aotscope", "entry 1000000000 is missing",
                [](json& tables) { tables["graphs"].back()["nodes"].push_back(1'000'000'000); }),
        changed(scratch, "a negative size", "negative.aotscope", "a size is negative",
                [](json& tables) {
                    for (json& type : tables["types"])
                        if (!type.empty() && type[0] == 0 && !type[2].empty()) type[2][0] = -1;
                }),
        changed(scratch, "an id of 2^31 - 1", "id.aotscope", "a node has the id 2147483647", onNode(0, 2147483647)),
        changed(scratch, "an id of 2^63", "id63.aotscope", "a number is too large", onNode(0, std::uint64_t{1} << 63U)),
        changed(scratch, "an id that repeats", "id0.aotscope", "is there twice", onNode(0, 0)),
        changed(scratch, "a type of no table", "type.aotscope", "entry -1 is missing", onNode(kType, -1)),
        changed(scratch, "a name that is none", "name.aotscope", "entry 16777216 is missing",
                onNode(kTextOfName, 1 << 24)),
        changed(scratch, "an operation on itself", "self.aotscope", "a node is used before it is made",
                onNode(kArguments, json::array({json::array({0, 1 << 20})}))),
        changed(scratch, "a graph of itself", "itself-graph.aotscope", "is missing",
                onNode(kArguments, json::array({json::array({8, 1 << 20})}))),
        changed(scratch, "an operator that is none", "operator.aotscope",
                "'aten.relu.default self !' does not describe an operator",
                [](json& tables) { tables["operators"] = json::array({"aten.relu.default self !"}); }),
        changed(scratch, "an operator that is no text", "no-operator.aotscope", "a string is missing",
                [](json& tables) { tables["operators"] = json::array({7}); }),
        changed(scratch, "names for terminals", "names.aotscope", "'x\\x1b[31m\\x00\\u202e' is there twice",
                [](json& tables) {
                    for (json& text : tables["strings"]) text = std::string("x\x1b[31m\0\u202e", 10);
                }),
    };
}

HostileFile hasTwoVersions(const Scratch& scratch) {
    ForgedSession forged;
    forged.setSummary(R"({"format": "aotscope session", "schema": 99, "schema": 2})");
    return {u"session of two versions"_s,
            forged.writeTo(scratch, "versions.aotscope"),
            {},
            u"its record 'session.json' has two members with the same name"_s};
}

HostileFile hasDeepSummary(const Scratch& scratch) {
    ForgedSession forged;
    forged.setSummary(std::string(500'000, '['));
    return {u"session with a nested summary"_s,
            forged.writeTo(scratch, "deep-summary.aotscope"),
            {},
            u"its record 'session.json' nests its values more than 100 levels deep"_s};
}

}  // namespace

std::vector<HostileFile> hostileSessions(const Scratch& scratch) {
    std::vector<HostileFile> files = damagedGraphs(scratch);
    for (HostileFile& file : std::vector<HostileFile>{
             hasTwoVersions(scratch), hasDeepSummary(scratch), namesPlugin(scratch), namesPluginInTheNewPlace(scratch),
             namesLibrary(scratch), namesItself(scratch), variantNamesPlugin(scratch),
             leadsOutOfItsFolder(scratch, "up.aotscope", "model/../../escaped"),
             leadsOutOfItsFolder(scratch, "dots.aotscope", "model/.."), modelIsFifo(scratch), modelIsDevice(scratch),
             tableIsFifo(scratch), inputsAreFifo(scratch), modelIsItself(scratch), lacksGraph(scratch),
             lacksPartition(scratch), lacksRecompilation(scratch), namesNoDevice(scratch)})
        files.push_back(std::move(file));
    return files;
}

}  // namespace aotscope::test

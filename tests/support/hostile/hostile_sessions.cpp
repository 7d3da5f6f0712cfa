#include "support/hostile/forged_session.h"
#include "support/hostile/hostile_files.h"

#include "io/session/model_reference.h"

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
    return {QStringLiteral("session names a plug-in"), forged.writeTo(scratch, "plugin.aotscope")};
}

HostileFile namesPluginInTheNewPlace(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["compilers"] = {{"forward", "trap"}};
    forged.session()["code"] = {{"plugins", {trap(scratch, "trap-new.so")}}};
    return {QStringLiteral("session names a plug-in as ours do"), forged.writeTo(scratch, "plugin-new.aotscope")};
}

HostileFile namesLibrary(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["libraries"] = {trap(scratch, "trap-library.so")};
    return {QStringLiteral("session names a library of operators"), forged.writeTo(scratch, "library.aotscope")};
}

HostileFile namesItself(const Scratch& scratch) {
    ForgedSession forged;
    const QString path = scratch.at(QStringLiteral("both.aotscope"));
    forged.options()["libraries"] = {path.toStdString()};
    usePlugin(forged, path.toStdString());
    const QByteArray archive = contentOf(forged.writeTo(scratch, "both.aotscope"));
    scratch.write(QStringLiteral("both.aotscope"), appended(contentOf(QStringLiteral(PLUGIN_TRAP)), archive));
    return {QStringLiteral("session is a library and names itself"), path};
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
    return {QStringLiteral("variant of a session names code"), forged.writeTo(scratch, "variant.aotscope")};
}

// --- places ---

HostileFile leadsOutOfItsFolder(const Scratch& scratch, const char* name, const std::string& record) {
    ForgedSession forged;
    const std::string model = "no model";
    const std::string copy = scratch.write(QStringLiteral("no-model"), QByteArray::fromStdString(model)).toStdString();
    forged.nameModel("/nowhere/model.pt2", model.size(), modelHash(copy));
    forged.records[record] = model;
    return {QStringLiteral("session carries '%1'").arg(QString::fromStdString(record)), forged.writeTo(scratch, name)};
}

HostileFile modelIsFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.nameModel(fifo(scratch, "model.fifo"), 0, "");
    return {QStringLiteral("model of a session is a FIFO"), forged.writeTo(scratch, "model-fifo.aotscope")};
}

HostileFile modelIsDevice(const Scratch& scratch) {
    ForgedSession forged;
    forged.nameModel("/dev/zero", 0, "");
    forged.options()["weights"] = "/dev/zero";
    return {QStringLiteral("model of a session is a device"), forged.writeTo(scratch, "model-device.aotscope")};
}

HostileFile tableIsFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.session()["decompositions"] = fifo(scratch, "table.json");
    return {QStringLiteral("decompositions of a session are a FIFO"), forged.writeTo(scratch, "table-fifo.aotscope")};
}

HostileFile inputsAreFifo(const Scratch& scratch) {
    ForgedSession forged;
    forged.document()["inputs"] = {{"file", fifo(scratch, "inputs.npy")}};
    return {QStringLiteral("inputs of a session are a FIFO"), forged.writeTo(scratch, "inputs-fifo.aotscope")};
}

/// A session whose model is the session itself.
HostileFile modelIsItself(const Scratch& scratch) {
    constexpr int kSize = 65536;
    ForgedSession forged;
    const QString path = scratch.at(QStringLiteral("itself.aotscope"));
    forged.nameModel(path.toStdString(), kSize, "");
    scratch.write(QStringLiteral("itself.aotscope"),
                  padded(contentOf(forged.writeTo(scratch, "itself.aotscope")), kSize));
    return {QStringLiteral("model of a session is the session"), path};
}

// --- missing parts ---

HostileFile lacksGraph(const Scratch& scratch) {
    ForgedSession forged;
    for (json& entry : forged.record()["graphs"]) entry[1] = -1;
    return {QStringLiteral("graphs of a session are missing"),
            forged.writeTo(scratch, "no-graph.aotscope"),
            {},
            QStringLiteral("a graph is missing")};
}

HostileFile lacksPartition(const Scratch& scratch) {
    ForgedSession forged;
    for (json& partition : forged.document()["shared"]["partitions"]) partition["forward"] = -1;
    return {QStringLiteral("halves of a session are missing"),
            forged.writeTo(scratch, "no-halves.aotscope"),
            {},
            QStringLiteral("a partition lacks one of its graphs")};
}

HostileFile lacksRecompilation(const Scratch& scratch) {
    ForgedSession forged;
    forged.session()["check"] = {{"recompilations", {{{"record", nullptr}, {"reason", "none"}}}}};
    return {QStringLiteral("a recompilation in a session is missing"),
            forged.writeTo(scratch, "no-recompilation.aotscope"),
            {},
            QStringLiteral("a recompilation has no record")};
}

HostileFile namesNoDevice(const Scratch& scratch) {
    ForgedSession forged;
    forged.options()["device"] = "cuda:99999999999999999999";
    return {QStringLiteral("device of a session is none"),
            forged.writeTo(scratch, "device.aotscope"),
            {},
            QStringLiteral("its device 'cuda:99999999999999999999' is unknown")};
}

}  // namespace

std::vector<HostileFile> hostileSessions(const Scratch& scratch) {
    return {namesPlugin(scratch),
            namesPluginInTheNewPlace(scratch),
            namesLibrary(scratch),
            namesItself(scratch),
            variantNamesPlugin(scratch),
            leadsOutOfItsFolder(scratch, "up.aotscope", "model/../../escaped"),
            leadsOutOfItsFolder(scratch, "dots.aotscope", "model/.."),
            modelIsFifo(scratch),
            modelIsDevice(scratch),
            tableIsFifo(scratch),
            inputsAreFifo(scratch),
            modelIsItself(scratch),
            lacksGraph(scratch),
            lacksPartition(scratch),
            lacksRecompilation(scratch),
            namesNoDevice(scratch)};
}

}  // namespace aotscope::test

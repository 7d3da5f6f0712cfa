#include "load/pickle/foreign_file.h"

#include "load/exported/export_advice.h"
#include "load/flight_recorder/flight_reader.h"
#include "load/profile/profile_reader.h"
#include "load/snapshot/snapshot_reader.h"
#include "program/files/archive.h"
#include "program/files/pickle_decoder.h"
#include "program/files/pickle_reader.h"
#include "program/files/safetensors_header.h"
#include "support/error.h"
#include "support/quoted.h"
#include "support/text_encoding.h"

#include <algorithm>
#include <array>

namespace aotscope {

namespace {

using PickleKind = PickleValue::Kind;

/// Formats with a signature at the beginning.
struct Signature {
    std::size_t offset;
    std::string_view bytes;
    std::string_view what;
    bool model;  ///< it is another framework's model
};

constexpr std::array<Signature, 15> kSignatures = {{
    {0, "version https://git-lfs", "a pointer of Git LFS, not the file itself; fetch it with 'git lfs pull'", false},
    {0, "GGUF", "a GGUF file: weights without a program", true},
    {0, "\x89HDF\r\n", "an HDF5 file, as Keras writes it", true},
    {4, "TFL3", "a TensorFlow Lite model", true},
    {4, "ET12", "an ExecuTorch program, which is already compiled", true},
    {257, "ustar", "a tar archive; unpack it and open what is in it", false},
    {0, "\x1f\x8b", "compressed by gzip; unpack it first", false},
    {0,
     "\xfd"
     "7zXZ",
     "compressed by xz; unpack it first", false},
    {0, "\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first", false},
    {0, "BZh", "compressed by bzip2; unpack it first", false},
    {0, "\x93NUMPY", "an array of NumPy; tensors are given with --inputs", false},
    {0,
     "\x7f"
     "ELF",
     "a program or shared library; libraries of operators are given with --library", false},
    {0, "<!DOCTYPE", "a web page, which a browser opens: an export, or what comes when a download has failed", false},
    {0, "<html", "a web page, which a browser opens: an export, or what comes when a download has failed", false},
    {0, "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
     "a pickle of torch.save in the form before PyTorch 1.6, a module or a state_dict", true},
}};

/// ONNX files are raw protocol buffers: a small version number, then the producer's name, a domain or a graph.
bool looksLikeOnnx(std::string_view content) {
    constexpr std::string_view next = "\x12\x1a\x22\x3a\x42";
    return content.size() > 16 && content[0] == '\x08' && content[1] > 0 && content[1] < 32 &&
           next.find(content[2]) != std::string_view::npos;
}

bool isSavedTensor(const PickleValue& value) {
    if (!value.is(PickleKind::call) || !value.function->is(PickleKind::global)) return false;
    const std::string_view maker = value.function->text;
    return maker.starts_with("torch._utils._rebuild_") || maker.starts_with("torch._tensor._rebuild_");
}

bool isDict(const PickleValue& value) { return value.is(PickleKind::dict) || value.calls("collections.OrderedDict"); }

bool isStateDict(const PickleValue& value) {
    const auto isWeight = [](const auto& entry) {
        return entry.first->is(PickleKind::text) && isSavedTensor(*entry.second);
    };
    return isDict(value) && !value.entries.empty() && std::all_of(value.entries.begin(), value.entries.end(), isWeight);
}

/// For files written by torch.save.
std::string describePickle(const PickleValue& root) {
    if (isStateDict(root))
        return std::string("it is a state_dict: weights without a program") + kExportModule +
               ", and give this file with --weights if you like";
    const auto holdsWeights = [](const auto& entry) {
        return entry.first->is(PickleKind::text) &&
               (entry.first->text.find("state_dict") != std::string::npos || isStateDict(*entry.second));
    };
    if (isDict(root) && std::any_of(root.entries.begin(), root.entries.end(), holdsWeights))
        return std::string("it is a checkpoint: weights without a program") + kExportModule;
    const PickleValue* made = root.is(PickleKind::call) ? root.function : nullptr;
    const bool holdsTensors =
        root.is(PickleKind::list) || root.is(PickleKind::tuple) || root.is(PickleKind::dict) || isSavedTensor(root);
    if (holdsTensors)
        return "it is a file of values saved by torch.save, not a program; tensors are given with --inputs";
    if (made && made->is(PickleKind::global) && !made->text.starts_with("torch._utils."))
        return "it is an object of class " + inQuotes(made->text) +
               " pickled by torch.save, which only Python can load" + kExportModule;
    return {};
}

std::string describeArchive(const MappedFile& file) {
    constexpr std::size_t directory = 1 << 16;
    const std::string_view content = file.text(),
                           tail = content.substr(content.size() - std::min(content.size(), directory));
    const auto names = [&](std::string_view name) { return tail.find(name) != std::string_view::npos; };
    if (names("model.weights.h5")) return "it is a Keras model; aotscope opens PyTorch models only";
    if (names("MAR-INF/")) return "it is an archive of TorchServe; unpack it and open the model in it";
    if (names("/.data/extern_modules"))
        return std::string("it is a package of torch.package: pickles and the Python code that loads them") +
               kExportModule;
    if (names("/aotinductor/"))
        return std::string("it is an AOTInductor package, which is already compiled") + kExportModule;
    try {
        const ZipArchive archive(content);
        const std::string_view pickle = archive.bytes("data.pkl");
        if (pickle.substr(0, 100).find("torch.export.exported_program") != std::string_view::npos)
            return std::string(
                "it is an exported program pickled by torch.save, which only Python can load; save it "
                "in Python with torch.export.save(program, 'model.pt2')");
        return describePickle(PickleDocument(pickle).root());
    } catch (const Error&) {
        return names(".npy") ? "it is a file of NumPy arrays (.npz), not a program" : "";
    }
}

constexpr std::size_t kSeenOfText = 1 << 16;

bool isPlainText(std::string_view content) {
    constexpr std::size_t seen = 4096;
    return std::ranges::none_of(content.substr(0, seen), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1b';
    });
}

struct TextForm {
    std::string_view begins;  ///< after spaces
    std::string_view holds;   ///< within the first lines
    std::string_view what;
};

/// Text files that users mistake for models, by how they begin and what they contain.
constexpr std::array kTextForms = {
    TextForm{
        "", "[__recompiles",
        "it is a log of recompilations without graphs; 'aotscope compiles --why recompile' says why they were made"},
    TextForm{"", "[__graph_breaks]",
             "it is a log of graph breaks without graphs; 'aotscope compiles --why break' says where they are"},
    TextForm{"", "AsyncCompile()",
             "it is code generated by Inductor, which contains no graph; log graphs with TORCH_LOGS=aot_graphs"},
    TextForm{"graph(%", "",
             "it is a graph of TorchScript as print() shows it; open the file that torch.jit.save wrote"},
    TextForm{"module", "func.func", "it is a program in MLIR; aotscope opens PyTorch models only"},
    TextForm{"HloModule", "", "it is a program in HLO; aotscope opens PyTorch models only"},
    TextForm{"", "Traceback (most recent call last)",
             "it is a Python traceback without printed graphs; run again with TORCH_LOGS=aot_graphs"},
    TextForm{"{", "\"assumptions\"",  // the first key, "partitioning" may be far below
             "it is a report of aotscope; compare it with 'aotscope diff', or open the model it describes"},
    TextForm{"{", "\"schema_version\"",
             "it is the JSON of an exported program without its archive; open the .pt2 file"},
    TextForm{"{", "\"values\"", "it is an input spec; give it with --inputs"},
    TextForm{"{", "\"collective_seq_id\"",
             "it is a dump of the flight recorder, not a program; 'aotscope hang' says which collective hangs"},
    TextForm{"{", "\"traceEvents\"", "it is a Chrome trace; open it with Perfetto"},
    TextForm{"{", "", "it is a JSON file, not a model"},
    TextForm{"[", "", "it is a JSON file, not a model"},
    TextForm{"digraph", "",
             "it is a picture of a graph for Graphviz, which holds no operations; open the model itself"},
    TextForm{"<svg", "", "it is a picture; open the model itself"},
    TextForm{"<?xml", "", "it is an XML file or a picture; open the model itself"},
};

std::string describeText(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n\r\t"), text.size()));
    for (const TextForm& form : kTextForms)
        if (text.starts_with(form.begins) && text.find(form.holds) != std::string_view::npos)
            return std::string(form.what);
    return "it is a text without printed graphs; expected a log written with TORCH_LOGS=aot_graphs, TORCH_TRACE or "
           "gm.print_readable(), or TorchScript in a file whose name ends in .py";
}

}  // namespace

std::string describeForeignFile(const MappedFile& file) {
    const std::string_view content = file.text();
    if (looksLikeProfile(content))
        return "it is a profile of torch.profiler; lay it on the model that it was recorded with: aotscope run MODEL "
               "--profile FILE";
    for (const Signature& signature : kSignatures)
        if (content.size() >= signature.offset && content.substr(signature.offset).starts_with(signature.bytes))
            return "it is " + std::string(signature.what) + (signature.model ? kExportModule : "");
    if (content.empty()) return "it is empty, not a zip archive";
    if (content.starts_with("PK")) return describeArchive(file);
    if (const std::string text = toUtf8(content.substr(0, kSeenOfText)); isPlainText(text)) return describeText(text);
    if (looksLikeSafetensors(content))
        return std::string("it is a safetensors file: weights without a program") + kExportModule +
               ", and give this file with --weights if you like";
    if (looksLikeMemorySnapshot(content))
        return "it is a snapshot of GPU memory, not a program; 'aotscope snapshot' says what it holds";
    if (looksLikeFlightDump(content.substr(0, kSeenOfText)))
        return "it is a dump of the flight recorder, not a program; 'aotscope hang' says which collective hangs";
    if (looksLikePickle(content))
        return std::string("it is a Python pickle, which only Python can load") + kExportModule;
    if (looksLikeOnnx(content))
        return std::string("it looks like an ONNX model; aotscope opens PyTorch models only") + kExportModule;
    return {};
}

}  // namespace aotscope

// Places that are not regular files: FIFOs, devices, sockets, circles of links, holes; files of other formats; names
// with escape sequences of terminals.

#include "support/hostile/hostile_files.h"
#include "support/tensor_files.h"

#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace aotscope::test {

namespace {

QString fifoAt(const Scratch& scratch, const QString& name) {
    if (mkfifo(scratch.at(name).toLocal8Bit().constData(), 0600) != 0 && errno != EEXIST) qFatal("no FIFO");
    return scratch.at(name);
}

QString linkAt(const Scratch& scratch, const QString& name, const char* target) {
    if (symlink(target, scratch.at(name).toLocal8Bit().constData()) != 0 && errno != EEXIST) qFatal("no link");
    return scratch.at(name);
}

QString socketAt(const Scratch& scratch, const QString& name) {
    const QByteArray path = scratch.at(name).toLocal8Bit();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.constData(), sizeof address.sun_path - 1);
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 && errno != EADDRINUSE)
        qFatal("no socket");
    close(end);
    return scratch.at(name);
}

/// `beginning`, followed by a hole of a terabyte.
QString holeAt(const Scratch& scratch, const QString& name, const QByteArray& beginning) {
    QString path = scratch.write(name, beginning);
    if (truncate(path.toLocal8Bit().constData(), off_t{1} << 40) != 0) qFatal("no hole");
    return path;
}

/// The file as torch.save writes it.
QString pickled(const Scratch& scratch, const QString& name, const QByteArray& pickle) {
    writeArchive(scratch.at(name).toStdString(), pickle, QByteArray(16, '\0'));
    return scratch.at(name);
}

/// An entry of a state_dict whose tensor has 4 elements.
QByteArray weight(const QByteArray& name) {
    QByteArray tensor = tensorPickle(QByteArray("K\x00", 2), "K\x04\x85", "K\x01\x85");
    tensor = tensor.mid(2, tensor.size() - 3);  // without protocol and end
    return "X" + QByteArray(1, static_cast<char>(name.size())) + QByteArray(3, '\0') + name + tensor;
}

void addPlaces(const Scratch& scratch, std::vector<HostileFile>& files) {
    const QString fifo = fifoAt(scratch, u"fifo.pt"_s);
    const QString zero = linkAt(scratch, u"zero.pt2"_s, "/dev/zero");
    linkAt(scratch, u"circle.pt"_s, "circle2.pt");
    linkAt(scratch, u"circle2.pt"_s, "circle.pt");
    QDir(scratch.path()).mkdir(u"folder.pt2"_s);
    const QString aFifo = u"found a FIFO"_s, aDevice = u"found a device"_s;
    files.push_back({u"FIFO that nobody writes"_s, fifo, {}, aFifo});
    files.push_back({u"session that is a FIFO"_s, fifoAt(scratch, u"fifo.aotscope"_s), {}, aFifo});
    files.push_back({u"device without end"_s, u"/dev/zero"_s, {}, aDevice});
    files.push_back({u"device that waits"_s, u"/dev/random"_s, {}, aDevice});
    files.push_back({u"link to a device"_s, zero, {}, aDevice});
    files.push_back({u"links in a circle"_s, scratch.at(u"circle.pt"_s), {}, u"Too many levels of symbolic links"_s});
    files.push_back({u"folder"_s, scratch.at(u"folder.pt2"_s), {}, u"found a folder"_s});
    files.push_back({u"socket"_s, socketAt(scratch, u"s.pt"_s), {}, u"found a socket"_s});
    files.push_back({u"memory of the process"_s, u"/proc/self/mem"_s, {}, u"it is empty, not a zip archive"_s});
    files.push_back({u"text with a hole"_s,
                     holeAt(scratch, u"hole.log"_s, "import torch\n" + QByteArray(5000, ' ')),
                     {},
                     u"it is a text without printed graphs"_s});
    files.push_back({u"archive with a hole"_s,
                     holeAt(scratch, u"hole.pt"_s, "PK\x03\x04"),
                     {},
                     u"the TorchScript archive is damaged"_s});
    const QString model = QStringLiteral(AOTSCOPE_SOURCE_DIR "/tests/data/exported/tied_weights.pt2");
    for (const char* option : {"--weights", "--library", "--plugin", "--decompose"})
        files.push_back({u"FIFO as %1"_s.arg(QLatin1String(option)), model, {QLatin1String(option), fifo}, aFifo});
    files.push_back({u"device as --weights"_s, model, {u"--weights"_s, zero}, aDevice});
    files.push_back(
        {u"device as --inputs"_s, model, {u"--inputs"_s, linkAt(scratch, u"zero.npy"_s, "/dev/zero")}, aDevice});
    files.push_back(
        {u"device as input spec"_s, model, {u"--inputs"_s, linkAt(scratch, u"zero.json"_s, "/dev/zero")}, aDevice});
    const QString spec = scratch.write(u"file.json"_s, R"([{"file":"fifo.pt"}])");
    files.push_back({u"FIFO that an input spec names"_s, model, {u"--inputs"_s, spec}, aFifo});
}

void addForeign(const Scratch& scratch, std::vector<HostileFile>& files) {
    const auto add = [&](const char* name, const QString& path, const char* sentence) {
        files.push_back({QString::fromLatin1(name), path, {}, QString::fromLatin1(sentence)});
    };
    const auto file = [&](const char* name, const QByteArray& content) {
        return scratch.write(QLatin1String(name), content + QByteArray(64, '\0'));
    };
    add("pickled module", pickled(scratch, u"module.pt"_s, QByteArray("\x80\x02") + "c__main__\nNet\n)\x81}b."),
        "an object of class '__main__.Net' pickled by torch.save");
    add("pickled module that would run a command",
        pickled(scratch, u"system.pt"_s,
                QByteArray("\x80\x02") + "cposix\nsystem\nX\x04" + QByteArray(3, '\0') + "true\x85R."),
        "an object of class 'posix.system' pickled by torch.save");
    add("state_dict", pickled(scratch, u"state.pt"_s, QByteArray("\x80\x02") + "}(" + weight("w") + weight("b") + "u."),
        "it is a state_dict: weights without a program");
    add("checkpoint",
        pickled(scratch, u"checkpoint.pt"_s,
                QByteArray("\x80\x02") + "}(X\x05" + QByteArray(3, '\0') + "model}(" + weight("w") + "uu."),
        "it is a checkpoint: weights without a program");
    add("tensor of an unusual kind",
        pickled(scratch, u"tensor.pt"_s, QByteArray("\x80\x02") + "ctorch._utils\n_rebuild_sparse_tensor\n)R."),
        "it is a file of values saved by torch.save, not a program");
    add("archive of TorchServe", file("served.mar", "PK\x03\x04/MAR-INF/MANIFEST.json"), "an archive of TorchServe");
    QDir(scratch.path()).mkdir(u"hf"_s);
    scratch.write(u"hf/config.json"_s, "{}");
    scratch.write(u"hf/model.safetensors"_s, "");
    add("folder of weights", scratch.at(u"hf"_s), "it is a Hugging Face model: weights and their");
    add("pickle before zip archives", file("old.pt", QByteArray::fromHex("80028a0a6cfc9c46f9206aa850192e")),
        "before PyTorch 1.6");
    add("bare pickle", file("bare.pt", QByteArray("\x80\x04", 2) + "N."), "it is a Python pickle");
    add("GGUF", file("llama.pt", "GGUF"), "it is a GGUF file");
    add("HDF5", file("keras.pt", "\x89HDF\r\n\x1a\n"), "it is an HDF5 file");
    add("ONNX", file("onnx.pt", "\x08\x07\x12\x07pytorch"), "an ONNX model");
    add("safetensors", scratch.write(u"weights.pt"_s, safetensorsBytes("{}", {})), "it is a safetensors file");
    add("pointer of Git LFS", file("lfs.pt", "version https://git-lfs.github.com/spec/v1\n"), "git lfs pull");
    add("tar", file("tar.pt", QByteArray(257, 'a') + "ustar"), "a tar archive");
}

/// Escape sequences and misleading characters are escaped in messages.
void addNames(const Scratch& scratch, std::vector<HostileFile>& files) {
    const QByteArray bell = QByteArray("\x1b") + "]0;mine\x07";
    files.push_back({u"escape sequence in the file's name"_s,
                     scratch.write(u"\u001b]0;mine\u0007\u202egnp.pt"_s, "text"),
                     {},
                     u"\\x1b]0;mine\\x07\\u202egnp"_s});
    files.push_back(
        {u"escape sequence in a key"_s,
         u"sample:mlp"_s,
         {u"--inputs"_s, scratch.write(u"key.json"_s, R"([{"shape":[2],"\u001b]0;mine\u0007\n\u009b31m":1}])")},
         u"'\\x1b]0;mine\\x07\\n\\xc2\\x9b31m'"_s});
    files.push_back({u"key without end"_s,
                     u"sample:mlp"_s,
                     {u"--inputs"_s, scratch.write(u"long.json"_s, "[{\"" + QByteArray(1'000'000, 'k') + "\":1}]")},
                     u'\'' + QString(80, u'k') + u"...'"_s});
    files.push_back({u"class with an escape sequence"_s,
                     pickled(scratch, u"class.pt"_s, QByteArray("\x80\x02") + "c__main__\nNet" + bell + "\n)\x81}b."),
                     {},
                     u"'__main__.Net\\x1b]0;mine\\x07'"_s});
}

}  // namespace

std::vector<HostileFile> hostilePlaces(const Scratch& scratch) {
    std::vector<HostileFile> files;
    addPlaces(scratch, files);
    addForeign(scratch, files);
    addNames(scratch, files);
    return files;
}

}  // namespace aotscope::test

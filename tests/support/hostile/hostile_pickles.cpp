#include "support/exported_files.h"
#include "support/hostile/hostile_files.h"
#include "support/hostile/pickled.h"
#include "support/models.h"
#include "support/saved_model.h"
#include "support/tensor_files.h"

#include <ATen/ops/zeros.h>

#include <functional>

namespace aotscope::test {

namespace {

using Bytes = QByteArray;
using namespace pickled;

// Operations of pickles.
const Bytes kNone("N"), kTrue("\x88"), kFalse("\x89"), kCall("R"), kEmptyList("]"), kEmptyTuple(")");

Bytes real(const Bytes& bigEndian) { return "G" + bigEndian; }
Bytes tuple(const Bytes& elements) { return "(" + elements + "t"; }
Bytes global(const Bytes& module, const Bytes& name) { return "c" + module + "\n" + name + "\n"; }
Bytes store(char index) { return Bytes("q") + index; }
Bytes load(char index) { return Bytes("h") + index; }
Bytes tensorFunction(const Bytes& name = "_rebuild_tensor_v2") { return global("torch._utils", name); }

Bytes storageOf(const Bytes& type, qint64 count, const Bytes& key = "0") {
    return tuple(text("storage") + type + text(key) + text("cpu") + integer(count)) + "Q";
}
Bytes storage(const Bytes& type, qint64 count, const Bytes& key = "0") {
    return storageOf(global("torch", type), count, key);
}
/// The end of every tensor: no gradient, no hooks.
Bytes tail() { return kFalse + global("collections", "OrderedDict") + kEmptyTuple + kCall; }
Bytes tensor(const Bytes& storage, qint64 offset, const Bytes& sizes, const Bytes& strides) {
    return tensorFunction() + tuple(storage + integer(offset) + tuple(sizes) + tuple(strides) + tail()) + kCall;
}
/// A tensor of 3 elements in the record "0".
Bytes soundTensor(const Bytes& key = "0") { return tensor(storage("FloatStorage", 3, key), 0, integer(3), integer(1)); }
Bytes quantized(const Bytes& storage, qint64 size, const Bytes& quantizer) {
    return tensorFunction("_rebuild_qtensor") +
           tuple(storage + integer(0) + tuple(integer(size)) + tuple(integer(1)) + tuple(quantizer) + tail()) + kCall;
}
Bytes tagged(const Bytes& container, const Bytes& type) {
    return global("torch.jit._pickle", "restore_type_tag") + tuple(container + text(type)) + kCall;
}

/// An intact model with a changed pickle.
class Models {
public:
    explicit Models(const Scratch& scratch) : scratch_(scratch) {
        const QString path = scratch.at(u"sound.pt"_s);
        saveModel("def forward(self, x: Tensor) -> Tensor:\n    return x * self.w", path.toStdString());
        sound_ = ExportedFile::read(path.toStdString());
        const Bytes pickle = Bytes::fromStdString(sound_.records.at("data.pkl"));
        class_ = pickle.mid(2, pickle.indexOf('\n', pickle.indexOf('\n') + 1) + 1 - 2);
    }

    /// With these values instead of `w`.
    HostileFile with(const char* name, const char* file, const Bytes& w, const char* sentence,
                     const Bytes& training = kTrue) {
        return whole(name, file, object(text("w") + w + text("training") + training), sentence);
    }
    /// With this pickle, without header and end.
    HostileFile whole(const char* name, const char* file, const Bytes& pickle, const char* sentence) {
        return changed(name, file, sentence, [&](ExportedFile& archive) {
            archive.records["data.pkl"] = ("\x80\x02" + pickle + ".").toStdString();
        });
    }
    HostileFile changed(const char* name, const char* file, const char* sentence,
                        const std::function<void(ExportedFile&)>& change) {
        ExportedFile archive = sound_;
        change(archive);
        const QString path = archive.write(scratch_.at(QString::fromLatin1(file)));
        return {QString::fromLatin1(name), path, {}, QString::fromLatin1(sentence)};
    }
    Bytes object(const Bytes& entries) const { return class_ + kEmptyTuple + "\x81" + dict(entries) + "b"; }
    /// The module of its class.
    Bytes module() const { return class_.mid(1, class_.indexOf('\n') - 1); }
    QString sound() const { return scratch_.at(u"sound.pt"_s); }

private:
    const Scratch& scratch_;
    ExportedFile sound_;
    Bytes class_;
};

constexpr const char* kOtherType = "calls a function with a value of another type";
constexpr const char* kLarger = "makes a tensor larger than its storage";

std::vector<HostileFile> storages(Models& models) {
    const Bytes three = integer(3), one = integer(1);
    return {
        models.with("storage type by number", "st_int.pt", tensor(storageOf(integer(7), 3), 0, three, one), kOtherType),
        models.with("unknown storage type", "st_name.pt", tensor(storage("FooStorage", 3), 0, three, one),
                    "names 'torch.FooStorage', which is not known"),
        models.with("storage type of another module", "st_mod.pt",
                    tensor(storageOf(global("torch.storage", "UntypedStorage"), 12), 0, three, one),
                    "names 'torch.storage.UntypedStorage'"),
        models.with("storage larger than its record", "st_size.pt", tensor(storage("DoubleStorage", 3), 0, three, one),
                    "gives storage '0' 24 bytes, it has 12"),
        models.with("storage of 2^62 items", "st_big.pt",
                    tensor(storage("FloatStorage", qint64{1} << 62), 0, three, one), "storage of an impossible size"),
        models.with("storage read twice", "st_twice.pt", tagged(list(soundTensor() + soundTensor()), "List[Tensor]"),
                    "reads storage '0' twice"),
        models.changed(
            "truth values of 255", "st_bool.pt", "holds booleans other than 0 and 1",
            [&](ExportedFile& archive) {
                const Bytes w = tensor(storage("BoolStorage", 3), 0, three, one);
                archive.records["data/0"] = std::string(12, '\xff');
                archive.records["data.pkl"] =
                    ("\x80\x02" + models.object(text("w") + w + text("training") + kTrue) + ".").toStdString();
            }),
    };
}

std::vector<HostileFile> tensors(Models& models) {
    const Bytes three = integer(3), one = integer(1), floats = storage("FloatStorage", 3);
    const Bytes pair(8, '\0');  // 0.0
    const Bytes half = real(Bytes("\x3f\xe0\0\0\0\0\0\0", 8));
    const Bytes perChannel = global("torch", "per_channel_affine"), perTensor = global("torch", "per_tensor_affine");
    return {
        models.with("offset beyond", "t_offset.pt", tensor(floats, 1, three, one), kLarger),
        models.with("negative offset", "t_neg.pt", tensor(floats, -1, three, one), kLarger),
        models.with("negative stride", "t_stride.pt", tensor(floats, 2, three, integer(-1)), "negative size or stride"),
        models.with("sizes that overflow", "t_over.pt",
                    tensor(floats, 0, integer(qint64{1} << 40) + integer(qint64{1} << 40), integer(0) + integer(0)),
                    kLarger),
        models.with("strides that overflow", "t_over2.pt",
                    tensor(floats, 0, three + three, integer(qint64{1} << 62) + integer(qint64{1} << 62)), kLarger),
        models.with("one element shown 2^35 times", "t_view.pt",
                    tensor(floats, 0, integer(qint64{1} << 35), integer(0)), kLarger),
        models.with("sizes made of a type", "t_type.pt", tensor(floats, 0, global("torch", "LongStorage"), one),
                    kOtherType),
        models.with("quantized beyond its storage", "q_beyond.pt",
                    quantized(storage("QInt32Storage", 3), 4, perTensor + half + integer(0)), kLarger),
        models.with("quantized storage as a plain tensor", "q_plain.pt",
                    tensor(storage("QInt8Storage", 3), 0, three, one), "that is not quantized, or the reverse"),
        models.with(
            "quantized with too few scales", "q_scales.pt",
            quantized(storage("QInt8Storage", 12), 12, perChannel + soundTensor("1") + soundTensor("2") + integer(0)),
            "numbers of scales and channels differ"),
        models.with(
            "quantized along axis 7", "q_axis.pt",
            quantized(storage("QInt8Storage", 3), 3, perChannel + soundTensor("1") + soundTensor("2") + integer(7)),
            "along an axis that it does not have"),
        models.with("a sparse tensor", "t_sparse.pt",
                    tensorFunction("_rebuild_sparse_tensor") +
                        tuple(integer(1) + tuple(three) + kFalse + soundTensor("1") + soundTensor("2")) + kCall,
                    "names 'torch._utils._rebuild_sparse_tensor', which TorchScript files do not use"),
        models.with("conjugated real tensor", "t_conj.pt",
                    tensorFunction() +
                        tuple(floats + integer(0) + tuple(three) + tuple(one) + tail() + dict(text("conj") + kTrue)) +
                        kCall,
                    "marks a tensor in an unknown way"),
    };
}

std::vector<HostileFile> calls(Models& models) {
    const Bytes arguments =
        tuple(storage("FloatStorage", 3) + integer(9) + tuple(integer(3)) + tuple(integer(1)) + tail());
    return {
        models.with("function by number", "c_int.pt", integer(0) + arguments + kCall,
                    "calls a value that is not a function"),
        models.with("function called by BUILD", "c_build.pt", tensorFunction() + arguments + "b",
                    "gives a state to a value that is not an object"),
        models.with("function kept as a value", "c_keep.pt", tensorFunction(),
                    "holds a function or class where a value is expected"),
        models.with("function that changes the next name", "c_from.pt",
                    global("torch._tensor", "_rebuild_from_type_v2") + kEmptyTuple + kCall,
                    "which TorchScript files do not use"),
        models.with("remote reference", "c_rref.pt", global("torch.distributed.rpc", "rref") + kEmptyTuple + kCall,
                    "which TorchScript files do not use"),
        models.with("function of the system", "c_sys.pt", global("os", "system") + tuple(text("true")) + kCall,
                    "names 'os.system', which TorchScript files do not use"),
        models.with("object of a native class", "c_native.pt",
                    global("__torch__.torch.classes.quantized", "LinearPackedParamsBase") + kEmptyTuple + "\x81" +
                        kEmptyTuple + "b",
                    "whose packed weights are not supported"),
        models.changed(
            "member that the enumeration lacks", "c_enum.pt", "that the enumeration does not have",
            [&](ExportedFile& archive) {
                for (auto& [name, content] : archive.records)
                    if (name.starts_with("code/") && name.ends_with(".py"))
                        content += "class Hue(Enum):\n  RED = 1\n  BLUE = 2\n";
                const Bytes member = global(models.module(), "Hue") + integer(3) + kCall;
                archive.records["data.pkl"] =
                    ("\x80\x02" +
                     models.object(text("w") + soundTensor() + text("training") + kTrue + text("x") + member) + ".")
                        .toStdString();
            }),
        models.with("attribute of another type", "c_slot.pt", soundTensor(), "is not of type bool", text("yes")),
    };
}

std::vector<HostileFile> containers(Models& models) {
    Bytes doubled = kEmptyTuple;
    for (char level = 0; level < 60; ++level) doubled += store(level) + load(level) + "\x86";
    // Keys whose products with the factor of LibTorch's tables agree in their highest 40 bits.
    Bytes colliding;
    constexpr quint64 inverse = 0xf1de83e19937733du;  // of 0x9e3779b97f4a7c15
    for (quint64 i = 0; i < 64; ++i) colliding += integer(static_cast<qint64>(inverse * i)) + kNone;
    return {
        models.with("texts as integers", "l_int.pt",
                    global("torch.jit._pickle", "build_intlist") + tuple(list(text("a"))) + kCall,
                    "holds a value that is not of type int"),
        models.with("integers as texts", "l_tag.pt", tagged(list(integer(1)), "List[str]"),
                    "holds a value that is not of type str"),
        models.with("list as a dict", "l_dict.pt", tagged(list(integer(1)), "Dict[str, int]"), "which it cannot have"),
        models.with("type nested 5,000 times", "l_deep.pt",
                    tagged(kEmptyList, "List[" + Bytes("Optional[").repeated(5000) + "int" + Bytes("]").repeated(5001)),
                    "a type that is nested too deeply"),
        models.with("list changed after its check", "l_late.pt",
                    list(kNone) + store(0) + "\x85" + load(0) + integer(1) + "a", "adds to a value that is finished"),
        models.with("list within itself", "l_self.pt", kEmptyList + store(0) + load(0) + "a", "part of itself"),
        models.with("tuples nested 200,000 times", "n_tuple.pt", kEmptyTuple + Bytes("\x85").repeated(200'000),
                    "nests its values more than 200 levels deep"),
        models.with("lists nested 200,000 times", "n_list.pt",
                    Bytes("](").repeated(200'000) + Bytes("e").repeated(200'000),
                    "nests its values more than 200 levels deep"),
        models.with("dicts nested 200,000 times", "n_dict.pt",
                    Bytes("}K\x01").repeated(200'000) + kNone + Bytes("s").repeated(200'000),
                    "nests its values more than 200 levels deep"),
        models.with("a tuple of 2^60 values", "n_dag.pt", doubled, "holds its values in too many places"),
        models.with("two million lists", "n_many.pt", "(" + Bytes("]").repeated(2'000'000) + "t",
                    "holds more than 1000000 values"),
        models.with("memo of 2^31 values", "n_memo.pt", kNone + Bytes("r\xff\xff\xff\x7f"),
                    "numbers its values out of order"),
        models.with("keys that collide", "n_keys.pt", tagged(dict(colliding), "Dict[int, Optional[int]]"),
                    "whose keys were chosen to collide"),
        models.with("key without a value", "n_odd.pt", dict(text("a")), "has a key without a value"),
        models.whole("group that never began", "n_mark.pt", kNone + "t", "ends a group that it did not begin"),
    };
}

std::vector<HostileFile> otherRecords(Models& models) {
    const auto debugRecord = [](ExportedFile& archive) -> std::string& {
        for (auto& [name, content] : archive.records)
            if (name.ends_with(".debug_pkl")) return content;
        qFatal("the model has no record of places");
    };
    const auto places = [](const Bytes& source, qint64 begin, qint64 end) {
        const Bytes place = tuple(source + integer(begin) + integer(end));
        return ("\x80\x02" +
                tuple(text("FORMAT_WITH_STRING_TABLE") + tuple(text("abc")) +
                      tuple(tuple(integer(0) + place + integer(0)))) +
                ".")
            .toStdString();
    };
    const auto source = [](qint64 piece) {
        return tuple(global("torch.jit._pickle", "build_intlist") + tuple(list(integer(piece))) + kCall + integer(0) +
                     integer(1));
    };
    return {
        models.changed("place in a text that is not there", "d_text.pt", "source locations that do not exist",
                       [&](ExportedFile& a) { debugRecord(a) = places(source(1 << 30), 0, 1); }),
        models.changed("place behind the end of the text", "d_end.pt", "source locations that do not exist",
                       [&](ExportedFile& a) { debugRecord(a) = places(source(0), 2, 1 << 30); }),
        models.changed("place without a source", "d_short.pt", "source locations that do not exist",
                       [&](ExportedFile& a) { debugRecord(a) = places(kEmptyTuple, 0, 1); }),
        models.changed("second pickle under a name in capitals", "r_case.pt", "twice",
                       [](ExportedFile& a) { a.records["DATA.PKL"] = "\x80\x02]."; }),
        models.changed("archive of another format", "r_old.pt", "PyTorch 1.1 or older",
                       [](ExportedFile& a) { a.records["model.json"] = "{}"; }),
    };
}

/// Pickles of inputs, which are read as data.
std::vector<HostileFile> inputs(const Models& models, const Scratch& scratch) {
    const auto file = [&](const char* name, const char* path, const Bytes& pickle, const char* sentence) {
        const QString saved = scratch.at(QString::fromLatin1(path));
        writeArchive(saved.toStdString(), "\x80\x02" + pickle + ".", Bytes(12, '\0'));
        return HostileFile{
            QString::fromLatin1(name), models.sound(), {u"--inputs"_s, saved}, QString::fromLatin1(sentence)};
    };
    const Bytes repeated = tuple(Bytes("N").repeated(100'000)) + store(0) + "0" + global("a", "b") + store(1) + "0";
    constexpr quint64 inverse = 0xf1de83e19937733du;
    Bytes colliding;
    for (quint64 i = 0; i < 64; ++i) colliding += integer(static_cast<qint64>(inverse * i)) + kNone;
    return {
        file("inputs nested deeply", "i_deep.pt", kEmptyTuple + Bytes("\x85").repeated(900'000), "levels deep"),
        file("inputs with two million values", "i_many.pt", "(" + Bytes("]").repeated(2'000'000) + "t",
             "holds more than 1000000 values"),
        file("inputs that call with the same list for ever", "i_args.pt",
             repeated + "(" + (load(1) + load(0) + kCall).repeated(100'000) + "t", "calls functions with more than"),
        file("inputs with names that multiply", "i_names.pt",
             text(Bytes(1'000'000, 'a')) + store(0) + "(" + (load(0) + load(0) + "\x93").repeated(10'000) + "t",
             "names a function of more than"),
        file("inputs of one element shown 2^38 times", "i_view.pt",
             tensor(storage("FloatStorage", 3), 0, integer(qint64{1} << 38), integer(0)), "in a storage of 3"),
        file("inputs whose keys collide", "i_keys.pt", dict(colliding), "keys were chosen to collide"),
    };
}

}  // namespace

std::vector<HostileFile> hostilePickles(const Scratch& scratch) {
    Models models(scratch);
    std::vector<HostileFile> files;
    for (auto made : {storages(models), tensors(models), calls(models), containers(models), otherRecords(models),
                      inputs(models, scratch)})
        files.insert(files.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    return files;
}

}  // namespace aotscope::test

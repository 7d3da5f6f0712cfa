#include "support/exported_files.h"
#include "support/hostile/hostile_files.h"
#include "support/saved_model.h"
#include "support/tensor_files.h"

#include <caffe2/serialize/inline_container.h>
#include <boost/crc.hpp>

#include <functional>

namespace aotscope::test {

namespace {

using nlohmann::json;

QString latin(const char* text) { return QString::fromLatin1(text); }

/// Writes records, compressed or stored.
QString writePacked(const QString& path, const std::map<std::string, std::string>& records, bool pack) {
    caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
    // A session is recognised by its first record.
    if (const auto first = records.find("session.json"); first != records.end())
        writer.writeRecord(first->first, first->second.data(), first->second.size());
    for (const auto& [name, content] : records)
        if (name != "session.json") writer.writeRecord(name, content.data(), content.size(), pack);
    writer.writeEndOfFile();
    return path;
}

/// A handmade zip file, as no regular writer of archives would make it.
class Zip {
public:
    /// Adds a record. Several entries of the directory may refer to it.
    void record(const std::string& name, const QByteArray& content) {
        offset_ = static_cast<quint32>(file_.size());
        numbers_ = numbersOf(content);
        file_ += local(name, content);
        again(name);
    }
    /// A record whose bytes are another record.
    void recordIn(const std::string& outer, const std::string& inner, const QByteArray& content) {
        const QByteArray within = local(inner, content);
        record(outer, within);
        entry(inner, numbersOf(content), offset_ + static_cast<quint32>(local(outer, within).size() - within.size()));
    }
    /// Adds another name for the last record.
    void again(const std::string& name) { entry(name, numbers_, offset_); }
    QByteArray finish() const {
        return file_ + directory_ + "PK\x05\x06" + number(0, 4) + number(entries_, 2) + number(entries_, 2) +
               number(static_cast<quint64>(directory_.size()), 4) + number(static_cast<quint64>(file_.size()), 4) +
               number(0, 2);
    }
    static QByteArray number(quint64 value, int width) {
        QByteArray bytes;
        for (int i = 0; i < width; ++i) bytes.append(static_cast<char>(i < 8 ? value >> (8 * i) : 0));
        return bytes;
    }

private:
    /// Checksum and sizes.
    static QByteArray numbersOf(const QByteArray& content) {
        boost::crc_32_type crc;
        crc.process_bytes(content.data(), static_cast<std::size_t>(content.size()));
        return number(crc.checksum(), 4) + number(static_cast<quint64>(content.size()), 4).repeated(2);
    }
    static QByteArray local(const std::string& name, const QByteArray& content) {
        return "PK\x03\x04" + number(20, 2) + number(0, 8) + numbersOf(content) + number(name.size(), 2) +
               number(0, 2) + QByteArray::fromStdString(name) + content;
    }
    void entry(const std::string& name, const QByteArray& numbers, quint32 offset) {
        directory_ += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 8) + numbers + number(name.size(), 2) +
                      number(0, 12) + number(offset, 4) + QByteArray::fromStdString(name);
        ++entries_;
    }

    QByteArray file_, directory_, numbers_;
    quint32 offset_ = 0;
    quint64 entries_ = 0;
};

std::vector<HostileFile> archives(const Scratch& scratch) {
    const QString sound = scratch.at(latin("plain.pt"));
    saveModel("def forward(self, x: Tensor) -> Tensor:\n    return x * self.w", sound.toStdString());
    const auto records = ExportedFile::read(sound.toStdString()).records;
    const auto code = [&](const std::string& more) {
        auto changed = records;
        for (auto& [name, content] : changed)
            if (name.starts_with("code/") && name.ends_with(".py")) content += more;
        return changed;
    };
    Zip shared, nested, outside, twice;
    const QByteArray zeros(1'000'000, '\0');
    shared.record("a/data/0", zeros);
    for (int i = 1; i < 3000; ++i) shared.again("a/data/" + std::to_string(i));
    nested.recordIn("a/data/0", "a/data/1", zeros);
    outside.record("a/../../data.pkl", "x");
    twice.record("a/data.pkl", "x");
    twice.record("a/data.pkl", "y");
    return {
        {latin("code that unpacks to 200 MB"),
         writePacked(scratch.at(latin("code.pt")), code(std::string(200'000'000, '\n')), true),
         {},
         latin("grow too much when unpacked")},
        {latin("3,000 records of the same bytes"),
         scratch.write(latin("shared.pt"), shared.finish()),
         {},
         latin("in its header")},
        {latin("record within a record"),
         scratch.write(latin("nested.pt"), nested.finish()),
         {},
         latin("two of its records share bytes")},
        {latin("record outside of its folder"),
         scratch.write(latin("outside.pt"), outside.finish()),
         {},
         latin("has an impossible name")},
        {latin("two records of one name"), scratch.write(latin("twice.pt"), twice.finish()), {}, latin("twice")},
        {latin("archive with a tail"),
         scratch.write(latin("tail.pt"), contentOf(sound) + "tail"),
         {},
         latin("data follows its directory")},
    };
}

/// Sessions are made from the one in tests/data by replacing its content.
std::vector<HostileFile> sessions(const Scratch& scratch) {
    const auto records = ExportedFile::read(AOTSCOPE_SOURCE_DIR "/tests/data/sessions/schema1.aotscope").records;
    const json sound = json::from_cbor(records.at("content.cbor"));
    const auto with = [&](const char* name, const char* file, const std::string& content, const char* sentence) {
        auto changed = records;
        changed["content.cbor"] = content;
        return HostileFile{latin(name), writePacked(scratch.at(latin(file)), changed, true), {}, latin(sentence)};
    };
    const auto changed = [&](const char* name, const char* file, const char* sentence,
                             const std::function<void(json&)>& change) {
        json document = sound;
        change(document);
        std::string content;
        json::to_cbor(document, content);
        return with(name, file, content, sentence);
    };
    return {
        with("session that unpacks to 200 MB", "zeros.aotscope", std::string(200'000'000, '\0'),
             "grow too much when unpacked"),
        with("session of 15 million empty lists", "lists.aotscope",
             std::string("\x9a\x00\xe4\xe1\xc0", 5) + std::string(15'000'000, '\x80'),
             "of memory, which is too much for its size"),
        with("session of nested lists", "deep.aotscope", std::string(1'000'000, '\x81'),
             "nests its values more than 100 levels deep"),
        with("session with a list of 2^60 elements", "declared.aotscope",
             std::string("\x9b\x10\0\0\0\0\0\0\0", 9) + "\x01", "cut off or damaged"),
        changed("session whose graphs share a node a million times", "rows.aotscope",
                "of memory, which is too much for its size",
                [](json& document) {
                    json& graphs = document["tables"]["graphs"];
                    const json graph = graphs[0];
                    for (int i = 0; i < 20'000; ++i) graphs.push_back(graph);
                }),
        changed("session with a type of 2^40 types", "types.aotscope", "of memory, which is too much for its size",
                [](json& document) {
                    json& types = document["tables"]["types"];
                    for (int i = 0; i < 40; ++i) types.push_back(json::array({2, types.size() - 1, types.size() - 1}));
                }),
        changed("session with a nested expression", "brackets.aotscope", "",
                [](json& document) {
                    json& strings = document["tables"]["strings"];
                    strings.push_back(std::string(100'000, '(') + "s0" + std::string(100'000, ')'));
                    const json number = strings.size() - 1;
                    document["tables"]["types"].push_back(
                        json::array({0, 6, json::array({1}), json::array({1}), 0, 0, -1, 0, false,
                                     json::array({json::array({number}), json::array({number}), number})}));
                }),
    };
}

std::vector<HostileFile> exported(const Scratch& scratch) {
    const auto sound =
        exportedProgram(json::array({exportedNode("torch.ops.aten.mul.Tensor",
                                                  {{"self", exportedTensor("x")}, {"other", exportedTensor("p_w")}},
                                                  json::array({exportedTensor("mul")}))}),
                        {"mul"});
    const auto with = [&](const char* name, const char* file, const char* sentence,
                          const std::function<void(ExportedFile&)>& change) {
        ExportedFile archive = sound;
        change(archive);
        return HostileFile{latin(name), archive.write(scratch.at(latin(file))), {}, latin(sentence)};
    };
    const auto deep = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
    const auto sized = [](const json& size, const json& stride) {
        return [=](json& config) {
            json& meta = config["config"]["w"]["tensor_meta"];
            meta["sizes"] = json::array({{{"as_int", size}}});
            meta["strides"] = json::array({{{"as_int", stride}}});
        };
    };
    constexpr const char* kConfig = "data/weights/model_weights_config.json";
    const QString tail = scratch.at(latin("sound.pt2"));
    std::vector<HostileFile> files = {
        with("exported program nested deeply", "deep.pt2", "nests its values more than 100 levels deep",
             [&](ExportedFile& a) { a.records["models/model.json"] = deep(1'000'000); }),
        with("exported program of six million lists", "lists.pt2", "of memory, which is too much for its size",
             [](ExportedFile& a) {
                 std::string text = "[";
                 for (int i = 0; i < 6'000'000; ++i) text += "[],";
                 a.records["models/model.json"] = text + "0]";
             }),
        with("structure of the call nested deeply", "spec.pt2", "",
             [&](ExportedFile& a) {
                 a.edit("models/model.json", [&](json& model) {
                     model["graph_module"]["module_call_graph"][0]["signature"]["in_spec"] = deep(1'000'000);
                 });
             }),
        with("weight of one element shown 2^36 times", "view.pt2", "shows",
             [&](ExportedFile& a) { a.edit(kConfig, sized(std::int64_t{1} << 36, 0)); }),
        with("weight of 2^40 elements", "large.pt2", "needs",
             [&](ExportedFile& a) { a.edit(kConfig, sized(std::int64_t{1} << 40, 1)); }),
        with("no weights of 2^50 elements", "none.pt2", "",
             [&](ExportedFile& a) {
                 a.edit(kConfig, sized(std::int64_t{1} << 50, 1));
                 a.records["data/weights/weight_0"].clear();
             }),
    };
    sound.write(tail);
    const auto weights = [&](const char* name, const char* file, const QByteArray& content, const char* sentence) {
        files.push_back(
            {latin(name), tail, {latin("--weights"), scratch.write(latin(file), content)}, latin(sentence)});
    };
    weights("weights with a deep header", "deep.safetensors",
            safetensorsBytes("{\"w\":" + QByteArray(1'000'000, '['), {}), "nests its values more than 3 levels deep");
    weights("weights with a header of millions of names", "names.safetensors",
            safetensorsBytes("{\"w\":[" + QByteArray("[],").repeated(6'000'000) + "0]}", {}),
            "of memory, which is too much for its size");
    weights("weights with a header of 2^62 bytes", "header.safetensors", Zip::number(quint64{1} << 62, 8) + "{}",
            "header");
    return files;
}

std::vector<HostileFile> texts(const Scratch& scratch) {
    const QString model = scratch.at(latin("plain.pt"));
    const auto given = [&](const char* name, const char* option, const char* file, const QByteArray& content,
                           const char* sentence) {
        return HostileFile{latin(name), model, {latin(option), scratch.write(latin(file), content)}, latin(sentence)};
    };
    const QByteArray deep = QByteArray(1'000'000, '['), deepObjects = QByteArray("{\"ops\":").repeated(300'000);
    const QByteArray printed =
        "class GraphModule(torch.nn.Module):\n"
        "    def forward(self, arg0_1: \"f32[1000000000000, 1000000]\"):\n"
        "        sin: \"f32[1000000000000, 1000000]\" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None\n"
        "        return (sin,)\n";
    return {
        given("decompositions nested deeply", "--decompose", "deep.json", deep, "nests its values more than 100"),
        given("decompositions in objects nested deeply", "--decompose", "objects.json",
              deepObjects + "1" + QByteArray(300'000, '}'), "nests its values more than 100"),
        given("decompositions with a nested choice", "--decompose", "choice.json",
              "{\"ops\":{\"a\":" + QByteArray(1'000'000, '[') + QByteArray(1'000'000, ']') + "}}",
              "nests its values more than 100"),
        given("decompositions with a long choice", "--decompose", "base.json",
              "{\"base\": \"" + QByteArray(1'000'000, 'x') + "\"}", "has the base"),
        given("input spec nested deeply", "--inputs", "spec.json", deep, "nests its values more than 64"),
        given("input spec of millions of lists", "--inputs", "many.json",
              "[" + QByteArray("[],").repeated(6'000'000) + "0]", "of memory, which is too much for its size"),
        given("input spec of 2^60 bytes", "--inputs", "sizes.json",
              R"([{"dtype": "float32", "shape": [1073741824, 268435456]}])", "2^40 elements"),
        given("array of 2^60 elements", "--inputs", "sizes.npy",
              npyBytes(npyHeader("<f4", "(1073741824, 1073741824)"), {}), "2^40 elements"),
        {latin("printed graph of 4 EB"), scratch.write(latin("huge.txt"), printed), {}, {}},
        {latin("log with a line of 40 MB"),
         scratch.write(latin("line.log"), "TRACED GRAPH\n" + printed + QByteArray(40'000'000, 'x')),
         {},
         {}},
        {latin("printed graph nested deeply"),
         scratch.write(latin("nested.txt"),
                       QByteArray(printed).replace(
                           "(arg0_1)", "(" + QByteArray(500'000, '[') + "arg0_1" + QByteArray(500'000, ']') + ")")),
         {},
         {}},
    };
}

}  // namespace

std::vector<HostileFile> hostileBombs(const Scratch& scratch) {
    std::vector<HostileFile> files;
    for (auto made : {archives(scratch), sessions(scratch), exported(scratch), texts(scratch)})
        files.insert(files.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
    return files;
}

}  // namespace aotscope::test

// TorchScript that never ends or takes all memory, even during loading or tracing.

#include "support/hostile/hostile_files.h"
#include "support/saved_model.h"

#include <caffe2/serialize/inline_container.h>

#include <functional>
#include <map>
#include <stdexcept>

namespace aotscope::test {

namespace {

const QString kTime = u"raise --time-limit"_s, kMemory = u"raise --memory-limit"_s, kEither = u"raise --"_s,
              kTypes = u"tuples of tuples"_s;

struct Text {
    const char* name;
    const char* file;
    std::string methods;
    QString sentence;
};

std::string forward(const std::string& body) { return "def forward(self) -> Tensor:\n" + body; }

/// f0, f1, f2, ..., each of which calls the previous one twice.
std::string exponentialCalls(int levels) {
    std::string text = "def f0(self, x: Tensor) -> Tensor:\n    return x + 1\n";
    for (int i = 1; i <= levels; ++i) {
        const std::string before = "self.f" + std::to_string(i - 1);
        text += "def f" + std::to_string(i) + "(self, x: Tensor) -> Tensor:\n    return " + before + "(" + before +
                "(x))\n";
    }
    return text + forward("    return self.f" + std::to_string(levels) + "(self.w)\n");
}

/// Changes the text of the model's class in the file at `path`.
void editCode(const std::string& path, const std::function<void(std::string& code)>& edit) {
    std::map<std::string, std::string> records;
    {
        caffe2::serialize::PyTorchStreamReader reader(path);
        for (const std::string& name : reader.getAllRecords()) {
            const auto [data, size] = reader.getRecord(name);
            records[name].assign(static_cast<const char*>(data.get()), size);
        }
    }
    for (auto& [name, content] : records)
        if (name.ends_with(".py") && content.find("(Module)") != std::string::npos) edit(content);
    caffe2::serialize::PyTorchStreamWriter writer(path);
    for (const auto& [name, content] : records)
        if (!name.starts_with(".data/") && name != "byteorder" && name != "version" && !name.ends_with(".debug_pkl"))
            writer.writeRecord(name, content.data(), content.size());
    writer.writeEndOfFile();
}

/// A file whose class follows `classes`, with `body` as its forward. "@" stands for the prefix of the class's name.
void saveCode(const std::string& path, const std::string& classes, const std::string& body) {
    saveModel(forward("    return self.w + 1\n"), path);
    editCode(path, [&](std::string& code) {
        const auto at = code.find("  def forward(self: "), end = code.find(") -> Tensor:\n", at);
        if (at == std::string::npos || end == std::string::npos) throw std::logic_error("unexpected code: " + code);
        const std::string own = code.substr(at + 20, end - at - 20), prefix = own.substr(0, own.rfind('.'));
        code = classes + code.substr(0, end) + ") -> Tensor:\n" + body;
        for (auto mark = code.find('@'); mark != std::string::npos; mark = code.find('@'))
            code.replace(mark, 1, prefix);
    });
}

std::vector<Text> texts() {
    const std::string spin =
        "def spin(self, x: Tensor) -> Tensor:\n"
        "    while True:\n"
        "        x = x * 2\n"
        "    return x\n";
    return {
        {"a loop of integers never ends", "loop_ints.pt",
         forward("    i = 0\n    while True:\n        i = i + 1\n    return self.w + i\n"), kTime},
        {"a loop of tensors never ends", "loop_tensors.pt",
         forward("    x = self.w\n    while True:\n        x = x * 2\n    return x\n"), kEither},
        {"a loop in another method never ends", "loop_method.pt", spin + forward("    return self.spin(self.w)\n"),
         kEither},
        {"a loop depends on data and never ends", "loop_data.pt",
         forward("    x = self.w\n    while bool((x == x).all()):\n        x = x * 1\n    return x\n"), kEither},
        {"a loop has 10^18 turns", "loop_range.pt",
         forward("    n = 0\n    for i in range(1000000000000000000):\n        n = n + i\n    return self.w + n\n"),
         kTime},
        {"a list grows for ever", "list_append.pt",
         forward("    l = [0]\n    while True:\n        l.append(1)\n    return self.w + len(l)\n"), kEither},
        {"a list is repeated 10^11 times", "list_times.pt",
         forward("    l = [0] * 100000000000\n    return self.w + len(l)\n"), kMemory},
        {"a list is repeated 10^9 times", "list_giga.pt",
         forward("    l = [0] * 1000000000\n    return self.w + len(l)\n"), kMemory},
        {"a string is doubled for ever", "string_double.pt",
         forward("    s = 'a'\n    while len(s) > 0:\n        s = s + s\n    return self.w + len(s)\n"), kMemory},
        {"large strings are kept", "string_list.pt",
         forward("    s = 'a'\n    for i in range(26):\n        s = s + s\n    l = [s]\n    while True:\n"
                 "        l.append(s + 'b')\n    return self.w + len(l)\n"),
         kMemory},
        {"zeros of 400 GB",
         "zeros_huge.pt",
         forward("    x = torch.zeros([100000000000])\n    return self.w + x.sum()\n"),
         {}},
        {"constants of 10^18 elements are summed up", "sum_expanded.pt",
         forward("    x = torch.tensor([1.0]).expand([1000000000, 1000000000])\n    return self.w + x.sum()\n"), kTime},
        {"constants are taken apart into 10^8 tensors", "unbind_expanded.pt",
         forward("    l = torch.unbind(torch.tensor([1.0]).expand([100000000]))\n    return self.w + l[0]\n"), kEither},
        {"zeros are taken apart into 10^8 tensors", "unbind_zeros.pt",
         forward("    l = torch.unbind(torch.zeros([100000000]))\n    return self.w + l[0]\n"), kEither},
        {"methods call each other twice, 40 levels deep", "calls_exponential.pt", exponentialCalls(40), kMemory},
    };
}

}  // namespace

std::vector<HostileFile> hostileLoops(const Scratch& scratch) {
    std::vector<HostileFile> files;
    for (const Text& text : texts()) {
        const QString path = scratch.at(QString::fromLatin1(text.file));
        saveModel(text.methods, path.toStdString());
        files.push_back({QString::fromLatin1(text.name), path, {}, text.sentence});
    }
    const auto add = [&](const char* name, const char* file, const std::string& classes, const std::string& body,
                         const QString& sentence) {
        const QString path = scratch.at(QString::fromLatin1(file));
        saveCode(path.toStdString(), classes, body);
        files.push_back({QString::fromLatin1(name), path, {}, sentence});
    };
    add("__enter__ never ends", "loop_enter.pt",
        "class Guard:\n"
        "  def __init__(self: @.Guard) -> NoneType:\n"
        "    return None\n"
        "  def __enter__(self: @.Guard) -> NoneType:\n"
        "    while True:\n"
        "      pass\n"
        "    return None\n"
        "  def __exit__(self: @.Guard, type: Any, value: Any, trace: Any) -> NoneType:\n"
        "    return None\n",
        "    guard = @.Guard()\n"
        "    with guard:\n"
        "      y = torch.add(self.w, 1)\n"
        "    return y\n",
        kEither);
    const std::string spin =
        "      x = self.w\n"
        "      while True:\n"
        "        x = torch.mul(x, 2)\n"
        "      return x\n";
    add("a forked loop never ends", "loop_fork.pt", "",
        "    def __forked_function():\n" + spin +
            "    task = fork(__forked_function)\n"
            "    return torch.wait(task)\n",
        kEither);
    add("forks without end", "fork_bomb.pt", "",
        "    y = self.w\n"
        "    while True:\n"
        "      def __forked_function():\n"
        "        return torch.add(self.w, 1)\n"
        "      task = fork(__forked_function)\n"
        "      y = torch.wait(task)\n"
        "    return y\n",
        kEither);
    std::string tuples = "class T0(NamedTuple):\n  a : int\n  b : int\n";
    for (int i = 1; i <= 40; ++i) {
        const std::string before = "@.T" + std::to_string(i - 1);
        tuples += "class T" + std::to_string(i) + "(NamedTuple):\n  a : " + before + "\n  b : " + before + "\n";
    }
    add("named tuples of named tuples, 40 levels deep", "types_exponential.pt", tuples,
        "    x = annotate(Optional[@.T40], None)\n"
        "    return torch.add(self.w, 1)\n",
        kTypes);
    std::string pairs = "    t0 = (self.w, self.w)\n";
    for (int i = 1; i <= 40; ++i) {
        const std::string before = "t" + std::to_string(i - 1);
        pairs += "    t" + std::to_string(i) + " = (" + before + ", " + before + ")\n";
    }
    add("pairs of pairs, 40 levels deep", "pairs_exponential.pt", "", pairs + "    return self.w\n", kTypes);
    return files;
}

}  // namespace aotscope::test

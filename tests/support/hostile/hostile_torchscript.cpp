#include "support/hostile/hostile_files.h"
#include "support/hostile/script_archive.h"

namespace aotscope::test {

namespace {

/// Collects files in the scratch folder.
class ScriptMaker {
public:
    explicit ScriptMaker(const Scratch& scratch)
        : scratch_(scratch),
          spec_(scratch.write(QStringLiteral("ts-inputs.json"), R"([{"shape": [4], "dtype": "float32"}])")) {
        scratch.write(QStringLiteral("ts-victim"), QByteArray(64, 'v'));
    }

    void add(const QString& name, const ScriptArchive& archive, const QString& sentence) {
        const QString path = scratch_.at(QStringLiteral("ts%1.pt").arg(files_.size()));
        files_.push_back({name, archive.write(path), {QStringLiteral("--inputs"), spec_}, sentence});
    }
    void add(const QString& name, const std::string& code, const QString& sentence) {
        add(name, ScriptArchive{code}, sentence);
    }

    /// `torch.save(x, "SCRATCH/written")`
    std::string save(const std::string& value = "x") const {
        return "torch.save(" + value + ", \"" + at("written") + "\")";
    }
    /// A tensor whose memory is a mapped file.
    std::string mapped() const { return "torch.from_file(\"" + at("ts-victim") + "\", True, 16, dtype=6)"; }
    std::string at(const char* name) const { return scratch_.at(QString::fromLatin1(name)).toStdString(); }

    std::vector<HostileFile> take() { return std::move(files_); }

private:
    const Scratch& scratch_;
    QString spec_;
    std::vector<HostileFile> files_;
};

const QString kSave = QStringLiteral("aten::save"), kFromFile = QStringLiteral("aten::from_file");

std::string function(const std::string& name, const std::string& body, const std::string& result = "Tensor") {
    return "def " + name + "(x: Tensor) -> " + result + ":\n" + body;
}

std::string setState(const std::string& body) {
    return "  def __getstate__(self: __torch__.M) -> bool:\n    return True\n"
           "  def __setstate__(self: __torch__.M,\n    state: bool) -> NoneType:\n" +
           body + "    self.training = state\n    return None\n";
}

void addForwards(ScriptMaker& maker) {
    const std::string saveStatement = "    " + maker.save() + "\n    return x\n";
    maker.add(QStringLiteral("forward writes a file"), modelCode(saveStatement), kSave);
    maker.add(QStringLiteral("a function writes a file"),
              modelCode("    return __torch__.f(x, )\n", {}, function("f", "  " + maker.save() + "\n  return x\n")),
              kSave);
    maker.add(QStringLiteral("a branch writes a file"),
              modelCode("    if self.training:\n      " + maker.save() + "\n    else:\n      pass\n    return x\n"),
              kSave);
    maker.add(QStringLiteral("a method writes a file"),
              modelCode("    return (self).other(x, )\n",
                        "  def other(self: __torch__.M,\n    x: Tensor) -> Tensor:\n" + saveStatement),
              kSave);
    maker.add(QStringLiteral("getattr writes a file"),
              modelCode("    getattr(torch, \"sa\" \"\\166e\")(x, \"" + maker.at("written") + "\")\n    return x\n"),
              kSave);
    maker.add(QStringLiteral("an operator behind a keyword"),
              modelCode("    b = x is nottorch.save(x, \"" + maker.at("written") + "\")\n    return x\n"), kSave);
    maker.add(QStringLiteral("an operator under another name"),
              modelCode("    t = torch\n    t.save(x, \"" + maker.at("written") + "\")\n    return x\n"),
              QStringLiteral("'torch' around as a value"));
    maker.add(QStringLiteral("forward writes into a mapped file"),
              modelCode("    return torch.copy_(" + maker.mapped() + ", torch.ones([16]))\n"), kFromFile);
    maker.add(QStringLiteral("forward maps a file by its full name"),
              modelCode("    return torch.fill_(ops.aten.from_file(\"" + maker.at("ts-victim") + "\", True, 16), 7)\n"),
              kFromFile);
    maker.add(QStringLiteral("a view beyond the memory of a tensor"),
              modelCode("    return ops.inductor._reinterpret_tensor(x, [100000000], [1], 0)\n"),
              QStringLiteral("inductor::_reinterpret_tensor"));
    maker.add(QStringLiteral("a reshape beyond the memory of a tensor"),
              modelCode("    return torch._reshape_alias(x, [100000000], [1])\n"),
              QStringLiteral("aten::_reshape_alias"));
    maker.add(QStringLiteral("a handle to objects of the program"),
              modelCode("    ops.aotscope.location(x, 0)\n    return x\n"), QStringLiteral("aotscope::location"));
    maker.add(QStringLiteral("memory of other processes"),
              modelCode("    return ops.symm_mem.one_shot_all_reduce(x, \"sum\", \"0\")\n"),
              QStringLiteral("symm_mem::"));
    maker.add(QStringLiteral("an unknown namespace"), modelCode("    return ops.nowhere.nothing(x)\n"),
              QStringLiteral("nowhere::nothing"));
}

void addLoads(ScriptMaker& maker) {
    const auto model = [](const std::string& methods) { return modelCode("    return x\n", methods); };
    const auto add = [&](const char* name, const std::string& code, const QString& sentence) {
        maker.add(QString::fromLatin1(name), ScriptArchive{code, "\x88"}, sentence);
    };
    const QString atLoad = QStringLiteral("__setstate__");
    add("__setstate__ writes a file", model(setState("    " + maker.save("state") + "\n")), kSave);
    std::string keeper = model(setState("    self.kept = torch.fill_(" + maker.mapped() + ", 7)\n"));
    keeper.insert(keeper.find("  training"), "  kept : Tensor\n");
    add("__setstate__ maps a file", keeper, kFromFile);
    add("__setstate__ loops for ever", model(setState("    while True:\n      pass\n")), atLoad);
    add("__setstate__ calls a function",
        function("f", "  return x\n") + model(setState("    y = __torch__.f(torch.tensor(1))\n")), atLoad);
    add("__setstate__ calls itself", model(setState("    (self).__setstate__(state, )\n")), atLoad);
    std::string tree = "  def f0(self: __torch__.M) -> NoneType:\n    return None\n";
    for (int i = 1; i < 40; ++i) {
        const std::string call = "    (self).f" + std::to_string(i - 1) + "()\n";
        tree +=
            "  def f" + std::to_string(i) + "(self: __torch__.M) -> NoneType:\n" + call + call + "    return None\n";
    }
    add("__setstate__ makes 2^40 calls", model(tree + setState("    (self).f39()\n")), atLoad);
    maker.add(QStringLiteral("a default argument writes a file"),
              model("  def g(self: __torch__.M,\n    y: Tensor=torch.fill_(" + maker.mapped() +
                    ", 7)) -> Tensor:\n    return y\n"),
              kFromFile);
    maker.add(
        QStringLiteral("a default argument calls a function"),
        function("f", "  return x\n") +
            model("  def g(self: __torch__.M,\n    y: Tensor=__torch__.f(torch.tensor(1))) -> Tensor:\n    return y\n"),
        QStringLiteral("the default of 'y'"));
    std::string constant = model({});
    constant.insert(constant.find("  training"), "  limit : Final[int] = __torch__.f(torch.tensor(1))\n");
    maker.add(QStringLiteral("a constant calls a function"), function("f", "  return 1\n", "int") + constant,
              QStringLiteral("a constant of __torch__.M"));
}

/// Code in unusual places of the archive, and objects that do not match their class.
void addArchives(ScriptMaker& maker) {
    const std::string save = modelCode("    " + maker.save() + "\n    return x\n");
    maker.add(QStringLiteral("code under a name in capitals"),
              ScriptArchive{"", ScriptArchive::training(), {{"CODE/__Torch__.PY", save}}}, kSave);
    maker.add(QStringLiteral("two records of code, told apart by case"),
              ScriptArchive{modelCode("    return x\n"), ScriptArchive::training(), {{"code/__TORCH__.py", save}}},
              QStringLiteral("twice"));
    maker.add(QStringLiteral("an archive of the oldest kind"),
              ScriptArchive{save, ScriptArchive::training(), {{"MODEL.json", "{}"}}},
              QStringLiteral("PyTorch 1.1 or older"));
    const std::string small = "class Small(Module):\n  training : bool\n",
                      large = "class Large(Module):\n  training : bool\n  a : int\n  b : int\n  c : Tensor\n";
    std::string holder = modelCode("    return self.inner.c\n");
    holder.insert(holder.find("  training"), "  inner : __torch__.Large\n");
    const std::string object = "}(" + ScriptArchive::text("inner") + "c__torch__\nSmall\n)\x81" +
                               ScriptArchive::training() + "b" + ScriptArchive::text("training") + "\x88u";
    maker.add(QStringLiteral("an object with fewer attributes than declared"),
              ScriptArchive{small + large + holder, object}, QStringLiteral("'inner'"));
    maker.add(QStringLiteral("a cast to a class with more attributes"),
              small + large + modelCode("    a = annotate(Any, x)\n    return unchecked_cast(__torch__.Large, a).c\n"),
              QStringLiteral("unchecked_cast"));
    const std::string group = "}(" + ScriptArchive::text("g") +
                              "c__torch__.torch.classes._nnapi\nCompilation\n)\x81)b" +
                              ScriptArchive::text("training") + "\x88u";
    maker.add(QStringLiteral("an object that loads code"), ScriptArchive{modelCode("    return x\n"), group},
              QStringLiteral("_nnapi.Compilation"));
}

void addNesting(ScriptMaker& maker) {
    constexpr std::size_t deep = 100000;
    const auto add = [&](const char* name, const std::string& code) {
        maker.add(QString::fromLatin1(name), code, QStringLiteral("nested more than 400 levels deep"));
    };
    const auto chain = [&](const char* name, const std::string& first, const std::string& link) {
        add(name, modelCode("    y = " + first + repeated(link, deep) + "\n    return x\n"));
    };
    const auto nest = [&](const char* name, const std::string& open, const std::string& inner,
                          const std::string& close) {
        add(name, modelCode("    y = " + repeated(open, deep) + inner + repeated(close, deep) + "\n    return x\n"));
    };
    nest("100,000 brackets", "(", "x", ")");
    nest("100,000 lists", "[", "x", "]");
    nest("100,000 calls in each other", "torch.neg(", "x", ")");
    nest("100,000 times not", "not ", "True", "");
    nest("100,000 minus signs", "-", "x", "");
    nest("100,000 optional types", "uninitialized(Optional[", "int", "])");
    nest("100,000 dictionaries", "{1: ", "x", "}");
    chain("100,000 sums", "x", " + x");
    chain("100,000 attributes", "x", ".a");
    chain("100,000 subscripts", "x", "[0]");
    chain("100,000 method calls", "x", ".t()");
    chain("100,000 comparisons", "1", " < 1");
    chain("100,000 powers", "x", " ** 2");
    chain("100,000 choices", "1", " if self.training else 1");
    std::string blocks;
    for (std::size_t i = 0; i < 2000; ++i) blocks += std::string(4 + i, ' ') + "if self.training:\n";
    add("2,000 branches in each other", modelCode(blocks + std::string(2004, ' ') + "y = x\n    return x\n"));
    add("100,000 branches one else",
        modelCode("    if self.training:\n      y = x\n" + repeated("    elif self.training:\n      y = x\n", deep) +
                  "    return x\n"));
    const std::string tagged =
        "ctorch.jit._pickle\nrestore_type_tag\n(](K\x01"
        "e" +
        ScriptArchive::text(repeated("List[", 10000) + "int" + repeated("]", 10000)) + "tR";
    maker.add(QStringLiteral("10,000 lists in a type of a pickle"),
              ScriptArchive{modelCode("    return x\n"), "}(" + ScriptArchive::text("training") + tagged + "u"},
              QStringLiteral("gives a container a type that is"));
    std::string definitions = "    ";
    for (std::size_t i = 0; i < 5000; ++i) definitions += "def f" + std::to_string(i) + "(): ";
    add("5,000 functions in one line", modelCode(definitions + "pass\n    return x\n"));
    maker.add(QStringLiteral("100,000 empty lines"), modelCode("    y = x\n" + repeated("\n", deep) + "    return x\n"),
              QStringLiteral("empty lines"));
    maker.add(QStringLiteral("100,000 comments"), modelCode("    y = x\n" + repeated("#\n", deep) + "    return x\n"),
              QStringLiteral("empty lines"));
    maker.add(QStringLiteral("20 MB of code"),
              modelCode("    y = [" + repeated("1, ", 7'000'000) + "1]\n    return x\n"), QStringLiteral("16 MB"));
}

/// Code that LibTorch compiles while it compiles other code.
void addChains(ScriptMaker& maker) {
    constexpr int length = 5000;
    const QString chain = QStringLiteral("chains too long");
    std::string functions, methods, classes;
    for (int i = 0; i < length; ++i) {
        const std::string own = std::to_string(i), next = std::to_string(i + 1);
        functions += function("f" + own, "  return __torch__.f" + next + "(x, )\n");
        methods +=
            "  def f" + own + "(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return (self).f" + next + "(x, )\n";
        classes += "class C" + own + ":\n  next : Optional[__torch__.C" + next + "]\n";
    }
    const std::string last = std::to_string(length);
    maker.add(QStringLiteral("5,000 functions, each calling the next"),
              modelCode("    return __torch__.f0(x, )\n", {}, functions + function("f" + last, "  return x\n")), chain);
    maker.add(QStringLiteral("5,000 methods, each calling the next"),
              modelCode("    return (self).f0(x, )\n",
                        methods + "  def f" + last + "(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return x\n"),
              chain);
    maker.add(QStringLiteral("5,000 classes, each holding the next"),
              modelCode("    y = annotate(Optional[__torch__.C0], None)\n    return x\n", {},
                        classes + "class C" + last + ":\n  next : int\n"),
              chain);
}

}  // namespace

std::vector<HostileFile> hostileTorchScript(const Scratch& scratch) {
    ScriptMaker maker(scratch);
    addForwards(maker);
    addLoads(maker);
    addArchives(maker);
    addNesting(maker);
    addChains(maker);
    return maker.take();
}

}  // namespace aotscope::test

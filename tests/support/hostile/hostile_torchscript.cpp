#include "support/hostile/hostile_files.h"
#include "support/hostile/script_archive.h"

namespace aotscope::test {

namespace {

/// Collects files in the scratch folder.
class ScriptMaker {
public:
    explicit ScriptMaker(const Scratch& scratch)
        : scratch_(scratch), spec_(scratch.write(u"ts-inputs.json"_s, R"([{"shape": [4], "dtype": "float32"}])")) {
        scratch.write(u"ts-victim"_s, QByteArray(64, 'v'));
    }

    void add(const QString& name, const ScriptArchive& archive, const QString& sentence) {
        const QString path = scratch_.at(u"ts%1.pt"_s.arg(files_.size()));
        files_.push_back({name, archive.write(path), {u"--inputs"_s, spec_}, sentence});
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

const QString kSave = u"aten::save"_s, kFromFile = u"aten::from_file"_s;

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
    maker.add(u"forward writes a file"_s, modelCode(saveStatement), kSave);
    maker.add(u"a function writes a file"_s,
              modelCode("    return __torch__.f(x, )\n", {}, function("f", "  " + maker.save() + "\n  return x\n")),
              kSave);
    maker.add(u"a branch writes a file"_s,
              modelCode("    if self.training:\n      " + maker.save() + "\n    else:\n      pass\n    return x\n"),
              kSave);
    maker.add(u"a method writes a file"_s,
              modelCode("    return (self).other(x, )\n",
                        "  def other(self: __torch__.M,\n    x: Tensor) -> Tensor:\n" + saveStatement),
              kSave);
    maker.add(u"getattr writes a file"_s,
              modelCode("    getattr(torch, \"sa\" \"\\166e\")(x, \"" + maker.at("written") + "\")\n    return x\n"),
              kSave);
    maker.add(u"an operator behind a keyword"_s,
              modelCode("    b = x is nottorch.save(x, \"" + maker.at("written") + "\")\n    return x\n"), kSave);
    maker.add(u"an operator under another name"_s,
              modelCode("    t = torch\n    t.save(x, \"" + maker.at("written") + "\")\n    return x\n"),
              u"'torch' around as a value"_s);
    maker.add(u"forward writes into a mapped file"_s,
              modelCode("    return torch.copy_(" + maker.mapped() + ", torch.ones([16]))\n"), kFromFile);
    maker.add(u"forward maps a file by its full name"_s,
              modelCode("    return torch.fill_(ops.aten.from_file(\"" + maker.at("ts-victim") + "\", True, 16), 7)\n"),
              kFromFile);
    maker.add(u"a view beyond the memory of a tensor"_s,
              modelCode("    return ops.inductor._reinterpret_tensor(x, [100000000], [1], 0)\n"),
              u"inductor::_reinterpret_tensor"_s);
    maker.add(u"a reshape beyond the memory of a tensor"_s,
              modelCode("    return torch._reshape_alias(x, [100000000], [1])\n"), u"aten::_reshape_alias"_s);
    maker.add(u"a handle to objects of the program"_s, modelCode("    ops.aotscope.location(x, 0)\n    return x\n"),
              u"aotscope::location"_s);
    maker.add(u"memory of other processes"_s,
              modelCode("    return ops.symm_mem.one_shot_all_reduce(x, \"sum\", \"0\")\n"), u"symm_mem::"_s);
    maker.add(u"an unknown namespace"_s, modelCode("    return ops.nowhere.nothing(x)\n"), u"nowhere::nothing"_s);
}

void addLoads(ScriptMaker& maker) {
    const auto model = [](const std::string& methods) { return modelCode("    return x\n", methods); };
    const auto add = [&](const char* name, const std::string& code, const QString& sentence) {
        maker.add(QString::fromLatin1(name), ScriptArchive{code, "\x88"}, sentence);
    };
    const QString atLoad = u"__setstate__"_s;
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
    maker.add(u"a default argument writes a file"_s,
              model("  def g(self: __torch__.M,\n    y: Tensor=torch.fill_(" + maker.mapped() +
                    ", 7)) -> Tensor:\n    return y\n"),
              kFromFile);
    maker.add(
        u"a default argument calls a function"_s,
        function("f", "  return x\n") +
            model("  def g(self: __torch__.M,\n    y: Tensor=__torch__.f(torch.tensor(1))) -> Tensor:\n    return y\n"),
        u"the default of 'y'"_s);
    std::string constant = model({});
    constant.insert(constant.find("  training"), "  limit : Final[int] = __torch__.f(torch.tensor(1))\n");
    maker.add(u"a constant calls a function"_s, function("f", "  return 1\n", "int") + constant,
              u"a constant of __torch__.M"_s);
}

/// Code in unusual places of the archive, and objects that do not match their class.
void addArchives(ScriptMaker& maker) {
    const std::string save = modelCode("    " + maker.save() + "\n    return x\n");
    maker.add(u"code under a name in capitals"_s,
              ScriptArchive{"", ScriptArchive::training(), {{"CODE/__Torch__.PY", save}}}, kSave);
    maker.add(u"two records of code, told apart by case"_s,
              ScriptArchive{modelCode("    return x\n"), ScriptArchive::training(), {{"code/__TORCH__.py", save}}},
              u"twice"_s);
    maker.add(u"an archive of the oldest kind"_s,
              ScriptArchive{save, ScriptArchive::training(), {{"MODEL.json", "{}"}}}, u"PyTorch 1.1 or older"_s);
    const std::string small = "class Small(Module):\n  training : bool\n",
                      large = "class Large(Module):\n  training : bool\n  a : int\n  b : int\n  c : Tensor\n";
    std::string holder = modelCode("    return self.inner.c\n");
    holder.insert(holder.find("  training"), "  inner : __torch__.Large\n");
    const std::string object = "}(" + ScriptArchive::text("inner") + "c__torch__\nSmall\n)\x81" +
                               ScriptArchive::training() + "b" + ScriptArchive::text("training") + "\x88u";
    maker.add(u"an object with fewer attributes than declared"_s, ScriptArchive{small + large + holder, object},
              u"'inner'"_s);
    maker.add(u"a cast to a class with more attributes"_s,
              small + large + modelCode("    a = annotate(Any, x)\n    return unchecked_cast(__torch__.Large, a).c\n"),
              u"unchecked_cast"_s);
    const std::string group = "}(" + ScriptArchive::text("g") +
                              "c__torch__.torch.classes._nnapi\nCompilation\n)\x81)b" +
                              ScriptArchive::text("training") + "\x88u";
    maker.add(u"an object that loads code"_s, ScriptArchive{modelCode("    return x\n"), group},
              u"_nnapi.Compilation"_s);
}

void addNesting(ScriptMaker& maker) {
    constexpr std::size_t deep = 100000;
    const auto add = [&](const char* name, const std::string& code) {
        maker.add(QString::fromLatin1(name), code, u"nested more than 400 levels deep"_s);
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
    maker.add(u"10,000 lists in a type of a pickle"_s,
              ScriptArchive{modelCode("    return x\n"), "}(" + ScriptArchive::text("training") + tagged + "u"},
              u"gives a container a type that is"_s);
    std::string definitions = "    ";
    for (std::size_t i = 0; i < 5000; ++i) definitions += "def f" + std::to_string(i) + "(): ";
    add("5,000 functions in one line", modelCode(definitions + "pass\n    return x\n"));
    maker.add(u"100,000 empty lines"_s, modelCode("    y = x\n" + repeated("\n", deep) + "    return x\n"),
              u"empty lines"_s);
    maker.add(u"100,000 comments"_s, modelCode("    y = x\n" + repeated("#\n", deep) + "    return x\n"),
              u"empty lines"_s);
    maker.add(u"20 MB of code"_s, modelCode("    y = [" + repeated("1, ", 7'000'000) + "1]\n    return x\n"),
              u"16 MB"_s);
}

/// Code that LibTorch compiles while it compiles other code.
void addChains(ScriptMaker& maker) {
    constexpr int length = 5000;
    const QString chain = u"chains too long"_s;
    std::string functions, methods, classes;
    for (int i = 0; i < length; ++i) {
        const std::string own = std::to_string(i), next = std::to_string(i + 1);
        functions += function("f" + own, "  return __torch__.f" + next + "(x, )\n");
        methods +=
            "  def f" + own + "(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return (self).f" + next + "(x, )\n";
        classes += "class C" + own + ":\n  next : Optional[__torch__.C" + next + "]\n";
    }
    const std::string last = std::to_string(length);
    maker.add(u"5,000 functions, each calling the next"_s,
              modelCode("    return __torch__.f0(x, )\n", {}, functions + function("f" + last, "  return x\n")), chain);
    maker.add(u"5,000 methods, each calling the next"_s,
              modelCode("    return (self).f0(x, )\n",
                        methods + "  def f" + last + "(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return x\n"),
              chain);
    maker.add(u"5,000 classes, each holding the next"_s,
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

// Corner cases of in-place writes, views, no_grad and gradients: small programs, each
// compiled and compared with eager. Most were found by test_random_programs.

#include "ops/decompositions/decomposition_table.h"
#include "session/session.h"
#include "support/long_tests.h"
#include "support/models.h"
#include "support/test_program.h"
#include "support/text.h"

#include <array>

namespace aotscope::test::semantics_test {
namespace {

// Values of an input spec.
const std::string kPlain = R"({"leaf":{"shape":[2,3]}})";
const std::string kLeaf = R"({"leaf":{"shape":[2,3],"requires_grad":true}})";
const std::string kDerived = kLeaf + R"(,{"op":"add_scalar","of":0,"args":[1]})";
const std::string kPartOfDerived =
    R"({"leaf":{"shape":[12],"requires_grad":true}},{"op":"add_scalar","of":0,"args":[1]},)"
    R"({"op":"slice","of":1,"args":[0,6,12]},{"op":"view","of":2,"args":[[2,3]]})";
const std::string kLeafOfTwelve = R"({"leaf":{"shape":[12],"requires_grad":true}})";
const std::string kViewOfLeaf = R"({"leaf":{"shape":[6],"requires_grad":true}},{"op":"view","of":0,"args":[[2,3]]})";

const std::string kComplex = R"({"leaf":{"shape":[2,2],"dtype":"complex64","requires_grad":true}})";
const std::string kDerivedComplex = kComplex + R"(,{"op":"mul_scalar","of":0,"args":[2]})";
const std::string kConjugated = kDerivedComplex + R"(,{"op":"conj","of":1,"args":[]})";
const std::string kNegated = kConjugated + R"(,{"op":"imag","of":2,"args":[]})";
const std::string kConjugatedLeaf = R"({"leaf":{"shape":[2,2],"dtype":"complex64"}},{"op":"conj","of":0,"args":[]})";
const std::string kSeven = R"({"leaf":{"shape":[7],"requires_grad":true}},{"op":"mul_scalar","of":0,"args":[2]})";

/// The last of these values, as the only input.
std::string last(const std::string& values) {
    const auto count = q(values).count("\"leaf\""_L1) + q(values).count("\"op\""_L1);
    return R"({"values":[)" + values + R"(],"inputs":[{"tensor":)" + std::to_string(count - 1) + "}]}";
}

/// The body of "forward(self, x)"; lines that start with "~" are a no_grad region.
std::string forward(const std::string& body, const std::string& result = "Tensor") {
    std::string text = "def forward(self, x: Tensor) -> " + result + ":\n";
    const QStringList lines = q(body).split(u'\n');
    for (const QString& line : lines) {
        const bool noGrad = line.startsWith(u'~');
        if (noGrad) text += "    grad = torch.is_grad_enabled()\n    torch.set_grad_enabled(False)\n";
        text += "    " + line.mid(noGrad ? 1 : 0).toStdString() + "\n";
        if (noGrad) text += "    torch.set_grad_enabled(grad)\n";
    }
    return text;
}

struct Case {
    const char* name;
    std::string methods, inputs;
    const char* pending = nullptr;  ///< why it does not hold yet
};

const char* const kTwo = "Tuple[Tensor, Tensor]";

std::vector<Case> writesAndViews() {
    return {
        {"write under no_grad to an input with a gradient", forward("~x.sigmoid_()\nreturn x"), last(kDerived)},
        {"write under no_grad, then use", forward("y = x.sum()\n~x.mul_(2)\nreturn y + x.sum()"), last(kDerived)},
        {"write through detach", forward("y = x.detach()\ny.copy_(x)\nreturn x - x, y", kTwo), last(kLeaf)},
        {"write through detach to a view of a leaf", forward("x.detach().add_(1)\nreturn x * 2"), last(kViewOfLeaf)},
        {"strides and data of a part change", forward("x.t_()\nx.mul_(2)\nreturn x + 1"), last(kPartOfDerived)},
        {"write to the base of a view", forward("v = x.reshape(-1)\nx.zero_()\nreturn v"), last(kDerived)},
        {"one view of an input twice", forward("v = x[1:]\nreturn v, v", kTwo), last(kDerived)},
        {"one view of an intermediate twice", forward("v = x.sin()[0]\nreturn v, v", kTwo), last(kDerived)},
        {"view of an input under no_grad", forward("~v = x[0]\nreturn v, x * 2", kTwo), last(kDerived)},
        {"view of a leaf under no_grad", forward("~v = x[0]\nreturn v"), last(kLeaf)},
        {"view of an intermediate under no_grad", forward("y = torch.relu(x)\n~v = y[0]\nreturn v"), last(kLeaf)},
        {"leaf transposed under no_grad", forward("~x.t_()\nreturn self.w * 2"), last(kLeaf)},
        {"leaf transposed under no_grad, then used", forward("~x.t_()\nreturn x.sum() * self.w"), last(kLeaf),
         "the gradient has the shape from before"},
        {"contiguous copy of a strided input after a write", forward("x.sub_(x)\nreturn x.contiguous()"),
         last(R"({"leaf":{"shape":[12]}},{"op":"slice","of":0,"args":[0,0,12,2]})")},
        {"own result written to again, nothing asked of it", forward("x.sigmoid_()\nx[1:].mul_(3)\nreturn self.w * 2"),
         last(kDerived)},
        {"part of the memory of a written strided input",
         forward("x[x > 0] = 0.5\nreturn torch.as_strided(x, [3], [3], 1)"),
         last(R"({"leaf":{"shape":[12]}},{"op":"slice","of":0,"args":[0,0,12,2]})")},
        {"write to split heads",
         forward("y = x.sin()\nh = y.view([2, 2, 3]).permute([1, 0, 2])\nh.masked_fill_(h > 0.5, 0.25)\n"
                 "h.cumsum_(0)\nreturn y * self.w[0]"),
         last(kLeafOfTwelve)},
        {"writes of operators that have no shape function",
         forward("y = x * 2\ny.abs_()\ny.nan_to_num_()\ny.add_(3)\ny.mvlgamma_(2)\ny.abs_()\ny.polygamma_(1)\n"
                 "return y"),
         last(kLeaf)},
        {"complex write of an operator that has no shape function", forward("y = x * 2\ny.conj_physical_()\nreturn y"),
         last(kComplex)},
        {"gradients that are zero",
         forward("return torch.sgn(x * self.w), torch.sgn(x), (x.sgn() + x).sin()", "Tuple[Tensor, Tensor, Tensor]"),
         last(kLeaf)},
        {"view of a view of an intermediate, made under no_grad",
         forward("y = x * 2\n~v = y.diagonal()\nw = v.unflatten(0, [1, -1])\nreturn w, w", kTwo),
         last(R"({"leaf":{"shape":[2,2],"requires_grad":true}})")},
    };
}

std::vector<Case> newShapes() {
    return {
        {"in-place view without effect on what is saved", forward("x.squeeze_(0)\nreturn x * x"), last(kDerived)},
        {"in-place view without effect", forward("y = x.cumsum(0)\nx.squeeze_()\nreturn x, y", kTwo), last(kDerived)},
        {"intermediate view transposed in place, then written",
         forward("v = x[::2]\nv.t_()\nv[..., -1] = 7\nreturn v * v"), last(kDerived)},
        {"part of a written input, split", forward("x.add_(1)\na, b = torch.split(x, 1)\nreturn a"), last(kDerived)},
        {"intermediate transposed in place, and a view of it",
         forward("y = x.sin()\ny.t_()\nv = y.select(1, -1)\nreturn v, y", kTwo),
         last(R"({"leaf":{"shape":[2,2],"requires_grad":true}})")},
        {"input transposed after a view", forward("v = x.t()\nx.unsqueeze_(0)\nreturn v"), last(kDerived),
         "autograd replays the view on the changed input"},
        {"view of a view made under no_grad", forward("~v = x[:, ::2]\nreturn v[1]"), last(kLeaf)},
        {"view of a view made under no_grad of a written input",
         forward("~x.view(-1)[:2].add_(1)\n~v = x[1:]\nreturn v.transpose(0, 1)"), last(kLeaf)},
        {"product with itself in place", forward("x.mul_(x)\nreturn self.w * 2"), last(kDerived)},
        {"part with an offset, unfolded after a write and a new shape",
         forward("x.neg_()\nx.unsqueeze_(0)\nreturn x.unfold(2, 2, 1)"), last(kPartOfDerived)},
        {"diagonal with a new shape, then written",
         forward("y = torch.mm(x, x.t())\nv = y.diagonal()\nv.unsqueeze_(0)\nv[v > 0] = 0.5\nreturn v"), last(kLeaf)},
        {"intermediate with a new shape after a view",
         forward("y = x.sin()\nv = y.unfold(0, 2, 1)\ny.unsqueeze_(0)\nreturn v"), last(kLeaf),
         "autograd replays the view on the changed base"},
        {"masked_fill_ of a transposed tensor, made contiguous",
         forward("v = x.mT\nv.masked_fill_(v > 0, 0.25)\nreturn v.contiguous()"), last(kPlain)},
        {"squeezed view with a new shape, then written",
         forward("v = x.squeeze()\nv.unsqueeze_(0)\nv[0] = v[-1]\nreturn x * 2"), last(kDerived)},
        {"transposed part, subtracted from itself",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    y.t_()\n    y -= y\n    return y",
         R"({"values":[)" + kLeafOfTwelve +
             R"(,{"op":"mul_scalar","of":0,"args":[2]},{"op":"as_strided","of":1,"args":[[2,2],[1,4],4]}],)"
             R"("inputs":[{"tensor":1},{"tensor":2}]})"},
        {"part with a new shape, written by a mask",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n"
         "    y.unsqueeze_(0)\n    y[y > 0] = 0.5\n    return x",
         R"({"values":[)" + kLeafOfTwelve +
             R"(,{"op":"mul_scalar","of":0,"args":[2]},{"op":"view","of":1,"args":[[2,6]]}],)"
             R"("inputs":[{"tensor":1},{"tensor":2}]})"},
        {"conjugated input with a new shape, then written", forward("x.unsqueeze_(0)\nx.zero_()\nreturn x"),
         last(kConjugated)},
    };
}

std::vector<Case> sharedMemory() {
    return {
        {"same input twice, transposed, and a write by a mask",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n"
         "    y.t_()\n    a, b, c = torch.split(x.detach() * 2, 1, 0)\n    a[a > 0] = 0.5\n    return a",
         R"({"values":[)" + kDerived + R"(],"inputs":[{"tensor":1},{"tensor":1}]})"},
        {"input that shares memory with a written one, detached without effect",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    x -= x\n    y.detach_()\n    return y",
         R"({"values":[{"leaf":{"shape":[12]}},{"op":"as_strided","of":0,"args":[[2,3],[3,1],3]}],)"
         R"("inputs":[{"tensor":1},{"tensor":0}]})"},
        {"product with a part of itself that is all of it",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n"
         "    v, = torch.split(x, 2, 0)\n    x.mul_(v)\n    return y",
         R"({"values":[)" + kDerived +
             R"(,{"leaf":{"shape":[3],"requires_grad":true}}],)"
             R"("inputs":[{"tensor":1},{"tensor":2}]})"},
        {"value written to through its conjugate, and its detached self",
         forward("y = x * 2\ntorch.conj(y).mul_(2)\nreturn y, y.detach()", kTwo), last(kComplex)},
        {"conjugate that is written to, and its base",
         forward("y = x * 2\nz = torch.conj(y)\nz.view(-1)[:2].add_(1)\nreturn z, y", kTwo), last(kComplex)},
        {"imaginary part of a conjugate, another of which is written to, and their base",
         forward("y = x * 2\nz = torch.imag(torch.conj(y))\ntorch.imag(torch.conj(y)).add_(1)\nreturn z, y", kTwo),
         last(kComplex)},
        {"rows taken twice", forward("a, b = torch.unbind(x)\nc, d = torch.unbind(x)\nreturn a, c", kTwo), last(kLeaf)},
        {"part of a transposed value that is written to later",
         forward("v = x.t() * 2\nw = v.unfold(0, 1, 2)\nv.masked_fill_(v > 0, 0.25)\nreturn w"), last(kLeaf)},
        {"differences of windows", forward("return x - x.unfold(1, 2, 1).unfold(2, 1, 3)"),
         last(kLeafOfTwelve + R"(,{"op":"as_strided","of":0,"args":[[2,2],[1,4],4]})")},
        {"complex columns stacked", forward("return torch.stack([x, x], 0)"),
         last(R"({"leaf":{"shape":[12],"dtype":"complex64"}},{"op":"as_strided","of":0,"args":[[1,2,2],[1,1,4],5]})")},
        {"single windows of a part under no_grad",
         forward("~x[0].unfold(0, 1, 3).fill_(0.25)\n~x.unfold(1, 1, 2).mul_(2)\nreturn x"), last(kPartOfDerived)},
        {"adjoint without elements, twice", forward("v = torch.view_as_real(x.mH)\nreturn v, v.mH", kTwo),
         last(R"({"leaf":{"shape":[0,3],"dtype":"complex64","requires_grad":true}},{"op":"conj","of":0,"args":[]})")},
        {"hyperbolic tangent and sigmoid of complex numbers", forward("return x.tanh(), x.sigmoid()", kTwo),
         last(kComplex)},
        {"part of an input that is written through another",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n"
         "    x.add_(1)\n    a, b = torch.split(y, 1)\n    return a",
         R"({"values":[)" + kDerived +
             R"(,{"op":"slice","of":1,"args":[0,0,1]}],"inputs":[{"tensor":2},{"tensor":1}]})"},
        {"same input twice with a new shape",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n"
         "    x.unsqueeze_(0)\n    return y[0]",
         R"({"values":[)" + kPlain + R"(],"inputs":[{"tensor":0},{"tensor":0}]})"},
        {"overlapping part of what another input's gradient is written into",
         "def forward(self, x: Tensor, y: Tensor, z: Tensor) -> Tensor:\n"
         "    y.mul_(x)\n    return z.expand([2, 2, 3])",
         R"({"values":[{"leaf":{"shape":[12],"requires_grad":true}},{"op":"view","of":0,"args":[[4,3]]},)"
         R"({"leaf":{"shape":[12]}},{"op":"view","of":2,"args":[[4,3]]},)"
         R"({"op":"as_strided","of":2,"args":[[2,3],[3,1],1]}],"inputs":[{"tensor":1},{"tensor":3},{"tensor":4}]})"},
        {"part of the memory of a written part of a tensor with a gradient",
         forward("x[x > 0] = 0.5\nreturn torch.as_strided(x, [3], [3], 1)"),
         last(kLeafOfTwelve + R"(,{"op":"mul_scalar","of":0,"args":[2]},{"op":"slice","of":1,"args":[0,6,12,2]})")},
        {"detached alias that is written to", forward("v = x.detach()\nv.mul_(x)\nreturn v[1:]"), last(kLeaf)},
        {"copy that the graph's own value does not need, beside it",
         forward("v = x.t() * 2\nv.masked_fill_(v > 0, 0.25)\nreturn v, v.contiguous()", kTwo), last(kLeaf)},
        {"expanded, with other strides than the graph's own value",
         forward("v = torch.zeros_like(x)\nv.masked_fill_(v > 0, 0.25)\nreturn v.expand([2, 3, 4])"),
         last(R"({"leaf":{"shape":[4,3]}},{"op":"transpose","of":0,"args":[0,1]})")},
    };
}

std::vector<Case> complexNumbers() {
    return {
        {"complex view, then the input is transposed",
         forward("v = torch.view_as_complex(x)\nx.transpose_(0, -1)\nreturn v"), last(R"({"leaf":{"shape":[3,2]}})")},
        {"imaginary part of a conjugate",
         forward("return torch.imag(torch.conj(torch.view_as_complex(x * self.w[:2])))"),
         last(R"({"leaf":{"shape":[3,2],"requires_grad":true}})")},
        {"adjoint in a product", forward("y = x * 2\nreturn y.mH @ x"), last(kComplex)},
        {"angle and polar form", forward("return torch.polar(torch.abs(x), torch.angle(x * self.w[:2]))"),
         last(kComplex)},
        {"conjugate of an input", forward("return torch.conj(x), torch.imag(torch.conj(x))", kTwo),
         last(kDerivedComplex)},
        {"conjugate of an intermediate", forward("y = x * 2\nreturn torch.conj(y), y", kTwo), last(kComplex)},
        {"write into a conjugate", forward("y = x * 2\ntorch.conj(y).mul_(x)\nreturn y"), last(kComplex)},
        {"write into an imaginary part", forward("y = x * 2\ntorch.imag(torch.conj(y)).add_(1)\nreturn y"),
         last(kComplex)},
        {"write into the conjugate of an input", forward("torch.conj(x).mul_(2)\nreturn x + 1"), last(kDerivedComplex)},
        {"write into the imaginary part of an input's conjugate",
         forward("torch.imag(torch.conj(x)).add_(1)\nreturn x.abs()"), last(kDerivedComplex)},
        {"conjugated input", forward("return x * 2, torch.conj(x)", kTwo), last(kConjugated)},
        {"conjugated input resolved", forward("return torch.view_as_real(torch.resolve_conj(x))"), last(kConjugated)},
        {"parts of a conjugated input", forward("return torch.imag(x), torch.real(x) * 2", kTwo), last(kConjugated)},
        {"written conjugated input", forward("x.mul_(2)\nreturn x, x.abs()", kTwo), last(kConjugated)},
        {"written conjugated input without a gradient", forward("x.mul_(2)\nreturn x"), last(kConjugatedLeaf)},
        {"negated input", forward("return x * self.w[:2], x", kTwo), last(kNegated)},
        {"written negated input", forward("x.add_(self.w[:2])\nreturn x.sin()"), last(kNegated)},
        {"an input and its written conjugate",
         "def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    y.mul_(2)\n    return x * y",
         R"({"values":[)" + kConjugated + R"(],"inputs":[{"tensor":1},{"tensor":2}]})"},
        {"saved conjugate", forward("y = torch.conj(x * 2)\nreturn y * y * x"), last(kComplex)},
        {"singular vectors whose phase does not matter",
         forward("u, s, v = torch.linalg_svd(x, False)\nreturn (u @ v).abs(), s", kTwo), last(kComplex)},
        {"memory of a dead conjugate", forward("y = torch.conj(x * 2) * 3\nreturn torch.view_as_real(y)"),
         last(kComplex)},
    };
}

std::vector<Case> windows() {
    return {
        {"masked write behind a subtraction", forward("y = x * 2\ny -= x\ny[y > 0] = 0.5\nreturn y"), last(kDerived)},
        {"windows beside each other, written", forward("y = x * 2\ny.unfold(0, 2, 2).mul_(3)\nreturn y"), last(kSeven)},
        {"windows with gaps, written", forward("y = x * 2\ny.unfold(0, 2, 3).mul_(3)\nreturn y"), last(kSeven)},
        {"windows with a gap beyond the end, written", forward("y = x * 2\ny.unfold(0, 1, 3).fill_(3)\nreturn y"),
         last(kSeven)},
        {"windows of an input, written", forward("v = x.unfold(0, 2, 3)\nv.mul_(3)\nreturn x, v", kTwo), last(kSeven)},
        {"one window of several, written",
         forward("y = x * 2\na, b = torch.unbind(y.unfold(0, 2, 3))\na.mul_(3)\nreturn y, b", kTwo),
         last(R"({"leaf":{"shape":[7]}})")},
        {"windows of windows, written", forward("x.unfold(0, 3, 3).unfold(1, 2, 2).mul_(2)\nreturn x"), last(kSeven)},
        {"part of windows, written", forward("x.unfold(0, 2, 3)[1].neg_()\nreturn x"), last(kSeven)},
        {"windows of columns, written", forward("y = x * 2\ny.unfold(1, 2, 2).mul_(3)\nreturn y.t().unfold(1, 1, 1)"),
         last(kLeaf)},
    };
}

/// Copies that are needed, and some that are not.
std::vector<Case> copies() {
    return {
        {"copy of an intermediate", forward("y = x.sin().clone()\nreturn y * y"), last(kDerived)},
        {"copy of an intermediate, written", forward("y = x.sin()\nz = y.clone()\nz.mul_(2)\nreturn z * y"),
         last(kDerived)},
        {"copied intermediate, written", forward("y = x.sin()\nz = y.clone()\ny.mul_(2)\nreturn z.cos() * y"),
         last(kDerived)},
        {"copy of an output", forward("y = x.sin()\nreturn y, y.clone().cos()", kTwo), last(kDerived)},
        {"copy as an output", forward("y = x.sin()\nz = y.clone()\nreturn z, y.cos() * z", kTwo), last(kDerived)},
        {"output and copy of it", forward("y = x.sin()\nreturn y, y.clone()", kTwo), last(kDerived)},
        {"views of a copy", forward("y = x.sin().clone()\nreturn y[0].cos() * y.t()[0].sum()"), last(kDerived)},
        {"copy of an input that is written", forward("y = x.clone()\nx.mul_(2)\nreturn y * y"), last(kDerived)},
        {"copies of copies", forward("y = x.sin().clone().clone().to(6, False, True)\nreturn y * y"), last(kDerived)},
    };
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& part : {writesAndViews(), newShapes(), sharedMemory(), complexNumbers(), windows(), copies()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

class TestSemantics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameAsEager_data() {
        QTest::addColumn<int>("index");
        const auto all = cases();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void sameAsEager() {
        QFETCH(int, index);
        const Case program = cases()[static_cast<std::size_t>(index)];
        const auto module = moduleFrom(program.methods, {ModuleBuilder::parameter("w", learned({3}))});
        QStringList found;
        for (const auto partition : {PartitionAlgorithm::minCut, PartitionAlgorithm::defaultPartition})
            for (const bool more : {false, true}) {  // that is only done on request
                const auto order = more ? OperationOrdering::memory : OperationOrdering::traced;
                const Options options{.partition = {.algorithm = partition, .dropCopies = more, .order = order}};
                found << differences(module, program.inputs, options);
            }
        const Options inference{.inference = true};
        found << differences(module, program.inputs, inference);
        if (program.pending) QEXPECT_FAIL("", program.pending, Abort);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    /// Each by both compilers, alternating between tables.
    void sameByOtherCompilers_data() { sameAsEager_data(); }
    void sameByOtherCompilers() {
        QFETCH(int, index);
        const Case program = cases()[static_cast<std::size_t>(index)];
        const auto module = moduleFrom(program.methods, {ModuleBuilder::parameter("w", learned({3}))});
        QStringList found;
        const std::array compilers{"torchscript", "fused"};
        const std::array tables{"core-aten", "inductor", "prims"};
        for (std::size_t compiler = 0; compiler < compilers.size(); ++compiler)
            for (std::size_t table = 0; table < tables.size(); ++table) {
                if (!longTests() && table != (static_cast<std::size_t>(index) + compiler) % tables.size()) continue;
                const Options options{.decompositions = DecompositionTable::load(tables[table]),
                                      .compilers = {.forward = compilers[compiler]}};
                found << differences(module, program.inputs, options);
            }
        if (program.pending) QEXPECT_FAIL("", program.pending, Abort);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    /// Both outputs are views of a base that is not lazily conjugated, however it was written to.
    void baseWrittenThroughItsConjugate() {
        const auto module =
            moduleFrom(forward("y = x.sin()\nv = torch.real(y)\ntorch.conj(y).mul_(2)\nreturn v, y", kTwo));
        QCOMPARE(differences(module, last(kComplex), {}), QStringList());
    }

    void refused_data() {
        columns<QString, QString, QString>("methods", "inputs", "sentence");
        const auto row = [](const char* name, const std::string& methods, const std::string& values,
                            const char* sentence) {
            QTest::newRow(name) << q(methods) << q(last(values)) << QString::fromLatin1(sentence);
        };
        row("view of what is detached", forward("y = x * 2\nv = y.reshape(-1)\ny.detach_()\nreturn v, y", kTwo), kLeaf,
            "the model detaches a tensor in place (detach_) that output 0 is a view of");
        row("use of a view of what is detached and written",
            forward("y = x * 2\nv = y.transpose(0, 1)\ny.detach_()\ny.add_(1)\nreturn v.sum()"), kLeaf,
            "the model detaches a tensor in place (detach_) and goes on with a view of it");
        row("memory beside an input", forward("v = torch.as_strided(x, [2], [2], 1)\nx[0].add_(2)\nreturn v"),
            kLeafOfTwelve + R"(,{"op":"mul_scalar","of":0,"args":[2]},{"op":"slice","of":1,"args":[0,0,12,2]})",
            "output 0 is an as_strided view of memory outside of input 'x'");
        row("lazily negated tensor with gaps", forward("v = x[::2]\nv.squeeze_(0)\nreturn x"), kNegated,
            "the model changes the shape of a lazily conjugated or negated tensor with gaps in place (squeeze_)");
    }
    /// Programs for which eager is inconsistent, or for which LibTorch overwrites unrelated memory.
    void refused() {
        FETCH(QString, methods, inputs, sentence);
        const QStringList found = differences(moduleFrom(methods.toStdString()), inputs.toStdString(), {});
        QVERIFY2(found.join(u'\n').contains(sentence), qPrintable(found.join(u'\n')));
    }

private:
    static QStringList differences(const ScriptModule& module, const std::string& inputs, const Options& options) {
        const Compiled compiled = compile(module, inputs, options);
        if (!compiled.record().error.empty()) return {q(compiled.record().error)};
        try {
            QStringList details;
            for (const auto& detail : check(compiled).details) details << q(detail);
            return details;
        } catch (const std::exception& e) {
            return {q(firstSentence(e.what()))};
        }
    }
};

AOTSCOPE_TEST(TestSemantics)

}  // namespace aotscope::test::semantics_test

#include "test_semantics.moc"

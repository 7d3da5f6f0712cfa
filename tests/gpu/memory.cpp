#include "checks.h"
#include "support/models.h"

namespace aotscope::test {

namespace {

/// The product has 8,000,000 rows and columns.
std::string errorBy(const std::string& compiler) {
    const Options options{.device = checkedDevice().str(), .compilers = {.forward = compiler}};
    const Compiled compiled = compile(moduleFrom("def forward(self, x: Tensor) -> Tensor:\n"
                                                 "    y = x.exp()\n    z = y.sin()\n"
                                                 "    return torch.mm(y.unsqueeze(1), z.unsqueeze(0))"),
                                      R"([{"shape":[8000000]}])", options);
    expect(compiled.record().error.empty(), compiled.record().error);
    try {
        compiled.function()(compiled.modelRun.arguments(/*ownState=*/true).leaves);
    } catch (const Error& e) {
        return e.what();
    }
    throw Error(compiler + ": 256 TB were allocated");
}

}  // namespace

std::string outOfMemory() {
    std::string sentence;
    for (const char* compiler : {"fused", "torchscript", "interpreter"}) {
        sentence = errorBy(compiler);
        for (const char* part : {"out of memory at ", "it tried to allocate ", "32.0 MB",
                                 "choose smaller inputs, or a lower memory budget"})
            expect(sentence.find(part) != std::string::npos,
                   std::string(compiler) + ": \"" + part + "\" is missing in \"" + sentence + "\"");
    }
    return sentence.substr(0, sentence.find(';'));
}

}  // namespace aotscope::test

#include "support/hostile/script_archive.h"

#include <caffe2/serialize/inline_container.h>

namespace aotscope::test {

std::string ScriptArchive::text(const std::string& text) {
    std::string pickle = "X";
    for (int shift = 0; shift < 32; shift += 8) pickle += static_cast<char>(text.size() >> shift & 0xff);
    return pickle + text;
}

std::string ScriptArchive::training() { return "}(" + text("training") + "\x88u"; }

QString ScriptArchive::write(const QString& path) const {
    caffe2::serialize::PyTorchStreamWriter writer(path.toStdString());
    const auto record = [&](const std::string& name, const std::string& content) {
        writer.writeRecord(name, content.data(), content.size());
    };
    record("data.pkl",
           "\x80\x02"
           "c__torch__\nM\n)\x81" +
               state + "b.");
    record("constants.pkl", "\x80\x02).");
    if (!code.empty()) record("code/__torch__.py", code);
    for (const auto& [name, content] : records) record(name, content);
    writer.writeEndOfFile();
    return path;
}

std::string modelCode(const std::string& forward, const std::string& methods, const std::string& before) {
    return before + "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n" +
           "  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n" + forward + methods;
}

std::string repeated(const std::string& part, std::size_t times) {
    std::string text;
    text.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
}

}  // namespace aotscope::test

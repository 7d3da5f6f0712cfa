#pragma once

#include <QString>

#include <map>
#include <string>

namespace aotscope::test {

/// A TorchScript archive made by hand, so that it can hold what PyTorch would never write. Its model is an object of
/// the class M in `code`, the text of code/__torch__.py.
struct ScriptArchive {
    std::string code;
    /// Operations of a pickle that make what M's attributes are set from: M has one, `training`.
    std::string state = training();
    std::map<std::string, std::string> records = {};  ///< further ones

    static std::string training();
    /// An operation that makes a text.
    static std::string text(const std::string& text);

    QString write(const QString& path) const;
};

/// The class M with these lines of a forward of `x`, and further methods and classes before it.
std::string modelCode(const std::string& forward, const std::string& methods = {}, const std::string& before = {});

/// `part` as often as that.
std::string repeated(const std::string& part, std::size_t times);

}  // namespace aotscope::test

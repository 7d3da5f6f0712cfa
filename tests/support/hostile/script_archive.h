#pragma once

#include <QString>

#include <map>
#include <string>

namespace aotscope::test {

/// A handmade TorchScript archive, with contents that PyTorch would never write. Its model is an object of the class M
/// in `code`, the text of code/__torch__.py.
struct ScriptArchive {
    std::string code;
    /// Pickle operations for the state from which M's attributes are set: M has one attribute, `training`.
    std::string state = training();
    std::map<std::string, std::string> records = {};  ///< additional ones

    static std::string training();
    /// A pickle operation that makes a string.
    static std::string text(const std::string& text);

    QString write(const QString& path) const;
};

/// The class M with these lines of a forward of `x`, and further methods and classes before it.
std::string modelCode(const std::string& forward, const std::string& methods = {}, const std::string& before = {});

/// `part`, repeated.
std::string repeated(const std::string& part, std::size_t times);

}  // namespace aotscope::test

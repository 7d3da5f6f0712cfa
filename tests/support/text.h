#pragma once

#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "support/error.h"
#include "support/literals.h"

#include <QString>

#include <memory>
#include <string>
#include <string_view>

namespace aotscope::test {

inline QString q(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// The message of the Error that `job` throws; empty if it throws none, "not an Error: ..." for anything else.
template <typename Job>
QString errorOf(Job&& job) {
    try {
        job();
    } catch (const Error& e) {
        return q(e.what());
    } catch (const std::exception& e) {
        return u"not an Error: "_s + q(e.what()).section(u'\n', 0, 0);
    } catch (...) {
        return u"not an Error: something else"_s;
    }
    return {};
}

/// Parses a graph and checks its invariants.
inline std::unique_ptr<Graph> parseSound(std::string_view text) {
    auto graph = parseGraph(text);
    requireSound(*graph, "parsing");
    return graph;
}

}  // namespace aotscope::test

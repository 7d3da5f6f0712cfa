#include "load/printed/exported_comments.h"

#include "ir/provenance.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace aotscope {

namespace {

/// "AddmmBackward0 of %addmm, l.0 (Linear), model.py:12: y = self.l(x)"
struct Comment {
    std::string_view text;
    std::size_t first = 0, end = 0;  ///< the nodes that it applies to
};

struct ReadComment {
    std::string function;
    std::string forwardName;             ///< a node of the graph; empty: see `forward`
    NodeId forward = kNoNode;            ///< a node of another graph
    std::shared_ptr<SourceInfo> source;  ///< null: it has no location
};

bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// Removes everything before the first of `ends`, or everything.
std::string_view cutAt(std::string_view& text, std::initializer_list<std::string_view> ends) {
    std::size_t at = text.size();
    for (const auto end : ends) at = std::min(at, text.find(end));
    const auto head = text.substr(0, at);
    text.remove_prefix(at);
    return head;
}

/// An autograd node is named after what it differentiates; modules are not.
bool isFunction(std::string_view word) {
    return word == "sum of gradients" || word.find("Backward") != std::string_view::npos ||
           word.find("Accumulate") != std::string_view::npos;
}

void readForward(std::string_view& text, ReadComment& comment) {
    auto rest = text;
    const auto head = cutAt(rest, {" of %", " of forward operation ", ", ", ": "});
    const bool bare = text.starts_with("of %") || text.starts_with("of forward operation ");
    if (!bare && !rest.starts_with(" of ")) {
        if (!isFunction(head)) return;
        comment.function = head;
        text = rest;
        take(text, ", ");
        return;
    }
    if (!bare) {
        comment.function = head;
        text = rest.substr(1);
    }
    take(text, "of ");
    if (take(text, "%")) {
        comment.forwardName = cutAt(text, {", ", ": "});
    } else if (take(text, "forward operation ")) {
        const auto number = cutAt(text, {", ", ": "});
        std::from_chars(number.data(), number.data() + number.size(), comment.forward);
        comment.forward = std::clamp(comment.forward, kNoNode, NodeId{1} << 29);
    }
    take(text, ", ");
}

void readPlace(std::string_view text, ReadComment& comment) {
    if (text.empty()) return;
    comment.source = std::make_shared<SourceInfo>();
    SourceInfo& source = *comment.source;
    if (!text.starts_with(": ")) {
        if (!take(text, "(top level)")) source.module = cutAt(text, {" (", ", ", ": "});
        if (take(text, " (")) {
            source.moduleType = cutAt(text, {")"});
            take(text, ")");
        }
        if (take(text, ", ")) {
            source.file = cutAt(text, {":"});
            take(text, ":");
            const auto number = cutAt(text, {": "});
            std::from_chars(number.data(), number.data() + number.size(), source.line);
        }
    }
    if (take(text, ": ")) source.text = text;
}

ReadComment readComment(std::string_view text) {
    ReadComment comment;
    readForward(text, comment);
    readPlace(text, comment);
    return comment;
}

/// The comments of the first graph in `text`, each with the nodes up to the next comment.
std::vector<Comment> commentsIn(std::string_view text) {
    std::vector<Comment> comments;
    std::size_t node = 0;
    while (!text.empty()) {
        auto line = cutAt(text, {"\n"});
        take(text, "\n");
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.starts_with("return")) break;
        if (line.starts_with('%')) ++node;
        if (!take(line, "# ")) continue;
        if (!comments.empty()) comments.back().end = node;
        comments.push_back({line, node, std::string_view::npos});
    }
    for (std::size_t i = 0; i + 1 < comments.size(); ++i)
        if (comments[i].text == comments[i + 1].text)
            comments[i].end = std::min(comments[i].end, comments[i].first + 1);
    return comments;
}

/// Nodes of another graph are referred to by id: ids of this graph must not clash with them.
void avoid(NodeId elsewhere, Graph& graph) {
    for (Node* node : graph.nodes()) graph.setIdentity(node, elsewhere + 1 + node->id());
}

}  // namespace

void readComments(std::string_view text, Graph& graph) {
    const std::vector<Comment> comments = commentsIn(text);
    std::vector<ReadComment> read;
    NodeId elsewhere = kNoNode;
    for (const Comment& comment : comments) {
        read.push_back(readComment(comment.text));
        elsewhere = std::max(elsewhere, read.back().forward);
    }
    if (elsewhere != kNoNode) avoid(elsewhere, graph);
    for (std::size_t i = 0; i < comments.size(); ++i) {
        const Node* forward = read[i].forwardName.empty() ? nullptr : graph.findByName(read[i].forwardName);
        for (std::size_t j = comments[i].first; j < std::min(comments[i].end, graph.size()); ++j) {
            Node& node = *graph.at(j);
            if (node.kind() != NodeKind::call) continue;
            node.source = read[i].source;
            node.autograd.function = read[i].function;
            node.autograd.forward = forward ? forward->id() : read[i].forward;
        }
    }
}

}  // namespace aotscope

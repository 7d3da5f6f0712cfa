#include "distributed/rank_mesh.h"

#include "support/error.h"
#include "support/resident_memory.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <new>
#include <thread>

namespace aotscope {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Code = boost::system::error_code;

constexpr std::uint32_t kMagic = 0x616f7473, kMostHeadBytes = 16u << 20;

/// A rank's first message to one of a lower number, which accepts its connection.
struct Greeting {
    std::uint32_t magic = kMagic, rank = 0;
    std::array<char, 32> token{};
};

MeshBody bodyOf(std::size_t size) {
    if (size > static_cast<std::uint64_t>(std::max<std::int64_t>(availableBytes(), 0)))
        throw Error("it sends more than there is memory for");
    constexpr auto alignment = std::align_val_t(kMeshAlignment);
    auto* memory = static_cast<char*>(::operator new(std::max<std::size_t>(size, 1), alignment));
    return {std::shared_ptr<char>(memory, [](char* data) { ::operator delete(data, alignment); }), size};
}

/// All members but `unsent_` belong to the thread that runs `io_`.
class Connections final : public RankMesh {
public:
    struct FrameSizes {
        std::uint32_t magic = kMagic, head = 0;
        std::uint64_t body = 0;
    };

    struct OutgoingFrame {
        FrameSizes sizes;
        std::string head;
        std::vector<MeshPiece> body;
    };

    struct RankLink {
        explicit RankLink(tcp::socket open) : socket(std::move(open)) {}

        tcp::socket socket;
        std::deque<OutgoingFrame> queue;
        FrameSizes sizes;  ///< of the message being read
        std::string head;
        MeshBody body;
    };

    Connections(std::size_t rank, std::size_t count, std::string token, bool thisMachine)
        : rank_(rank), links_(count), missing_(count - 1) {
        std::copy_n(token.begin(), std::min(token.size(), token_.size()), token_.begin());
        listen(thisMachine);
    }
    ~Connections() override { stop(); }
    Connections(const Connections&) = delete;
    Connections& operator=(const Connections&) = delete;
    void stop() override {
        io_.stop();
        if (thread_.joinable()) thread_.join();
    }

    std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }
    void start(Events events) override;
    void reach(std::size_t rank, const RankAddress& address) override;
    void send(std::size_t to, std::string head, std::vector<MeshPiece> body) override;
    bool hasUnsent() const override { return unsent_.load() > 0; }

private:
    using Link = std::shared_ptr<RankLink>;

    void listen(bool thisMachine);
    void accept();
    void welcome(const Link& link);
    void connectTo(std::size_t rank, const RankAddress& address);
    void keep(std::size_t rank, const Link& link);
    void readSizes(std::size_t rank, const Link& link);
    void readRest(std::size_t rank, const Link& link);
    void write(std::size_t rank, const Link& link);
    void drop(std::size_t rank, const std::string& why);
    void tick();

    std::size_t rank_;
    std::array<char, 32> token_{};
    asio::io_context io_;
    tcp::acceptor acceptor_{io_};
    asio::steady_timer timer_{io_};
    std::vector<Link> links_;  ///< null: this rank, or one that is not connected
    std::size_t missing_;
    Events events_;
    std::atomic<std::size_t> unsent_{0};
    std::thread thread_;
};

void Connections::listen(bool thisMachine) {
    const auto open = [&](const tcp::endpoint& endpoint) {
        acceptor_.open(endpoint.protocol());
        acceptor_.bind(endpoint);
        acceptor_.listen();
    };
    if (thisMachine) return open({asio::ip::address_v4::loopback(), 0});
    try {
        open({tcp::v6(), 0});  // also accepts IPv4 connections
    } catch (const boost::system::system_error&) {
        acceptor_.close();
        open({tcp::v4(), 0});
    }
}

void Connections::start(Events events) {
    events_ = std::move(events);
    accept();
    tick();
    thread_ = std::thread([this] { io_.run(); });
}

void Connections::accept() {
    acceptor_.async_accept([this](const Code& error, tcp::socket socket) {
        if (!acceptor_.is_open()) return;  // all are connected
        if (!error) welcome(std::make_shared<RankLink>(std::move(socket)));
        accept();
    });
}

/// Unknown connections get no answer.
void Connections::welcome(const Link& link) {
    const auto greeting = std::make_shared<Greeting>();
    asio::async_read(link->socket, asio::buffer(greeting.get(), sizeof(Greeting)),
                     [this, link, greeting](const Code& error, std::size_t) {
                         const bool known = !error && greeting->magic == kMagic && greeting->token == token_ &&
                                            greeting->rank > rank_ && greeting->rank < links_.size() &&
                                            !links_[greeting->rank];
                         if (known) keep(greeting->rank, link);
                     });
}

void Connections::reach(std::size_t rank, const RankAddress& address) {
    asio::post(io_, [this, rank, address] { connectTo(rank, address); });
}

void Connections::connectTo(std::size_t rank, const RankAddress& address) {
    Code error;
    const auto endpoints = tcp::resolver(io_).resolve(address.host, std::to_string(address.port), error);
    if (error) return events_.unreachable(rank, address.host + ": " + error.message());
    const Link link = std::make_shared<RankLink>(tcp::socket(io_));
    asio::async_connect(link->socket, endpoints, [this, rank, link, host = address.host](const Code& failed, auto&&) {
        if (failed) return events_.unreachable(rank, host + ": " + failed.message());
        const auto greeting = std::make_shared<Greeting>();
        greeting->rank = static_cast<std::uint32_t>(rank_);
        greeting->token = token_;
        asio::async_write(link->socket, asio::buffer(greeting.get(), sizeof(Greeting)),
                          [this, rank, link, greeting](const Code& unsent, std::size_t) {
                              if (unsent) events_.unreachable(rank, unsent.message());
                              else keep(rank, link);
                          });
    });
}

void Connections::keep(std::size_t rank, const Link& link) {
    Code ignored;
    link->socket.set_option(tcp::no_delay(true), ignored);
    links_[rank] = link;
    if (--missing_ == 0) acceptor_.close(ignored);
    events_.connected(rank);
    readSizes(rank, link);
}

void Connections::readSizes(std::size_t rank, const Link& link) {
    asio::async_read(link->socket, asio::buffer(&link->sizes, sizeof(FrameSizes)),
                     [this, rank, link](const Code& error, std::size_t) {
                         if (error) return drop(rank, error == asio::error::eof ? "" : error.message());
                         if (link->sizes.magic != kMagic || link->sizes.head > kMostHeadBytes)
                             return drop(rank, "it sends something that is not an aotscope message");
                         readRest(rank, link);
                     });
}

void Connections::readRest(std::size_t rank, const Link& link) {
    try {
        link->head.resize(link->sizes.head);
        link->body = bodyOf(link->sizes.body);
    } catch (const std::exception& e) {
        return drop(rank, e.what());
    }
    const std::array<asio::mutable_buffer, 2> buffers{asio::buffer(link->head),
                                                      asio::buffer(link->body.data.get(), link->body.size)};
    asio::async_read(link->socket, buffers, [this, rank, link](const Code& error, std::size_t) {
        if (error) return drop(rank, error == asio::error::eof ? "" : error.message());
        try {
            events_.received(rank, link->head, link->body);
        } catch (const std::exception& e) {
            return drop(rank, e.what());
        }
        link->body = {};
        readSizes(rank, link);
    });
}

void Connections::send(std::size_t to, std::string head, std::vector<MeshPiece> body) {
    OutgoingFrame frame{{}, std::move(head), std::move(body)};
    frame.sizes.head = static_cast<std::uint32_t>(frame.head.size());
    for (const MeshPiece& piece : frame.body) frame.sizes.body += piece.size;
    ++unsent_;
    asio::post(io_, [this, to, frame = std::move(frame)]() mutable {
        const Link link = links_[to];
        if (!link) {
            --unsent_;
            return;
        }
        link->queue.push_back(std::move(frame));
        if (link->queue.size() == 1) write(to, link);
    });
}

void Connections::write(std::size_t rank, const Link& link) {
    const OutgoingFrame& frame = link->queue.front();
    std::vector<asio::const_buffer> buffers{asio::buffer(&frame.sizes, sizeof(FrameSizes)), asio::buffer(frame.head)};
    for (const MeshPiece& piece : frame.body) buffers.emplace_back(piece.data, piece.size);
    asio::async_write(link->socket, buffers, [this, rank, link](const Code& error, std::size_t) {
        if (links_[rank] != link) return;  // already replaced
        if (error) return drop(rank, error.message());
        link->queue.pop_front();
        --unsent_;
        if (!link->queue.empty()) write(rank, link);
    });
}

void Connections::drop(std::size_t rank, const std::string& why) {
    const Link link = std::exchange(links_[rank], nullptr);
    if (!link) return;
    unsent_ -= link->queue.size();
    Code ignored;
    link->socket.close(ignored);
    events_.lost(rank, why);
}

void Connections::tick() {
    timer_.expires_after(kTick);
    timer_.async_wait([this](const Code& error) {
        if (error) return;
        events_.tick();
        tick();
    });
}

}  // namespace

std::unique_ptr<RankMesh> openMesh(std::size_t rank, std::size_t count, std::string token, bool thisMachine) {
    return std::make_unique<Connections>(rank, count, std::move(token), thisMachine);
}

void RankMesh::flush(std::chrono::milliseconds limit) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (hasUnsent() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::string addressTowards(const std::string& host, std::uint16_t port) {
    asio::io_context io;
    try {
        const auto endpoints = asio::ip::udp::resolver(io).resolve(host, std::to_string(port));
        asio::ip::udp::socket socket(io);
        socket.connect(*endpoints.begin());  // sends no data
        return socket.local_endpoint().address().to_string();
    } catch (const boost::system::system_error& e) {
        throw Error("the machine of rank 0, " + host + ", is not known here: " + e.code().message());
    }
}

bool isLoopback(const std::string& address) {
    Code error;
    const auto found = asio::ip::make_address(address, error);
    return !error && found.is_loopback();
}

}  // namespace aotscope

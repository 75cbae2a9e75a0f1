#include "sinew/offline/view/bounded_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace sinew::view {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Threads beyond one per connection, for those that come while others are being ended.
constexpr int kSpareThreads = 8;
// What a client still sends after its answer is read for so long, and so much of it: closing on unread bytes would take
// the answer back.
constexpr milliseconds kLinger{200};
constexpr ssize_t kMaxUnread = 1 << 20;

// Waits until the socket is ready, or until `end`. events: POLLIN or POLLOUT.
bool WaitUntil(socket_t socket, short events, Clock::time_point end) {
  while (true) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now()).count();
    pollfd wait{socket, events, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(std::max<int64_t>(0, left)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// A request's first line and headers.
struct Head {
  std::string bytes;  // up to the empty line, and what came with it of the body
  int refusal = 0;    // HTTP status, if it is too long or too slow; -1: the connection ended
};

Head ReadHead(socket_t socket, const ServerLimits& limits) {
  Head head;
  const Clock::time_point end = Clock::now() + limits.head_time;
  while (true) {
    if (!WaitUntil(socket, POLLIN, end)) return {"", 408};
    char buffer[4096];
    const ssize_t got = ::recv(socket, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) return {"", -1};
    // The empty line may begin in what was there before.
    const size_t from = head.bytes.size() - std::min<size_t>(head.bytes.size(), 3);
    head.bytes.append(buffer, static_cast<size_t>(got));
    const size_t empty = head.bytes.find("\r\n\r\n", from);
    const size_t size = std::min(empty, head.bytes.size());
    const auto lines = std::count(head.bytes.begin(), head.bytes.begin() + static_cast<ptrdiff_t>(size), '\n');
    if (size > limits.max_head_bytes || lines > limits.max_head_lines) return {"", 431};
    if (empty != std::string::npos) return head;
  }
}

// Answers a request that is not read any further.
void Refuse(socket_t socket, int status) {
  const std::string answer = fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", status,
                                         status == 408 ? "Request Timeout" : "Request Header Fields Too Large");
  [[maybe_unused]] const ssize_t sent = ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Close(socket_t socket) {
  ::shutdown(socket, SHUT_WR);
  const Clock::time_point end = Clock::now() + kLinger;
  char unread[4096];
  for (ssize_t got = 1, all = 0; got > 0 && all < kMaxUnread && WaitUntil(socket, POLLIN, end); all += got) {
    got = ::recv(socket, unread, sizeof(unread), MSG_DONTWAIT);
  }
  ::close(socket);
}

// The library's view of a connection: reads the head that is there already, and writes with a bound on waiting.
class BoundedStream : public httplib::Stream {
 public:
  BoundedStream(socket_t socket, std::string head, milliseconds stall_time, std::atomic<Clock::time_point>& active)
      : socket_(socket), head_(std::move(head)), stall_time_(stall_time), active_(active) {}

  using Stream::write;
  bool is_readable() const override { return at_ < head_.size(); }
  bool is_writable() const override { return WaitUntil(socket_, POLLOUT, Clock::now() + stall_time_); }

  // There is nothing to read behind the head: no request that has a body is served.
  ssize_t read(char* to, size_t size) override {
    const size_t count = std::min(size, head_.size() - at_);
    std::memcpy(to, head_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, size_t size) override {
    while (is_writable()) {
      const ssize_t sent = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (sent > 0) active_ = Clock::now();
      return sent;
    }
    return -1;
  }

  // Nobody asks for addresses: all connections are this machine's.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  const socket_t socket_;
  const std::string head_;
  const milliseconds stall_time_;
  std::atomic<Clock::time_point>& active_;
  size_t at_ = 0;
};

}  // namespace

// Keeps a connection in the server's list while it is served, where others can end it, and closes it.
class BoundedServer::Guard {
 public:
  Guard(BoundedServer& server, socket_t socket) : server_(server) {
    const std::lock_guard lock(server_.mutex_);
    connection_ = server_.connections_.emplace(server_.connections_.end(), socket);
    if (server_.ending_) ::shutdown(socket, SHUT_RDWR);
    server_.EndIdlest();
  }
  ~Guard() {
    const socket_t socket = connection_->socket;
    {
      // Once the socket is closed its number may be another's, which nobody may then end in its place.
      const std::lock_guard lock(server_.mutex_);
      server_.connections_.erase(connection_);
    }
    Close(socket);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  Connection& connection() const { return *connection_; }

 private:
  BoundedServer& server_;
  std::list<Connection>::iterator connection_;
};

BoundedServer::BoundedServer(const ServerLimits& limits) : limits_(limits) {
  new_task_queue = [threads = limits.max_connections + kSpareThreads] {
    return new httplib::ThreadPool(static_cast<size_t>(threads));
  };
}

void BoundedServer::EndConnections() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  for (Connection& connection : connections_) ::shutdown(connection.socket, SHUT_RDWR);
}

// Ends the connection that has been idle for longest if there are too many. mutex_ must be held.
void BoundedServer::EndIdlest() {
  Connection* idlest = nullptr;
  int count = 0;
  for (Connection& connection : connections_) {
    if (connection.ended) continue;
    ++count;
    if (idlest == nullptr || connection.active.load() < idlest->active.load()) idlest = &connection;
  }
  if (count <= limits_.max_connections) return;
  idlest->ended = true;
  ::shutdown(idlest->socket, SHUT_RDWR);
}

bool BoundedServer::process_and_close_socket(socket_t socket) {
  const Guard guard(*this, socket);
  Head head = ReadHead(socket, limits_);
  if (head.refusal > 0) Refuse(socket, head.refusal);
  if (head.refusal != 0) return false;
  BoundedStream stream(socket, std::move(head.bytes), limits_.stall_time, guard.connection().active);
  bool closed = false;
  return process_request(stream, true, closed, nullptr);
}

}  // namespace sinew::view

// The HTTP library's server with bounds: by itself it reads headers without end into memory, and as many slow clients
// as it has threads keep everybody else out, and the program from ending.
#ifndef SINEW_OFFLINE_VIEW_BOUNDED_SERVER_H_
#define SINEW_OFFLINE_VIEW_BOUNDED_SERVER_H_

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <list>
#include <mutex>

#include "sinew/offline/view/server_limits.h"

namespace sinew::view {

class BoundedServer : public httplib::Server {
 public:
  explicit BoundedServer(const ServerLimits& limits);

  // Ends all connections, those that wait to be served too. Call before stop(), which waits for them.
  void EndConnections();

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    explicit Connection(socket_t s) : socket(s) {}
    const socket_t socket;
    std::atomic<Clock::time_point> active = Clock::now();  // when the client connected or last took some of its answer
    bool ended = false;
  };
  class Guard;

  // Answers one request and closes the socket. The library calls it on a thread of its pool.
  bool process_and_close_socket(socket_t socket) override;
  void EndIdlest();

  const ServerLimits limits_;
  std::mutex mutex_;
  std::list<Connection> connections_;
  bool ending_ = false;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_BOUNDED_SERVER_H_

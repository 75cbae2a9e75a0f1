// What one client can take of the page's server.
#ifndef SINEW_OFFLINE_VIEW_SERVER_LIMITS_H_
#define SINEW_OFFLINE_VIEW_SERVER_LIMITS_H_

#include <chrono>
#include <cstddef>

namespace sinew::view {

struct ServerLimits {
  // Connections at a time. A further one ends the one whose client has taken nothing of its answer for longest.
  int max_connections = 48;
  // Bytes and lines of a request before its body. A browser sends about 600 bytes in 20 lines.
  size_t max_head_bytes = 16 * 1024;
  int max_head_lines = 100;
  // Time in which a request has to be there, whole.
  std::chrono::milliseconds head_time{5000};
  // Time in which a client has to take some more of an answer.
  std::chrono::milliseconds stall_time{10000};
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SERVER_LIMITS_H_

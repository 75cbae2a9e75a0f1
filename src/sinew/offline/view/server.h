// Web server that serves a site to browsers on this machine only.
#ifndef SINEW_OFFLINE_VIEW_SERVER_H_
#define SINEW_OFFLINE_VIEW_SERVER_H_

#include <memory>
#include <string>

#include "sinew/offline/view/server_limits.h"
#include "sinew/offline/view/site.h"

namespace sinew::view {

// Answers GET and HEAD, for whole files and ranges of them, on 127.0.0.1 only. The path of a request is looked up in
// the site's list of files and never reaches the file system. A request whose Host is not this machine is refused, so
// that a page on the internet whose name is changed to resolve to 127.0.0.1 (DNS rebinding) learns nothing. Clients
// that are slow, or send without end, neither keep others out nor the server from ending.
class SiteServer {
 public:
  // Starts serving, on threads of its own. Throws FailedError if the port is taken.
  // site: must outlive the server.
  // port: 0 chooses the first free one from kFirstPort on.
  explicit SiteServer(const Site& site, int port = 0, const ServerLimits& limits = {});
  // Stops, in the middle of an answer too: a slow client could take its time with one.
  ~SiteServer();
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  int port() const;
  // Returns the URL of the site, such as "http://127.0.0.1:8000/".
  std::string address() const;

  static constexpr int kFirstPort = 8000;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SERVER_H_

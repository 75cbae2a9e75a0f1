// Serves a site to browsers on this machine, and to nobody else.
#ifndef SINEW_OFFLINE_VIEW_SERVER_H_
#define SINEW_OFFLINE_VIEW_SERVER_H_

#include <memory>
#include <string>

#include "sinew/offline/view/site.h"

namespace sinew::view {

// Answers GET and HEAD, whole files and ranges of them, on 127.0.0.1 only. A request's path is looked up in the site's
// list and never reaches the file system. A request that names another host than this machine is refused: a page on the
// internet whose name suddenly leads to 127.0.0.1 learns nothing.
class SiteServer {
 public:
  // Serves from now on, on threads of its own. port: 0 for the first free one from kFirstPort on. Throws FailedError
  // where the port is taken. The site must outlive the server.
  explicit SiteServer(const Site& site, int port = 0);
  // Finishes the answers that are under way, and ends.
  ~SiteServer();
  SiteServer(const SiteServer&) = delete;
  SiteServer& operator=(const SiteServer&) = delete;

  int port() const;
  // "http://127.0.0.1:8000/"
  std::string address() const;

  static constexpr int kFirstPort = 8000;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinew::view

#endif  // SINEW_OFFLINE_VIEW_SERVER_H_

#include "sinew/offline/view/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "sinew/offline/core/error.h"
#include "sinew/offline/view/bounded_server.h"

namespace sinew::view {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr int kPortsToTry = 32;

enum Code { kOk = 200, kPartial = 206, kNotFound = 404, kWrongMethod = 405, kMisdirected = 421, kBadRange = 416 };

// Whether the request has exactly one Host header, with a name that stands for this machine only. Its port may differ
// from the server's, as when the user forwards a port of another machine to this one.
bool IsForThisMachine(const httplib::Request& request) {
  if (request.get_header_value_count("Host") != 1) return false;
  const std::string value = request.get_header_value("Host");
  const size_t colon = value.find(':');
  const std::string name = value.substr(0, colon);
  const std::string port = colon == std::string::npos ? "" : value.substr(colon + 1);
  return (name == kHost || name == "localhost") &&
         std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void Refuse(int code, const char* sentence, httplib::Response& response) {
  response.status = code;
  response.set_content(fmt::format("{}\n", sentence), "text/plain; charset=utf-8");
}

// The bytes [first, first + count) of a file. count 0: the file has none of the requested bytes.
struct Part {
  size_t first = 0, count = 0;
};

// Clips a range, either end of which may be open (-1), to the file's size.
Part Clamp(const httplib::Range& range, size_t size) {
  const auto end = static_cast<ssize_t>(size);
  if (range.first < 0) {  // the last range.second bytes
    const ssize_t count = std::clamp<ssize_t>(range.second, 0, end);
    return {size - static_cast<size_t>(count), static_cast<size_t>(count)};
  }
  if (range.first >= end) return {};
  const ssize_t last = range.second < 0 ? end - 1 : std::min(range.second, end - 1);
  return {static_cast<size_t>(range.first), static_cast<size_t>(last - range.first + 1)};
}

void Send(const Bytes& file, Part part, const std::string& type, httplib::Response& response) {
  if (part.count == 0) return response.set_content("", type);
  const auto* start = reinterpret_cast<const char*>(file.data()) + part.first;
  response.set_content_provider(part.count, type, [start](size_t offset, size_t length, httplib::DataSink& sink) {
    return sink.write(start + offset, length);
  });
}

void Answer(const Site& site, const httplib::Request& request, const httplib::Ranges& ranges,
            httplib::Response& response) {
  if (!IsForThisMachine(request)) {
    return Refuse(kMisdirected, "This server answers to 127.0.0.1 and localhost only.", response);
  }
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    return Refuse(kWrongMethod, "This server only hands out files.", response);
  }
  std::string path = request.path.starts_with("/") ? request.path.substr(1) : request.path;
  if (request.path == "/") path = "index.html";
  const Bytes* file = request.path.starts_with("/") ? site.Find(path) : nullptr;
  if (file == nullptr) return Refuse(kNotFound, "There is no such file.", response);
  const std::string type(ContentType(path));
  response.set_header("Accept-Ranges", "bytes");
  // A request for several ranges may be answered with the whole file; our page never asks for several.
  if (ranges.size() != 1) {
    response.status = kOk;
    return Send(*file, {0, file->size()}, type, response);
  }
  const Part part = Clamp(ranges[0], file->size());
  if (part.count == 0) {
    response.set_header("Content-Range", fmt::format("bytes */{}", file->size()));
    return Refuse(kBadRange, "The file has no such bytes.", response);
  }
  response.status = kPartial;
  response.set_header("Content-Range",
                      fmt::format("bytes {}-{}/{}", part.first, part.first + part.count - 1, file->size()));
  Send(*file, part, type, response);
}

void Prepare(const Site& site, httplib::Server& server) {
  // By default the library shares a port with another program that does the same, and each answers every other request.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  // A connection that is kept alive occupies a thread while it idles: a second tab, or the end of the program, would
  // wait seconds for it. Within one machine a new connection costs nothing.
  server.set_keep_alive_max_count(1);
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(0);
  server.set_default_headers({// WebAssembly threads need both of these.
                              {"Cross-Origin-Opener-Policy", "same-origin"},
                              {"Cross-Origin-Embedder-Policy", "require-corp"},
                              // No other page may use or frame these files.
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Content-Security-Policy", "frame-ancestors 'none'"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              // Another run on this port may serve another character under the same names.
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([&site](const httplib::Request& request, httplib::Response& response) {
    // The library applies the ranges of the request to what is sent without checking the file's size, so they are taken
    // out of the request. The const_cast is safe: the library passes its own mutable request as a constant one.
    httplib::Ranges ranges;
    std::swap(ranges, const_cast<httplib::Request&>(request).ranges);
    Answer(site, request, ranges, response);
    return httplib::Server::HandlerResponse::Handled;
  });
}

}  // namespace

struct SiteServer::State {
  explicit State(const ServerLimits& limits) : server(limits) {}
  BoundedServer server;
  std::thread thread;
  int port = 0;
};

SiteServer::SiteServer(const Site& site, int port, const ServerLimits& limits)
    : state_(std::make_unique<State>(limits)) {
  httplib::Server& server = state_->server;
  Prepare(site, server);
  const int first = port == 0 ? kFirstPort : port, count = port == 0 ? kPortsToTry : 1;
  for (int k = 0; k < count && state_->port == 0; ++k) {
    if (server.bind_to_port(kHost, first + k)) state_->port = first + k;
  }
  if (state_->port == 0 && port == 0) state_->port = std::max(0, server.bind_to_any_port(kHost));
  if (state_->port == 0) {
    throw FailedError(port == 0 ? std::string("no port of 127.0.0.1 is free to serve the page on")
                                : fmt::format("port {} is taken by another program, or may not be used; give another "
                                              "one with --port, or none to take the next free one",
                                              port));
  }
  state_->thread = std::thread([&server] { server.listen_after_bind(); });
  // Stopping the server before it has started would leave it running.
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

SiteServer::~SiteServer() {
  state_->server.EndConnections();
  state_->server.stop();
  state_->thread.join();
}

int SiteServer::port() const { return state_->port; }
std::string SiteServer::address() const { return fmt::format("http://{}:{}/", kHost, state_->port); }

}  // namespace sinew::view

// Requests are written byte by byte: no client would send most of these.
#include "sinew/offline/view/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "sinew/offline/core/error.h"
#include "sinew/offline/view/interrupt.h"

namespace sinew::view {
namespace {

Bytes ToBytes(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

Site SmallSite() {
  Site site;
  site.files["index.html"] = ToBytes("<p>page</p>");
  site.files["assets/run.wasm"] = ToBytes("0123456789");
  site.files["empty.txt"] = {};
  Bytes& large = site.files["data/large.sinew"];
  for (int i = 0; i < 3'000'000; ++i) large.push_back(static_cast<std::byte>(i * 7 + i / 256));
  return site;
}

struct Reply {
  int status = 0;  // 0: the connection was closed without an answer
  std::string head, body;

  std::string Header(const std::string& name) const {
    const size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const size_t start = at + name.size() + 4;
    return head.substr(start, head.find("\r\n", start) - start);
  }
};

bool Connect(const char* address, int port, int* out) {
  *out = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  ::inet_pton(AF_INET, address, &to.sin_addr);
  return ::connect(*out, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) == 0;
}

Reply Ask(const SiteServer& server, const std::string& request) {
  int connection = -1;
  EXPECT_TRUE(Connect("127.0.0.1", server.port(), &connection));
  EXPECT_EQ(::send(connection, request.data(), request.size(), MSG_NOSIGNAL), std::ssize(request));
  std::string all;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::recv(connection, buffer, sizeof(buffer), 0)) > 0;) all.append(buffer, got);
  ::close(connection);
  const size_t end = all.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  return {std::stoi(all.substr(9, 3)), all.substr(0, end + 2), all.substr(end + 4)};
}

Reply Get(const SiteServer& server, const std::string& target, const std::string& headers = "") {
  return Ask(server, "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n");
}

class Server : public ::testing::Test {
 protected:
  const Site site_ = SmallSite();
  const SiteServer server_{site_};
};

TEST_F(Server, HandsOutFilesWithTheirTypesAndWhatThreadsNeed) {
  EXPECT_EQ(server_.address(), "http://127.0.0.1:" + std::to_string(server_.port()) + "/");
  for (const char* target : {"/", "/index.html", "/index.html?x=1", "/%69ndex.html"}) {
    const Reply page = Get(server_, target);
    EXPECT_EQ(page.status, 200) << target;
    EXPECT_EQ(page.body, "<p>page</p>");
    EXPECT_EQ(page.Header("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(page.Header("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(page.Header("Cross-Origin-Embedder-Policy"), "require-corp");
    EXPECT_EQ(page.Header("Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_EQ(page.Header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(page.Header("Access-Control-Allow-Origin"), "");
  }
  EXPECT_EQ(Get(server_, "/assets/run.wasm").Header("Content-Type"), "application/wasm");
  EXPECT_EQ(Get(server_, "/empty.txt").status, 200);
  EXPECT_EQ(ToBytes(Get(server_, "/data/large.sinew").body), *site_.Find("data/large.sinew"));
}

TEST_F(Server, AnswersHeadWithoutTheFile) {
  const Reply head = Ask(server_, "HEAD /data/large.sinew HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Length"), "3000000");
  EXPECT_EQ(head.body, "");
}

TEST_F(Server, HandsOutRanges) {
  const auto range = [&](const std::string& what) {
    return Get(server_, "/assets/run.wasm", "Range: bytes=" + what + "\r\n");
  };
  for (const auto& [what, body, content_range] :
       std::vector<std::array<std::string, 3>>{{"0-3", "0123", "bytes 0-3/10"},
                                               {"4-", "456789", "bytes 4-9/10"},
                                               {"9-9", "9", "bytes 9-9/10"},
                                               {"7-99999999999", "789", "bytes 7-9/10"},
                                               {"-2", "89", "bytes 8-9/10"},
                                               {"-99", "0123456789", "bytes 0-9/10"}}) {
    const Reply reply = range(what);
    EXPECT_EQ(reply.status, 206) << what;
    EXPECT_EQ(reply.body, body) << what;
    EXPECT_EQ(reply.Header("Content-Range"), content_range);
    EXPECT_EQ(reply.Header("Content-Length"), std::to_string(body.size()));
  }
  for (const char* what : {"10-", "10-12", "-0", "99999999999999-", "5-2", "-", "0-99999999999999999999999", "a-b"}) {
    EXPECT_EQ(range(what).status, 416) << what;
  }
  EXPECT_EQ(Get(server_, "/empty.txt", "Range: bytes=0-\r\n").status, 416);
  const Bytes& large = *site_.Find("data/large.sinew");
  const Reply middle = Get(server_, "/data/large.sinew", "Range: bytes=1000000-1999999\r\n");
  EXPECT_EQ(ToBytes(middle.body), Bytes(large.begin() + 1'000'000, large.begin() + 2'000'000));
}

TEST_F(Server, AnswersManyRangesWithTheWholeOrNotAtAll) {
  std::string many = "bytes=0-1";
  for (int i = 0; i < 1000; ++i) many += ", 0-9";
  const Reply reply = Get(server_, "/assets/run.wasm", "Range: " + many + "\r\n");
  EXPECT_TRUE(reply.status == 200 || reply.status == 416) << reply.status;
  EXPECT_LE(reply.body.size(), 10u);
  EXPECT_EQ(Get(server_, "/").status, 200);
}

TEST_F(Server, HasNoWayOutOfTheSite) {
  for (const char* target : {"/../etc/passwd",
                             "/../../../../../../etc/passwd",
                             "/assets/../../../../../etc/passwd",
                             "/etc/passwd",
                             "//etc/passwd",
                             "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
                             "/..%2f..%2f..%2f..%2fetc%2fpasswd",
                             "/%252e%252e/etc/passwd",
                             "/..%5c..%5cetc%5cpasswd",
                             "/%2fetc%2fpasswd",
                             "/%c0%ae%c0%ae/etc/passwd",
                             "/%u002e%u002e/etc/passwd",
                             "/index.html%00",
                             "/%00/etc/passwd",
                             "/index.html/..%00/../etc/passwd",
                             "/./index.html",
                             "/assets/../index.html",
                             "/assets",
                             "/assets/",
                             "/index.html/",
                             "file:///etc/passwd",
                             "http://127.0.0.1/etc/passwd",
                             "etc/passwd",
                             "../etc/passwd",
                             "*",
                             "/proc/self/environ",
                             "/INDEX.HTML"}) {
    const Reply reply = Get(server_, target);
    EXPECT_TRUE(reply.status == 404 || reply.status == 400) << target << ": " << reply.status;
    EXPECT_EQ(reply.body.find("root:"), std::string::npos) << target;
  }
}

TEST_F(Server, EndsWhatIsTooLong) {
  for (const size_t length : {300u, 4000u, 8100u, 9000u, 100000u}) {
    const Reply reply = Get(server_, "/" + std::string(length, 'a'));
    EXPECT_TRUE(reply.status == 404 || reply.status == 414 || reply.status == 431) << reply.status;
    const int code = Get(server_, "/", "X: " + std::string(length, 'a') + "\r\n").status;
    EXPECT_EQ(code, length < 8000 ? 200 : length > 16000 ? 431 : code) << length;
  }
  EXPECT_EQ(Get(server_, "/").status, 200);
}

// A page of evil.example whose name leads to 127.0.0.1 asks with that name.
TEST_F(Server, RefusesOtherHosts) {
  const auto ask = [&](const std::string& hosts) { return Ask(server_, "GET / HTTP/1.1\r\n" + hosts + "\r\n").status; };
  EXPECT_EQ(ask("Host: 127.0.0.1\r\n"), 200);
  EXPECT_EQ(ask("Host: 127.0.0.1:8000\r\n"), 200);
  EXPECT_EQ(ask("Host: localhost:9000\r\n"), 200);
  for (const char* hosts :
       {"", "Host: \r\n", "Host: evil.example\r\n", "Host: evil.example:8000\r\n", "Host: 127.0.0.1.evil.example\r\n",
        "Host: localhost.evil.example\r\n", "Host: 127.0.0.1:80@evil.example\r\n", "Host: 0.0.0.0:8000\r\n",
        "Host: 127.0.0.1\r\nHost: evil.example\r\n", "Host: evil.example\r\nHost: 127.0.0.1\r\n"}) {
    EXPECT_EQ(ask(hosts), 421) << hosts;
  }
}

TEST_F(Server, OnlyHandsOut) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    const Reply reply =
        Ask(server_, std::string(method) + " /index.html HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\nhi");
    EXPECT_EQ(reply.status, 405) << method;
    EXPECT_EQ(reply.Header("Allow"), "GET, HEAD");
  }
}

TEST_F(Server, SurvivesNoise) {
  for (const char* noise : {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
                            "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET /%zz%1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"}) {
    EXPECT_NE(Ask(server_, noise).status, 200) << noise;
  }
  EXPECT_EQ(Get(server_, "/").status, 200);
}

// 127.0.0.2 is this machine, too, and not the address that was asked for.
TEST_F(Server, ListensOnOneAddressOnly) {
  int connection = -1;
  EXPECT_FALSE(Connect("127.0.0.2", server_.port(), &connection));
  ::close(connection);
}

TEST_F(Server, SaysThatAPortIsTakenAndTakesTheNextIfItMay) {
  try {
    const SiteServer second(site_, server_.port());
    FAIL();
  } catch (const FailedError& error) {
    EXPECT_NE(std::string(error.what()).find("is taken"), std::string::npos) << error.what();
  }
  const SiteServer next(site_);
  EXPECT_NE(next.port(), server_.port());
  EXPECT_EQ(Get(next, "/").status, 200);
}

TEST_F(Server, ServesSeveralAtOnceAndIdleConnectionsDoNotDelayItsEnd) {
  const auto start = std::chrono::steady_clock::now();
  {
    const SiteServer other(site_);
    std::vector<std::thread> browsers;
    for (int t = 0; t < 4; ++t) {
      browsers.emplace_back([&] {
        for (int k = 0; k < 5; ++k)
          EXPECT_EQ(Get(other, "/data/large.sinew", "Connection: keep-alive\r\n").status, 200);
      });
    }
    for (std::thread& browser : browsers) browser.join();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

// A client that begins a request and never ends it, or does not take its answer.
class SlowClient {
 public:
  SlowClient(const SiteServer& server, const std::string& request) {
    EXPECT_TRUE(Connect("127.0.0.1", server.port(), &connection_));
    EXPECT_EQ(::send(connection_, request.data(), request.size(), MSG_NOSIGNAL), std::ssize(request));
  }
  ~SlowClient() { ::close(connection_); }
  SlowClient(const SlowClient&) = delete;
  SlowClient& operator=(const SlowClient&) = delete;

  // Returns whether the server still takes what is sent.
  bool Send(const std::string& more) {
    return ::send(connection_, more.data(), more.size(), MSG_NOSIGNAL) == std::ssize(more);
  }

 private:
  int connection_ = -1;
};

TEST_F(Server, EndsHeadersThatDoNotEnd) {
  const std::string megabyte(1 << 20, 'a');
  for (const std::string& piece : {megabyte, std::string("X: y\r\n")}) {
    SlowClient client(server_, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    size_t sent = 0;
    while (client.Send(piece) && sent < (64u << 20)) sent += piece.size();
    EXPECT_LT(sent, 64u << 20) << "it takes everything";
  }
  std::string many;
  for (int i = 0; i < 200; ++i) many += "X" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(Get(server_, "/", many).status, 431);
  EXPECT_EQ(Get(server_, "/").status, 200);
}

TEST_F(Server, EndsARequestThatTakesTooLong) {
  const SiteServer hasty(site_, 0, {.head_time = std::chrono::milliseconds(100)});
  EXPECT_EQ(Ask(hasty, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n").status, 408);
  EXPECT_EQ(Get(hasty, "/").status, 200);
}

TEST_F(Server, EndsAnAnswerThatIsNotTaken) {
  Site site;
  site.files["large"].resize(50'000'000);
  const SiteServer hasty(site, 0, {.max_connections = 1, .stall_time = std::chrono::milliseconds(100)});
  SlowClient client(hasty, "GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  bool ended = false;
  for (int k = 0; k < 1000 && !ended; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ended = !client.Send("x");
  }
  EXPECT_TRUE(ended);
}

TEST_F(Server, AnswersOthersAndEndsWhileSlowClientsHoldOn) {
  Site site = site_;
  site.files["large"].resize(50'000'000);
  auto server = std::make_unique<SiteServer>(site);
  std::vector<std::unique_ptr<SlowClient>> clients;
  for (int k = 0; k < 120; ++k) {
    const std::string request =
        k % 2 == 0 ? "GET / HTTP/1.1\r\nHost: 127.0." : "GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    clients.push_back(std::make_unique<SlowClient>(*server, request));
  }
  for (int k = 0; k < 10; ++k) EXPECT_EQ(Get(*server, "/").status, 200);
  const auto start = std::chrono::steady_clock::now();
  server.reset();
  // The clients would hold on for the five or ten seconds that they are given.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST(Interrupt, EndsTheWaitAndNotTheProgram) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Interrupt interrupt;
    std::thread user([&] { ::kill(::getpid(), signal); });
    interrupt.Wait();
    user.join();
  }
}

}  // namespace
}  // namespace sinew::view

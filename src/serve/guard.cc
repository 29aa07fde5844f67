#include "serve/guard.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "text/strings.h"

namespace idne {
namespace {

std::optional<in_addr> ipv4(std::string_view text) {
  in_addr address{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return {};
  return address;
}

std::optional<in6_addr> ipv6(std::string_view text) {
  in6_addr address{};
  if (::inet_pton(AF_INET6, std::string(text).c_str(), &address) != 1) return {};
  return address;
}

/// Names are the same in any case, and with a dot at the end.
bool same_name(std::string_view a, std::string_view b) {
  if (a.ends_with('.')) a.remove_suffix(1);
  if (b.ends_with('.')) b.remove_suffix(1);
  return equal_but_for_case(a, b);
}

/// The host in a Host header: what stands before ":PORT", without an IPv6 address's brackets; none if there is another
/// thing behind it.
std::optional<std::string_view> host_of(std::string_view header) {
  if (ipv6(header)) return header;
  std::string_view host = header.substr(0, header.find(':')), rest = header.substr(host.size());
  if (header.starts_with('[')) {
    const std::size_t end = std::min(header.find(']'), header.size() - 1);
    host = header.substr(1, end - 1);
    rest = header.substr(end + 1);
    if (header[end] != ']' || !ipv6(host)) return {};
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!rest.empty() && (rest[0] != ':' || !std::all_of(rest.begin() + 1, rest.end(), is_digit))) return {};
  return host;
}

/// Equal or not, in a time that does not tell where they differ.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned differ = given.size() != secret.size();
  for (std::size_t i = 0; i < given.size(); ++i) {
    differ |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(secret[i % secret.size()]);
  }
  return differ == 0;
}

/// Whether a page was loaded from the address that it now asks. A proxy may have taken off what encrypts.
bool is_own_page(std::string_view origin, std::string_view host) {
  for (const std::string_view start : {"http://", "https://"}) {
    if (origin.starts_with(start) && equal_but_for_case(origin.substr(start.size()), host)) return true;
  }
  return false;
}

/// Whether a request leaves something behind.
bool edits(std::string_view path) { return path == "/api/v1/feedback" || path == "/api/v1/names"; }

}  // namespace

bool is_loopback(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  constexpr std::uint32_t kLoopbackNet = 127;
  if (const auto address = ipv4(host)) return ntohl(address->s_addr) >> 24 == kLoopbackNet;
  if (const auto address = ipv6(host)) return std::memcmp(&*address, &in6addr_loopback, sizeof *address) == 0;
  return same_name(host, "localhost");
}

Guard::Guard(const ServeOptions& options)
    : loopback_only_(is_loopback(options.host)),
      hosts_(options.hosts),
      origins_(options.origins),
      proxies_(options.proxies),
      tokens_(options.tokens) {}

bool Guard::knows_host(std::string_view header) const {
  const auto host = host_of(header);
  return host && (is_loopback(*host) || std::any_of(hosts_.begin(), hosts_.end(),
                                                    [&](const std::string& name) { return same_name(name, *host); }));
}

bool Guard::allows(std::string_view origin) const {
  return std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

const AccessToken* Guard::token_of(std::string_view authorization) const {
  constexpr std::string_view kBearer = "Bearer ";  // in any case: RFC 9110, section 11.1
  if (!equal_but_for_case(authorization.substr(0, kBearer.size()), kBearer)) return nullptr;
  const std::string_view given = trimmed(authorization.substr(kBearer.size()));
  const AccessToken* known = nullptr;
  for (const AccessToken& token : tokens_) {  // all of them, so that the time tells nothing
    if (same_secret(given, token.secret)) known = &token;
  }
  return known;
}

bool Guard::knows_token(std::string_view authorization) const {
  return tokens_.empty() || token_of(authorization) != nullptr;
}

bool Guard::trusts(std::string_view address) const {
  return std::find(proxies_.begin(), proxies_.end(), address) != proxies_.end();
}

std::string Guard::client(const std::string& peer, std::string_view forwarded_for) const {
  std::string_view client = peer;
  while (trusts(client) && !trimmed(forwarded_for).empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const std::string_view last =
        trimmed(comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1));
    if (!ipv4(last) && !ipv6(last)) break;  // a proxy that is trusted writes addresses
    client = last;
    forwarded_for = comma == std::string_view::npos ? std::string_view() : forwarded_for.substr(0, comma);
  }
  return std::string(client);
}

Guard::Verdict Guard::check(const Visit& visit) const {
  // A page from elsewhere could have its own name point to this machine, and then ask as if it were ours.
  if (loopback_only_ && !visit.host.empty() && !knows_host(visit.host)) {
    return {403, "unknown Host; --allow-host allows others"};
  }
  Verdict verdict;
  verdict.shared = !visit.origin.empty() && allows(visit.origin);
  if (verdict.shared && visit.method == "OPTIONS") {
    verdict.status = 204;
    return verdict;
  }
  // Any page can have a browser send this, though it cannot read the answer.
  if (edits(visit.path) && !visit.origin.empty() && !verdict.shared && !is_own_page(visit.origin, visit.host)) {
    return {403, "feedback from another page; --allow-origin allows it"};
  }
  const bool guarded = visit.path.starts_with("/api/") || visit.path == "/metrics";
  if (!guarded || tokens_.empty()) return verdict;
  if (const AccessToken* const token = token_of(visit.authorization)) {
    verdict.user = token->name;
    verdict.may_edit = token->feedback;
    if (!edits(visit.path) || verdict.may_edit) return verdict;
    verdict.status = 403;
    verdict.why = "this token is for reading alone";
    return verdict;
  }
  verdict.status = 401;
  verdict.why = "a token is needed: Authorization: Bearer TOKEN";
  return verdict;
}

}  // namespace idne

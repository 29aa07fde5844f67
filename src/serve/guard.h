#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "idne/serve.h"

/// Who may ask. docs/serve.md
namespace idne {

/// Whether a name or an address can mean nothing but this machine: localhost, ::1, 127.0.0.0/8.
bool is_loopback(std::string_view host);

class Guard {
 public:
  explicit Guard(const ServeOptions& options);

  /// What is known of a request before it is answered; "" for headers that it does not have.
  struct Visit {
    std::string_view method, path, host, origin, authorization;
  };
  struct Verdict {
    int status = 0;  ///< of a refusal; 0 if the request may go on
    const char* why = "";
    bool shared = false;      ///< a page from elsewhere may read the answer
    std::string_view user{};  ///< whose token it was
    bool may_edit = true;     ///< give feedback and names
  };
  Verdict check(const Visit& visit) const;
  /// Who asks: the peer, or, if that is a proxy which is trusted, the last of those in X-Forwarded-For who is none.
  std::string client(const std::string& peer, std::string_view forwarded_for) const;
  /// Whether an address is that of a proxy whose word counts.
  bool trusts(std::string_view address) const;
  /// Whether a visitor knows a token, if there is any.
  bool knows_token(std::string_view authorization) const;

 private:
  /// The one that a visitor knows, or null.
  const AccessToken* token_of(std::string_view authorization) const;
  bool knows_host(std::string_view header) const;
  bool allows(std::string_view origin) const;

  const bool loopback_only_;
  const std::vector<std::string> hosts_, origins_, proxies_;
  const std::vector<AccessToken> tokens_;
};

}  // namespace idne

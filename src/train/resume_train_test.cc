#include <gtest/gtest.h>

#include <atomic>

#include "contains.h"
#include "evaluate/test_evaluations.h"
#include "idne/checkpoint.h"
#include "methods/lsa.h"
#include "temp_folder.h"
#include "train/run_key.h"
#include "train/train.h"

namespace idne {
namespace {

using namespace std::chrono_literals;

/// LSA that counts how often it is fitted.
class CountingLsa : public Method {
 public:
  std::string_view name() const override { return "lsa"; }
  std::string_view summary() const override { return lsa_method().summary(); }
  std::span<const OptionSpec> options() const override { return lsa_method().options(); }
  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    ++fits;
    return lsa_method().fit(corpus, options, run);
  }
  std::unique_ptr<Encoder> encoder(const Model& model) const override { return lsa_method().encoder(model); }
  mutable int fits = 0;
};

std::string bytes_of(const Model& model, const TempFolder& folder) {
  model.save(folder.path("model"));
  return folder.read("model");
}

TEST(ResumingTrain, AMethodWithoutStepsIsNotFittedAgainForItsLabels) {
  const Collection collection = three_fields();
  const CountingLsa method;
  Options options(training_options(method));
  options.set("dim", "16");
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  const std::string expected = bytes_of(train(collection, method, options, {}, {}), folder);
  method.fits = 0;
  Checkpoint first(file, 1h);
  idne::Run run;
  run.checkpoint = &first;
  run.stopped = [&] { return !first.empty(); };
  EXPECT_THROW(train(collection, method, options, {}, run), Interrupted);
  EXPECT_EQ(method.fits, 1);
  Checkpoint second(file, 1h);
  second.resume_from(file);
  run.checkpoint = &second;
  run.stopped = {};
  EXPECT_EQ(bytes_of(train(collection, method, options, {}, run), folder), expected);
  EXPECT_EQ(method.fits, 1);
}

TEST(ResumingTrain, WhatTheResultDependsOnIsInTheKey) {
  const auto key_of = [](const Collection& collection, const VocabularyRule& rule, const Options& options) {
    RunKey key;
    add_options(options, "", key);
    add_corpus(collection, rule, key);
    return key;
  };
  const auto differences = [](const RunKey& a, const RunKey& b) {
    std::string names;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k].value != b[k].value) names += a[k].name + ";";
    }
    return names;
  };
  const Options plain(training_options(find_method("idne")));
  const Collection usual = three_fields();
  const RunKey key = key_of(usual, {}, plain);
  EXPECT_EQ(differences(key, key_of(three_fields(), {}, plain)), "");
  EXPECT_EQ(differences(key, key_of(usual, {4, 0.25}, plain)), "--min-count;");
  Options said = plain;
  said.set("topics", "32");  // not the same as left open, which a small corpus gets fewer of
  EXPECT_EQ(differences(key, key_of(usual, {}, said)), "--topics;");
  Collection changed = three_fields();
  changed.links.back().weight = 2;
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "links;");
  changed = three_fields();
  changed.memberships.push_back({0, 0});
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "groups;");
  changed = three_fields();
  changed.document_labels.values[0] ^= 1;
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "labels;");
  changed = three_fields();
  changed.tokens.add("one more word");
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "words;");
  changed = three_fields();
  changed.ids.add("one more document");
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "documents;");
  changed = three_fields();
  changed.titles[0] = "another title";
  EXPECT_EQ(differences(key, key_of(changed, {}, plain)), "");
}

}  // namespace
}  // namespace idne

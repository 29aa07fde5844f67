#pragma once

#include <string>

#include "idne/topics.h"

namespace idne {

/// What JSON lines say of a topic, without the braces: topic, name, share, coherence, words with weights.
std::string topic_fields(const TopicDescription& topic);

}  // namespace idne

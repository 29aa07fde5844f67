// Made from the description of the API (openapi.json) by types.mjs; a test compares.
export interface Info {
  method: string;
  documents: number;
  links: number;
  groups: number;
  words: number;
  topics: number;
  dim: number;
  labels: number;
  dropped: unknown;
  untrained?: number;
  loss?: number;
  options: unknown;
  name: string;
  version: string;
  texts: boolean;
  feedback: boolean;
  renaming: boolean;
  dates: boolean;
  search: SearchInfo;
}
export interface SearchInfo {
  index: string;
  recall: number;
}
export interface Scored {
  id: string;
  score: number;
  title: string;
}
export interface TopicList {
  topics: Topic[];
  coherence: number | null;
  npmi: number | null;
  diversity: number | null;
  rank: string;
}
export interface Topic {
  topic: number;
  name: string;
  named: boolean;
  share: number;
  coherence: number | null;
  npmi: number | null;
  words: RankedWord[];
  documents: ExampleDocument[];
  related: RelatedTopic[];
}
export interface RankedWord {
  word: string;
  shown: string;
  score: number;
}
export interface ExampleDocument {
  id: string;
  title: string;
  share: number;
}
export interface RelatedTopic {
  topic: number;
  similarity: number;
}
export interface Times {
  by: string;
  periods: string[];
  documents: number[];
  topics: TopicTimes[];
  undated: number;
  wordless: number;
}
export interface TopicTimes {
  topic: number;
  name: string;
  share: number;
  shares: number[];
}
export interface WordList {
  words: KnownWord[];
}
export interface KnownWord {
  word: string;
  shown: string;
  count: number;
  norm?: number;
}
export interface DocumentList {
  total: number;
  documents: Row[];
}
export interface Row {
  row: number;
  id: string;
  title: string;
  labels: string[];
  topic: number | null;
}
export interface Rows {
  rows: number[];
}
export interface Doc {
  row: number;
  id: string;
  title: string;
  labels: string[];
  topic: number | null;
  whole: boolean;
  topics: Share[];
  tokens: Token[];
  links: Scored[];
  links_total: number;
  similar: Scored[];
  found?: string[];
}
export interface Share {
  topic: number;
  name: string;
  share: number;
}
export interface Token {
  text: string;
  word: string | null;
  topic: number | null;
  weight: number;
}
export interface Explanation {
  topics: Share[];
  tokens: Token[];
}
export interface Places {
  documents: number;
  x: number[];
  y: number[];
  topic: number[];
  label: number[];
  labels: string[];
  links: number[];
  date: number[];
  areas: Area[];
}
export interface Area {
  topic: number | null;
  x: number;
  y: number;
  documents: number;
  name: string;
}
export interface Placed {
  x: number | null;
  y: number | null;
  nearest: number | null;
  usual: number;
  far: boolean;
  targets: (number | null)[];
}
export interface Found {
  query: string;
  results: Hit[];
}
export interface Hit {
  row: number;
  id: string;
  title: string;
  score: number;
  words: string[];
  cosine: number | null;
  snippet?: SnippetPart[];
}
export interface SnippetPart {
  text: string;
  match: boolean;
}
export interface Vectors {
  vectors: number[][];
}
export interface Suggestions {
  labels: SuggestedLabel[];
  links: Suggestion[];
  doubts: string[];
  rejected?: Rejected;
}
export interface SuggestedLabel {
  label: string;
  probability: number;
  words: WordPart[];
  verdict?: string;
}
export interface Suggestion {
  id: string;
  score: number;
  title: string;
  parts: LinkParts;
  topics: TopicPart[];
  words: WordPart[];
  pairs: WordPair[];
  voters: Voter[];
  reasons: WordPair[];
  verdict?: string;
}
export interface LinkParts {
  words: number;
  space: number;
  votes: number;
}
export interface TopicPart {
  topic: number;
  name: string;
  part: number;
}
export interface WordPart {
  word: string;
  part: number;
}
export interface WordPair {
  word: string;
  with: string;
  part: number;
}
export interface Voter {
  id: string;
  title: string;
  weight: number;
}
export interface Rejected {
  labels: RejectedLabel[];
  links: RejectedLink[];
}
export interface RejectedLabel {
  label: string;
}
export interface RejectedLink {
  id: string;
  title: string;
}
export interface Reason {
  score: number;
  cosine: number;
  topics: TopicPair[];
  other_topics: number;
  words: WordPair[];
  other_words: number;
  first: Side;
  second: Side;
}
export interface TopicPair {
  topic: number;
  with: number;
  part: number;
  names: string[];
}
export interface Side {
  topics: TopicPart[];
  words: WordPart[];
}
export interface CommonLinks {
  linked: boolean | null;
  total: number;
  links: Scored[];
}
export interface Noted {
  kind: string;
  document: string;
  target: string;
  verdict: string | null;
}
export interface Renamed {
  topic?: number;
  label?: string;
  name: string;
}
export interface Failed {
  error: string;
}

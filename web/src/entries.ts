// The entries of the browser's history: each has an address, a number that tells its place, and the texts that are too long for an address.
import { format, parse, type Address, type Query, type ViewName } from './address';

interface State { entry: number; kept?: Query }

/** Texts of so many letters are kept beside the address, and not in it. */
const longest = 1500;

/** Where the browser is, and the entry whose view is in the page: another one while a view is on its way or cannot be shown. */
let at = 0;
let shown = -1;
/** What became of entries that were left before their address could say so. */
const late = new Map<number, { hash: string; kept: Query }>();
const scrolls = new Map<number, number>();

export interface Arrival { entry: number; address: Address; /** The reader was here before. */ again: boolean }

/** Finds out where the browser is now. */
export function arrive(): Arrival {
  const state = history.state as State | null;
  at = state?.entry ?? at + 1;
  if (!state) for (const all of [late, scrolls]) for (const entry of all.keys()) if (entry >= at) all.delete(entry);
  const missed = late.get(at);
  late.delete(at);
  const kept = missed?.kept ?? state?.kept ?? {};
  if (!state || missed) history.replaceState({ entry: at, kept }, '', missed?.hash);
  return { entry: at, address: { ...parse(location.hash), kept }, again: state !== null };
}

export const shownEntry = (): number => shown;

/** The view of this entry is in the page from now on; -1: none. */
export function show(entry: number): void {
  shown = entry;
}

/** Back, or forth, to the entry whose view is in the page. */
export function stay(): void {
  if (shown >= 0 && shown !== at) history.go(shown - at);
}

export const noteScroll = (): void => void scrolls.set(shown, window.scrollY);
export const scrollOf = (entry: number): number => scrolls.get(entry) ?? 0;

/** Changes the address of the view that is in the page, without a new entry; if the browser is elsewhere, as soon as it comes back. */
export function amend(view: ViewName, id: string | number = '', query: Query = {}, kept: Query = {}): void {
  const hash = format(view, id, query);
  if ((history.state as State | null)?.entry === shown) history.replaceState({ entry: shown, kept }, '', hash);
  else late.set(shown, { hash, kept });
}

/** Where the text is that is being written. */
export const draftKey = 'idne.text';

/** A text as the address has it, or else as it is kept beside it. */
export const split = (name: string, text: string): [Query, Query] => (text.length < longest ? [{ [name]: text }, {}] : [{}, { [name]: text }]);

/** Has a text at hand in this tab, wherever the reader goes; one that is too large for that is done without. */
export function remember(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    sessionStorage.removeItem(key);
  }
}

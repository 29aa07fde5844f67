import type { Doc, DocumentList, Row } from './answers';
import { clamp, h, later } from './dom';

export type * from './answers';
/** What somebody says of a suggestion. */
export type Verdict = 'accept' | 'reject';

/** What a document is called: one without title and text has only its id. */
export const called = (document: { id: string; title: string }): string => document.title || document.id;

export class Failure extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Whether to ask again may help: the server does not answer, has too much to do, or failed. */
export const passes = (error: unknown): boolean => error instanceof Failure && (error.status === 0 || error.status === 429 || error.status >= 500);
/** For what a view can do without: nothing, unless to ask again may help. */
export function orNothing(error: unknown): null {
  if (passes(error)) throw error;
  return null;
}
/** What went wrong, for the reader. */
export const saying = (error: unknown): string => `${(error as Error).message}${passes(error) ? ' It is asked again by itself.' : ''}`;

const tokenKey = 'idne.token';
/** As UTF-8, a letter for each byte: headers take no others. */
const asBytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
let asking: Promise<void> | null = null;

/** Asks for the token that the server wants; several waiting requests share one dialogue. */
function askToken(): Promise<void> {
  asking ??= new Promise<void>(done => {
    const input = h('input', { type: 'password', id: 'token', autocomplete: 'off', required: true });
    const dialog = h('dialog', { 'aria-labelledby': 'token-title' },
      h('form', { method: 'dialog' },
        h('h2', { id: 'token-title' }, 'A token, please'),
        h('p', {}, localStorage.getItem(tokenKey) ? 'The server does not know that token.' : 'This server answers only those who have its token.'),
        h('label', { for: 'token' }, 'Token'),
        input,
        h('button', { class: 'main' }, 'Continue')));
    dialog.addEventListener('cancel', event => event.preventDefault());
    dialog.addEventListener('close', () => {
      localStorage.setItem(tokenKey, input.value.trim());
      dialog.remove();
      asking = null;
      done();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

const kept = new Map<string, Promise<unknown>>();
let known: string | null = null;
let changed = (): void => {};

/** Calls `action` soon after an answer came from another model than the one before: the server has taken up a new one. */
export function whenModelChanges(action: () => void): void {
  changed = later(50, action);
}

function notice(version: string | null): void {
  if (version === null || version === known) return;
  if (known !== null) {
    kept.clear();
    changed();
  }
  known = version;
}

/** What a server says, as one says it to people. */
const sentence = (said: string): string => said[0]!.toUpperCase() + said.slice(1) + (/[.!?]$/.test(said) ? '' : '.');
const pause = (ms: number): Promise<void> => new Promise(done => window.setTimeout(done, ms));
/** How often a server that says "too many requests" is asked again before the reader hears of it. */
const patience = 4;

async function ask<T>(path: string, body?: unknown): Promise<T> {
  for (let refused = 0; ; ) {
    const token = localStorage.getItem(tokenKey);
    const headers: Record<string, string> = {};
    if (token) headers['Authorization'] = `Bearer ${asBytes(token)}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let response: Response;
    try {
      response = await fetch(`api/v1/${path}`, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) });
    } catch {
      throw new Failure(0, 'The server does not answer.');
    }
    if (response.status === 401) {
      await askToken();
      continue;
    }
    if (response.status === 429 && refused++ < patience) {
      await pause(1000 * clamp(Number(response.headers.get('Retry-After')) || 1, 1, 10));
      continue;
    }
    notice(response.headers.get('Idne-Model'));
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer as T;
    const said = (answer as { error?: string } | null)?.error;
    throw new Failure(response.status, said ? sentence(said) : `The server answers with ${response.status}.`);
  }
}

/** A model does not change, so what was read once is kept as long as it is served; failures are not. */
export function get<T>(path: string): Promise<T> {
  let answer = kept.get(path) as Promise<T> | undefined;
  if (!answer) {
    answer = ask<T>(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
  }
  return answer;
}

/** Asks the server itself, for what may have changed since. */
export const fresh = <T>(path: string): Promise<T> => ask<T>(path);

export const post = <T>(path: string, body: unknown): Promise<T> => ask<T>(path, body);

/** A document, with the words of it that a search for `sought` found. */
export const read = (id: string, sought = ''): Promise<Doc> =>
  get<Doc>(`read?document=${encodeURIComponent(id)}${sought ? `&q=${encodeURIComponent(sought)}` : ''}`);

export const documentAt = async (row: number): Promise<Row | undefined> =>
  (await get<DocumentList>(`documents?from=${row}&k=1`)).documents[0];

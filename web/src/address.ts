/** What is seen, as the part of the address after '#': #/view/id?key=value. */
export type ViewName = 'write' | 'map' | 'topics' | 'topic' | 'document' | 'compare';
export type Query = Record<string, string>;
export interface Address {
  view: ViewName; id: string; query: Query;
  /** Texts of this entry of the history that are too long for its address. */
  kept?: Query;
}

const views: readonly string[] = ['write', 'map', 'topics', 'topic', 'document', 'compare'];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parse(hash: string): Address {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const slash = path.indexOf('/');
  const name = slash < 0 ? path : path.slice(0, slash);
  const query: Query = {};
  if (mark >= 0) for (const [key, value] of new URLSearchParams(text.slice(mark + 1))) query[key] = value;
  if (!views.includes(name)) return { view: 'write', id: '', query: {} };
  return { view: name as ViewName, id: slash < 0 ? '' : decode(path.slice(slash + 1)), query };
}

/** Empty values are left out, so that an address holds only what differs from the start. */
export function format(view: ViewName, id: string | number = '', query: Query = {}): string {
  const path = id === '' ? view : `${view}/${encodeURIComponent(id)}`;
  const rest = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
  return `#/${path}${rest ? `?${rest}` : ''}`;
}

/** A closed outline on the map, as text: thousandths, at most 48 corners. */
export function formatOutline(outline: readonly Point[]): string {
  const step = Math.max(1, Math.ceil(outline.length / 48));
  return outline
    .filter((_, i) => i % step === 0)
    .map(([x, y]) => `${Math.round(x * 1000)},${Math.round(y * 1000)}`)
    .join(';');
}

export type Point = readonly [number, number];

export function parseOutline(text: string): Point[] {
  const outline = text.split(';').map((corner): Point => {
    const [x = NaN, y = NaN] = corner.split(',').map(Number);
    return [x / 1000, y / 1000];
  });
  return outline.length > 2 && outline.flat().every(Number.isFinite) ? outline : [];
}

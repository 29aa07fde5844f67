// Topics over time, as lines.
import type { Times, TopicTimes } from './api';
import { h, percent } from './dom';

const svg = (tag: string, attributes: Record<string, string | number>, ...children: Node[]): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
};

const text = (x: number, y: number, said: string, anchor: string): SVGElement => {
  const element = svg('text', { x, y, 'text-anchor': anchor });
  element.textContent = said;
  return element;
};

/** The period with the largest share, of those that have their due of documents: a mean over a few is no trend. */
function peak(times: Times, topic: TopicTimes): number {
  const due = times.documents.reduce((sum, n) => sum + n, 0) / times.periods.length / 4;
  let best = -1;
  topic.shares.forEach((share, n) => {
    if (times.documents[n]! >= due && (best < 0 || share > topic.shares[best]!)) best = n;
  });
  return best;
}

/** A year, or a month as a part of it: periods without documents are not listed, and take their room all the same. */
function yearOf(period: string): number {
  const [year, month] = period.split('-').map(Number);
  return year! + ((month ?? 1) - 1) / 12;
}

export function timesOf(times: Times, topic: number): { said: string; line: SVGElement; chart: HTMLElement } | undefined {
  const own = times.topics.find(t => t.topic === topic);
  if (!own || times.periods.length < 2) return undefined;
  const [first, last] = [times.periods[0]!, times.periods.at(-1)!];
  const best = peak(times, own);
  const said = `${first} to ${last}${best >= 0 ? `, most in ${times.periods[best]} (${percent(own.shares[best]!)})` : ''}`;
  const most = Math.max(...own.shares, 1e-6);
  const along = (n: number): number => (yearOf(times.periods[n]!) - yearOf(first)) / (yearOf(last) - yearOf(first));
  const draw = (width: number, height: number, bottom: number): SVGElement[] => {
    const x = (n: number): string => (along(n) * width).toFixed(1);
    const y = (share: number): string => (2 + (1 - share / most) * (height - bottom - 4)).toFixed(1);
    const corners = own.shares.map((share, n) => `${x(n)},${y(share)}`).join(' ');
    return [
      svg('polygon', { class: 'below', points: `0,${height - bottom} ${corners} ${width},${height - bottom}` }),
      svg('polyline', { class: 'over-time', points: corners }),
    ];
  };
  const picture = (width: number, height: number, ...children: SVGElement[]): SVGElement =>
    svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'times', role: 'img', 'aria-label': `Its share from ${said}` }, ...children);
  const [wide, high, room] = [640, 170, 80];
  const marks: SVGElement[] = [];
  let free = 0; // where there is room for the next
  times.periods.forEach((period, n) => {
    const x = along(n) * wide;
    if (x < free || (n < times.periods.length - 1 && x > wide - room)) return;
    marks.push(text(x, high - 4, period, n === 0 ? 'start' : n === times.periods.length - 1 ? 'end' : 'middle'));
    free = x + room;
  });
  return {
    said,
    line: picture(200, 30, ...draw(200, 30, 0)),
    chart: h('section', { class: 'over-years' }, h('h2', {}, 'Over time'), h('p', { class: 'muted small' }, `Its share of the documents of each ${times.by}, ${said}. The line's top is ${percent(most)}.`),
      picture(wide, high, ...draw(wide, high, 20), ...marks),
      h('details', {}, h('summary', {}, 'As a table'), h('table', { class: 'in-years' }, h('thead', {}, h('tr', {}, ...[times.by, 'share', 'documents'].map(c => h('th', { scope: 'col' }, c)))),
        h('tbody', {}, ...times.periods.map((period, n) => h('tr', {}, h('th', { scope: 'row' }, period), h('td', {}, percent(own.shares[n]!)), h('td', {}, times.documents[n]!))))))),
  };
}

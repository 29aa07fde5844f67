type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** An element: `on…` are listeners, `--…` are style properties, `true` is an empty attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key.startsWith('--')) element.style.setProperty(key, String(value));
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((c): c is Node | string | number => c !== null && c !== undefined && c !== false).map(c => (c instanceof Node ? c : String(c))));
  return element;
}

const numbers = new Intl.NumberFormat('en-GB');
export const count = (n: number): string => numbers.format(n);
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
export const percent = (share: number): string => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`);

/** A model is seldom as sure as its numbers. */
export const likelihood = (probability: number): string => (probability > 0.95 ? 'over 95 %' : percent(probability));

export const clamp = (n: number, least: number, most: number): number => Math.max(least, Math.min(most, n));

/** Calls `action` once, `ms` after the last call; `flush` does at once what is due. */
export function later<A extends unknown[]>(ms: number, action: (...args: A) => void): ((...args: A) => void) & { cancel(): void; flush(): void } {
  let timer = 0;
  let due: (() => void) | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    due = undefined;
  };
  const flush = (): void => {
    const now = due;
    cancel();
    now?.();
  };
  const call = (...args: A): void => {
    cancel();
    due = () => action(...args);
    timer = window.setTimeout(flush, ms);
  };
  return Object.assign(call, { cancel, flush });
}

/** A bar that shows `part` of 1. The number beside it says the same. */
export const bar = (part: number, colour = ''): HTMLElement =>
  h('span', { class: `bar ${colour}`, 'aria-hidden': 'true', '--part': clamp(part, 0, 1) });

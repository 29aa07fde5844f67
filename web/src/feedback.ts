import { post, type Verdict } from './api';
import { h } from './dom';

/** A suggestion for a document: a link to another one, or a label. */
export interface Suggested { kind: 'link' | 'label'; document: string; target: string }

/** Buttons to accept or to reject one suggestion, and then to take that back. `named` is what people call it. */
export function judge(suggested: Suggested, named: string, verdict: Verdict | null, changed: (verdict: Verdict | null) => void = () => {}): HTMLElement {
  const what = suggested.kind === 'link' ? `the link to ${named}` : `the tag ${named}`;
  const place = h('span', { class: 'judge', role: 'group', 'aria-label': `What do you say to ${what}?` });
  const status = h('span', { role: 'status', class: 'muted' });

  async function say(next: Verdict | null): Promise<void> {
    const buttons = [...place.querySelectorAll('button')];
    buttons.forEach(b => b.setAttribute('aria-disabled', 'true'));
    try {
      await post('feedback', { ...suggested, verdict: next ?? 'undo' });
    } catch (error) {
      buttons.forEach(b => b.removeAttribute('aria-disabled'));
      status.textContent = (error as Error).message;
      return;
    }
    verdict = next;
    show();
    changed(verdict);
    place.querySelector('button')?.focus();
  }

  const button = (sign: string, label: string, next: Verdict | null): HTMLElement => {
    const one = h('button', { type: 'button', class: 'quiet', title: label, 'aria-label': `${label} ${what}` }, sign);
    one.addEventListener('click', () => {
      if (!one.hasAttribute('aria-disabled')) void say(next);
    });
    return one;
  };

  function show(): void {
    status.textContent = verdict === null ? '' : verdict === 'accept' ? 'Accepted' : 'Rejected';
    const buttons = verdict === null ? [button('✓', 'Accept', 'accept'), button('✕', 'Reject', 'reject')] : [button('Undo', 'Undo: ask again about', null)];
    place.replaceChildren(status, ...buttons);
  }
  show();
  return place;
}

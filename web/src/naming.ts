import { fresh, post, type DocumentList, type Renamed, type TopicList } from './api';
import { h } from './dom';

/** What gets another name: a topic by its number, or a label. */
export type Named = { topic: number } | { label: string };

/** Whether the server answers with the name by now: others may give names meanwhile, so another model alone does not tell. */
async function isTaken(what: Named, name: string): Promise<boolean> {
  if ('label' in what) return (await fresh<DocumentList>(`documents?k=1&label=${encodeURIComponent(name)}`)).total > 0;
  const topic = (await fresh<TopicList>('topics?top=1&examples=0')).topics.find(t => t.topic === what.topic);
  return name === '' ? !topic?.named : topic?.name === name;
}

const wait = (ms: number): Promise<void> => new Promise(done => window.setTimeout(done, ms));

/** A button that lets an editor give another name. The server stores it in the model and takes that up; `done` is called then. */
export function renaming(what: Named, now: string, given: boolean, done: (name: string) => void): HTMLElement {
  const status = h('span', { role: 'status', class: 'muted' });
  const input = h('input', { type: 'text', class: 'name', maxlength: '200', 'aria-label': 'Name', required: 'label' in what });
  const open = h('button', { type: 'button', class: 'quiet', onclick: () => show(true) }, 'Rename');
  const form = h('form', { class: 'renaming', hidden: true }, input,
    h('button', { class: 'main' }, 'Save'),
    'topic' in what && given && h('button', { type: 'button', onclick: () => void store('') }, 'Take the name away'),
    h('button', { type: 'button', class: 'quiet', onclick: () => show(false) }, 'Cancel'));

  function show(on: boolean): void {
    form.hidden = !on;
    open.hidden = on;
    status.textContent = '';
    if (!on) {
      open.focus();
      return;
    }
    input.value = given ? now : '';
    input.placeholder = now;
    input.focus();
    input.select();
  }

  async function store(name: string): Promise<void> {
    try {
      const stored = (await post<Renamed>('names', { ...what, name })).name;
      status.textContent = 'Stored; the model is taken up anew …';
      for (let n = 0; n < 100 && !(await isTaken(what, stored)); n++) await wait(200);
      show(false);
      done(stored);
    } catch (error) {
      status.textContent = (error as Error).message;
    }
  }
  form.addEventListener('submit', event => {
    event.preventDefault();
    void store(input.value.trim());
  });
  form.addEventListener('keydown', event => {
    if (event.key === 'Escape') show(false);
  });
  return h('span', { class: 'naming' }, open, form, status);
}

import { formatOutline, parseOutline, type Address, type Point } from '../address';
import { called, documentAt, get, type Found, type Hit, type Places } from '../api';
import { Choice, type OwnText } from '../choice';
import { h, later, plural } from '../dom';
import { amend, draftKey, split } from '../entries';
import { hues, type Model, type View } from '../model';
import { colourOf, labelGroups, steps, topicGroups, withLabel, yearOf, type Group } from '../groups';
import { readColours } from '../palette';
import { around, fitted, thickest } from '../places';
import { areaNames, landmarks, showsTitles } from '../landmarks';
import { fillLegend } from '../legend';
import { DocumentList } from '../list';
import { dimmed, Scatter } from '../scatter';
import type { Name } from '../scatter/overlay';
import { placeOf } from '../where';

/** Milliseconds that the pointer rests on a point before its title is asked for. */
const rest = 60;

export async function mapView(address: Address, model: Model): Promise<View> {
  const places = await get<Places>('map');
  const total = places.documents;
  const spots = fitted(places);
  const { xs, ys, at } = spots;
  const hasTopics = model.topics.length > 0;
  const hasLabels = places.labels.length > 0;
  const query = address.query;
  const able: Record<string, boolean> = { topic: hasTopics, label: hasLabels, links: places.links.length > 0, date: places.date.some(d => d > 0) };
  let by = query['colour'] ?? 'topic';
  if (!able[by]) by = hasTopics || !hasLabels ? 'topic' : 'label';
  let only = query['only'] ?? '';
  let wanted = query['q'] ?? '';
  let outline = parseOutline(query['lasso'] ?? '');
  const ownText = query['text'] ?? address.kept?.['text'] ?? (query['draft'] ? sessionStorage.getItem(draftKey) : '') ?? '';
  const own: OwnText = { text: ownText, lost: query['draft'] !== undefined && ownText === '', at: null, rows: [] };
  let hits: Hit[] = [];
  /** Why there are no hits, if the server did not tell them. */
  let unanswered: unknown;
  /** Has 1 for every document with the label that stands out: the map's own data know only the first label of each. */
  let labelled: Int32Array | undefined;
  let labelledUnanswered: unknown;
  let groups: Group[] = [];
  const groupOf = new Int32Array(total);

  const canvas = h('canvas', { class: 'points', tabindex: '0', role: 'application', 'aria-label': 'Map of the documents', 'aria-describedby': 'map-help' });
  const overlay = h('canvas', { class: 'over', 'aria-hidden': 'true' });
  const stage = h('div', { class: 'stage' });
  const tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  const legend = h('div', { class: 'legend' });
  const scatter = new Scatter(canvas, overlay, xs, ys, {
    moved: () => {
      noteCovered();
      void hover(-1, 0, 0); // what was under the pointer has moved away
      nameSoon();
      keep();
      if (outline.length === 0 && !wanted) listSoon();
    },
    hovered: (row, x, y) => void hover(row, x, y),
    picked: row => void choice.choose(row),
    lassoed: found => setOutline(found),
  });
  scatter.camera = {
    x: Number(query['x']) || 0.5, y: Number(query['y']) || 0.5,
    zoom: Number(query['zoom']) || 1,
  };

  function group(): void {
    if (by === 'topic') groups = topicGroups(places, model, groupOf);
    else if (by === 'label') groups = labelGroups(places, groupOf);
    else groups = steps(by === 'links' ? places.links : places.date.map(yearOf), by === 'links', groupOf);
    if (only && !groups.some(g => g.key === only)) only = '';
  }

  async function findLabelled(): Promise<void> {
    labelled = labelledUnanswered = undefined;
    const wantedLabel = by === 'label' ? only : '';
    if (wantedLabel === '') return;
    const still = (): boolean => by === 'label' && only === wantedLabel;
    try {
      const found = await withLabel(wantedLabel, total);
      if (still()) labelled = found;
    } catch (error) {
      if (still()) labelledUnanswered = error;
    }
  }

  function paint(): void {
    const palette = readColours(stage);
    const alone = groups.findIndex(g => g.key === only);
    const hit = new Set(hits.map(r => r.row));
    const colours = new Uint8Array(total * 4);
    const layers = new Uint8Array(total);
    for (let row = 0; row < total; row++) {
      const g = groupOf[row]!;
      const aside = only !== '' && (labelled ? labelled[row] === 0 : g !== alone);
      const found = hit.has(row) && !aside;
      const colour = aside ? palette.other : g < 0 ? (found ? palette.ink : palette.other) : colourOf(groups[g]!, palette);
      colours.set(colour, row * 4);
      colours[row * 4 + 3] = aside ? dimmed : found ? 255 : wanted && hits.length > 0 ? 40 : g < 0 ? 110 : 190;
      layers[row] = found ? 2 : aside || g < 0 ? 0 : 1;
    }
    scatter.paint({ colours, layers });
  }

  /** What lies over the map. */
  function noteCovered(): void {
    const { left, top } = stage.getBoundingClientRect();
    scatter.cover([...stage.querySelectorAll('.tools, .chosen .inner')].map(e => e.getBoundingClientRect())
      .map(b => ({ left: b.left - left, right: b.right - left, top: b.top - top, bottom: b.bottom - top })));
  }

  const sizeOf = (g: Group): number => (labelled && g.key === only ? labelled.reduce((sum, one) => sum + one, 0) : g.size);

  let near: Name[] = [];
  function makeNames(): void {
    scatter.name([...groupNames, ...near]);
  }

  function nameGroups(): void {
    const place = (i: number): Point => (labelled ? thickest(xs, ys, labelled, 1) : thickest(xs, ys, groupOf, i));
    groupNames = groups.flatMap((g, i) => (sizeOf(g) === 0 || g.part !== undefined || (only && g.key !== only) ? [] : [{ text: g.title, at: place(i), strong: i < hues }]));
    makeNames();
  }
  let groupNames: Name[] = [];

  /** Names of areas and documents, more of them the nearer one is. */
  async function nameLandmarks(): Promise<void> {
    const zoom = scatter.camera.zoom;
    const areas = only && by !== 'topic' ? [] : areaNames(places, spots, zoom, only ? Number(only) : undefined);
    const titles = showsTitles(places, zoom) ? await landmarks(scatter.rows(), spots, places, zoom) : [];
    if (zoom !== scatter.camera.zoom) return;
    near = [...areas, ...titles];
    overlay.dataset['areas'] = String(areas.length);
    overlay.dataset['landmarks'] = String(titles.length);
    makeNames();
  }
  const nameSoon = later(350, () => void nameLandmarks());

  function makeLegend(): void {
    fillLegend(legend, {
      groups, only, sizeOf, numbered: by === 'topic', nameOf: g => (by === 'topic' ? model.name(Number(g.key)) : g.title),
      notes: [...(hasTopics ? [] : ['This model has no topics to colour by.']), ...(hasLabels ? [] : ['These documents have no labels to colour by.'])],
    }, key => {
      only = key;
      void isolate();
    });
  }

  async function hover(row: number, x: number, y: number): Promise<void> {
    canvas.classList.toggle('over-point', row >= 0);
    tip.hidden = true;
    hovered = row;
    if (row < 0) return;
    await new Promise(done => window.setTimeout(done, rest)); // on the way to another point, nothing is asked
    if (hovered !== row) return;
    const doc = await documentAt(row).catch(() => undefined);
    if (!doc || hovered !== row) return;
    tip.hidden = false;
    tip.replaceChildren(h('strong', {}, called(doc)), h('span', {}, [doc.labels.slice(0, 2).join(', '), doc.topic !== null && `topic ${doc.topic}: ${model.name(doc.topic)}`].filter(Boolean).join(' · ')));
    const left = Math.min(x + 14, canvas.clientWidth - tip.offsetWidth - 8);
    const top = y + 18 + tip.offsetHeight > canvas.clientHeight ? y - tip.offsetHeight - 10 : y + 18;
    tip.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  }
  let hovered = -1;

  const choice = new Choice(model, scatter, spots, own, {
    changed: () => {
      scatter.mark(choice.document?.row ?? -1, outline);
      noteCovered();
      keep();
    },
    closed: () => canvas.focus(),
  });

  function setOutline(found: Point[]): void {
    outline = found;
    lasso.setAttribute('aria-pressed', 'false');
    scatter.lassoMode = false;
    scatter.mark(choice.document?.row ?? -1, outline);
    list.restart();
    void list.show();
    keep();
  }

  const list = new DocumentList(model, () => {
    if (outline.length > 0) {
      const rows = scatter.rows(outline);
      return { title: `${plural(rows.length, 'document')} in the outline`, rows, note: h('button', { type: 'button', class: 'quiet', onclick: () => setOutline([]) }, 'Remove the outline') };
    }
    if (labelledUnanswered !== undefined) return { title: `Documents tagged ${only}`, why: labelledUnanswered, next: () => void isolate() };
    if (unanswered !== undefined) return { title: `“${wanted}”`, why: unanswered, next: findSoon };
    if (wanted) {
      return {
        title: `${plural(hits.length, 'hit')} for “${wanted}”`, rows: hits.map(r => r.row), words: new Map(hits.map(r => [r.row, r.words])),
        note: hits.length > 0 ? 'Best first; they stand out on the map.' : 'Nothing was found. Try other or fewer words.',
      };
    }
    const rows = scatter.rows();
    return {
      title: `${plural(rows.length, 'document')} in view`, rows,
      note: rows.length > 0 ? 'Nearest to the middle first. Zoom in to narrow the list.' : 'Nothing is in view. Press 0 on the map, or “Whole map”, to see all.',
    };
  });
  const listSoon = later(350, () => void list.show());

  const keep = later(250, () => {
    const { x, y, zoom } = scatter.camera;
    const moved = Math.abs(x - 0.5) > 1e-4 || Math.abs(y - 0.5) > 1e-4 || Math.abs(zoom - 1) > 1e-3;
    const [inAddress, beside] = split('text', own.text);
    amend('map', '', {
      colour: by, only, q: wanted, ...inAddress, draft: beside['text'] || own.lost ? '1' : '', doc: choice.document?.id ?? '', lasso: outline.length > 0 ? formatOutline(outline) : '',
      ...(moved ? { x: x.toFixed(5), y: y.toFixed(5), zoom: zoom.toFixed(3) } : {}),
    }, beside);
  });

  function refresh(): void {
    group();
    makeLegend();
    nameGroups();
    paint();
    nameSoon();
    void list.show();
    keep();
  }

  /** What is chosen in the legend stands out: at once what is known of it, and all of it when the server has told. */
  async function isolate(): Promise<void> {
    const finding = findLabelled();
    refresh();
    if (by !== 'label' || only === '') return;
    await finding;
    refresh();
  }

  async function search(): Promise<void> {
    hits = wanted ? (await get<Found>(`search?q=${encodeURIComponent(wanted)}&k=100`)).results : [];
    unanswered = undefined;
    list.restart();
  }

  const colouring = (value: string, text: string): HTMLElement => h('label', {}, h('input', {
    type: 'radio', name: 'colour', value, checked: by === value, disabled: !able[value],
    onchange: () => {
      by = value;
      only = '';
      void isolate();
    },
  }), h('span', {}, text));
  const find = h('input', { type: 'search', id: 'map-find', placeholder: 'Find on the map', autocomplete: 'off', 'aria-label': 'Find on the map' });
  find.value = wanted;
  const findSoon = later(250, async () => {
    const asked = find.value.trim();
    wanted = asked;
    try {
      await search();
    } catch (error) {
      hits = [];
      unanswered = error;
    }
    if (asked !== find.value.trim()) return;
    paint();
    void list.show();
    keep();
  });
  find.addEventListener('input', () => findSoon());
  const button = (text: string, label: string, action: () => void): HTMLElement => h('button', { type: 'button', title: label, 'aria-label': label, onclick: action }, text);
  const lasso = button('⬚', 'Draw an outline', () => {
    scatter.lassoMode = !scatter.lassoMode;
    lasso.setAttribute('aria-pressed', String(scatter.lassoMode));
  });
  lasso.setAttribute('aria-pressed', 'false');

  const recolour = (): void => paint();
  document.addEventListener('themechange', recolour);
  function leave(): void {
    choice.stop();
    document.removeEventListener('themechange', recolour);
    keep.flush();
    listSoon.cancel();
    findSoon.cancel();
    list.stop();
    nameSoon.cancel();
    scatter.stop();
  }

  group();
  try {
    await Promise.all([search(), findLabelled()]);
    if (own.text) Object.assign(own, await placeOf(own.text, at));
    if (query['doc']) await choice.begin(query['doc']);
    if (choice.document && !query['zoom']) scatter.camera = { x: xs[choice.document.row]!, y: ys[choice.document.row]!, zoom: 4 };
    else if (own.at && !query['zoom']) scatter.camera = around([own.at, ...own.rows.map((row): Point => [xs[row]!, ys[row]!])]);
  } catch (error) {
    leave();
    throw error;
  }

  stage.append(canvas, overlay, tip,
    h('div', { class: 'tools', role: 'group', 'aria-label': 'Map tools' },
      button('+', 'Zoom in', () => scatter.zoomBy(1.5)), button('−', 'Zoom out', () => scatter.zoomBy(1 / 1.5)),
      button('⤢', 'Whole map', () => scatter.showAll()), lasso),
    ...(scatter.works ? [] : [h('p', { class: 'note' }, 'This browser cannot draw the map (it lacks WebGL 2). The list below has the documents.')]),
    choice.card);

  return {
    title: 'Map',
    node: h('div', { class: 'map' },
      h('div', { class: 'bar-top' },
        h('h1', { tabindex: '-1' }, 'Map'),
        h('fieldset', { class: 'segments' }, h('legend', { class: 'unseen' }, 'Colour by'), colouring('topic', 'Topics'), colouring('label', 'Labels'), colouring('links', 'Links'), colouring('date', 'Dates')),
        find),
      stage,
      h('section', { class: 'side', 'aria-label': 'Legend' }, legend),
      h('p', { class: 'muted small help', id: 'map-help' }, 'Drag or arrow keys move, wheel or + and − zoom, 0 shows all, Enter opens what is in the middle; shift and drag draws an outline. Documents that lie near are alike; the axes mean nothing.'),
      list.node),
    shown: () => {
      refresh();
      choice.show();
    },
    keep: keep.flush,
    leave,
  };
}

// Colours for what is drawn by script.
import { h } from './dom';
import { hues } from './model';

export type Colour = readonly [number, number, number];
export interface Palette { of(hue: number, shade: number): Colour; ramp(part: number): Colour; other: Colour; ink: Colour }

/** The colours of the style sheet as numbers, for the theme that is shown. Groups of one hue differ in their shade. */
export function readColours(node: HTMLElement): Palette {
  const read = (name: string): Colour => {
    const probe = node.appendChild(h('span', { class: `probe ${name}` }));
    const [r = 0, g = 0, b = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
    probe.remove();
    return [r, g, b];
  };
  const pure = Array.from({ length: hues }, (_, i) => read(`c${i}`));
  const [other, ink, paper] = [read('other'), read('ink'), read('paper')];
  const mixed = ([r, g, b]: Colour, [x, y, z]: Colour, part: number): Colour => [r + (x - r) * part, g + (y - g) * part, b + (z - b) * part];
  const shades = [(c: Colour) => c, (c: Colour) => mixed(c, ink, 0.4), (c: Colour) => mixed(c, paper, 0.35), (c: Colour) => mixed(c, other, 0.5)];
  const far = read('far');
  return { of: (hue, shade) => shades[shade]!(pure[hue]!), ramp: part => mixed(far, pure[0]!, part), other, ink };
}

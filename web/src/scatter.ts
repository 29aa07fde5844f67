import type { Point } from './address';
import { later } from './dom';

/** Middle of the view in map units (0 … 1 both ways), and how much larger than the whole it is. */
export interface Camera { x: number; y: number; zoom: number }

export interface Look {
  /** By row: red, green, blue, alpha of 0 … 255; an alpha of 0 hides the point and takes it from the pointer. */
  colours: Uint8Array;
  /** By row: 0 below, 1 among, 2 above the others and larger. */
  layers: Uint8Array;
}

/** A name written at a place; the earlier ones win where there is no room for all. */
export interface Name { text: string; at: Point; strong: boolean }

export interface Listener {
  moved(): void;
  hovered(row: number, x: number, y: number): void;
  picked(row: number): void;
  lassoed(outline: Point[]): void;
}

const vertexSource = `#version 300 es
in vec2 place; in vec4 colour; in float layer;
uniform vec2 middle, scale; uniform float size;
out vec4 ink; out float width;
void main() {
  gl_Position = vec4((place - middle) * scale, 0, 1);
  width = layer > 1.5 ? max(size * 2.0, 9.0) : size;
  gl_PointSize = width;
  ink = colour;
}`;
const fragmentSource = `#version 300 es
precision mediump float;
in vec4 ink; in float width; out vec4 colour;
void main() {
  float edge = (0.5 - length(gl_PointCoord - 0.5)) * width;
  float a = ink.a * clamp(edge + 0.5, 0.0, 1.0);
  colour = vec4(ink.rgb * a, a);
}`;

const cells = 128;
const cell = (v: number): number => Math.max(0, Math.min(cells - 1, Math.floor(v * cells)));
export const within = (zoom: number): number => Math.max(0.7, Math.min(400, zoom));

/** A pannable, zoomable scatter of many points, drawn by WebGL 2. */
export class Scatter {
  camera: Camera = { x: 0.5, y: 0.5, zoom: 1 };
  lassoMode = false;
  readonly works: boolean;
  private gl: WebGL2RenderingContext | null;
  private program: WebGLProgram | null = null;
  private readonly count: number;
  private readonly data: ArrayBuffer;
  private look: Look;
  private readonly cellStart = new Uint32Array(cells * cells + 1);
  private readonly cellRows: Uint32Array;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private path: [number, number][] | null = null;
  private travelled = 0;
  private frame = 0;
  private readonly ends = [0, 0, 0];
  private part = 1;
  private movedAt = -Infinity;
  private readonly settle = later(220, () => this.redraw());
  private readonly over: CanvasRenderingContext2D;
  private ring = -1;
  private outline: readonly Point[] = [];
  private names: readonly Name[] = [];
  private readonly watcher: ResizeObserver;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly overlay: HTMLCanvasElement, readonly xs: Float32Array, readonly ys: Float32Array, private readonly listener: Listener) {
    this.count = xs.length;
    this.data = new ArrayBuffer(this.count * 16);
    this.cellRows = new Uint32Array(this.count);
    this.look = { colours: new Uint8Array(this.count * 4), layers: new Uint8Array(this.count) };
    this.over = overlay.getContext('2d')!;
    this.gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: true });
    this.works = this.gl !== null;
    this.fillGrid();
    this.setUp();
    this.listen();
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas);
  }

  stop(): void {
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
    this.settle.cancel();
    this.gl?.getExtension('WEBGL_lose_context')?.loseContext();
    this.gl = null;
  }

  paint(look: Look): void {
    this.look = look;
    const floats = new Float32Array(this.data);
    const bytes = new Uint8Array(this.data);
    // Rows in a scattered order, so that the first few of a layer stand for all of it.
    const step = scatteredStep(this.count);
    let at = 0;
    for (let layer = 0; layer < 3; layer++) {
      for (let i = 0, row = 0; i < this.count; i++, row = (row + step) % this.count) {
        if (look.layers[row] !== layer) continue;
        floats[at * 4] = this.xs[row]!;
        floats[at * 4 + 1] = this.ys[row]!;
        bytes.set(look.colours.subarray(row * 4, row * 4 + 4), at * 16 + 8);
        floats[at * 4 + 3] = layer;
        at++;
      }
      this.ends[layer] = at;
    }
    this.gl?.bufferData(this.gl.ARRAY_BUFFER, this.data, this.gl.STATIC_DRAW);
    this.redraw();
  }

  /** A ring around one row (-1 for none) and an outline: what is chosen. */
  mark(row: number, outline: readonly Point[]): void {
    this.ring = row;
    this.outline = outline;
    this.redraw();
  }

  name(names: readonly Name[]): void {
    this.names = names;
    this.redraw();
  }

  zoomBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const [mx, my] = this.toMap(x, y);
    const zoom = within(this.camera.zoom * factor);
    const real = this.camera.zoom / zoom;
    this.lookAt(mx + (this.camera.x - mx) * real, my + (this.camera.y - my) * real, zoom);
  }

  panBy(dx: number, dy: number): void {
    const [sx, sy] = this.scales();
    this.lookAt(this.camera.x - dx / sx, this.camera.y - dy / sy, this.camera.zoom);
  }

  lookAt(x: number, y: number, zoom: number): void {
    this.camera = { x: Math.max(-0.1, Math.min(1.1, x)), y: Math.max(-0.1, Math.min(1.1, y)), zoom };
    this.movedAt = performance.now();
    this.redraw();
    this.listener.moved();
  }

  toScreen(x: number, y: number): [number, number] {
    const [sx, sy] = this.scales();
    return [this.width / 2 + (x - this.camera.x) * sx, this.height / 2 + (y - this.camera.y) * sy];
  }

  /** The visible row nearest to a place on the screen, within `reach` pixels; -1 if there is none. */
  pick(x: number, y: number, reach = 12): number {
    const [sx, sy] = this.scales();
    const [mx, my] = this.toMap(x, y);
    let best = -1;
    let least = reach * reach;
    for (let cy = cell(my - reach / sy); cy <= cell(my + reach / sy); cy++) {
      for (let cx = cell(mx - reach / sx); cx <= cell(mx + reach / sx); cx++) {
        for (let i = this.cellStart[cy * cells + cx]!; i < this.cellStart[cy * cells + cx + 1]!; i++) {
          const row = this.cellRows[i]!;
          const far = ((this.xs[row]! - mx) * sx) ** 2 + ((this.ys[row]! - my) * sy) ** 2;
          if (far < least && this.look.colours[row * 4 + 3]! > 0) {
            least = far;
            best = row;
          }
        }
      }
    }
    return best;
  }

  /** Visible rows in the view or in an outline, nearest to the middle first. */
  rows(outline: readonly Point[] = []): number[] {
    const [sx, sy] = this.scales();
    const [left, top] = this.toMap(0, 0);
    const [right, bottom] = this.toMap(this.width, this.height);
    const found: number[] = [];
    for (let row = 0; row < this.count; row++) {
      if (this.look.colours[row * 4 + 3] === 0) continue;
      const x = this.xs[row]!;
      const y = this.ys[row]!;
      if (outline.length > 0 ? inside(x, y, outline) : x >= left && x <= right && y >= top && y <= bottom) found.push(row);
    }
    const far = new Float32Array(this.count);
    for (const row of found) far[row] = ((this.xs[row]! - this.camera.x) * sx) ** 2 + ((this.ys[row]! - this.camera.y) * sy) ** 2;
    return found.sort((a, b) => far[a]! - far[b]!);
  }

  private get width(): number {
    return this.canvas.clientWidth;
  }

  private get height(): number {
    return this.canvas.clientHeight;
  }

  /** Pixels a map unit. The axes have no meaning of their own, so a wide view may stretch them a little. */
  private scales(): [number, number] {
    const ratio = Math.max(0.75, Math.min(1.6, this.width / Math.max(1, this.height)));
    const side = Math.min(this.width / ratio, this.height) * 0.92 * this.camera.zoom;
    return [side * ratio, side];
  }

  private toMap(px: number, py: number): [number, number] {
    const [sx, sy] = this.scales();
    return [this.camera.x + (px - this.width / 2) / sx, this.camera.y + (py - this.height / 2) / sy];
  }

  /** Rows by cell of a grid, so that the pointer looks at few of them. */
  private fillGrid(): void {
    const cellOf = (row: number): number => cell(this.ys[row]!) * cells + cell(this.xs[row]!);
    for (let row = 0; row < this.count; row++) this.cellStart[cellOf(row) + 1]!++;
    for (let i = 0; i < cells * cells; i++) this.cellStart[i + 1]! += this.cellStart[i]!;
    const next = this.cellStart.slice();
    for (let row = 0; row < this.count; row++) this.cellRows[next[cellOf(row)]!++] = row;
  }

  private setUp(): void {
    const gl = this.gl;
    if (!gl) return;
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]] as const) {
      const shader = gl.createShader(type)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const attribute = (name: string, size: number, type: number, whole: boolean, offset: number): void => {
      const place = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, whole, 16, offset);
    };
    attribute('place', 2, gl.FLOAT, false, 0);
    attribute('colour', 4, gl.UNSIGNED_BYTE, true, 8);
    attribute('layer', 1, gl.FLOAT, false, 12);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.program = program;
  }

  private resize(): void {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    for (const c of [this.canvas, this.overlay]) {
      c.width = Math.round(this.width * ratio);
      c.height = Math.round(this.height * ratio);
    }
    this.redraw();
    this.listener.moved();
  }

  private redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(time => this.draw(time));
  }

  /** While the map moves on a slow machine, only part of the points are drawn, and all when it rests. */
  private draw(time: number): void {
    if (this.width === 0) return;
    const moving = time - this.movedAt < 200;
    if (moving) {
      requestAnimationFrame(next => {
        const change = next - time > 40 ? 0.6 : next - time < 22 ? 1.1 : 1;
        this.part = Math.max(0.08, Math.min(1, this.part * change));
      });
      this.settle();
    }
    const ratio = this.canvas.width / Math.max(1, this.width);
    const gl = this.gl;
    if (gl && this.program) {
      const [sx, sy] = this.scales();
      const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(this.program!, name);
      gl.viewport(0, 0, this.canvas.width, this.canvas.height);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform2f(uniform('middle'), this.camera.x, this.camera.y);
      gl.uniform2f(uniform('scale'), (2 * sx) / this.width, (-2 * sy) / this.height);
      const many = Math.max(1.6, Math.min(6, 500 / Math.sqrt(this.count)));
      gl.uniform1f(uniform('size'), Math.min(14, many * this.camera.zoom ** 0.45) * ratio);
      let start = 0;
      for (const end of this.ends) {
        gl.drawArrays(gl.POINTS, start, moving ? Math.ceil((end - start) * this.part) : end - start);
        start = end;
      }
    }
    this.drawOver(ratio);
  }

  private drawOver(ratio: number): void {
    const over = this.over;
    const style = getComputedStyle(this.overlay);
    over.setTransform(ratio, 0, 0, ratio, 0, 0);
    over.clearRect(0, 0, this.width, this.height);
    this.drawNames(style);
    over.strokeStyle = style.color;
    over.lineWidth = 2;
    const line = this.path ?? this.outline.map(([x, y]) => this.toScreen(x, y));
    if (line.length > 1) {
      over.beginPath();
      line.forEach(([x, y]) => over.lineTo(x, y));
      over.closePath();
      over.globalAlpha = 0.08;
      over.fillStyle = style.color;
      over.fill();
      over.globalAlpha = 1;
      over.setLineDash([5, 4]);
      over.stroke();
      over.setLineDash([]);
    }
    if (this.ring >= 0) {
      const [x, y] = this.toScreen(this.xs[this.ring]!, this.ys[this.ring]!);
      over.beginPath();
      over.arc(x, y, 9, 0, 7);
      over.stroke();
    }
    if (this.canvas.matches(':focus-visible')) {
      const [x, y] = [this.width / 2, this.height / 2];
      over.lineWidth = 1;
      over.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        over.moveTo(x + dx * 5, y + dy * 5);
        over.lineTo(x + dx * 14, y + dy * 14);
      }
      over.stroke();
    }
  }

  private drawNames(style: CSSStyleDeclaration): void {
    const over = this.over;
    const taken: [number, number, number][] = [];
    const line = 18;
    over.textAlign = 'center';
    over.textBaseline = 'middle';
    over.lineJoin = 'round';
    over.lineWidth = 4;
    over.strokeStyle = getComputedStyle(this.overlay.parentElement!).backgroundColor;
    over.globalAlpha = 1;
    for (const { text, at, strong } of this.names) {
      const [x, y] = this.toScreen(...at);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      over.font = `${strong ? '600 14px' : '13px'} ${style.fontFamily}`;
      const half = over.measureText(text).width / 2 + 3;
      if (taken.some(([tx, ty, wide]) => Math.abs(tx - x) < half + wide && Math.abs(ty - y) < line)) continue;
      taken.push([x, y, half]);
      over.strokeText(text, x, y);
      over.fillStyle = strong ? style.color : style.outlineColor;
      over.fillText(text, x, y);
    }
  }

  private listen(): void {
    const c = this.canvas;
    const place = (e: MouseEvent): { x: number; y: number } => {
      const box = c.getBoundingClientRect();
      return { x: e.clientX - box.left, y: e.clientY - box.top };
    };
    c.addEventListener('pointerdown', e => {
      c.setPointerCapture(e.pointerId);
      this.pointers.set(e.pointerId, place(e));
      this.travelled = this.pointers.size > 1 ? Infinity : 0;
      this.path = this.pointers.size === 1 && (e.shiftKey || this.lassoMode) ? [[place(e).x, place(e).y]] : null;
    });
    c.addEventListener('pointermove', e => {
      const now = place(e);
      const before = this.pointers.get(e.pointerId);
      if (!before) {
        this.listener.hovered(this.pick(now.x, now.y), now.x, now.y);
        return;
      }
      this.pointers.set(e.pointerId, now);
      const [dx, dy] = [now.x - before.x, now.y - before.y];
      this.travelled += Math.abs(dx) + Math.abs(dy);
      if (this.path) {
        this.path.push([now.x, now.y]);
        this.redraw();
      } else if (this.pointers.size === 1) {
        if (this.travelled > 4) {
          this.listener.hovered(-1, 0, 0);
          this.panBy(dx, dy);
        }
      } else {
        const other = [...this.pointers].find(([id]) => id !== e.pointerId)![1];
        const gap = (p: { x: number; y: number }): number => Math.hypot(p.x - other.x, p.y - other.y);
        this.panBy(dx / 2, dy / 2);
        this.zoomBy(gap(now) / Math.max(1, gap(before)), (now.x + other.x) / 2, (now.y + other.y) / 2);
      }
    });
    const up = (e: PointerEvent): void => {
      const path = this.path;
      this.path = null;
      if (!this.pointers.delete(e.pointerId)) return;
      if (path && path.length > 5) {
        this.listener.lassoed(path.map(([x, y]) => this.toMap(x, y)));
      } else if (this.travelled <= 4 && e.type === 'pointerup') {
        const { x, y } = place(e);
        this.listener.picked(this.pick(x, y, e.pointerType === 'touch' ? 24 : 12));
      }
      this.redraw();
    };
    c.addEventListener('pointerup', up);
    c.addEventListener('pointercancel', up);
    c.addEventListener('pointerleave', () => this.listener.hovered(-1, 0, 0));
    c.addEventListener('wheel', e => {
      e.preventDefault();
      const { x, y } = place(e);
      this.zoomBy(Math.exp(-Math.max(-80, Math.min(80, e.deltaY)) * 0.004), x, y);
    }, { passive: false });
    c.addEventListener('keydown', e => {
      const step = e.shiftKey ? 200 : 60;
      const moves: Record<string, () => void> = {
        ArrowLeft: () => this.panBy(step, 0), ArrowRight: () => this.panBy(-step, 0),
        ArrowUp: () => this.panBy(0, step), ArrowDown: () => this.panBy(0, -step),
        '+': () => this.zoomBy(1.4), '=': () => this.zoomBy(1.4), '-': () => this.zoomBy(1 / 1.4),
        '0': () => this.lookAt(0.5, 0.5, 1),
        Enter: () => this.listener.picked(this.pick(this.width / 2, this.height / 2, 300)),
      };
      const move = e.ctrlKey || e.metaKey || e.altKey ? undefined : moves[e.key];
      if (!move) return;
      e.preventDefault();
      move();
    });
    c.addEventListener('focus', () => this.redraw());
    c.addEventListener('blur', () => this.redraw());
    c.addEventListener('webglcontextlost', e => e.preventDefault());
    c.addEventListener('webglcontextrestored', () => {
      this.setUp();
      this.paint(this.look);
    });
  }
}

/** A step through `count` rows that meets each once: near the golden section, without a common divisor. */
function scatteredStep(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) step++;
  return step;
}

function inside(x: number, y: number, outline: readonly Point[]): boolean {
  let odd = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i]!;
    const [bx, by] = outline[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

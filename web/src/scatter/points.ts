// The points, drawn by WebGL 2.
import { clamp } from '../dom';
import type { Viewport } from './viewport';

export interface Look {
  /** By row: red, green, blue, alpha of 0 … 255; an alpha of `dimmed` or less takes the point from the pointer. */
  colours: Uint8Array;
  /** By row: 0 below, 1 among, 2 above the others and larger. */
  layers: Uint8Array;
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

export class Points {
  /** Whether the browser has WebGL 2. */
  readonly works: boolean;
  private gl: WebGL2RenderingContext | null;
  private program: WebGLProgram | null = null;
  private readonly count: number;
  private readonly data: ArrayBuffer;
  private readonly ends = [0, 0, 0];

  constructor(private readonly canvas: HTMLCanvasElement, private readonly xs: Float32Array, private readonly ys: Float32Array) {
    this.count = xs.length;
    this.data = new ArrayBuffer(this.count * 16);
    this.gl = canvas.getContext('webgl2', { antialias: false, premultipliedAlpha: true });
    this.works = this.gl !== null;
    this.setUp();
  }

  /** At the start, and when the browser has taken the context away and given it back; `fill` again after it. */
  setUp(): void {
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

  stop(): void {
    this.gl?.getExtension('WEBGL_lose_context')?.loseContext();
    this.gl = null;
  }

  fill(look: Look): void {
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
  }

  /** Draws a part (0 … 1) of every layer. */
  draw(viewport: Viewport, part: number): void {
    const { gl, program } = this;
    if (!gl || !program) return;
    const { camera, width, height, ratio } = viewport;
    const [sx, sy] = viewport.scales();
    const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(uniform('middle'), camera.x, camera.y);
    gl.uniform2f(uniform('scale'), (2 * sx) / width, (-2 * sy) / height);
    const size = clamp(500 / Math.sqrt(this.count), 1.6, 6);
    gl.uniform1f(uniform('size'), Math.min(14, size * camera.zoom ** 0.45) * ratio);
    let start = 0;
    for (const end of this.ends) {
      gl.drawArrays(gl.POINTS, start, Math.ceil((end - start) * part));
      start = end;
    }
  }
}

/** A step through `count` rows that meets each once: near the golden section, without a common divisor. */
function scatteredStep(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) step++;
  return step;
}

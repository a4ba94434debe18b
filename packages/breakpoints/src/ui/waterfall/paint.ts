/** Paints shapes on a canvas, in the colours of the page. */
import type { Shape, Tone } from "./drawing.js";

export type Colours = Readonly<Record<Tone, string>>;

const NAMES: Readonly<Record<Tone, string>> = {
  work: "--accent",
  person: "--needs",
  time: "--resting",
  bad: "--bad",
  gone: "--resting",
  thread: "--resting",
  band: "--band",
  selected: "--selected",
  grid: "--line",
  row: "--row-line",
  plate: "--panel",
  now: "--text",
  "gap-waitingOnPersonMs": "--needs-soft",
  "gap-waitingOnTimeMs": "--quiet-soft",
  "gap-idleMs": "--quiet-soft",
};
const EDGES: Partial<Record<Tone, Tone>> = { "gap-waitingOnPersonMs": "person" };
const TOOTH = 4;
const STRIPE = 3;

export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const entries = Object.entries(NAMES).map(([tone, name]) => [tone, style.getPropertyValue(name).trim()]);
  return Object.fromEntries(entries) as Colours;
}

export interface Sheet {
  width: number;
  height: number;
}

/** As sharp as the screen is. */
export function paint(canvas: HTMLCanvasElement, shapes: readonly Shape[], sheet: Sheet, colours: Colours): void {
  const dots = devicePixelRatio;
  const [width, height] = [Math.round(sheet.width * dots), Math.round(sheet.height * dots)];
  // Setting a size clears, and takes new memory, also when it is the same size.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, sheet.width, sheet.height);
  for (const shape of shapes) PAINTERS[shape.kind](pen, shape, colours);
}

type Painter = (pen: CanvasRenderingContext2D, shape: Shape, colours: Colours) => void;

const PAINTERS: Readonly<Record<Shape["kind"], Painter>> = {
  solid: (pen, shape, colours) => {
    pen.fillStyle = colours[shape.tone];
    fill(pen, shape);
  },
  hollow: (pen, { tone, x, y, width, height }, colours) => {
    pen.strokeStyle = colours[tone];
    pen.lineWidth = 1.5;
    pen.setLineDash([4, 3]);
    pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
    pen.setLineDash([]);
  },
  hatched: (pen, shape, colours) => {
    const { tone, x, y, width, height } = shape;
    pen.save();
    pen.beginPath();
    pen.rect(x, y, width, height);
    pen.clip();
    pen.fillStyle = colours[tone];
    pen.globalAlpha = 0.3;
    pen.fillRect(x, y, width, height);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours[tone];
    pen.lineWidth = STRIPE;
    pen.beginPath();
    // Stripes stay where they are while their bar grows.
    for (let at = x - height; at < x + width; at += STRIPE * 2.5) {
      pen.moveTo(at, y + height);
      pen.lineTo(at + height, y);
    }
    pen.stroke();
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
    pen.restore();
  },
  dashed: (pen, { tone, x, y, height }, colours) => {
    pen.strokeStyle = colours[tone];
    pen.lineWidth = 1;
    pen.setLineDash([2, 4]);
    pen.beginPath();
    pen.moveTo(x + 0.5, y);
    pen.lineTo(x + 0.5, y + height);
    pen.stroke();
    pen.setLineDash([]);
  },
  zigzag: (pen, { tone, x, y, width, height }, colours) => {
    pen.fillStyle = colours[tone];
    pen.fillRect(x, y, width, height);
    pen.strokeStyle = colours[EDGES[tone] ?? "time"];
    pen.lineWidth = 1;
    for (const edge of [x, x + width]) {
      pen.beginPath();
      for (let [at, side] = [y, 1]; at <= y + height + TOOTH; at += TOOTH, side = -side)
        pen.lineTo(edge + (side * TOOTH) / 2, at);
      pen.stroke();
    }
  },
};

function fill(pen: CanvasRenderingContext2D, { x, y, width, height, round = false }: Shape): void {
  if (!round || width < 6) {
    pen.fillRect(x, y, width, height);
    return;
  }
  pen.beginPath();
  pen.roundRect(x, y, width, height, 3);
  pen.fill();
}

import type { Pixels } from "../_shared/pictures/structure.ts";
import { breathe } from "./breathe.ts";
import type { Inspected } from "./inspect.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Three<Value> = [Value, Value, Value];

/**
 * What the numbers of a picture mean: the light of each number of a channel, and the colour (XYZ for D50) of a full
 * channel.
 */
interface Colours {
  curves: Three<Float32Array>;
  primaries: Three<Three<number>>;
}

/** From XYZ for D50 to the channels of linear sRGB (IEC 61966-2-1, adapted by Bradford). */
const TO_SRGB: Three<Three<number>> = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
];
/** A profile of a screen or camera has some kilobytes; one for printing, which is not read, a megabyte. */
const MOST_BYTES = 1_000_000;
/** Steps of linear light, fine enough for the darkest numbers of sRGB. */
const STEPS = 8192;

const encoded = Uint8ClampedArray.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS;
  return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
});

/**
 * Turns the colours of a picture into those of sRGB, in the pixels themselves. What is stored has no profile, and
 * viewers take it for sRGB. Profiles that state curves and primaries are read, as phones, cameras and screens have
 * them; with any other, or a damaged one, the numbers stay as they are.
 */
export async function toSrgb(pixels: Pixels, { type, profile }: Inspected): Promise<void> {
  if (!profile) return;
  const colours = readProfile(type === "png" ? await inflate(profile) : profile);
  const change = colours && changeOf(colours);
  if (!change) return;
  const bytes = pixels.width * 4;
  for (let at = 0; at < pixels.data.length; at += bytes) {
    change(pixels.data.subarray(at, at + bytes));
    await breathe();
  }
}

/** @returns nothing, if the data are damaged or too many */
async function inflate(compressed: Bytes): Promise<Bytes> {
  const reader = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const whole = new Uint8Array(MOST_BYTES);
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return whole.subarray(0, length);
      whole.set(value, length);
      length += value.length;
    }
  } catch {
    void reader.cancel().catch(() => undefined);
    return new Uint8Array();
  }
}

/** Reads the curves and primaries of an ICC profile. */
function readProfile(profile: Bytes): Colours | undefined {
  try {
    const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
    const textAt = (at: number) => String.fromCharCode(...profile.subarray(at, at + 4));
    if (textAt(16) !== "RGB " || textAt(20) !== "XYZ ") return undefined;
    const tags = new Map(
      Array.from({ length: Math.min(view.getUint32(128), 100) }, (_, index) => {
        const entry = 132 + 12 * index;
        return [textAt(entry), view.getUint32(entry + 4)] as const;
      }),
    );
    const fixed = (at: number) => view.getInt32(at) / 65536;
    const inEach = <Value>(read: (channel: string) => Value): Three<Value> => [read("r"), read("g"), read("b")];
    return {
      curves: inEach((channel) => readCurve(view, tags.get(`${channel}TRC`)!)),
      primaries: inEach((channel) => {
        const at = tags.get(`${channel}XYZ`)! + 8;
        return [fixed(at), fixed(at + 4), fixed(at + 8)];
      }),
    };
  } catch {
    // Something is missing or not where it should be.
    return undefined;
  }
}

/** How many parameters each kind of a parametric curve has. */
const PARAMETERS = [1, 3, 4, 5, 7];

/** @returns the light of each of the 256 numbers, from 0 to 1 */
function readCurve(view: DataView, at: number): Float32Array {
  const isParametric = view.getUint32(at) === 0x70617261;
  if (!isParametric && view.getUint32(at) !== 0x63757276) throw new Error("An unknown curve.");
  const count = isParametric ? 0 : view.getUint32(at + 8);
  const kind = isParametric ? view.getUint16(at + 8) : 0;
  const read = (index: number) => view.getInt32(at + 12 + 4 * index) / 65536;
  const parameters = Array.from({ length: isParametric ? PARAMETERS[kind]! : 0 }, (_, index) => read(index));
  const gamma = isParametric ? parameters[0]! : count === 1 ? view.getUint16(at + 12) / 256 : 1;
  // Each kind adds to the one before: a and b, c as a constant, c and d of a line, e and f as constants.
  const [, a = 1, b = 0, c = 0, d = kind === 0 ? 0 : -b / a, e = 0, f = 0] = parameters;
  const light = (value: number) => {
    if (count > 1) {
      const place = value * (count - 1);
      const before = Math.min(Math.floor(place), count - 2);
      const valueAt = (index: number) => view.getUint16(at + 12 + 2 * index) / 65535;
      return valueAt(before) + (valueAt(before + 1) - valueAt(before)) * (place - before);
    }
    const isLine = kind > 2;
    if (value < d) return isLine ? c * value + f : c;
    return (a * value + b) ** gamma + (isLine ? e : c);
  };
  return Float32Array.from({ length: 256 }, (_, value) => light(value / 255));
}

/** @returns a function that changes a row of pixels; none, if the colours are those of sRGB, as in most profiles */
function changeOf({ curves, primaries }: Colours): ((row: Uint8ClampedArray) => void) | undefined {
  const [red, green, blue] = curves;
  const matrix = TO_SRGB.flatMap((channel) =>
    primaries.map((xyz) => channel.reduce((sum, part, at) => sum + part * xyz[at]!, 0)),
  );
  if (![...matrix, ...red, ...green, ...blue].every(Number.isFinite)) return undefined;
  const lightOf = (from: number, r: number, g: number, b: number) =>
    matrix[from]! * r + matrix[from + 1]! * g + matrix[from + 2]! * b;
  const write = (light: number) => encoded[light <= 0 ? 0 : light >= 1 ? STEPS : Math.round(light * STEPS)]!;
  const change = (row: Uint8ClampedArray) => {
    for (let at = 0; at < row.length; at += 4) {
      const r = red[row[at]!]!;
      const g = green[row[at + 1]!]!;
      const b = blue[row[at + 2]!]!;
      row[at] = write(lightOf(0, r, g, b));
      row[at + 1] = write(lightOf(3, r, g, b));
      row[at + 2] = write(lightOf(6, r, g, b));
    }
  };
  const samples = Uint8ClampedArray.from(
    [0, 64, 128, 192, 255].flatMap((r) => [0, 128, 255].flatMap((g) => [0, 128, 255].flatMap((b) => [r, g, b, 255]))),
  );
  const changed = samples.slice();
  change(changed);
  return changed.some((sample, at) => Math.abs(sample - samples[at]!) > 2) ? change : undefined;
}

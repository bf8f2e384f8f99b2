/** A scale of a chart: from where to where, and the values that are marked. */
interface Scale {
  least: number;
  most: number;
  ticks: number[];
}

const steps = 4;

/**
 * The scale of these values: it has zero, and marks round values, such as 0, 2,000, 4,000. Whole values have whole
 * marks.
 */
export function scaleOf(values: (number | null)[]): Scale {
  const known = values.filter((value) => value !== null);
  const top = Math.max(0, ...known);
  const bottom = Math.min(0, ...known);
  if (top === bottom) return { least: 0, most: 1, ticks: [0] };
  const power = 10 ** Math.floor(Math.log10((top - bottom) / steps));
  const exact = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= (top - bottom) / steps)!;
  const step = known.every(Number.isInteger) ? Math.max(1, exact) : exact;
  const least = Math.floor(bottom / step);
  const most = Math.ceil(top / step);
  return {
    least: least * step,
    most: most * step,
    ticks: Array.from({ length: most - least + 1 }, (_, index) => (least + index) * step),
  };
}

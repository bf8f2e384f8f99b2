/** A scale of a chart: from where to where, and the values that are marked. */
export interface Scale {
  least: number;
  most: number;
  ticks: number[];
}

const steps = 4;

/** So many times the highest of the others make a value an outlier. */
const farAbove = 3;
/** Fewer values than these have no outliers, and at most one in ten is one. */
const fewest = 6;
const shareOfOutliers = 0.1;

/** The highest value that the scale has to show: a few outliers are cut off, so that the others can be read. */
function topOf(values: number[]): number {
  const descending = values.filter((value) => value > 0).toSorted((a, b) => b - a);
  const [highest = 0] = descending;
  if (descending.length < fewest) return highest;
  const outliers = Math.max(1, Math.floor(descending.length * shareOfOutliers));
  const ofOthers = descending[outliers]!;
  return highest > farAbove * ofOthers ? ofOthers * 1.25 : highest;
}

/**
 * The scale of these values: it has zero, and marks round values, such as 0, 2,000, 4,000. Whole values have whole
 * marks.
 */
export function scaleOf(values: (number | null)[]): Scale {
  const known = values.filter((value) => value !== null);
  const top = topOf(known);
  const bottom = Math.min(0, ...known);
  if (top === bottom) return { least: 0, most: 1, ticks: [0] };
  const power = 10 ** Math.floor(Math.log10((top - bottom) / steps));
  const exact = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= (top - bottom) / steps)!;
  const step = known.every(Number.isInteger) ? Math.max(1, exact) : exact;
  const least = Math.floor(bottom / step);
  const most = Math.max(1, Math.ceil(top / step));
  return {
    least: least * step,
    most: most * step,
    ticks: Array.from({ length: most - least + 1 }, (_, index) => (least + index) * step),
  };
}

/** Two scales of one chart, with their zeros at the same height. */
export function withOneZero(left: Scale, right: Scale): [left: Scale, right: Scale] {
  const below = ({ least, most }: Scale) => -least / most;
  const deepest = Math.max(below(left), below(right));
  const extend = (scale: Scale): Scale => ({ ...scale, least: -deepest * scale.most });
  return [extend(left), extend(right)];
}

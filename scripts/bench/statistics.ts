/** The median of some numbers. */
export function median(values: number[]): number {
  return percentile(values, 50);
}

/** The percentile of some numbers, interpolated linearly. @param share from 0 to 100 */
export function percentile(values: number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const position = ((sorted.length - 1) * share) / 100;
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (position - below);
}

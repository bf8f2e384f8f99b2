/** Solves a system of linear equations by elimination; undefined if it has no single solution. */
function solve(matrix: number[][], right: number[]): number[] | undefined {
  const rows = matrix.map((row, index) => [...row, right[index]!]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const pivot = rows
      .slice(column)
      .reduce(
        (best, row, offset) => (Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + offset : best),
        column,
      );
    if (Math.abs(rows[pivot]![column]!) < 1e-12) return undefined;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < size; row += 1) {
      if (row === column) continue;
      const factor = rows[row]![column]! / rows[column]![column]!;
      for (let each = column; each <= size; each += 1) rows[row]![each]! -= factor * rows[column]![each]!;
    }
  }
  return rows.map((row, index) => row[size]! / row[index]!);
}

/** A line of the sum of squares: the terms of one measured point, and its value. */
export interface Point {
  terms: number[];
  value: number;
}

/**
 * The coefficients of the terms that fit the points best. Relative deviations are squared, so that a large size does
 * not outweigh the others. No coefficient is negative, because no part of a cost is: a term that would be is left out.
 * @throws Error if there are fewer points than terms
 */
export function fit(points: Point[]): number[] {
  const count = points[0]?.terms.length ?? 0;
  if (points.length < count) throw new Error(`${points.length} points do not determine ${count} terms.`);
  let used = Array.from({ length: count }, (_, term) => term);
  for (;;) {
    // The terms differ by orders of magnitude, so each is divided by its largest value.
    const scaled = points.map(({ terms, value }) => used.map((term) => terms[term]! / value));
    const scales = used.map((_, at) => Math.max(...scaled.map((row) => Math.abs(row[at]!)), Number.MIN_VALUE));
    const rows = scaled.map((row) => row.map((term, at) => term / scales[at]!));
    const matrix = used.map((_, a) => used.map((__, b) => rows.reduce((sum, row) => sum + row[a]! * row[b]!, 0)));
    const found = solve(
      matrix,
      used.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0)),
    );
    // Terms that the points cannot tell apart: the first one stands for both.
    if (!found) used = used.slice(0, -1);
    else if (found.some((coefficient) => coefficient < 0))
      used = used.filter((_, at) => at !== found.indexOf(Math.min(...found)));
    else
      return Array.from({ length: count }, (_, term) =>
        used.includes(term) ? found[used.indexOf(term)]! / scales[used.indexOf(term)]! : 0,
      );
  }
}

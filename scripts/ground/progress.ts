import { clearLine, cursorTo } from "node:readline";

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);

/** Formats text for a terminal. Returns plain text if the output is not a terminal or NO_COLOR is set. */
export const style = {
  bold: (text: string) => paint(1, text),
  dim: (text: string) => paint(2, text),
  good: (text: string) => paint(32, text),
  bad: (text: string) => paint(31, text),
};

/** Shows the progress of a step. `text` replaces the previous text. */
export type ShowDetail = (text: string) => void;

const quietSeconds = 3;
const detailEverySeconds = 5;

/**
 * Runs one step of a command and prints its label, progress and duration. On a terminal, the line is rewritten in
 * place. Otherwise, a line is printed at the end, and in between only for long steps.
 */
export async function step<T>(label: string, work: (show: ShowDetail) => Promise<T>): Promise<T> {
  const started = performance.now();
  const elapsed = () => style.dim(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  const live = process.stdout.isTTY;
  let lastDetailAt = started;

  const rewrite = (text: string) => {
    clearLine(process.stdout, 0);
    cursorTo(process.stdout, 0);
    process.stdout.write(text);
  };
  const announce = live ? undefined : setTimeout(() => console.log(`  … ${label}`), quietSeconds * 1000);
  const show: ShowDetail = (detail) => {
    const line = `  … ${label}  ${style.dim(detail)}`;
    if (live) {
      rewrite(line.slice(0, (process.stdout.columns ?? 80) + (colour ? 8 : -1)));
    } else if (performance.now() - lastDetailAt > detailEverySeconds * 1000) {
      lastDetailAt = performance.now();
      console.log(line);
    }
  };

  if (live) rewrite(`  … ${label}`);
  try {
    const result = await work(show);
    if (live) rewrite("");
    console.log(`  ${style.good("✓")} ${label}  ${elapsed()}`);
    return result;
  } catch (error) {
    if (live) rewrite("");
    console.log(`  ${style.bad("✗")} ${label}  ${elapsed()}`);
    throw error;
  } finally {
    clearTimeout(announce);
  }
}

/** Formats a progress bar of 24 characters with percentage and label, for {@link ShowDetail}. */
export function bar(done: number, total: number, label: string): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * 24);
  return `${"█".repeat(filled)}${"░".repeat(24 - filled)} ${String(Math.floor(share * 100)).padStart(3)} %  ${label}`;
}

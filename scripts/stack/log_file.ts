import { closeSync, copyFileSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";

const largestBytes = 10_000_000;

/** How the line begins that says that something starts. */
const headed = "=== ";

/**
 * The log of one process of the stack. It is kept over restarts, each of which begins with a line of its own. At 10 MB its
 * content moves to a file with the suffix .1, in place of what was there.
 */
export class LogFile {
  constructor(readonly path: string) {}

  /** Opens it for a process that is about to start. @returns a file descriptor that appends */
  open(title: string): number {
    this.bound();
    const descriptor = openSync(this.path, "a", 0o600);
    writeSync(descriptor, `${headed}${new Date().toISOString()} ${title}\n`);
    return descriptor;
  }

  /** Writes a line of our own. */
  note(text: string): void {
    closeSync(this.open(text));
  }

  /** Makes room where it has become large. A process that appends to it goes on at its new end. */
  bound(): void {
    if (!existsSync(this.path) || statSync(this.path).size <= largestBytes) return;
    copyFileSync(this.path, `${this.path}.1`);
    truncateSync(this.path);
  }

  /** What was written since the last start. */
  sinceStart(): string {
    const text = readFileSync(this.path, "utf8");
    const begin = text.startsWith(headed) ? Math.max(text.lastIndexOf(`\n${headed}`), 0) : text.lastIndexOf(`\n${headed}`);
    return begin === -1 ? text : text.slice(text.indexOf("\n", begin + 1) + 1);
  }
}

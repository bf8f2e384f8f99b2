import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";

const maxBytes = 10_000_000;

/** The prefix of the line that each start writes. */
const headerPrefix = "=== ";

/**
 * The log of one process of the stack. Restarts append to it, each with a header line. When the log exceeds 10 MB, it
 * is moved to a file with the suffix .1, which replaces the previous one.
 */
export class LogFile {
  constructor(readonly path: string) {}

  /** Opens the log for a process that is about to start. @returns a file descriptor in append mode */
  open(title: string): number {
    this.rotate();
    const descriptor = openSync(this.path, "a", 0o600);
    writeSync(descriptor, `${headerPrefix}${new Date().toISOString()} ${title}\n`);
    return descriptor;
  }

  /** Writes a header line. */
  note(text: string): void {
    closeSync(this.open(text));
  }

  /** Rotates the log if it is too large. A process that appends to it continues at the new end. */
  rotate(): void {
    if (!existsSync(this.path) || statSync(this.path).size <= maxBytes) return;
    copyFileSync(this.path, `${this.path}.1`);
    truncateSync(this.path);
  }

  /** Returns the lines since the last start. */
  sinceStart(): string {
    const text = readFileSync(this.path, "utf8");
    const begin = text.startsWith(headerPrefix)
      ? Math.max(text.lastIndexOf(`\n${headerPrefix}`), 0)
      : text.lastIndexOf(`\n${headerPrefix}`);
    return begin === -1 ? text : text.slice(text.indexOf("\n", begin + 1) + 1);
  }
}

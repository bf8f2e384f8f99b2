import { Part, type PartOptions } from "./part.ts";
import type { Problem } from "./problem.ts";

/** What has been started so far, so that it can be stopped in the opposite order. */
export class Running {
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly parts: Part[] = [];
  private stopping = false;

  /** Starts a process that is stopped with the rest, even when it never comes up. */
  startPart(options: PartOptions): Part {
    const part = new Part(options);
    this.parts.push(part);
    this.stops.push(() => part.stop());
    return part;
  }

  addStop(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  /** The first part that ends although nobody asked it to. */
  firstFailure(): Promise<Problem> {
    return new Promise((resolve) => {
      for (const part of this.parts) {
        void part.exited.then(() => {
          if (!this.stopping) resolve(part.failure());
        });
      }
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }
}

import { setTimeout as wait } from "node:timers/promises";
import { Part, type PartOptions } from "./part.ts";
import { Problem } from "./problem.ts";

const maxRestarts = 5;
const restartWindowMinutes = 10;
const rotateLogsEveryMilliseconds = 60_000;

/** How long a process may take to exit after its connections are closed. */
const exitDelayMilliseconds = 1_000;

/** The started parts of a stack. It restarts parts that exit, and stops all parts in reverse order. */
export class Running {
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly parts: Part[] = [];
  private isStopping = false;

  /** Starts a process and waits until it is ready. It is stopped with the others, even if it never becomes ready. */
  async startPart(options: PartOptions): Promise<Part> {
    const part = new Part(options);
    this.parts.push(part);
    this.stops.push(() => part.stop());
    await part.waitUntilReady();
    return part;
  }

  addStop(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  /**
   * The failure of a part that has exited, if there is one. Waits briefly, because connections fail before the exit is
   * noticed.
   */
  async failureOfExitedPart(): Promise<Problem | undefined> {
    const ended = this.parts.map((part) => part.exited.then(() => part.failure()));
    return Promise.race([...ended, wait(exitDelayMilliseconds, undefined)]);
  }

  /**
   * Restarts every part that exits, and reports it.
   * @returns the failure of a part that exits too often
   */
  async supervise(): Promise<Problem> {
    const timer = setInterval(() => this.parts.forEach((part) => part.log.rotate()), rotateLogsEveryMilliseconds);
    this.addStop(async () => clearInterval(timer));
    return Promise.race(this.parts.map((part) => this.keepAlive(part)));
  }

  private async keepAlive(part: Part): Promise<Problem> {
    let ends: number[] = [];
    for (;;) {
      await part.exited;
      // The part was stopped on purpose, so this promise never resolves.
      if (this.isStopping) return new Promise(() => undefined);
      const restarted = part.restarted;
      if (restarted) {
        await restarted;
        continue;
      }
      const { message, advice } = part.failure();
      ends = [...ends, Date.now()].filter((at) => at > Date.now() - restartWindowMinutes * 60_000);
      if (ends.length > maxRestarts)
        return new Problem(
          `${message}\nIt was restarted ${maxRestarts} times within ${restartWindowMinutes} minutes.`,
          advice,
        );
      console.error(
        `\n${message}\n${part.name} is restarting (restart ${ends.length} of at most ${maxRestarts} in ${restartWindowMinutes} minutes).`,
      );
      // The delay increases, because the cause may take time to pass. For example, other parts fail until Postgres has
      // recovered.
      await wait((ends.length - 1) * 1000, undefined, { ref: false });
      await part.restart().then(
        () => !this.isStopping && console.error(`${part.name} is up again.`),
        () => part.endProcess(),
      );
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }
}

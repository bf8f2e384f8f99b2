import { setTimeout as wait } from "node:timers/promises";
import { Part, type PartOptions } from "./part.ts";
import { Problem } from "./problem.ts";

const restartsAtMost = 5;
const restartWindowMinutes = 10;
const boundLogsEveryMilliseconds = 60_000;

/** How long a process may take to end after its connections have. */
const noticeMilliseconds = 1_000;

/** What has been started so far, so that it can be kept running, and stopped in the opposite order. */
export class Running {
  private readonly stops: (() => Promise<void>)[] = [];
  private readonly parts: Part[] = [];
  private isStopping = false;

  /** Starts a process and waits until it answers. It is stopped with the rest, even when it never does. */
  async startPart(options: PartOptions): Promise<Part> {
    const part = new Part(options);
    this.parts.push(part);
    this.stops.push(() => part.stop());
    await part.untilItAnswers();
    return part;
  }

  addStop(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  /** What to tell of a part that has ended by itself: a connection to it fails a moment before that is known. */
  async endedPart(): Promise<Problem | undefined> {
    const ended = this.parts.map((part) => part.exited.then(() => part.failure()));
    return Promise.race([...ended, wait(noticeMilliseconds, undefined)]);
  }

  /**
   * From now on, starts a part that ends by itself again, and says so.
   * @returns what to tell when one ends too often
   */
  async supervise(): Promise<Problem> {
    const timer = setInterval(() => this.parts.forEach((part) => part.log.bound()), boundLogsEveryMilliseconds);
    this.addStop(async () => clearInterval(timer));
    return Promise.race(this.parts.map((part) => this.keepAlive(part)));
  }

  private async keepAlive(part: Part): Promise<Problem> {
    let ends: number[] = [];
    for (;;) {
      await part.exited;
      // Never, since the part was asked to end.
      if (this.isStopping) return new Promise(() => undefined);
      const { message, advice } = part.failure();
      ends = [...ends, Date.now()].filter((at) => at > Date.now() - restartWindowMinutes * 60_000);
      if (ends.length > restartsAtMost) return new Problem(`${message}\nIt was started again ${restartsAtMost} times within ${restartWindowMinutes} minutes.`, advice);
      console.error(`\n${message}\n${part.name} is started again (${ends.length} of at most ${restartsAtMost} times in ${restartWindowMinutes} minutes).`);
      // What it ended of may need a moment to pass: Postgres recovers, then the parts that lost it come back.
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

import { readFileSync } from "node:fs";
import { zoneWithMidnightIn } from "../testing/midnight.ts";
import type { Random } from "../demo/random.ts";
import type { FaultStack } from "./stack.ts";

const DAY_MS = 86_400_000;
/** Long enough for jobs to begin before. */
const MIDNIGHT_IN_S = 5;

const MOVE_CLOCK = readFileSync(new URL("move_clock.sql", import.meta.url), "utf8");

/** A time zone of the store, in seconds east of UTC, and since when it is in force, in milliseconds since 1970. */
export interface Zone {
  from: number;
  offset: number;
}

/** The clock and the time zone of the store. */
export class Clock {
  moves = 0;
  /** Where the store is, and where it was. The first is that of a new store, Asia/Shanghai. */
  readonly zones: Zone[] = [{ from: -Infinity, offset: 8 * 3600 }];
  /** The next midnight, in milliseconds since 1970. */
  midnight = 0;

  constructor(
    private readonly stack: FaultStack,
    private readonly random: Random,
  ) {}

  /** Moves the clock over days that are missed, to a few seconds before midnight. Nothing else may run meanwhile. */
  async move(): Promise<void> {
    // The other time zone takes a day back at most.
    const days = 2 + this.random.below(4);
    const from = Date.now();
    const { offset, name, midnight } = zoneWithMidnightIn(MIDNIGHT_IN_S);
    await this.stack.with((sql) =>
      sql.unsafe(`${MOVE_CLOCK.replaceAll("$days", String(days))} update app.settings set time_zone = '${name}'`),
    );
    for (const zone of this.zones) zone.from -= days * DAY_MS;
    this.zones.push({ from, offset });
    this.midnight = midnight;
    this.moves += 1;
  }
}

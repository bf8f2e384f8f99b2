import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import { Problem } from "../ground/problem.ts";
import type { ShowDetail } from "../ground/progress.ts";

const packageName = "libfaketime";

/**
 * The day on which this run takes place, or its day and time; undefined for the real one. Set by `clockEnvironment`.
 */
export const clockOfRun = process.env.STORE_TEST_CLOCK || undefined;

const msOfDay = 86_400_000;

/** Parses the option --clock: a day, or a day and a time in UTC. */
export function parseClock(text: string): string {
  const [day, time = "00:00"] = text.split("T");
  const at = Date.parse(`${day}T${time}:00Z`);
  if (
    !/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text) ||
    Number.isNaN(at) ||
    new Date(at).toISOString().slice(0, 16) !== `${day}T${time}`
  )
    throw new InvalidArgumentError(
      "It must be a date such as 2027-03-01, or a date and a time in UTC such as 2027-03-01T15:59.",
    );
  return text;
}

/** Finds libfaketime, which Debian has in a folder of the architecture. @returns the path of the library */
export function findFakeClock(): string | undefined {
  const folders = existsSync("/usr/lib") ? readdirSync("/usr/lib") : [];
  return folders
    .map((folder) => join("/usr/lib", folder, "faketime/libfaketime.so.1"))
    .find((path) => existsSync(path));
}

/**
 * Finds libfaketime, or installs it as root on Debian or Ubuntu.
 * @returns the path of the library
 * @throws Problem that says what to install
 */
export async function ensureFakeClock(show: ShowDetail): Promise<string> {
  if (!findFakeClock() && canInstallPackages()) {
    await apt(["update"], show);
    await apt(["install", "--no-install-recommends", packageName], show);
  }
  const found = findFakeClock();
  if (!found)
    throw new Problem(
      "--clock needs libfaketime, which is not installed.",
      `Install it (on Debian or Ubuntu: apt-get install ${packageName}), or run the tests without --clock.`,
    );
  return found;
}

/** Functions of the C library that wait for a duration. */
const waits = [
  "select",
  "pselect",
  "poll",
  "ppoll",
  "epoll_wait",
  "epoll_pwait",
  "nanosleep",
  "usleep",
  "sleep",
  "alarm",
];

/**
 * A copy of libfaketime that leaves functions of the C library as they are. Its own form of them gives the real time to
 * the handlers of signals that arrive meanwhile: in Postgres, no timeout would ever end a wait, and what the postmaster
 * starts would live on another day.
 * @param elf the content of the library, 64 bits and little-endian
 */
export function withoutFunctions(elf: Buffer, names: string[]): Buffer {
  const copy = Buffer.from(elf);
  const [sectionsAt, sectionSize, sections] = [
    Number(copy.readBigUInt64LE(0x28)),
    copy.readUInt16LE(0x3a),
    copy.readUInt16LE(0x3c),
  ];
  const section = (index: number) => {
    const at = sectionsAt + index * sectionSize;
    return {
      type: copy.readUInt32LE(at + 4),
      offset: Number(copy.readBigUInt64LE(at + 0x18)),
      size: Number(copy.readBigUInt64LE(at + 0x20)),
      link: copy.readUInt32LE(at + 0x28),
    };
  };
  const dynamicSymbols = 11;
  const symbols = Array.from({ length: sections }, (_, index) => section(index)).find(
    ({ type }) => type === dynamicSymbols,
  )!;
  const texts = section(symbols.link);
  for (let at = symbols.offset; at < symbols.offset + symbols.size; at += 24) {
    const start = texts.offset + copy.readUInt32LE(at);
    // A symbol without section and value is not defined here.
    if (names.includes(copy.toString("latin1", start, copy.indexOf(0, start)))) copy.fill(0, at + 6, at + 16);
  }
  return copy;
}

/**
 * The environment in which all processes take a day for today, at the present time of day or at the time that is given.
 * Durations are real.
 * @param folder where every user can read; gets a copy of the library
 * @param clock as `parseClock` returns it
 */
export function clockEnvironment(library: string, folder: string, clock: string): Record<string, string> {
  const copy = join(folder, "libfaketime.so.1");
  writeFileSync(copy, withoutFunctions(readFileSync(library), waits));
  const now = Date.now();
  const seconds = clock.includes("T")
    ? Math.round((Date.parse(`${clock}:00Z`) - now) / 1000)
    : (Date.parse(clock) - Math.floor(now / msOfDay) * msOfDay) / 1000;
  return {
    STORE_TEST_CLOCK: clock,
    LD_PRELOAD: copy,
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}`,
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** How far the clock of this process is from the real one, in milliseconds. */
export const fakeClockOffset = (): number => Number(process.env.FAKETIME ?? 0) * 1000;

/** An environment without what `clockEnvironment` adds, for a program that does not start with libfaketime. */
export function withRealClock({ LD_PRELOAD: preloaded, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...(preloaded !== undefined && clockOfRun === undefined && { LD_PRELOAD: preloaded }) };
}

const shared = "/dev/shm";

/**
 * Deletes the shared memory that libfaketime keeps of processes that were killed. A new process with the same id could
 * not start.
 */
export function removeLeftovers(): void {
  for (const name of readdirSync(shared)) {
    const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(shared, name), { force: true });
  }
}

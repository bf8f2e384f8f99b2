import { randomInt } from "node:crypto";
import { connect, createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "./problem.ts";

export const host = "127.0.0.1";

/** Listens on an address, and stops at once. */
function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/**
 * Reserves a port among our own processes until this process ends, by a Linux abstract socket of its name. Other
 * systems have none.
 */
function reserve(port: number): Promise<void> {
  if (process.platform !== "linux") return Promise.resolve();
  return new Promise((resolve, reject) => {
    const server = createServer().unref();
    server.once("error", reject);
    server.listen(`\0store-port-${port}`, resolve);
  });
}

/**
 * Finds an unused port of the loopback interface. It stays free until this process ends, even while nothing listens on
 * it: the system gives connections ports from 32768 up, and `reserve` keeps our own processes away.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    try {
      await reserve(port);
      await listenOnce(port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

type PortVariable = "PORT" | "DATABASE_PORT";

/** Reads a port from the environment. @throws Problem if the value is not a port number */
export function portSetting(variable: PortVariable, fallback: number): number {
  const text = process.env[variable] ?? "";
  if (text === "") return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Problem(
      `${variable}=${text} is not a port number.`,
      `Set ${variable} to a number from 1 to 65535, for example ${variable}=${fallback}.`,
    );
  }
  return port;
}

/** Why `npm start` cannot listen on a port. @param variable chooses another one */
export function portProblem(port: number, variable: PortVariable, error: unknown): Problem {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new Problem(
      `Port ${port} is in use by another program.`,
      `Stop that program, or choose another port: ${variable}=${port + 100} npm start`,
    );
  return new Problem(
    `Port ${port} cannot be used (${code}).`,
    `Choose another port: ${variable}=${port + 10000} npm start`,
  );
}

/** Whether a program listens on a port. */
function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** How long the system keeps the port of a connection that this machine has ended (TIME_WAIT). */
const LINGER_MS = 65_000;

/**
 * Waits until nothing uses a port. The system takes some ports from 32768 up for connections, and keeps them for a
 * minute after their end: that is no other program.
 * @throws Problem if another program uses the port
 */
export async function requireFreePort(port: number, variable: PortVariable): Promise<void> {
  for (const begun = Date.now(); ; await wait(500)) {
    const error = await listenOnce(port).catch((reason: unknown) => reason as NodeJS.ErrnoException);
    if (!error) return;
    if (error.code !== "EADDRINUSE" || Date.now() - begun > LINGER_MS || (await isAnswered(port)))
      throw portProblem(port, variable, error);
    if (Date.now() - begun < 500)
      console.log(`Port ${port} was used by a connection that has ended; waiting up to a minute until it is free ...`);
  }
}

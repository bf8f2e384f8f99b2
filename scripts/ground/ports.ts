import { createServer } from "node:net";
import { Problem } from "./problem.ts";

export const host = "127.0.0.1";

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** Finds an unused port of the loopback interface. */
export function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Reads a port from the environment. @throws Problem if the value is not a port number */
export function portSetting(variable: "PORT" | "DATABASE_PORT", fallback: number): number {
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

/** @throws Problem if another program uses the port. It names the variable that changes our port */
export async function requireFreePort(port: number, variable: "PORT" | "DATABASE_PORT"): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") {
      throw new Problem(
        `Port ${port} is in use by another program.`,
        `Stop that program, or choose another port: ${variable}=${port + 100} npm start`,
      );
    }
    throw new Problem(`Port ${port} cannot be used (${code}).`, `Choose another port: ${variable}=${port + 10000} npm start`);
  }
}

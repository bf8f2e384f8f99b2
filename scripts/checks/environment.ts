import { denoEnvironment } from "../stack/functions.ts";

/** The environment of all checks: nothing asks the network or reports to anybody, and where there is no terminal nothing is coloured. */
export const checkEnvironment: NodeJS.ProcessEnv = {
  ...denoEnvironment,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  ...(!process.stdout.isTTY && { NO_COLOR: "1" }),
};

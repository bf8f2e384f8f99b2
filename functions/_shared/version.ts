/** Version of the service. It equals `version` in package.json, which is not deployed. */
export const VERSION = "0.1.0";

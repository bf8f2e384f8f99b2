/** Version of the service, equal to `version` in package.json, which is not part of a deployment. */
export const VERSION = "0.1.0";

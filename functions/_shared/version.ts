/** Version of the service. It equals `version` in package.json, which is not deployed. */
export const VERSION = "1.0.0";

/** Replaced by the bundler (scripts/generate/function_bundles.ts). */
declare const SOURCE_HASH: string | undefined;

/** The hash of the sources that this bundle was built from; `unbundled` for sources that run as they are. */
export const SOURCE = typeof SOURCE_HASH === "undefined" ? "unbundled" : SOURCE_HASH;

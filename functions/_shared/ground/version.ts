/** Version of the service. It equals `version` in package.json, which is not deployed. */
export const VERSION = "2.0.0";

/**
 * The versions of the schema that this version serves: from the one whose functions, arguments and results it needs,
 * until before the next major version. An update changes the database first, so the functions of the version before
 * meet the next schema for a while.
 */
export const SERVED = { from: "2.0.0", before: "3.0.0" };

/** Replaced by the bundler (scripts/generate/function_bundles.ts). */
declare const SOURCE_HASH: string | undefined;

/** The hash of the sources that this bundle was built from; `unbundled` for sources that run as they are. */
export const SOURCE = typeof SOURCE_HASH === "undefined" ? "unbundled" : SOURCE_HASH;

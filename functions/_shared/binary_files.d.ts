/** A binary file: gzip in base64, see scripts/generate/function_bundles.ts. */
declare module "*.glyphs" {
  const text: string;
  export default text;
}

declare module "*.wasm" {
  const text: string;
  export default text;
}

declare module "*.woff2" {
  const text: string;
  export default text;
}

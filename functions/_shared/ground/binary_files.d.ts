/** A binary file: Brotli in base64, see scripts/generate/function_bundles.ts. */
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

declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm" {
  const text: string;
  export default text;
}

/** The start of a library in C as WebAssembly, see pictures/codec.ts. */
declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs" {
  const start: unknown;
  export default start;
}

declare module "*/icodec/dist/webp-dec.js" {
  const start: unknown;
  export default start;
}

declare module "*/icodec/dist/webp-enc.js" {
  const start: unknown;
  export default start;
}

declare module "*/icodec/dist/mozjpeg.js" {
  const start: unknown;
  export default start;
}

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

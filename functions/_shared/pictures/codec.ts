import { type Asset, readAsset } from "../ground/assets.ts";
import { process } from "../ground/node_globals.ts";

/** A library in C as WebAssembly, with the interface to JavaScript that Emscripten has generated. */
export interface Library {
  HEAPU8: Uint8Array;
}

/** Starts a library. */
export type Start<Started extends Library> = (options: {
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
  printErr: (line: string) => void;
}) => Promise<Started>;

/** Runs a codec once. */
type Run<Started> = <Result>(use: (library: Started) => Result | Promise<Result>) => Promise<Result>;

/**
 * A library with more memory is not kept: the memory of an instance never shrinks, and so much begins a collection of
 * garbage.
 */
const MOST_KEPT = 32 * 1024 * 1024;

// The libraries of icodec return pictures by this function, which they look up when they start.
Object.assign(globalThis, {
  _icodec_ImageData: (data: Uint8ClampedArray, width: number, height: number) => ({ data, width, height }),
});

/**
 * Prepares a library. Its program is compiled once. Its instance is kept, because the memory of many would wait for the
 * collection of garbage. One that has failed is not used again: a damaged file can leave it in any state.
 */
export function codec<Started extends Library>(load: () => Asset, start: Start<Started>): Run<Started> {
  let program: Promise<WebAssembly.Module> | undefined;
  let usable: Started | undefined;
  return async (use) => {
    program ??= readAsset(load()).then((bytes) => WebAssembly.compile(bytes));
    const library = usable ?? (await startLibrary(start, await program));
    usable = undefined;
    const result = await use(library);
    if (library.HEAPU8.byteLength <= MOST_KEPT) usable = library;
    return result;
  };
}

/** Starts a library from its compiled program. */
function startLibrary<Started extends Library>(start: Start<Started>, program: WebAssembly.Module): Promise<Started> {
  const { type } = process as { type?: string };
  // What Emscripten asks for before it takes Node for granted, and `require` with it, which a bundle has not.
  Object.assign(process, { type: "renderer" });
  try {
    return start({
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(program, imports);
        done(instance);
        return instance.exports;
      },
      // What it says about damaged files.
      printErr: () => undefined,
    });
  } finally {
    Object.assign(process, { type });
  }
}

import { type Pixels, scaleDown } from "../pixels.ts";

/** A library in C as WebAssembly: its memory, and how space in it is taken and given back. */
export interface CLibrary {
  memory: WebAssembly.Memory;
  malloc: (bytes: number) => number;
  free: (at: number) => void;
}

function fail(): never {
  throw new Error("The library has failed.");
}

/** Starts a library in C. An error inside it ends in an exception. Then, it cannot be used again. */
export function startLibrary(program: WebAssembly.Module): CLibrary {
  const noEnvironment = (count: number, bytes: number) => {
    for (const at of [count, bytes]) new DataView(library.memory.buffer).setUint32(at, 0);
    return 0;
  };
  const library = new WebAssembly.Instance(program, {
    // It sets a mark to which an error jumps back.
    env: { setjmp: () => 0, longjmp: fail },
    wasi_snapshot_preview1: {
      environ_sizes_get: noEnvironment,
      environ_get: fail,
      proc_exit: fail,
      fd_close: fail,
      fd_seek: fail,
      fd_write: fail,
    },
  }).exports as unknown as CLibrary;
  return library;
}

/** Copies a file into the memory of a library. @returns where it is */
export function putFile({ memory, malloc }: CLibrary, bytes: Uint8Array): number {
  const at = malloc(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
  return at;
}

/** Takes a picture out of the memory of a library, so that no side is longer than `most`. */
export function takePixels({ memory, free }: CLibrary, at: number, width: number, height: number, most: number): Pixels {
  const inside = { data: new Uint8ClampedArray(memory.buffer, at, width * height * 4), width, height };
  const smaller = scaleDown(inside, most);
  const pixels = smaller === inside ? { ...inside, data: inside.data.slice() } : smaller;
  free(at);
  return pixels;
}

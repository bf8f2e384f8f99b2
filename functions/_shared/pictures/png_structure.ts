import { refused } from "./refuse.ts";
import type { Structure } from "./structure.ts";

/** The colour types of PNG: how many samples a pixel has, and the depths that they may have. */
const COLOUR_TYPES: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8] },
  2: { samples: 3, depths: [8] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8] },
  6: { samples: 4, depths: [8] },
};

/** What is needed to decode a PNG. */
export interface PngParts extends Structure {
  depth: number;
  colourType: number;
  samples: number;
  isInterlaced: boolean;
  palette: Uint8Array | undefined;
  transparency: Uint8Array | undefined;
  /** The compressed data. */
  data: Uint8Array<ArrayBuffer>[];
}

/**
 * Reads the chunks of a PNG up to its end. What follows is not looked at, nor are texts and other chunks besides the
 * picture and its profile.
 * @throws Problem if it does not end
 */
export function inspectPng(bytes: Uint8Array<ArrayBuffer>): PngParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts: PngParts | undefined;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, end - 4);
    if (!parts) {
      if (type !== "IHDR" || content.length !== 13) throw refused("damaged");
      parts = readHeader(content);
    } else if (type === "IHDR") throw refused("damaged");
    else if (type === "acTL") throw refused("animated");
    else if (type === "PLTE") parts.palette = content;
    else if (type === "tRNS") parts.transparency = content;
    // After its name, an end of the text and the method of compression, of which there is one.
    else if (type === "iCCP") parts.profile = content.subarray(content.indexOf(0) + 2);
    else if (type === "IDAT") parts.data.push(content);
    else if (type === "IEND") {
      if (parts.data.length === 0 || (parts.colourType === 3 && !parts.palette)) throw refused("damaged");
      return parts;
    }
    at = end;
  }
  throw refused("damaged");
}

function readHeader(header: Uint8Array): PngParts {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [depth, colourType, compression, filter, interlace] = header.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  const known = COLOUR_TYPES[colourType];
  if (depth === 16) throw refused("depth");
  if (!known?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) throw refused("damaged");
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    orientation: 1,
    isHeavy: false,
    profile: undefined,
    depth,
    colourType,
    samples: known.samples,
    isInterlaced: interlace === 1,
    palette: undefined,
    transparency: undefined,
    data: [],
  };
}

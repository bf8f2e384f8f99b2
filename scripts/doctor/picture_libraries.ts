import { type Finding, ok } from "./finding.ts";

/** A library in C that handles pictures, inside a package of npm. */
interface PictureLibrary {
  does: string;
  library: string;
  version: string;
  /** When this version was released. */
  date: string;
  package: string;
  /** Whether files of strangers reach it. */
  isDecoder: boolean;
}

/** The libraries in C that the functions `picture` and `poster` contain. `docs/operations.md` lists them, too. */
export const pictureLibraries: PictureLibrary[] = [
  {
    does: "decodes JPEG",
    library: "libjpeg-turbo",
    version: "3.1.90",
    date: "2026-03-27",
    package: "@cornerstonejs/codec-libjpeg-turbo-8bit",
    isDecoder: true,
  },
  {
    does: "decodes and encodes WebP",
    library: "libwebp",
    version: "1.4.0",
    date: "2024-04-12",
    package: "icodec",
    isDecoder: true,
  },
  {
    does: "encodes JPEG",
    library: "MozJPEG",
    version: "4.1.5",
    date: "2023-10-12",
    package: "icodec",
    isDecoder: false,
  },
];

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Says which decoders of pictures are so old that a newer one may have mended a fault. */
export function examinePictureLibraries(now = new Date()): Finding[] {
  return pictureLibraries
    .filter(({ isDecoder }) => isDecoder)
    .map((each) => {
      const name = `${each.library} ${each.version} of ${each.date}, which ${each.does},`;
      if (now.getTime() - Date.parse(each.date) <= YEAR_MS) return ok("pictures", `${name} is younger than a year`);
      return {
        check: "pictures",
        severity: "hint",
        message: `${name} is older than a year`,
        hint: `See whether ${each.package} or another package has a newer one, and which faults were mended since (docs/operations.md, "Libraries that read pictures").`,
      };
    });
}

import { Problem } from "../responses/problem.ts";

/** Why a file is refused, as its sender reads it. */
const REASONS = {
  svg: "An SVG is not accepted, because it can contain programs. Upload a JPEG, PNG or WebP.",
  heic: "This phone format (HEIC or AVIF) is not accepted. Save the picture as JPEG and upload it again.",
  unknown: "This is not a picture of a known kind. Upload a JPEG, PNG or WebP.",
  pixels:
    "The picture has more than 16 megapixels, or more than 16,384 pixels on a side. Make it smaller and upload it again.",
  heavy:
    "The picture is a progressive JPEG or a WebP with more than 8 megapixels. Make it smaller and upload it again.",
  damaged: "The picture is damaged or incomplete.",
  animated: "Animated pictures are not accepted. Upload a still one.",
  depth: "The picture has 16 bits for each colour. Save it with 8 bits and upload it again.",
  print: "The picture has colours for printing (CMYK). Save it in RGB and upload it again.",
} as const;

/** The error of a file that is not accepted. */
export function refused(reason: keyof typeof REASONS, cause?: unknown): Problem {
  return new Problem("picture_refused", { detail: REASONS[reason], cause });
}

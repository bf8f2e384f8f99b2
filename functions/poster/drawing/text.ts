import type { Font } from "./font.ts";

/**
 * Removes characters that the font cannot draw (emoji, rare characters, control characters). They would appear as white
 * boxes.
 */
export function drawable(text: string, font: Font): string {
  return [...text.normalize("NFC")]
    .filter((character) => character >= " " && font.has(character))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Shortens a text with an ellipsis to the width of at most `mostEms` Chinese characters. */
export function shorten(text: string, mostEms: number): string {
  const characters = [...text];
  let width = 0;
  const fits = characters.findIndex((character) => (width += ems(character)) > mostEms);
  return fits === -1
    ? text
    : `${characters
        .slice(0, Math.max(fits - 1, 1))
        .join("")
        .trimEnd()}…`;
}

/** Escapes a text for an XML element or attribute. */
export function escapeXml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return text.replaceAll(/[&<>"']/g, (character) => names[character]!);
}

/** The approximate width of a character: a Latin letter is 0.6 times as wide as a Chinese character. */
function ems(character: string): number {
  return character < "\u2000" ? 0.6 : 1;
}

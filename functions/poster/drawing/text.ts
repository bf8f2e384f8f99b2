import type { Font } from "./font.ts";

/** A text without what the font cannot draw (emoji, rare characters, control characters), as white boxes would be read as a fault. */
export function drawable(text: string, font: Font): string {
  return [...text.normalize("NFC")].filter((character) => character >= " " && font.has(character)).join("").replaceAll(/\s+/g, " ").trim();
}

/** A text that is at most so many Chinese characters wide, cut with an ellipsis where it is wider. */
export function shorten(text: string, mostEms: number): string {
  const characters = [...text];
  let width = 0;
  const fits = characters.findIndex((character) => (width += ems(character)) > mostEms);
  return fits === -1 ? text : `${characters.slice(0, Math.max(fits - 1, 1)).join("").trimEnd()}…`;
}

/** A text as content of an XML element or attribute. */
export function escapeXml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;" };
  return text.replaceAll(/[&<>"']/g, (character) => names[character]!);
}

/** Latin letters take about 0.6 of the width of a Chinese character. */
function ems(character: string): number {
  return character < "\u2000" ? 0.6 : 1;
}

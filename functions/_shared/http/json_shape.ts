/** How deep a body may be nested, and how many values it may have: several times what any route takes. */
const MOST = { depth: 32, values: 5000 };

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether JSON is so shallow and has so few values that parsing and validating it costs little more than reading it. 64
 * KiB of brackets took six times the processor time of a usual request, and of empty objects three times; counting them
 * takes a tenth of one. Bytes that are no JSON may pass: the parser refuses them.
 */
export function isModest(bytes: Uint8Array): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > MOST.depth || values > MOST.values) return false;
  }
  return true;
}

/** Where the text ends that begins at a quote. A quote after an odd number of backslashes is a part of it. */
function endOfText(bytes: Uint8Array, begin: number): number {
  for (let end = bytes.indexOf(QUOTE, begin + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (bytes[before - 1] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return bytes.length;
}

import { Parser } from "htmlparser2";
import {
  addressAttributes,
  allowedAddress,
  allowedElements,
  attributesOf,
  commonAttributes,
  removedWithContent,
} from "./allowed_html.ts";

export interface CleanHtml {
  html: string;
  /** What was removed, each kind once: elements such as `<script>`, attributes such as `<p onclick>`. */
  removed: string[];
}

/** Elements are nested too deep for a browser. */
export class NestedTooDeep extends Error {}

const MAX_DEPTH = 100;

const isAllowed = new Set(allowedElements);
const isRemovedWithContent = new Set(removedWithContent);
const isAddress = new Set(addressAttributes);
/** Elements without an end tag. */
const isVoid = new Set(["br", "hr", "img", "wbr", "col"]);
/** The white space and control characters that browsers ignore in an address. */
const IGNORED = /[\s\p{Cc}\u180E]/gu;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = (text: string) => text.replace(/[&<>]/g, (letter) => escapes[letter]!);
const escapeValue = (text: string) => text.replace(/[&<>"]/g, (letter) => escapes[letter]!);

/** A name that somebody made up may be as long as the text. */
const shortened = (name: string) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

function isAllowedAttribute(element: string, name: string, value: string): boolean {
  if (!commonAttributes.includes(name) && !(attributesOf[element] ?? []).includes(name)) return false;
  return !isAddress.has(name) || allowedAddress.test(value.replace(IGNORED, ""));
}

/**
 * Returns of HTML what the list of allowed elements and attributes has. It is written anew: start tags, end tags and
 * escaped text are all that can come out, so whatever the parser makes of broken HTML, no browser reads an element from
 * it that is not in the list.
 * @throws NestedTooDeep
 */
export function cleanHtml(source: string): CleanHtml {
  const removed = new Set<string>();
  const parts: string[] = [];
  /** The open elements, those that are not written included. */
  const open: { name: string; isWritten: boolean }[] = [];
  /** How many of them are removed with their content. */
  let hiding = 0;

  const parser = new Parser({
    onopentag(name, attributes) {
      const isWritten = hiding === 0 && isAllowed.has(name);
      if (hiding === 0 && !isWritten) removed.add(`<${shortened(name)}>`);
      if (isRemovedWithContent.has(name)) hiding += 1;
      open.push({ name, isWritten });
      if (open.length > MAX_DEPTH) throw new NestedTooDeep();
      if (!isWritten) return;
      let tag = `<${name}`;
      for (const [attribute, value] of Object.entries(attributes)) {
        if (isAllowedAttribute(name, attribute, value)) tag += ` ${attribute}="${escapeValue(value)}"`;
        else removed.add(`<${name} ${shortened(attribute)}>`);
      }
      parts.push(`${tag}>`);
    },
    ontext(text) {
      if (hiding === 0) parts.push(escapeText(text));
    },
    onclosetag(name) {
      // A start tag that is cut off by the end of the text was never told.
      if (open.at(-1)?.name !== name) return;
      const { isWritten } = open.pop()!;
      if (isRemovedWithContent.has(name)) hiding -= 1;
      if (isWritten && !isVoid.has(name)) parts.push(`</${name}>`);
    },
    oncomment() {
      removed.add("<!-- -->");
    },
  });
  parser.end(source);
  return { html: parts.join(""), removed: [...removed] };
}

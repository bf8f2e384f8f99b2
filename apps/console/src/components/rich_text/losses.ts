import { generateHTML, generateJSON } from "@tiptap/react";
import { cleanHtml, NestedTooDeep } from "../../../../../functions/_shared/html/clean_html.ts";
import { asHtml } from "../../../../shared/safe_html.ts";
import { extensions } from "./extensions.ts";

/** What would be lost of HTML. Elements are written as `<table>`, attributes as `<td colspan>`. */
export interface Losses {
  /** What the store removes when the text is saved. */
  bySaving: string[];
  /** What the editor cannot hold of the rest. */
  byEditor: string[];
  /** Whether the editor would change anything but white space. */
  isChanged: boolean;
  /** Whether the store refuses the text, because its elements are nested too deep. */
  isTooDeep: boolean;
}

/** Different names of the same. */
const synonyms: Record<string, string> = { b: "strong", i: "em", del: "s" };
const leaves = new Set(["br", "img", "hr", "wbr", "col"]);
const blocks = new Set(
  "h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr div figure figcaption details summary table caption colgroup col thead tbody tfoot tr th td".split(
    " ",
  ),
);

const bodyOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body;
const nameOf = ({ localName }: Element) => synonyms[localName] ?? localName;
/** The element that a block of code has around its text says nothing. */
const isRedundant = (element: Element) => element.localName === "code" && element.parentElement?.localName === "pre";

const attributesIn = (element: Element) =>
  [...element.attributes]
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
    .toSorted((one, other) => (one < other ? -1 : 1));

/** Everything that is in HTML, in its sequence, without white space and without how paragraphs and marks are nested. */
function formOf(body: Element): string[] {
  const parts: { text: string; kind: "run" | "tag" | "paragraph" }[] = [];
  const visit = (node: Node, marks: string[]) => {
    const styled = marks.length > 0 ? `{${[...new Set(marks)].toSorted().join(" ")}}` : "";
    if (node instanceof Text || !(node instanceof Element)) {
      const text = (node.textContent ?? "").replaceAll(/[ \t\n\r\f]+/g, "");
      if (text === "") return;
      const last = parts.at(-1);
      if (last?.kind === "run" && last.text.startsWith(`${styled} `)) last.text += text;
      else parts.push({ kind: "run", text: `${styled} ${text}` });
      return;
    }
    const name = nameOf(node);
    const tag = [name, ...attributesIn(node)].join(" ");
    const visitAll = (inner: string[]) => node.childNodes.forEach((child) => visit(child, inner));
    if (leaves.has(name)) parts.push({ kind: blocks.has(name) ? "tag" : "run", text: `<${tag}>${styled}` });
    else if (blocks.has(name)) {
      parts.push({ kind: "tag", text: `<${tag}>` });
      visitAll(marks);
      parts.push({ kind: "tag", text: `</${name}>` });
    } else if (name === "p") {
      parts.push({ kind: "paragraph", text: tag });
      visitAll(marks);
      parts.push({ kind: "paragraph", text: "p" });
    } else visitAll(isRedundant(node) ? marks : [...marks, tag]);
  };
  body.childNodes.forEach((child) => visit(child, []));
  // A paragraph begins or ends with what is around it, and an empty one shows nothing.
  return parts
    .filter(
      ({ kind, text }, at) =>
        kind !== "paragraph" ||
        text !== "p" ||
        (parts[at - 1]?.kind === "run" && parts.slice(at).find((part) => part.kind !== "paragraph")?.kind === "run"),
    )
    .map(({ text }) => text);
}

/** The elements and attributes in HTML, and how many there are of each. */
function countsOf(body: Element): Map<string, number> {
  const counts = new Map<string, number>();
  for (const element of body.querySelectorAll("*")) {
    if (isRedundant(element)) continue;
    const name = nameOf(element);
    const found = [`<${name}>`, ...[...element.attributes].map((attribute) => `<${name} ${attribute.name}>`)];
    for (const key of found) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** What saving HTML, and opening it in the editor, would change. */
export function lossesOf(content: string): Losses {
  try {
    const { html, removed } = cleanHtml(asHtml(content));
    const before = bodyOf(html);
    const after = bodyOf(generateHTML(generateJSON(html, extensions), extensions));
    const left = countsOf(after);
    return {
      bySaving: removed,
      byEditor: [...countsOf(before)].filter(([key, count]) => (left.get(key) ?? 0) < count).map(([key]) => key),
      isChanged: JSON.stringify(formOf(before)) !== JSON.stringify(formOf(after)),
      isTooDeep: false,
    };
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return { bySaving: [], byEditor: [], isChanged: true, isTooDeep: true };
  }
}

/** Whether the editor holds a text as it is. */
export function isHeld(content: string): boolean {
  const { bySaving, isChanged } = lossesOf(content);
  return bySaving.length === 0 && !isChanged;
}

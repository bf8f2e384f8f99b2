// Renders the structure of a page with its data, as WeChat does. What WeChat would show as nothing is an error here: a
// name that the data do not have, a value that is no text, an element or a directive that does not exist.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "htmlparser2";

/** An element of a rendered page. */
export interface Element {
  tag: string;
  attributes: Record<string, unknown>;
  /** The values of `data-…`. */
  dataset: Record<string, unknown>;
  /** The functions of the page by event: `tap`, `input`. */
  handlers: Record<string, string>;
  children: (Element | string)[];
  parent: Element | undefined;
}

/** An element or a text of a wxml file. */
export interface Source {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: Source[];
}

type Scope = Record<string, unknown>;

const ELEMENTS = new Set(
  "view text image button input textarea form label picker switch navigator scroll-view swiper swiper-item rich-text".split(
    " ",
  ),
);
const DIRECTIVES = new Set(["wx:if", "wx:elif", "wx:else", "wx:for", "wx:for-item", "wx:for-index", "wx:key"]);
const binding = /\{\{([\s\S]+?)\}\}/g;

const parsed = new Map<string, Source[]>();

/** The elements and texts of a wxml file. */
export function parseWxml(file: string): Source[] {
  const known = parsed.get(file) ?? parseDocument(readFileSync(file, "utf8"), { xmlMode: true }).children;
  parsed.set(file, known);
  return known;
}

/** The expressions between double braces in a text. */
export const expressionsIn = (text: string): string[] =>
  [...text.matchAll(binding)].map(([, expression]) => expression!);

function evaluate(expression: string, scope: Scope): unknown {
  const names = new Proxy(scope, {
    has: (_, name) => typeof name === "string",
    get: (target, name) => {
      if (typeof name === "symbol") return undefined;
      if (!(name in target)) throw new Error(`The page has no data ${name}, which {{${expression}}} shows.`);
      return target[name];
    },
  });
  // The only way to read names from an object. The expressions are those of our own pages.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function("scope", `with (scope) { return (${expression}); }`)(names) as unknown;
}

function interpolate(text: string, scope: Scope): unknown {
  const [only, ...others] = [...text.matchAll(binding)];
  if (only && others.length === 0 && only[0] === text) return evaluate(only[1]!, scope);
  return text.replace(binding, (shown, expression: string) => {
    const value = evaluate(expression, scope);
    if (typeof value !== "string" && !Number.isFinite(value))
      throw new Error(`${shown} shows ${JSON.stringify(value) ?? "undefined"}.`);
    return String(value);
  });
}

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Renders a wxml file below a parent. */
export function render(file: string, scope: Scope, parent: Element): void {
  renderAll(parseWxml(file), file, scope, parent);
}

function renderAll(sources: Source[], file: string, scope: Scope, parent: Element): void {
  // Whether an element of the present chain of wx:if was shown.
  let isDecided = false;
  for (const source of sources) {
    if (source.type === "text") {
      const text = String(interpolate(source.data!.trim(), scope));
      if (source.data!.trim() !== "") parent.children.push(text);
    } else if (source.type === "tag") {
      const attribs = source.attribs ?? {};
      const condition = attribs["wx:if"] ?? attribs["wx:elif"];
      if ("wx:if" in attribs) isDecided = false;
      const isNext = !("wx:elif" in attribs || "wx:else" in attribs) || !isDecided;
      const isShown = isNext && (condition === undefined || Boolean(interpolate(condition, scope)));
      if (isShown) isDecided = true;
      if (isShown) renderEach(source, file, scope, parent);
    }
  }
}

function renderEach(source: Source, file: string, scope: Scope, parent: Element): void {
  const attribs = source.attribs ?? {};
  if (attribs["wx:for"] === undefined) return renderOne(source, file, scope, parent);
  const list = interpolate(attribs["wx:for"], scope) as unknown[];
  if (!Array.isArray(list)) throw new Error(`${attribs["wx:for"]} is no list.`);
  if (attribs["wx:key"] === undefined) throw new Error(`${attribs["wx:for"]} has no wx:key.`);
  list.forEach((item, index) => {
    const inner = Object.assign(Object.create(scope) as Scope, {
      [attribs["wx:for-item"] ?? "item"]: item,
      [attribs["wx:for-index"] ?? "index"]: index,
    });
    renderOne(source, file, inner, parent);
  });
}

function renderOne(
  { name = "", attribs = {}, children = [] }: Source,
  file: string,
  scope: Scope,
  parent: Element,
): void {
  if (name === "include") return render(join(dirname(file), attribs.src!), scope, parent);
  if (name === "block") return renderAll(children, file, scope, parent);
  if (!ELEMENTS.has(name)) throw new Error(`${file} has an element ${name}.`);
  const element: Element = { tag: name, attributes: {}, dataset: {}, handlers: {}, children: [], parent };
  for (const [key, text] of Object.entries(attribs)) {
    const event = /^(?:bind|catch):?(\w+)$/.exec(key)?.[1];
    if (event) element.handlers[event] = text;
    else if (key.startsWith("data-")) element.dataset[camelCase(key.slice(5))] = interpolate(text, scope);
    else if (!key.startsWith("wx:")) element.attributes[key] = text === "" ? true : interpolate(text, scope);
    else if (!DIRECTIVES.has(key)) throw new Error(`${file} has a directive ${key}.`);
  }
  parent.children.push(element);
  renderAll(children, file, scope, element);
}

/** All elements below an element, and itself. */
export const elementsOf = (element: Element): Element[] => [
  element,
  ...element.children.flatMap((child) => (typeof child === "string" ? [] : elementsOf(child))),
];

/** The text of an element as it is read. */
export function textOf({ tag, attributes, children }: Element): string {
  const own =
    tag === "input" || tag === "textarea"
      ? [attributes.value || attributes.placeholder]
      : tag === "rich-text"
        ? [attributes.nodes]
        : [];
  return [...own, ...children.map((child) => (typeof child === "string" ? child : textOf(child)))]
    .filter(Boolean)
    .join(" ");
}

/** An element and what contains it, from the inside to the outside. */
export function* outwards(element: Element): Generator<Element> {
  for (let at: Element | undefined = element; at; at = at.parent) yield at;
}

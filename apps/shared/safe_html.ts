import DOMPurify, { type Config } from "dompurify";
import {
  addressAttributes,
  allowedAddress,
  allowedElements,
  attributesOf,
  commonAttributes,
  removedWithContent,
} from "../../functions/_shared/html/allowed_html.ts";

const attributes = [...commonAttributes, ...Object.values(attributesOf).flat()];

/** What the store keeps, too. Texts from before it looked at them are as they were written. */
const allowed = {
  ALLOWED_TAGS: allowedElements,
  ALLOWED_ATTR: attributes,
  ALLOWED_URI_REGEXP: allowedAddress,
  ADD_URI_SAFE_ATTR: attributes.filter((name) => !addressAttributes.includes(name)),
  FORBID_CONTENTS: removedWithContent,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** The content as HTML. The line breaks of a text without any element are line breaks. */
export const asHtml = (content: string) =>
  /<[a-z]/i.test(content) ? content : content.trim().replaceAll(/\r?\n/g, "<br>");

/** The text of an article or product as HTML that can do nothing, and whose links open in a new window. */
export function safeHtml(content: string): string {
  const body = document.createElement("div");
  body.append(DOMPurify.sanitize(asHtml(content), allowed));
  for (const link of body.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  for (const image of body.querySelectorAll("img:not([alt])")) image.setAttribute("alt", "");
  return body.innerHTML;
}

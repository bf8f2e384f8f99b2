import { cleanHtml, NestedTooDeep } from "../_shared/html/clean_html.ts";
import { paragraphs } from "../_shared/resources/schemas.ts";

/**
 * HTML of which the store keeps what `functions/_shared/html/allowed_html.ts` lists. A text without elements is HTML,
 * too.
 */
export function html(maximum: number, more = "") {
  return (
    paragraphs(0, maximum)
      .transform((source, context) => {
        try {
          return cleanHtml(source).html;
        } catch (error) {
          if (!(error instanceof NestedTooDeep)) throw error;
          context.addIssue("Elements are nested too deep.");
          return "";
        }
      })
      // An entity may have stood for a character that no text may have, and characters that are escaped need more
      // space.
      .pipe(paragraphs(0, maximum))
      .openapi({
        type: "string",
        maxLength: maximum,
        description: `HTML. Of elements and attributes, the store keeps those of text, lists, tables, links and pictures; the response has what is kept.${more}`,
      })
  );
}

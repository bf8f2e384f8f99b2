import { useMemo } from "react";
import { safeHtml } from "./safe_html.ts";

/** The text of an article or product, as it was written in the console. */
export function RichText({ content, className }: { content: string; className: string | undefined }) {
  const html = useMemo(() => safeHtml(content), [content]);
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}

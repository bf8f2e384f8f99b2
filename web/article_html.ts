/** The content of an article as HTML. A content without elements is text, whose lines are kept. */
export const articleHtml = (content: string): string => (/<[a-z!]/i.test(content) ? content : content.replaceAll("\n", "<br>"));

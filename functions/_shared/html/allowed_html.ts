// The only list of what the texts of articles and products may hold. The function that stores them, the editor of the
// console and the pages that show them use it.

/** Text, lists, tables, links and pictures. */
export const allowedElements = [
  ..."p h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre hr br div figure figcaption details summary".split(" "),
  ..."strong b em i u s del ins mark small sub sup code kbd q cite abbr span time a img ruby rt rp wbr".split(" "),
  ..."table caption colgroup col thead tbody tfoot tr th td".split(" "),
];

/** The attributes of every element. */
export const commonAttributes = ["title", "lang", "dir"];

/**
 * Further attributes by element. Whatever a link says here, the pages open it in a new window, without telling it where
 * from.
 */
export const attributesOf: Record<string, readonly string[]> = {
  a: ["href", "target", "rel"],
  img: ["src", "alt", "width", "height"],
  ol: ["start", "type", "reversed"],
  li: ["value"],
  th: ["colspan", "rowspan", "scope"],
  td: ["colspan", "rowspan"],
  col: ["span"],
  colgroup: ["span"],
  time: ["datetime"],
  details: ["open"],
};

/** The attributes with an address. */
export const addressAttributes = ["href", "src"];

/**
 * An address of http or https, a relative one, an email address or a phone number, without the white space that
 * browsers ignore in it.
 */
export const allowedAddress = /^(?:https?:\/\/|mailto:|tel:|(?!\/\/)[^:/?#\\]*(?:[/?#]|$))/i;

/** The elements that are removed with all that is in them. Of any other, the text stays. */
export const removedWithContent = [
  ..."script style template noscript iframe object embed applet frame frameset noframes noembed".split(" "),
  ..."svg math audio video canvas select option textarea title head xmp plaintext".split(" "),
];

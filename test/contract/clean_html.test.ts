import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedElements, attributesOf, commonAttributes } from "../../functions/_shared/html/allowed_html.ts";
import { cleanHtml, NestedTooDeep } from "../../functions/_shared/html/clean_html.ts";
import { html } from "../../functions/adminapi/html_text.ts";

const clean = (source: string) => cleanHtml(source).html;

describe("HTML that is kept", () => {
  it.each([
    "",
    "text without elements\nin two lines",
    '<h2>Tea</h2><p>Some <strong>strong</strong>, <em>green</em> <a href="https://example.com/?a=1&amp;b=2">tea</a>.<br>More.</p>',
    '<ul><li><p>One</p></li></ul><ol start="3"><li>Three</li></ol><blockquote><p>Said</p></blockquote><hr>',
    '<p><img src="https://x.example/storage/v1/object/public/pictures/a/large.jpg" alt="A &quot;cup&quot;" width="10"></p>',
    '<table><thead><tr><th colspan="2">Head</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    '<a href="#/product/3">a</a><a href="/help?x=1">b</a><a href="mailto:a@b.example">c</a><a href="tel:+86139">d</a><a href="page">e</a>',
    "<pre><code>a  &lt; b\n  &amp;&amp; c</code></pre>",
    '<p lang="zh" dir="ltr" title="t">茶 👩‍👩‍👧</p>',
  ])("is written as it was: %s", (source) => {
    expect(cleanHtml(source)).toEqual({ html: source, removed: [] });
  });
});

describe("HTML that could do something", () => {
  // Guarantee access/texts: No text of an article or a product, whenever stored, can run a script, send a form, load a
  // style sheet or lie over the page
  // By: one list of what is kept, functions/_shared/html/clean_html.ts, applied when it is saved and again where it is
  // shown, apps/shared/safe_html.ts
  it.each([
    ["<p>a<script>alert(1)</script>b</p>", "<p>ab</p>", ["<script>"]],
    ["<ScRiPt src=//x.example/a.js></sCrIpT>a", "a", ["<script>"]],
    ["<script>alert(1)", "", ["<script>"]],
    ["a<script", "ascript", []],
    ['<img src=x onerror=alert(1) alt="x">', '<img src="x" alt="x">', ["<img onerror>"]],
    [
      "<p onclick='x' ONLOAD=y style=\"position:fixed\" class=c id=i>a</p>",
      "<p>a</p>",
      ["<p onclick>", "<p onload>", "<p style>", "<p class>", "<p id>"],
    ],
    ['<img src="x"onerror="alert(1)"/>', '<img src="x">', ["<img onerror>"]],
    ["<img/src=x/onerror=alert(1)>", '<img src="x/onerror=alert(1)">', []],
    ['<a href="javascript:alert(1)">a</a>', "<a>a</a>", ["<a href>"]],
    ['<a href="JaVa\tScRiPt:alert(1)">a</a>', "<a>a</a>", ["<a href>"]],
    ['<a href="&#106;avascript&colon;alert(1)">a</a>', "<a>a</a>", ["<a href>"]],
    ['<a href="&#1;javascript:alert(1)">a</a>', "<a>a</a>", ["<a href>"]],
    ['<a href="vbscript:x">a</a><a href="data:text/html,x">b</a>', "<a>a</a><a>b</a>", ["<a href>"]],
    ['<img src="data:image/svg+xml;base64,AAAA"><img src="blob:x">', "<img><img>", ["<img src>"]],
    ['<a href="//evil.example">a</a><a href="&#9;//evil.example">b</a>', "<a>a</a><a>b</a>", ["<a href>"]],
    ['<a href=" https://x.example">a</a>', '<a href=" https://x.example">a</a>', []],
    ["<svg><script>alert(1)</script><text>t</text></svg>a", "a", ["<svg>"]],
    ["<svg/onload=alert(1)>", "", ["<svg>"]],
    [
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
      "",
      ["<math>"],
    ],
    [
      "<style>@import 'x'</style><link rel=stylesheet href=x><meta http-equiv=refresh content=0>a",
      "a",
      ["<style>", "<link>", "<meta>"],
    ],
    [
      "<iframe srcdoc='<script>x</script>'></iframe><object data=x></object><embed src=x>a",
      "a",
      ["<iframe>", "<object>", "<embed>"],
    ],
    [
      "<form action=x><button formaction=javascript:x>Send</button><input value=1></form>",
      "Send",
      ["<form>", "<button>", "<input>"],
    ],
    ["<base href=//x><body onload=x>a</body>", "a", ["<base>", "<body>"]],
    ["<!-- a --><![CDATA[<img src=x onerror=x>]]><?php x ?><!doctype html>b", "b", ["<!-- -->"]],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>a', "a", ["<noscript>"]],
    [
      "<p title='\"><script>alert(1)</script>'>a</p>",
      '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a</p>',
      [],
    ],
    ["&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", []],
    [
      "<custom-tag is=x><font color=red><h1>Title</h1></font></custom-tag>",
      "Title",
      ["<custom-tag>", "<font>", "<h1>"],
    ],
    [
      "<p __proto__=x constructor=y>a</p><constructor>b</constructor>",
      "<p>a</p>b",
      ["<p constructor>", "<constructor>"],
    ],
    ["<b><p>a</b>b", "<b><p>a</p></b>b", []],
  ])("loses that: %s", (source, expected, removed) => {
    const result = cleanHtml(source);
    expect(result.html).toBe(expected);
    expect(result.removed).toEqual(removed);
  });

  it("names a removed element that somebody made up by its beginning", () => {
    expect(cleanHtml(`<${"x".repeat(50_000)}>`).removed).toEqual([`<${"x".repeat(40)}…>`]);
  });
});

describe("whatever the source is", () => {
  const pieces = fc.constantFrom(
    ..."< > </ <! <!-- --> <![CDATA[ ]]> \" ' = / & &lt; &#0; ; script style svg math title textarea noscript template p b a img table td select xmp href= src= onerror= javascript: \0 \n 茶".split(
      " ",
    ),
    " ",
    "<p>",
    "</p>",
    "<svg>",
    "<style>",
    "<a href=",
    "<img src=x ",
    "<script>",
    "<plaintext>",
  );
  const sources = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  /** What can come out: start tags of the list, end tags, and escaped text. */
  const attributes = [...commonAttributes, ...Object.values(attributesOf).flat()].join("|");
  const written = new RegExp(
    `^(?:[^<>]|<(?:${allowedElements.join("|")})(?: (?:${attributes})="[^"<>]*")*>|</(?:${allowedElements.join("|")})>)*$`,
    "u",
  );

  // Guarantee access/texts
  it("nothing but what the list has is written, and cleaning it again changes nothing", () => {
    fc.assert(
      fc.property(sources, (source) => {
        const result = clean(source);
        expect(result).toMatch(written);
        expect(cleanHtml(result)).toEqual({ html: result, removed: [] });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a field with HTML", () => {
  const field = html(60_000);

  it("is refused if its elements are nested too deep, and at once if they are many", () => {
    expect(clean("<div>".repeat(100)).endsWith("</div>")).toBe(true);
    expect(() => clean("<div>".repeat(101))).toThrow(NestedTooDeep);
    for (const source of ["<b>".repeat(20_000), "<svg>".repeat(10_000), "<x y>".repeat(12_000)]) {
      const reply = field.safeParse(source);
      expect(reply.error?.issues.map(({ message }) => message)).toEqual(["Elements are nested too deep."]);
    }
  });

  it("takes thousands of elements", () => {
    const many = '<p id="1">a</p>'.repeat(4_000);
    expect(field.parse(many)).toBe("<p>a</p>".repeat(4_000));
    expect(field.parse(`${"<b id=1>".repeat(90)}${"<p>".repeat(8_000)}`)).toHaveLength(90 * 7 + 8_000 * 7);
  });

  it("has a length after it is written, too", () => {
    expect(field.safeParse("&".repeat(12_001)).success).toBe(false);
    expect(field.parse("&".repeat(12_000))).toBe("&amp;".repeat(12_000));
  });

  it("has no character that a text may not have, not even as an entity", () => {
    for (const source of ["a\u202eb", "a&#x202e;b", "a&#1;b", "<p title='&#x202e;'>b</p>"])
      expect(field.safeParse(source).success, source).toBe(false);
    expect(field.parse("a&#0;b&nbsp;c")).toBe("a\ufffdb\u00a0c");
  });

  it.each([1, null, true, ["<p>"], { html: "<p>" }])("is not %j", (value) => {
    expect(field.safeParse(value).success).toBe(false);
  });
});

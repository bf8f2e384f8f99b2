import { Hono } from "hono";
import { drawThing, type Thing, things } from "./things.ts";

/** The path under which the gateway serves the pictures of the demo products. */
export const demoPicturesPath = "/demo/pictures";

/** Views of a product: the thing in the middle, close, and twice. */
const views = 3;

/** The addresses of the pictures of a product, relative to the gateway. @param hue of its colours, in degrees */
export function picturesOf(thing: Thing, hue: number, count: number): string[] {
  return Array.from({ length: count }, (_, view) => `${demoPicturesPath}/${thing}-${hue}-${view}.svg`);
}

/** Draws a picture of 600 by 600 as SVG. */
function drawPicture(thing: Thing, hue: number, view: number): string {
  const drawing = drawThing(thing, hue);
  const placed = [
    `<g transform="translate(300 310) scale(1.5)">${drawing}</g>`,
    `<g transform="translate(330 340) rotate(-8) scale(2.2)">${drawing}</g>`,
    `<g transform="translate(205 330) rotate(-6)">${drawing}</g><g transform="translate(400 300) rotate(7) scale(1.1)">${drawing}</g>`,
  ][view];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600">
<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue} 45% 96%)"/><stop offset="1" stop-color="hsl(${hue} 40% 87%)"/></linearGradient></defs>
<rect width="600" height="600" fill="url(#ground)"/>
<circle cx="${view === 1 ? 480 : 110}" cy="130" r="170" fill="hsl(${hue} 60% 99%)" fill-opacity=".55"/>
<ellipse cx="300" cy="487" rx="${view === 2 ? 240 : 175}" ry="24" fill="hsl(${hue} 35% 35%)" fill-opacity=".16"/>
${placed}
</svg>
`;
}

/** Serves the pictures. They are drawn on request, so no other host is needed. */
export function demoPictures(): Hono {
  const app = new Hono();
  app.get("/:file", (context) => {
    const [, thing, hue, view] = /^([a-z]+)-(\d{1,3})-(\d)\.svg$/.exec(context.req.param("file")) ?? [];
    if (!things.includes(thing as Thing) || Number(view) >= views) return context.notFound();
    return context.body(drawPicture(thing as Thing, Number(hue), Number(view)), 200, {
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=86400",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
    });
  });
  return app;
}

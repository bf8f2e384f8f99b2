import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Api, createStore, type Store, unwrap } from "../../apps/client/index.ts";
import { escapeXml } from "../../functions/poster/drawing/text.ts";

/** The folder of the pages, beside the H5 app. */
export const sharePagesFolder = "p";

/** What a page says, to the apps that show a preview of its link. */
interface SharePage {
  /** The folder of the page, below that of all pages: empty for the store. */
  folder: string;
  title: string;
  description: string;
  picture: string | undefined;
  /** The route of the app that the page opens. */
  route: string;
}

/**
 * Opens the app with the referrer of the link. A file of its own: the policy of many hosts allows no script in a page.
 */
const openScript = `const { app, route } = document.currentScript.dataset;
location.replace(app + location.search + "#" + route);
`;

/** @param address of the app, with a slash at its end */
function htmlOf({ folder, title, description, picture, route }: SharePage, siteName: string, address: string): string {
  const tags = {
    site_name: siteName,
    title,
    description,
    image: picture,
    url: `${address}${sharePagesFolder}/${folder}`,
    type: "website",
  };
  const [safeTitle, app] = [escapeXml(title), escapeXml(address)];
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safeTitle}</title>
<meta name="description" content="${escapeXml(description)}">
${Object.entries(tags)
  .filter(([, content]) => content !== undefined)
  .map(([name, content]) => `<meta property="og:${name}" content="${escapeXml(content!)}">`)
  .join("\n")}
<script src="${app}${sharePagesFolder}/open.js" data-app="${app}" data-route="${escapeXml(route)}"></script>
</head>
<body>
<p><a href="${app}#${escapeXml(route)}">${safeTitle}</a></p>
</body>
</html>
`;
}

/** Reads all products on sale. */
async function readProducts(api: Store["api"]): Promise<Api["Product"][]> {
  const products: Api["Product"][] = [];
  for (let page = 1; ; page += 1) {
    const { list } = await unwrap(api.GET("/api/product", { params: { query: { page, limit: 100 } } }));
    products.push(...list);
    if (list.length < 100) return products;
  }
}

/** Writes a file unless it has this content. Nobody ever reads a part of it. @returns whether it was written */
function writeChanged(folder: string, name: string, content: string): boolean {
  const file = join(folder, name);
  try {
    if (readFileSync(file, "utf8") === content) return false;
  } catch {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
  return true;
}

/**
 * Writes the pages of the store and of each product on sale (docs/wechat_sharing.md). The page of a product that is not
 * on sale any more says nothing of it, and still leads to its place in the app.
 * @param site the folder of the app @param address of the app @param functionsUrl of the edge functions @returns how
 * many files were written
 */
export async function writeSharePages(site: string, address: string, functionsUrl: string): Promise<number> {
  const { api } = createStore({ functionsUrl });
  const [{ site_name, logo }, products] = await Promise.all([
    unwrap(api.GET("/api/system/metadata")),
    readProducts(api),
  ]);
  const root = join(site, sharePagesFolder);
  const store = { title: site_name, description: `邀请你加入${site_name}`, picture: logo ?? undefined };
  const pages: SharePage[] = products.map(({ id, title, price, images }) => ({
    folder: `${id}/`,
    title,
    description: `¥${price} · ${site_name}`,
    picture: images[0] ?? store.picture,
    route: `/products/${id}`,
  }));
  const current = new Set(pages.map(({ folder }) => folder));
  const written = writeChanged(root, "open.js", openScript) ? 1 : 0;
  const former = readdirSync(root)
    .filter((name) => /^\d+$/.test(name) && !current.has(`${name}/`))
    .map((id): SharePage => ({ ...store, folder: `${id}/`, route: `/products/${id}` }));
  return [{ ...store, folder: "", route: "/" }, ...pages, ...former].reduce(
    (count, page) =>
      count + (writeChanged(join(root, page.folder), "index.html", htmlOf(page, site_name, address)) ? 1 : 0),
    written,
  );
}

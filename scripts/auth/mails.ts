import { AsyncLocalStorage } from "node:async_hooks";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The page to which the link of a mail leads, as the request names it. */
const redirect = new AsyncLocalStorage<string | undefined>();

/** Handles a request of which a mail may be the result. Like hosted Auth, it keeps the page that the request names for the link. */
export function withRedirect<Result>(request: Request, handle: () => Result): Result {
  return redirect.run(new URL(request.url).searchParams.get("redirect_to") ?? undefined, handle);
}

/**
 * Stores mails as files that a browser shows, instead of sending them: `<folder>/<time> <address>.html`.
 * @param siteUrl only pages of this address are allowed, as hosted Auth has a list of them
 */
export function storedMails(folder: string, siteUrl: string) {
  let count = 0;
  const allowed = [siteUrl, siteUrl.replace("127.0.0.1", "localhost")];
  return {
    async send({ to, subject, html }: { to: string; subject: string; html?: string }): Promise<void> {
      const page = redirect.getStore();
      const name = `${new Date().toISOString().replaceAll(":", "-")} ${String(++count).padStart(4, "0")} ${to.replace(/[^\w@.+-]/g, "_")}.html`;
      const body = (html ?? "").replaceAll(
        `"${siteUrl}#`,
        `"${page && allowed.some((each) => page.startsWith(`${each}/`)) ? page : siteUrl}#`,
      );
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), `<!doctype html><meta charset="utf-8"><title>${subject}</title>\n${body}`);
    },
  };
}

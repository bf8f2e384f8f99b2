import { AsyncLocalStorage } from "node:async_hooks";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";

const template = (name: string, subject: string) => ({
  subject,
  content_path: join(projectRoot, "supabase/templates", `${name}.html`),
});

/** The mails that the store has in two languages. The CLI reads the same files (supabase/config.toml). */
export const templates = {
  recovery: template("recovery", "设置新密码 · Set a new password"),
  confirmation: template("confirmation", "确认邮箱 · Confirm your address"),
  invite: template("invite", "管理后台邀请 · Invitation to the console"),
};

/** The page to which the link of a mail leads, as the request names it. */
const redirect = new AsyncLocalStorage<string | undefined>();

/**
 * Handles a request of which a mail may be the result. Like hosted Auth, it keeps the page that the request names for
 * the link.
 */
export function withRedirect<Result>(request: Request, handle: () => Result): Result {
  return redirect.run(new URL(request.url).searchParams.get("redirect_to") ?? undefined, handle);
}

/**
 * Stores mails as files that a browser shows, instead of sending them: `<folder>/<time> <address>.html`. Their links
 * and codes sign people in, so nobody else on the machine may read them.
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
      // The folder may be there from before.
      await chmod(folder, 0o700);
      await writeFile(join(folder, name), `<!doctype html><meta charset="utf-8"><title>${subject}</title>\n${body}`, {
        mode: 0o600,
      });
    },
  };
}

import type { Page } from "playwright-core";

/** Collects what goes wrong in a page: errors of scripts, of the console (refusals of the content security policy among them), and requests without an answer. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    // A page that is left or read anew gives up what it still waited for.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

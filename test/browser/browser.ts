import type { Page } from "playwright-core";

/** Collects the errors of a page: of scripts, of the browser's console (including violations of the content security policy), and of requests. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    // Leaving or reloading a page aborts its requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

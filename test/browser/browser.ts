import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const installed = "/usr/bin/chromium";

/** Starts the Chromium of this machine, or the one that CHROMIUM names. @throws with what to install where there is none */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM || installed;
  if (!existsSync(executablePath)) {
    throw new Error(`There is no browser at ${executablePath}. Install one (apt-get install chromium fonts-noto-cjk), or set CHROMIUM to where one is.`);
  }
  // The sandbox needs rights that containers do not have; what is opened here is our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Collects what goes wrong in a page: errors of scripts, of the console (refusals of the content security policy among them), and requests without an answer. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

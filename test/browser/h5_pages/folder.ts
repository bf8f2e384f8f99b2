import { join } from "node:path";
import type { Page } from "playwright-core";
import type postgres from "postgres";
import { localDirectory } from "../../../scripts/ground/paths.ts";
import type { DemoH5, H5Page } from "../demo_h5.ts";

/** Where the long form keeps the pictures of all pages. */
export const screenshots = join(localDirectory, "screenshots/h5");

/** Routes by the name of their screenshot. */
type Routes = Record<string, string>;

/** Examines a page that is open. @param title the name of its screenshot */
export type Look = (page: Page, title: string) => Promise<void>;

/** Switches the data saver on, with which the app does not load the other tabs a second later. */
export const loadNothingAhead = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));

/** The tests of a folder of apps/h5/src/pages. */
export interface Folder {
  /** The pages that a visitor opens. */
  visitor?: Routes;
  /** The pages that member 10007 opens. */
  member?: Routes | ((sql: postgres.Sql) => Promise<Routes>);
  /** Visits the pages that have no route of their own. */
  visit?: (visitor: H5Page, look: Look, demo: DemoH5) => Promise<void>;
  /** Declares the tests of what the pages do. */
  tests?: (demo: DemoH5) => void;
}

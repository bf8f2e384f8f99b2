import { join } from "node:path";
import { withTable } from "../generate/document_table.ts";
import type { GeneratedFile } from "../generate/openapi_files.ts";
import { projectRoot } from "../ground/paths.ts";

interface AnyPoint {
  /** The section of docs/deploy.md that says how. */
  section: number;
  title: string;
  /** How many seconds a person, or `npm run deploy`, needs for it. */
  seconds: number;
  /** Whether that was measured, on two cores with a local Postgres; otherwise it is estimated. */
  isMeasured?: true;
  /** The checks of the doctor that say whether it is so. */
  checks: readonly string[];
}

/** The list of going live, in its order. The document and the doctor show the same. */
export const points = [
  { section: 2, title: "The project runs", seconds: 300, checks: ["project", "link"] },
  { section: 2, title: "Its size fits", seconds: 600, checks: ["size"] },
  { section: 3, title: "Its database answers", seconds: 600, checks: ["database"] },
  { section: 3, title: "Extensions", seconds: 5, checks: ["extension"] },
  { section: 3, title: "Migrations", seconds: 13, isMeasured: true, checks: ["migrations"] },
  { section: 3, title: "Role and password of the functions", seconds: 5, checks: ["roles", "password", "privileges"] },
  { section: 3, title: "Secrets of the functions", seconds: 5, checks: ["secrets"] },
  { section: 3, title: "Functions of this version", seconds: 180, checks: ["functions", "schema", "keys", "jwt"] },
  { section: 3, title: "Calls of the worker", seconds: 5, checks: ["worker"] },
  { section: 3, title: "Scheduled jobs", seconds: 0, checks: ["jobs", "health"] },
  { section: 3, title: "Guarantees of the database", seconds: 0, checks: ["configuration"] },
  { section: 4, title: "Console and H5 app on their host", seconds: 1800, checks: ["sites"] },
  {
    section: 4,
    title: "Administrators, with a second factor",
    seconds: 300,
    checks: ["administrators", "who decides"],
  },
  { section: 4, title: "Share links", seconds: 60, checks: ["share", "share address"] },
  { section: 5, title: "Links of mails lead to the sites", seconds: 60, checks: ["addresses"] },
  { section: 5, title: "Sign-ups are confirmed", seconds: 0, checks: ["sign-up", "config"] },
  { section: 5, title: "A mail server of your own", seconds: 900, checks: ["mails"] },
  { section: 6, title: "Plan and levels", seconds: 1800, checks: ["plan"] },
  { section: 6, title: "Products on sale", seconds: 900, checks: ["products"] },
  { section: 6, title: "An article before the sign-in", seconds: 300, checks: ["articles"] },
  { section: 6, title: "Payments", seconds: 0, checks: ["payments"] },
  { section: 6, title: "Settings of the functions", seconds: 0, checks: ["settings"] },
  {
    section: 6,
    title: "Test orders: settlement, level, release, refund",
    seconds: 2,
    isMeasured: true,
    checks: ["test orders"],
  },
  { section: 6, title: "Backups", seconds: 300, checks: ["backups"] },
  { section: 6, title: "Decoders of pictures", seconds: 0, checks: ["pictures"] },
  { section: 6, title: "A paid order", seconds: 600, checks: ["paid order"] },
] as const satisfies AnyPoint[];

export type Point = (typeof points)[number];
/** A check of the doctor. */
export type Check = Point["checks"][number];

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** docs/deploy.md with the list. */
export function documentOfGoingLive(): GeneratedFile {
  const all: AnyPoint[] = [...points];
  const rows = all.map(({ section, title, seconds, isMeasured }) => {
    const time = seconds === 0 ? "" : `${duration(seconds)}${isMeasured ? ", measured" : ""}`;
    return `| ${section} | ${title} | ${time} |\n`;
  });
  const sum = all.reduce((total, { seconds }) => total + seconds, 0);
  return withTable(join(projectRoot, "docs/deploy.md"), "| section | what is so then | time |\n|---|---|---|\n", [
    ...rows,
    `| | in all | ${duration(sum)} |\n`,
  ]);
}

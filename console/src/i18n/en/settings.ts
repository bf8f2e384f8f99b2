/** The settings of the store, and the versions of its parts. */
export const settings = {
  title: "Settings",
  store: "Store",
  siteName: "Store name",
  timeZone: "Time zone",
  timeZoneHint: "The time zone of business days and of the schedule, for example Asia/Shanghai.",
  shareUrl: "Share link URL",
  shareUrlHint: "The page that share links open. The store appends ?spread= and the member number.",
  mostUnpaid: "Unpaid order limit",
  mostUnpaidHint: "Between 1 and 1,000. A member with this many unpaid orders must pay or cancel one before they can place another.",
  system: "System",
  facts: {
    version: "Version",
    api_version: "API version",
    commit: "Commit",
    runtime: "Runtime",
    database_version: "Database version",
    migration: "Last migration",
    last_release: "Last release",
    waiting_jobs: "Waiting settlement jobs",
    dead_jobs: "Failed settlement jobs",
  },
};

/** The first page. */
export const overview = {
  title: "Overview",
  forMe: { title: "What waits for you", nothing: "Nothing waits for you." },
  days: "Days",
  lastDays: "Last {{days}} days",
  chart: { money: "Revenue and commission per day", points: "Points per day" },
  health: {
    title: "Background work",
    good: "Everything runs",
    bad: "Needs attention",
    released: "{{points}} points released for {{day}}",
    settled: "{{waiting}} settlements waiting",
    reconciled: "no differences, checked",
    details: "Details",
  },
  lastRelease: "Last release",
  released_one: "{{points}} points to {{count}} member",
  released_other: "{{points}} points to {{count}} members",
  noRelease: "No release has run yet.",
  running: "Not finished yet. Later runs complete it.",
  failures: "{{failures}} failed",
  jobs: "Settlement jobs",
  waiting: "{{waiting}} waiting",
  dead: "{{dead}} failed",
  late: "Late",
  dueSince: "Oldest due",
  importSince: "No order is settled until the import has ended. It began",
  importMend: "Continue it with npm run import, or end it with npm run import -- --abandon.",
  schedule: "Schedule",
  onTime: "On time",
  lateJobs: "{{late}} late",
  notRunning: "Not running",
  allOnTime: "All scheduled jobs ran on time.",
  notRun: "Did not run on time: {{titles}}",
  reconcile: "Reconciliation",
  reconciled: "No differences",
  findings: "Differences: {{findings}}",
  never: "Not run yet.",
  cuts: "Cut runs: {{cuts}}",
  scheduler: {
    meaning:
      "Until this is fixed, points may stay frozen, orders unsettled and unpaid orders open, and the reconciliation may not run.",
    missing: {
      title: "No scheduled job runs: pg_cron is not installed",
      mend: "Run this in the SQL editor as the owner of the store (role postgres). On a hosted project, you can also enable pg_cron under Integrations and then run only the second line.",
    },
    not_scheduled: {
      title: "Scheduled jobs are missing in pg_cron",
      mend: "Run this in the SQL editor as the owner of the store (role postgres).",
    },
    late: {
      title: "The scheduled jobs do not run",
      mend: "pg_cron has the jobs, but did not run them when they were due. This statement shows the last runs.",
    },
  },
  clock: {
    doubtful: {
      title: "The clock of the database may be wrong: no points are released",
      mend: "The clock is more than six hours ahead of the last run of a scheduled job. Check the time of the database server. If it is right, the edge functions usually confirm it within a minute; otherwise run this as the owner of the store (role postgres).",
    },
    differs: {
      title: "The clocks of the database and of an edge function differ",
      mend: "They are more than five minutes apart. Check the time of the database server, and correct the clock that is wrong.",
    },
  },
  steps: {
    title: "First steps",
    about: "What a new store needs. The list goes when everything is done.",
    done: "Done",
    open: "To do",
    dismiss: "Dismiss the list",
    dismissed: "The first steps were dismissed.",
    dismissTitle: "Dismiss the first steps?",
    dismissEffect: "No administrator sees the list again. Nothing else changes.",
    identity: { title: "Name and logo", about: "What members see at the top of the app." },
    product: { title: "Put queue goods on sale", about: "Orders with queue goods pay commission and points." },
    plan: {
      title: "Commission plan",
      about: "How many people a cycle has, and the ratio of each. Done once it is saved or an order is paid.",
    },
    levels: {
      title: "Member levels",
      about: "What each level requires and grants. Done once they are saved or an order is paid.",
    },
    article: {
      title: "Article before sign-in",
      about:
        "Create a sign-in category and publish an article in it. Without an article, visitors can sign in at once.",
    },
    payment: {
      title: "Take a payment",
      about: "Set up a payment provider, or accept offline payments. This step is done when an order has been paid.",
    },
    share: { title: "Share link URL", about: "The page that share links open. Visitors must be able to reach it." },
    withdrawals: {
      title: "Terms of withdrawals",
      about: "The smallest and largest amount, the fee, and how members are paid.",
    },
    colleague: {
      title: "Invite a colleague",
      about: "Above the limits of one administrator, a second one decides, too.",
    },
    order: {
      title: "Test order",
      about: "Order as a member, pay, and ship the order. This step is done when an order has been shipped.",
    },
  },
};

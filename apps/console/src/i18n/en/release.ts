/** The log of daily releases. */
export const release = {
  title: "Release log",
  about:
    "Every day, a fixed share of each member's frozen points becomes available. Each row is the release of one member on one business day.",
  days: "Release day",
  empty: "No releases found. Try clearing the filters.",
  day: "Business day",
  before: "Frozen before",
  released: "Released",
  after: "Frozen after",
  bookedAt: "Booked at",
  total: "Total released",
  members: "Highest number of members on one day",
  lastRun: "Last run",
  lastRunFacts_one: "{{points}} points to {{count}} member",
  lastRunFacts_other: "{{points}} points to {{count}} members",
  noRun: "No release has run yet.",
};

/** The log of daily releases. */
export const release = {
  title: "Release log",
  about: "Every day, a fixed share of each member's frozen points becomes available.",
  days: "Release day",
  empty: "There are no releases yet. Members with frozen points get one each day.",
  day: "Business day",
  before: "Frozen before",
  released: "Released",
  after: "Frozen after",
  bookedAt: "Booked at",
  total: "Total released",
  members: "Most members on one day",
  lastRun: "Last run",
  lastRunFacts_one: "{{points}} points to {{count}} member",
  lastRunFacts_other: "{{points}} points to {{count}} members",
  noRun: "No release has run yet.",
};

/** The log of daily releases. */
export const releaseLog = {
  title: "Release log",
  about: "Every day a small part of everyone's frozen points becomes available. Each row is one member on one business day.",
  from: "From",
  to: "To",
  empty: "No release matches. Clear a filter.",
  day: "Business day",
  before: "Frozen before",
  released: "Released",
  after: "Frozen after",
  bookedAt: "Booked at",
  total: "Released in all",
  members: "Most members on one day",
  lastRun: "Last run",
  lastRunFacts: "{{points}} points to {{users}} members",
  noRun: "No release has run yet.",
};

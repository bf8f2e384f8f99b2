/** The settlement jobs. */
export const settlement = {
  title: "Settlement jobs",
  about:
    "Paid orders that wait for their settlement, and orders whose settlement has failed. Settled orders leave this list.",
  attempts: "Attempts",
  next: "Next attempt",
  error: "Last error",
  since: "Created",
  retry: "Retry now",
  retried: "Order {{id}} will be settled within a minute.",
  empty: "No orders are waiting for settlement.",
};

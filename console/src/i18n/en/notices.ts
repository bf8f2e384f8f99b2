/** The notices by email that an administrator chooses. */
export const notices = {
  about:
    "When something new waits for you, the store writes to you: how much waits, with links, and nothing about members. Choose what you want to hear of; nothing is chosen at first.",
  address: "Notices go to {{email}}, the address with which you sign in.",
  kinds: "Notify me of",
  interval: "At most one notice",
  intervals: { quarter: "every 15 minutes", hour: "every hour", hours: "every 4 hours", day: "every day" },
  notSetUp: {
    title: "The store has no mail server",
    advice: "No notice is sent until one is set up (docs/operations.md, “Notices by email”). You can choose already.",
  },
};

/** What a member asks of the store about their personal data. */
export const person_requests = {
  title: "Requests about my data",
  meaning:
    "Ask the store for what you cannot do here yourself. You can download your data and delete your account under “My account”.",
  kind: "What do you ask for?",
  kinds: { copy: "A copy", correction: "A correction", deletion: "The deletion" },
  note: "What is it about?",
  noteOf: {
    copy: "Such as which data you need.",
    correction: "What is wrong, and what is right.",
    deletion: "Such as what stands in the way of the deletion.",
  },
  ask: "Send the request",
  asked: "The store has your request.",
  mine: "Your requests",
  none: "You have not asked for anything.",
  received: "Received",
  due: "Answered until",
  closed: "Answered",
  answer: "Answer",
  asks: "Your words",
  states: { open: "Open", done: "Done", refused: "Refused", lapsed: "Lapsed" },
};

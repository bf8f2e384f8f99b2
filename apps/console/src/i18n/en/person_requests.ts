/** Requests of members about their personal data. */
export const person_requests = {
  title: "Requests of persons",
  about:
    "Who asked for a copy, a correction or the deletion of their personal data, until when it is to be answered, and what was done. What members do alone in the app is here, too. Rows are kept.",
  empty:
    "No requests are open. Members can ask for their personal data to be corrected, exported or deleted in the app.",
  received: "Received",
  due: "Due",
  kind: "Asks for",
  kinds: { copy: "A copy", correction: "A correction", deletion: "The deletion" },
  states: { open: "Open", done: "Done", refused: "Refused", lapsed: "Lapsed" },
  overdue: "Overdue",
  channel: "Received through",
  channels: { app: "The app", administrator: "Letter, mail or call" },
  note: "What is asked for",
  answer: "What was done",
  recordedBy: "Recorded by",
  closedBy: "Answered by",
  closed: "Answered",
  actions: "Actions",
  record: {
    open: "Record a request",
    added: "The request was recorded.",
    meaning: "For a member who wrote or called. Make sure first that it is they.",
    wrongMember: "Enter a member number.",
    receivedOn: "Received on",
    receivedOnMeaning: "Leave it empty for today. The time to answer begins with it.",
    noteMeaning: "A correction needs it: what is wrong, and what is right. It is emptied when the account is deleted.",
    wrongNote: "Say what is wrong, and what is right.",
  },
  reply: {
    open: "Answer",
    of: "Answer the request of {{member}}",
    state: "State",
    stateOpen: "Stays open",
    howCopy:
      "The member can download the file in the app, which answers this. You can export it on the page of the member.",
    howCorrection:
      "The member changes nickname, picture and addresses in the app. Mark this as done once the data are right.",
    howDeletion:
      "The deletion of the account answers this, whether the member does it in the app or you do it. Until then, it stays open, or you refuse it.",
    answer: "What was done, or why it is refused",
    answerMeaning:
      "The member reads it, and it is kept when the account is deleted: write no name and no number. Once done or refused, it is final.",
  },
};

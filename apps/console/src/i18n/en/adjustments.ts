/** Corrections of balances by administrators. */
export const adjustments = {
  title: "Adjustments",
  about:
    "Corrections of the balances of members, each with a reason. Above the daily limits of one administrator (settings), and always for a member who has left, a second one must approve.",
  empty: "There are no adjustments yet. Make one on the page of a member.",
  brokerage: "Commission",
  reason: "Reason",
  kind: "Kind",
  kinds: { correction: "Correction", forfeit: "Forfeit", payout: "Payout" },
  kindMeaning:
    "Payout and forfeit are for what a member who left is still owed: what was paid to them outside the store, and what they give up. They take negative amounts.",
  madeBy: "Made by",
  decidedBy: "Decided by",
  states: { waiting: "Waiting for approval", booked: "Booked", refused: "Refused" },
  yourOwn: "You made it. Another administrator decides.",
  add: "New adjustment",
  added: "The adjustment was saved. If it is above a limit, another administrator must approve it.",
  signMeaning: "A negative amount takes from the balance. Leave empty what does not change.",
  reasonMeaning: "Administrators see it, the member does not.",
  wrongPoints: "Enter a number with at most four decimals, such as 12.5 or -12.5.",
  wrongMember: "Enter a member number.",
  approve: {
    open: "Approve",
    title: "Approve this adjustment?",
    meaning: "It changes the balances of the member at once. You cannot undo it, but you can make another adjustment.",
    done: "The adjustment was booked.",
  },
  refuse: {
    open: "Refuse",
    title: "Refuse this adjustment?",
    meaning: "The balances of the member stay as they are.",
    done: "The adjustment was refused.",
  },
};

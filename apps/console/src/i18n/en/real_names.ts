import { documentWords } from "../../../../../functions/_shared/words/document_words.ts";
import { wordsIn } from "../../../../../functions/_shared/words/words.ts";

/** The real names of members. */
export const real_names = {
  title: "Real name",
  about: "Asked for before a withdrawal of the amount in the settings, and stored encrypted.",
  states: { none: "Not given", given: "Given, not checked", checked: "Checked", refused: "Refused" },
  documents: wordsIn("en", documentWords),
  name: "Name",
  document: "Document",
  number: "Number",
  givenAt: "Given",
  decidedAt: "Decided",
  decidedBy: "By",
  provider: "The provider",
  reason: "Reason",
  show: "Show",
  recorded: "That you read it is in the action log.",
  check: {
    open: "Record as checked",
    title: "Is the real name checked?",
    meaning: "The member can withdraw any amount then. They can change the real name only after it is refused.",
    done: "Recorded.",
  },
  refuse: {
    open: "Refuse",
    title: "Refuse this real name?",
    meaning:
      "The member has to give it again before a withdrawal of the amount in the settings. A withdrawal that is open stays as it is.",
    reason: "Reason, which the member sees",
    done: "The real name was refused.",
  },
};

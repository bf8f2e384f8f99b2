import { documentWords } from "../../../../functions/_shared/words/document_words.ts";
import { wordsIn } from "../../../../functions/_shared/words/words.ts";

/** The real name that the store asks for before a large withdrawal. */
export const real_names = {
  title: "Real name",
  why: "The store needs it before a withdrawal of this amount. It is stored encrypted, and each time that somebody of the store reads it is recorded.",
  documents: wordsIn("en", documentWords),
  document: "Document",
  name: "Full name",
  nameHint: "As your document shows it.",
  number: "Number of the document",
  save: "Save",
  saved: "Your real name was saved.",
  stored: "{{name}}, {{document}} {{number}}",
  checked: "The store has checked your real name.",
  refused: "Your real name was refused. Give it again as your document shows it.",
  needed: {
    none: "From {{amount}} on, the store needs your real name.",
    given: "From {{amount}} on, your real name has to be checked first. The store is checking it.",
    refused: "From {{amount}} on, the store needs your real name again: it was refused.",
    give: "Give your real name",
  },
};

import { taskWords, wordsIn } from "../../../../functions/_shared/words/words.ts";

/** The levels and the tasks of a member. */
export const levels = {
  title: "Levels",
  next: { title: "Next level", to: "To become {{level}}", top: "You have reached the highest level." },
  held: "The store has locked your level. Completed tasks do not raise it at the moment.",
  inReview: "You have completed all tasks. The store is reviewing your level.",
  all: "All levels",
  mine: "Your level",
  directPoints: "Direct points per unit",
  umbrellaPoints: "Umbrella points per unit",
  progress: "{{current}} / {{target}}",
  task: wordsIn("en", taskWords),
};

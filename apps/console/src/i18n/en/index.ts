import { first } from "./first.ts";
import { later } from "./later.ts";

/** One namespace for each file, with the same name. */
export const en = { ...first, ...later };

/** The same keys as the English texts, without those of the singular, which Chinese does not have. */
export type Translated<Texts> = {
  [Key in keyof Texts as Key extends `${string}_one` ? never : Key]: Texts[Key] extends string
    ? string
    : Translated<Texts[Key]>;
};

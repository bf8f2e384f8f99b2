import { first } from "./first.ts";
import { later } from "./later.ts";

/** A namespace of texts for each file, under its name. */
export const en = { ...first, ...later };

/** A text in every place where the English one has one. */
export type Translated<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]> };

/** What a mutant can change. */
export const operators = [
  "comparison",
  "arithmetic",
  "logic",
  "negation",
  "null check",
  "number",
  "boolean",
  "function",
  "condition",
  "statement",
  "lock",
  "coalesce",
  "conflict",
  "sequence",
  "join",
  "list",
] as const;

export type Operator = (typeof operators)[number];

/** A replacement in the body of a function. */
export interface Change {
  operator: Operator;
  start: number;
  end: number;
  by: string;
}

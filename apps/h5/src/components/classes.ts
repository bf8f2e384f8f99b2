/** Joins class names. Those of a condition that does not hold are left out. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(" ");

/** A number as a field holds it: empty while somebody types. */
export type FieldNumber = number | "";

/** The number of a field. An empty one is none, which goes out as null and is refused there, and never as 0. */
export function numberOf(field: FieldNumber): number {
  return field === "" ? Number.NaN : field;
}

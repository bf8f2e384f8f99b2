/** The event is to be refused. */
export class Refused extends Error {}

export function refuseIf(condition: boolean): void {
  if (condition) throw new Refused();
}

/** In milliseconds. */
export const DAY = 86_400_000;

/** The days from the first to the last, as YYYY-MM-DD. */
export function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY)
    days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}

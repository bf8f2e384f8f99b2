const DAY = 86_400;

interface Zone {
  /** In seconds east of UTC. */
  offset: number;
  /** As Postgres names it. */
  name: string;
  /** The next midnight there, in milliseconds since 1970. */
  midnight: number;
}

/** The time zone in which midnight comes in some seconds. */
export function zoneWithMidnightIn(seconds: number): Zone {
  const midnight = Math.floor(Date.now() / 1000) + seconds;
  const east = DAY - (midnight % DAY);
  const offset = east > DAY / 2 ? east - DAY : east;
  // Names of this form count to the west.
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const size = Math.abs(offset);
  return {
    offset,
    midnight: midnight * 1000,
    name: `<store>${offset < 0 ? "+" : "-"}${two(size / 3600)}:${two((size / 60) % 60)}:${two(size % 60)}`,
  };
}

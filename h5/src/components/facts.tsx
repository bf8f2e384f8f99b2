import type { ReactNode } from "react";

/** A description list. Entries without a value are left out. */
export function Facts({ items }: { items: [name: string, value: ReactNode][] }) {
  const known = items.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "");
  if (known.length === 0) return null;
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

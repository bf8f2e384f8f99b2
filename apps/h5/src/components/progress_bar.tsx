import { ProgressBar as LibraryProgressBar } from "antd-mobile";

/** How much of a target is reached, also for screen readers, for which the bar of the component library has no role. */
export function ProgressBar({ label, value, target }: { label: string; value: number; target: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={target}
      aria-valuenow={Math.min(value, target)}
    >
      <LibraryProgressBar
        percent={Math.min((value / target) * 100, 100)}
        style={{ "--fill-color": "var(--brand-text)", "--track-color": "var(--sunken)" }}
      />
    </div>
  );
}

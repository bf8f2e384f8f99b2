import { type CSSVariablesResolver, createTheme, type MantineColor } from "@mantine/core";

// The header of a dialog is not a second banner of the page, as its element would announce.
const attributes = { header: { role: "none" } };

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  // By name, because the first page needs neither.
  components: { Modal: { defaultProps: { attributes } }, Drawer: { defaultProps: { attributes } } },
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" }, h3: { fontSize: "1rem" } },
  },
});

const shown: MantineColor[] = ["gray", "indigo", "blue", "teal", "green", "yellow", "orange", "red"];

/** Shades with sufficient contrast (4.5 to 1, WCAG 2.2 AA). Some defaults of the component library do not have it. */
export const legibleColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
    "--mantine-color-anchor": "var(--mantine-color-indigo-8)",
    ...Object.fromEntries(
      shown.map((color) => [
        `--mantine-color-${color}-light-color`,
        `color-mix(in srgb, var(--mantine-color-${color}-9), black 35%)`,
      ]),
    ),
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-1)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-anchor": "var(--mantine-color-indigo-3)",
    ...Object.fromEntries(
      shown.map((color) => [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`]),
    ),
  },
});

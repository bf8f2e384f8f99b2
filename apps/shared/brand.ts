type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/**
 * The backgrounds on which text has the main colour: the pages of both schemes of the app. See
 * apps/shared/member_styles/styles.css.
 */
const lightGround: Rgb = [244, 245, 247];
const darkGround: Rgb = [35, 37, 43];

/** The minimum contrast of text (WCAG 2.2, AA). */
const readable = 4.5;

const parse = (colour: string): Rgb => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
const write = (rgb: Rgb) => `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
const mix = (from: Rgb, to: Rgb, share: number) =>
  from.map((channel, at) => channel + (to[at]! - channel) * share) as unknown as Rgb;

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Moves a colour towards another until text in it can be read on a background. */
function legible(colour: Rgb, towards: Rgb, ground: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const moved = mix(colour, towards, share);
    if (contrast(moved, ground) >= readable) return moved;
  }
  return towards;
}

/**
 * Derives legible shades from the main colour of a store: that of gradients, of text on it, and of texts and tints on
 * light and dark pages.
 * @param colour as #rrggbb
 * @returns the variables of apps/shared/member_styles/styles.css that hold them
 */
export function brandOf(colour: string): Record<`--${string}`, string> {
  const main = parse(colour);
  const onMain = contrast(white, main) >= readable ? white : black;
  const softOnLight = mix(white, main, 0.1);
  const softOnDark = mix(darkGround, main, 0.22);
  const towardsGround = contrast(softOnLight, black) < contrast(lightGround, black) ? softOnLight : lightGround;
  return {
    "--brand": write(main),
    // The colour of text on the main colour can be read on this one, too.
    "--brand-deep": write(mix(main, onMain === white ? black : white, 0.22)),
    "--on-brand": write(onMain),
    "--brand-text-on-light": write(legible(main, black, towardsGround)),
    "--brand-text-on-dark": write(
      legible(main, white, contrast(softOnDark, white) < contrast(darkGround, white) ? softOnDark : darkGround),
    ),
    "--brand-soft-on-light": write(softOnLight),
    "--brand-soft-on-dark": write(softOnDark),
  };
}

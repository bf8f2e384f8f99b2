import type { LevelFieldValues, LevelsForm } from "./levels_draft.ts";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Merges a grade that two people changed: my changes win, the rest is theirs. */
function mergeGrade(base: LevelFieldValues, theirs: LevelFieldValues, mine: LevelFieldValues): LevelFieldValues {
  const tasks = { ...theirs.tasks };
  for (const type of Object.keys(tasks) as (keyof typeof tasks)[]) {
    if (!isSame(mine.tasks[type], base.tasks[type])) tasks[type] = mine.tasks[type];
  }
  const fields = Object.entries(mine).filter(
    ([name, value]) => name !== "tasks" && !isSame(value, base[name as keyof LevelFieldValues]),
  );
  return { ...theirs, ...Object.fromEntries(fields), tasks };
}

/**
 * Applies my changes of `base` to the version that others saved. Grades that I added or removed are added or removed.
 */
export function mergeLevels(
  { levels: base }: LevelsForm,
  { levels: theirs }: LevelsForm,
  { levels: mine }: LevelsForm,
): LevelsForm {
  const count = mine.length === base.length ? theirs.length : mine.length;
  return {
    levels: Array.from({ length: count }, (_, grade) => {
      const [ofBase, ofTheirs, ofMine] = [base[grade], theirs[grade], mine[grade]];
      return ofBase && ofTheirs && ofMine ? mergeGrade(ofBase, ofTheirs, ofMine) : (ofMine ?? ofTheirs)!;
    }),
  };
}

/** A field with different values in two versions of the levels. */
export interface LevelDifference {
  grade: number;
  /** A path such as `direct_points` or `tasks.direct_orders`; undefined for a grade that one version does not have. */
  field: string | undefined;
  values: unknown[];
}

function fieldsOf({ tasks, ...fields }: LevelFieldValues): Record<string, unknown> {
  return { ...fields, ...Object.fromEntries(Object.entries(tasks).map(([type, target]) => [`tasks.${type}`, target])) };
}

/** The fields that differ between the versions, grade by grade. */
export function differencesOf(versions: LevelsForm[]): LevelDifference[] {
  const most = Math.max(...versions.map(({ levels }) => levels.length));
  return Array.from({ length: most }, (_, grade) => versions.map(({ levels }) => levels[grade])).flatMap(
    (levels, grade): LevelDifference[] => {
      const differs = (values: unknown[]) => values.some((value) => !isSame(value, values[0]));
      if (levels.some((level) => !level))
        return [{ grade, field: undefined, values: levels.map((level) => level?.name) }];
      const all = levels.map((level) => fieldsOf(level!));
      return Object.keys(all[0]!)
        .map((field) => ({ grade, field, values: all.map((level) => level[field]) }))
        .filter(({ values }) => differs(values));
    },
  );
}

import type { LevelFieldValues, LevelsForm } from "./levels_draft.ts";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** A grade where two have changed it: what I changed is mine, the rest is theirs. */
function mergeGrade(base: LevelFieldValues, theirs: LevelFieldValues, mine: LevelFieldValues): LevelFieldValues {
  const tasks = { ...theirs.tasks };
  for (const type of Object.keys(tasks) as (keyof typeof tasks)[]) {
    if (!isSame(mine.tasks[type], base.tasks[type])) tasks[type] = mine.tasks[type];
  }
  const fields = Object.entries(mine).filter(([name, value]) => name !== "tasks" && !isSame(value, base[name as keyof LevelFieldValues]));
  return { ...theirs, ...Object.fromEntries(fields), tasks };
}

/** My changes of `base` made to what others have saved meanwhile. Grades that I added or removed are added or removed. */
export function mergeLevels({ levels: base }: LevelsForm, { levels: theirs }: LevelsForm, { levels: mine }: LevelsForm): LevelsForm {
  const count = mine.length === base.length ? theirs.length : mine.length;
  return {
    levels: Array.from({ length: count }, (_, grade) => {
      const [ofBase, ofTheirs, ofMine] = [base[grade], theirs[grade], mine[grade]];
      return ofBase && ofTheirs && ofMine ? mergeGrade(ofBase, ofTheirs, ofMine) : (ofMine ?? ofTheirs)!;
    }),
  };
}

/** A field that differs between versions of the levels. */
export interface LevelDifference {
  grade: number;
  /** As `direct_points` or `tasks.direct_orders`; undefined for a grade that one of them does not have. */
  field: string | undefined;
  values: unknown[];
}

function fieldsOf({ tasks, ...fields }: LevelFieldValues): Record<string, unknown> {
  return { ...fields, ...Object.fromEntries(Object.entries(tasks).map(([type, target]) => [`tasks.${type}`, target])) };
}

/** The fields that are not the same in all versions, grade after grade. */
export function differencesOf(versions: LevelsForm[]): LevelDifference[] {
  const most = Math.max(...versions.map(({ levels }) => levels.length));
  return Array.from({ length: most }, (_, grade) => versions.map(({ levels }) => levels[grade])).flatMap((levels, grade): LevelDifference[] => {
    const differs = (values: unknown[]) => values.some((value) => !isSame(value, values[0]));
    if (levels.some((level) => !level)) return [{ grade, field: undefined, values: levels.map((level) => level?.name) }];
    const all = levels.map((level) => fieldsOf(level!));
    return Object.keys(all[0]!).map((field) => ({ grade, field, values: all.map((level) => level[field]) })).filter(({ values }) => differs(values));
  });
}
